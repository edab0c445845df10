// Angular's packages compile themselves when loaded, so the compiler must be loaded first.
import '@angular/compiler';
import { createEntityAdapter } from '@ngrx/entity';
import { createSelector } from '@ngrx/store';

import { firstFifty, nineFields } from '../data.ts';
import { requestByHand, sortedByHand } from '../system.ts';
import type { Data, Row, System } from '../system.ts';

/**
 * The entity adapter with its selectors, as reducers use it, without the store around them: state goes in, state comes
 * out, and nobody is notified. So nothing can be observed.
 */
const ngrxEntity: System = {
  name: '@ngrx/entity',
  imports: `
    export { createEntityAdapter } from '@ngrx/entity';
    export { createSelector } from '@ngrx/store';`,

  reader: (url, data) => {
    const adapter = createEntityAdapter<{ id: string }>();
    let state = adapter.addOne(data as { id: string }, adapter.getInitialState());
    return {
      read: async () => {
        state = adapter.upsertOne((await (await fetch(url)).json()) as { id: string }, state);
      },
      get: (name) => (state.entities['1'] as Data | undefined)?.[name],
      note: requestByHand,
    };
  },

  list: () => {
    const adapter = createEntityAdapter<Row>();
    const { selectAll } = adapter.getSelectors();
    const selectFirst = createSelector(selectAll, firstFifty);
    let state = adapter.getInitialState();
    let view: (() => void) | undefined;
    const next = (fresh: typeof state) => {
      state = fresh;
      view?.();
    };
    return {
      fill: (text) => next(adapter.setAll(JSON.parse(text) as Row[], state)),
      refetch: (fresh) => next(adapter.upsertMany(fresh as Row[], state)),
      byId: (id) => state.entities[id],
      where: (city) => selectAll(state).filter((row) => row.city === city),
      update: (row) => next(adapter.setOne(row, state)),
      insert: (row) => next(adapter.addOne(row, state)),
      remove: (id) => next(adapter.removeOne(id, state)),
      open: () => {
        // A new selector has nothing memoized, as when the view is shown for the first time.
        const first = view ? createSelector(selectAll, firstFifty) : selectFirst;
        let rows = first(state);
        view ??= () => {
          rows = first(state);
        };
        return { rows: () => rows, note: sortedByHand };
      },
    };
  },

  records: (count) => {
    const adapter = createEntityAdapter<{ id: number }>();
    return adapter.setAll(
      Array.from({ length: count }, (_, id) => ({ ...nineFields, id })),
      adapter.getInitialState(),
    );
  },
};

export default ngrxEntity;

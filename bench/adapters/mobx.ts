import { autorun, compareStructural, computed, observable, reaction, runInAction } from 'mobx';
import type { ObservableMap } from 'mobx';

import { firstFifty, nineFields } from '../data.ts';
import { requestByHand, sortedByHand } from '../system.ts';
import type { Data, List, Row, System } from '../system.ts';

/** Observable objects and, for rows, an observable map by id, which the documentation advises for keyed collections. */
const mobx: System = {
  name: 'mobx',
  imports: `export { autorun, computed, observable, reaction, runInAction } from 'mobx';`,

  reader: (url, data) => {
    const record = observable(data as Record<string, unknown>);
    return {
      read: async () => {
        const answer = (await (await fetch(url)).json()) as Data;
        runInAction(() => Object.assign(record, answer));
      },
      get: (name) => record[name],
      note: requestByHand,
    };
  },

  // With this comparer, an equal structure is no change for a reaction.
  watched: (data, names, notice) => {
    const record = observable(data as Record<string, unknown>);
    for (const name of names) {
      reaction(
        () => record[name],
        () => notice(name),
        { equals: compareStructural },
      );
    }
    return {
      apply: (answer) => runInAction(() => void Object.assign(record, answer)),
      get: (name) => record[name],
    };
  },

  derived: (data, _, compute) => {
    const record = observable(data as Record<string, unknown>);
    const get = (name: string) => record[name];
    autorun(() => compute(get));
    return { apply: (answer) => runInAction(() => void Object.assign(record, answer)), get };
  },

  list: () => listOf(),

  records: (count) => Array.from({ length: count }, (_, id) => observable({ ...nineFields, id })),
};

export default mobx;

function listOf(): List {
  const rows: ObservableMap<number, Row> = observable.map();
  const set = (row: Row) => {
    const old = rows.get(row.id);
    if (!old) {
      rows.set(row.id, row);
      return;
    }
    Object.assign(old, row);
  };
  return {
    fill: (text) => {
      rows.replace((JSON.parse(text) as Row[]).map((row) => [row.id, row]));
    },
    // Assigned to the existing row, so that its observers are notified of changes only.
    refetch: (fresh) =>
      runInAction(() => {
        const gone = new Set(rows.keys());
        for (const row of fresh) {
          set(row);
          gone.delete(row.id);
        }
        for (const id of gone) rows.delete(id);
      }),
    byId: (id) => rows.get(id),
    where: (city) => [...rows.values()].filter((row) => row.city === city),
    update: (row) => runInAction(() => set(row)),
    insert: (row) => runInAction(() => set(row)),
    remove: (id) => runInAction(() => void rows.delete(id)),
    open: () => {
      let first: readonly Row[] = [];
      const view = computed(() => firstFifty([...rows.values()]));
      const close = autorun(() => {
        first = view.get();
      });
      return { rows: () => first, close, note: sortedByHand };
    },
  };
}

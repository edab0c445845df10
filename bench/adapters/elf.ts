import { createStore, getRegistry, select, withProps } from '@ngneat/elf';
import {
  addEntities,
  deleteEntities,
  getAllEntitiesApply,
  getEntity,
  selectAllEntities,
  setEntities,
  updateEntities,
  upsertEntities,
  withEntities,
} from '@ngneat/elf-entities';
import { map } from 'rxjs';

import { firstFifty, nineFields } from '../data.ts';
import { requestByHand, sortedByHand } from '../system.ts';
import type { Data, List, Row, System } from '../system.ts';

/** A store of properties for a record, a store of entities for rows; a view is `selectAllEntities` and `map`. */
const elf: System = {
  name: '@ngneat/elf',
  imports: `
    export { createStore, select, withProps } from '@ngneat/elf';
    export { addEntities, deleteEntities, getAllEntitiesApply, getEntity, selectAllEntities, setEntities, updateEntities,
      upsertEntities, withEntities } from '@ngneat/elf-entities';`,

  reader: (url, data) => {
    const { apply, get } = recordOf(data);
    return {
      read: async () => {
        apply((await (await fetch(url)).json()) as Data);
      },
      get,
      note: requestByHand,
    };
  },

  watched: (data, names, notice) => {
    const { store, apply, get } = recordOf(data);
    for (const name of names) store.pipe(select((record) => record[name])).subscribe(() => notice(name));
    return { apply, get };
  },

  derived: (data, _, compute) => {
    const { store, apply, get } = recordOf(data);
    store.subscribe((record) => compute((name) => record[name]));
    return { apply, get };
  },

  list: () => listOf(),

  records: (count) => {
    const store = rowsStore();
    store.update(setEntities(Array.from({ length: count }, (_, id) => ({ ...nineFields, id })) as never));
    return store;
  },
};

export default elf;

function recordOf(data: Data) {
  const store = createStore({ name: 'record' }, withProps<Data>(data));
  // Every store is registered by name, for the developer tools.
  getRegistry().delete('record');
  return {
    store,
    apply: (answer: Data) => store.update((state) => ({ ...state, ...answer })),
    get: (name: string) => store.getValue()[name],
  };
}

function rowsStore() {
  const store = createStore({ name: 'rows' }, withEntities<Row>());
  getRegistry().delete('rows');
  return store;
}

function listOf(): List {
  const store = rowsStore();
  return {
    fill: (text) => store.update(setEntities(JSON.parse(text) as Row[])),
    refetch: (fresh) => store.update(upsertEntities(fresh as Row[])),
    byId: (id) => store.query(getEntity(id)),
    where: (city) => store.query(getAllEntitiesApply({ filterEntity: (row) => row.city === city })),
    update: (row) => store.update(updateEntities(row.id, () => row)),
    insert: (row) => store.update(addEntities(row)),
    remove: (id) => store.update(deleteEntities(id)),
    open: () => {
      let first: readonly Row[] = [];
      const subscription = store.pipe(selectAllEntities(), map(firstFifty)).subscribe((rows) => {
        first = rows;
      });
      return { rows: () => first, close: () => subscription.unsubscribe(), note: sortedByHand };
    },
  };
}

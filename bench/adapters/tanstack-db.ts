import {
  BTreeIndex,
  BasicIndex,
  IR,
  createCollection,
  createLiveQueryCollection,
  deepEquals,
  eq,
} from '@tanstack/db';
import type { Collection, SyncConfig } from '@tanstack/db';

import { nineFields } from '../data.ts';
import { requestByHand, toldOf } from '../system.ts';
import type { Data, List, ListOptions, Row, System } from '../system.ts';

/** Collections filled by a custom `sync`, as in the guide for collection options, and live queries. */
const tanstackDb: System = {
  name: '@tanstack/db',
  imports: `export { BasicIndex, createCollection, createLiveQueryCollection, eq } from '@tanstack/db';`,

  reader: (url, data) => {
    const { collection, sync } = synced<Data, string>('record', ({ id }) => id as string);
    write(sync, [{ type: 'insert', value: data }]);
    return {
      read: async () => {
        write(sync, [{ type: 'update', value: (await (await fetch(url)).json()) as Data }]);
      },
      get: (name) => collection.get('1')?.[name],
      note: requestByHand,
    };
  },

  // Changes are reported by row; the subscriber must find out which field changed.
  watched: (data, names, notice) => {
    const { collection, sync } = synced<Data, string>('record', ({ id }) => id as string);
    write(sync, [{ type: 'insert', value: data }]);
    for (const name of names) {
      collection.subscribeChanges((changes) => {
        for (const { value, previousValue } of changes) {
          if (!deepEquals(value[name], previousValue?.[name])) notice(name);
        }
      });
    }
    return {
      apply: (answer) => write(sync, [{ type: 'update', value: answer }]),
      get: (name) => collection.get('1')?.[name],
    };
  },

  derived: (data, _, compute) => {
    const { collection, sync } = synced<Data, string>('record', ({ id }) => id as string);
    write(sync, [{ type: 'insert', value: data }]);
    collection.subscribeChanges(([change]) => change && compute((name) => change.value[name]));
    return {
      apply: (answer) => write(sync, [{ type: 'update', value: answer }]),
      get: (name) => collection.get('1')?.[name],
    };
  },

  list: (options) => listOf(options),

  records: (count) => {
    const { collection, sync } = synced<Data, number>('records', ({ id }) => id as number);
    write(
      sync,
      Array.from({ length: count }, (_, id) => ({ type: 'insert', value: { ...nineFields, id } })),
    );
    return collection;
  },
};

export default tanstackDb;

type Sync<T extends object, K extends string | number> = Parameters<SyncConfig<T, K>['sync']>[0];
type Message<T extends object, K extends string | number> = Parameters<Sync<T, K>['write']>[0];

/** A collection, and the functions with which its server writes. */
function synced<T extends object, K extends string | number>(id: string, getKey: (row: T) => K) {
  let sync!: Sync<T, K>;
  const collection = createCollection<T, K>({
    id: `${id} ${++count}`,
    getKey,
    startSync: true,
    gcTime: 0,
    sync: {
      rowUpdateMode: 'full',
      sync: (given) => {
        sync = given;
        given.markReady();
      },
    },
  });
  return { collection: collection as Collection<T, K>, sync };
}

let count = 0;

function write<T extends object, K extends string | number>(
  sync: Sync<T, K>,
  messages: readonly Message<T, K>[],
): void {
  sync.begin();
  for (const message of messages) sync.write(message);
  void sync.commit();
}

function listOf({ tell, isIndexed = false }: ListOptions): List {
  const { collection, sync } = synced<Row, number>('rows', ({ id }) => id);
  if (isIndexed) {
    collection.createIndex((row) => row.city, { indexType: BasicIndex });
    collection.createIndex((row) => row.name, { indexType: BTreeIndex });
  }
  if (tell) {
    collection.subscribeChanges((changes) => {
      const of = (type: string) => changes.filter((change) => change.type === type);
      tell(toldOf({ added: of('insert'), changed: of('update'), removed: of('delete') }));
    });
  }
  return {
    isIndexed,
    fill: (text) =>
      write(
        sync,
        (JSON.parse(text) as Row[]).map((value) => ({ type: 'insert', value })),
      ),
    // As the query collections of the library process the rows of an answer.
    refetch: (fresh) => {
      const messages: Message<Row, number>[] = [];
      const gone = new Set(collection.keys());
      for (const value of fresh) {
        gone.delete(value.id);
        const old = collection.get(value.id);
        if (!old) messages.push({ type: 'insert', value });
        else if (!isSame(old, value)) messages.push({ type: 'update', value });
      }
      for (const key of gone) messages.push({ type: 'delete', key });
      write(sync, messages);
    },
    byId: (id) => collection.get(id),
    // The initial search of a subscription with `where`; `queryOnce` would build a live query each time.
    where: (city) => collection.currentStateAsChanges({ where: eq(new IR.PropRef(['city']), city) }) ?? [],
    update: (value) => write(sync, [{ type: 'update', value }]),
    insert: (value) => write(sync, [{ type: 'insert', value }]),
    remove: (key) => write(sync, [{ type: 'delete', key }]),
    open: async () => {
      const view = createLiveQueryCollection({
        query: (query) =>
          query
            .from({ row: collection })
            .where(({ row }) => eq(row.active, true))
            .orderBy(({ row }) => row.name, 'asc')
            .limit(50),
        gcTime: 0,
      });
      await view.preload();
      return { rows: () => view.toArray, close: () => view.cleanup() };
    },
    plain: (found: { value?: Row } | undefined) => found?.value ?? found,
    close: () => collection.cleanup(),
  };
}

/** Rows in `old` may have virtual properties. */
const isSame = (old: Row, value: Row): boolean =>
  (Object.keys(value) as (keyof Row)[]).every((name) => old[name] === value[name]);

import { createRxDatabase } from 'rxdb/plugins/core';
import type { RxCollection, RxDocument, RxJsonSchema } from 'rxdb/plugins/core';
import { getRxStorageMemory } from 'rxdb/plugins/storage-memory';
import { skip } from 'rxjs';

import { nineFields } from '../data.ts';
import { requestByHand } from '../system.ts';
import type { Data, List, ListOptions, Row, System } from '../system.ts';

/** A row as stored: primary keys are strings, so a server that fills it sends strings. */
type Stored = Omit<Row, 'id'> & { readonly id: string };

/**
 * A database in memory, without the development plugins that check every write. It cannot replace a whole list: its
 * replication asks a server for changes.
 */
const rxdb: System = {
  name: 'rxdb',
  imports: `
    export { createRxDatabase } from 'rxdb/plugins/core';
    export { getRxStorageMemory } from 'rxdb/plugins/storage-memory';`,

  reader: async (url, data) => {
    const { record, apply, get } = await recordOf(data);
    // Without a subscriber, its changes would be delayed.
    record.$.subscribe();
    return {
      read: async () => {
        await apply((await (await fetch(url)).json()) as Data);
      },
      get,
      note: requestByHand,
    };
  },

  watched: async (data, names, notice) => {
    const { record, apply, get } = await recordOf(data);
    for (const name of names)
      record
        .get$(name)
        .pipe(skip(1))
        .subscribe(() => notice(name));
    return { apply, get };
  },

  derived: async (data, _, compute) => {
    const { record, apply, get } = await recordOf(data);
    record.$.subscribe((latest) => compute((name) => latest.get(name) as unknown));
    return { apply, get };
  },

  list: (options) => listOf(options),

  records: async (count) => {
    const collection = await collectionOf<Data>(schemaOf<Data>({ ...nineFields, id: '0' }));
    await collection.bulkInsert(
      Array.from({ length: count }, (_, id) => ({ ...nineFields, id: String(id) })),
    );
    return collection;
  },
};

export default rxdb;

let count = 0;

async function collectionOf<T>(schema: RxJsonSchema<T>): Promise<RxCollection<T>> {
  const database = await createRxDatabase({
    name: `bench-${(count += 1)}`,
    storage: getRxStorageMemory(),
    multiInstance: false,
    eventReduce: true,
  });
  const { rows } = await database.addCollections({ rows: { schema } });
  return rows as RxCollection<T>;
}

/** The schema of some sample data; indexed strings need a length. */
function schemaOf<T extends object>(data: T, indexes: readonly (readonly string[])[] = []): RxJsonSchema<T> {
  const indexed = new Set(['id', ...indexes.flat()]);
  const properties = Object.entries(data).map(([name, value]): [string, object] => {
    if (Array.isArray(value)) return [name, { type: 'array', items: { type: 'object' } }];
    const type = typeof value;
    return [name, indexed.has(name) && type === 'string' ? { type, maxLength: 40 } : { type }];
  });
  return {
    version: 0,
    primaryKey: 'id',
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [...indexed],
    indexes,
  } as unknown as RxJsonSchema<T>;
}

async function recordOf(data: Data) {
  const collection = await collectionOf<Data>(schemaOf(data));
  const record: RxDocument<Data> = await collection.insert(data);
  return {
    record,
    apply: async (answer: Data) => {
      await collection.upsert(answer);
    },
    get: (name: string) => record.getLatest().get(name) as unknown,
  };
}

async function listOf({ isIndexed = false }: ListOptions): Promise<List> {
  const example = { id: '', name: '', city: '', age: 1, email: '', active: true, score: 1, updated: '' };
  const indexes = isIndexed ? [['city'], ['active', 'name']] : [];
  let views = 0;
  const collection = await collectionOf<Stored>(schemaOf<Stored>(example, indexes));
  return {
    isIndexed,
    fill: async (text) => {
      await collection.bulkInsert((JSON.parse(text) as Row[]).map(stored));
    },
    byId: (id) => collection.findOne(String(id)).exec(),
    where: (city) => collection.find({ selector: { city } }).exec(),
    update: async (row) => {
      await collection.upsert(stored(row));
    },
    insert: async (row) => {
      await collection.insert(stored(row));
    },
    remove: async (id) => {
      await collection.bulkRemove([String(id)]);
    },
    open: async () => {
      let rows: readonly RxDocument<Stored>[] = [];
      let isShown!: () => void;
      const shown = new Promise<void>((resolve) => {
        isShown = resolve;
      });
      // A different query each time: the same one would be answered by the view already open.
      const selector = { active: true, age: { $gte: -(views += 1) } };
      const query = collection.find({ selector, sort: [{ name: 'asc' }], limit: 50 });
      const view = query.$.subscribe((found) => {
        rows = found;
        isShown();
      });
      await shown;
      return { rows: () => rows, close: () => view.unsubscribe() };
    },
    plain: (row: RxDocument<Stored> | null) => row && { ...row.toJSON(), id: Number(row.id) },
    close: async () => {
      await collection.database.remove();
    },
  };
}

const stored = (row: Row): Stored => ({ ...row, id: String(row.id) });

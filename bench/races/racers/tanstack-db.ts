import { createCollection, createTransaction } from '@tanstack/db';
import type { SyncConfig, Transaction } from '@tanstack/db';

import type { Form, Racer } from '../race.ts';
import type { Person } from '../server.ts';

/** A row edited in transactions of its own, as the guide to mutations shows for forms. */
const tanstackDb: Racer = {
  name: '@tanstack/db',
  note: 'a transaction for each save; its queue strategy runs them one after the other, but makes each edit a save',
  open,
};

export default tanstackDb;

/** Until the server assigns an id, a new person has a name for one. */
interface Row {
  id: number | string;
  name: string;
}
type Sync = Parameters<SyncConfig<Row>['sync']>[0];

let count = 0;

function open(url: string, given: Partial<Row>): Form {
  let sync!: Sync;
  const people = createCollection<Row>({
    id: `people ${++count}`,
    getKey: (row) => row.id,
    startSync: true,
    sync: {
      rowUpdateMode: 'full',
      sync: (given) => {
        sync = given;
        given.markReady();
      },
    },
  });
  const row: Row = { id: 'new', name: '', ...given };
  let key = row.id;
  const begin = () => createTransaction<Row>({ autoCommit: false, mutationFn });
  let transaction = begin();

  /** Sends what was changed, and writes the answer to the collection before it ends. */
  async function mutationFn({
    transaction: { mutations },
  }: {
    transaction: Transaction<Row>;
  }): Promise<void> {
    for (const { type, modified } of mutations) {
      const isNew = type === 'insert';
      const response = await fetch(isNew ? url : `${url}/${modified.id}`, {
        method: isNew ? 'POST' : 'PUT',
        body: JSON.stringify({ name: modified.name }),
        headers: { 'content-type': 'application/json' },
      });
      if (!response.ok) throw new Error(String(response.status));
      const value = (await response.json()) as Person;
      sync.begin();
      sync.write({ type: isNew ? 'insert' : 'update', value });
      void sync.commit();
      key = value.id;
    }
  }

  if (row.id === 'new') transaction.mutate(() => people.insert(row));
  else {
    sync.begin();
    sync.write({ type: 'insert', value: row });
    void sync.commit();
  }
  return {
    edit: (value) => {
      transaction.mutate(() =>
        people.update(key, (draft) => {
          draft.name = value;
        }),
      );
    },
    save: async () => {
      const committed = transaction;
      transaction = begin();
      await committed.commit().catch(() => undefined);
    },
    name: () => people.get(key)?.name,
  };
}

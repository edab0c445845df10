import { QueryClient, QueryObserver, notifyManager } from '@tanstack/query-core';

import { firstFifty, nineFields } from '../data.ts';
import { sortedByHand } from '../system.ts';
import type { Data, List, Row, System } from '../system.ts';

// By default observers are notified in a later task; notified at once, as can be configured, they can be timed.
notifyManager.setScheduler((tell) => tell());

/** Queries by key: a cache that keeps equal parts of two answers, and observers that select a part. */
const queryCore: System = {
  name: '@tanstack/query-core',
  imports: `export { QueryClient, QueryObserver } from '@tanstack/query-core';`,

  reader: (url, data) => {
    const client = newClient();
    const key = ['record', 1];
    client.setQueryData(key, data);
    const queryFn = async () => (await (await fetch(url)).json()) as Data;
    return {
      read: async () => {
        await client.query({ queryKey: key, queryFn, staleTime: 0 });
      },
      get: (name) => client.getQueryData<Data>(key)?.[name],
    };
  },

  // One observer per field, as in a component that selects it.
  watched: (data, names, notice) => {
    const client = newClient();
    const key = ['record', 1];
    client.setQueryData(key, data);
    for (const name of names) {
      const observer = new QueryObserver<Data, Error, unknown>(client, {
        queryKey: key,
        enabled: false,
        notifyOnChangeProps: ['data'],
        select: (record) => record[name],
      });
      observer.subscribe(() => notice(name));
    }
    return {
      apply: (answer) => void client.setQueryData(key, answer),
      get: (name) => client.getQueryData<Data>(key)?.[name],
    };
  },

  derived: (data, _, compute) => {
    const client = newClient();
    const key = ['record', 1];
    client.setQueryData(key, data);
    const observer = new QueryObserver<Data>(client, {
      queryKey: key,
      enabled: false,
      select: (record) => {
        compute((name) => record[name]);
        return record;
      },
    });
    observer.subscribe(() => undefined);
    return {
      apply: (answer) => void client.setQueryData(key, answer),
      get: (name) => client.getQueryData<Data>(key)?.[name],
    };
  },

  list: () => listOf(newClient()),

  records: (count) => {
    const client = newClient();
    for (let id = 0; id < count; id += 1) client.setQueryData(['record', id], { ...nineFields, id });
    return client;
  },
};

export default queryCore;

// Without garbage collection no timers are left behind.
const newClient = (): QueryClient =>
  new QueryClient({ defaultOptions: { queries: { gcTime: Infinity, retry: false } } });

/** One query for the whole list, which holds a plain array. */
function listOf(client: QueryClient): List {
  const key = ['rows'];
  const rows = () => client.getQueryData<readonly Row[]>(key) ?? [];
  const set = (fresh: readonly Row[]) => void client.setQueryData(key, fresh);
  return {
    fill: (text) => set(JSON.parse(text) as Row[]),
    refetch: set,
    byId: (id) => rows().find((row) => row.id === id),
    where: (city) => rows().filter((row) => row.city === city),
    update: (row) => set(rows().map((old) => (old.id === row.id ? row : old))),
    insert: (row) => set([...rows(), row]),
    remove: (id) => set(rows().filter((row) => row.id !== id)),
    open: () => {
      const observer = new QueryObserver<readonly Row[]>(client, {
        queryKey: key,
        enabled: false,
        select: firstFifty,
      });
      let first = observer.getCurrentResult().data ?? [];
      const close = observer.subscribe(({ data = [] }) => {
        first = data;
      });
      first = observer.getCurrentResult().data ?? [];
      return { rows: () => first, close, note: sortedByHand };
    },
  };
}

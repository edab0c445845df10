import { BehaviorSubject } from 'rxjs';

import type { Data, List, Row, System, Told } from '../system.ts';

import { SortedRows } from './sorted-rows.ts';

/** Hand-written code that does the work and nothing else: no state, no errors, no overlaps. */
const floor: System = {
  name: 'floor',

  reader: (url, data) => {
    const record: Record<string, unknown> = { ...data };
    const names = Object.keys(data);
    return {
      read: async () => {
        const answer = (await (await fetch(url)).json()) as Data;
        for (const name of names) record[name] = answer[name];
      },
      get: (name) => record[name],
    };
  },

  // All values are stored before the first subscriber is notified.
  watched: (data, names, notice) => {
    const fields: Record<string, Field> = {};
    for (const name in data) fields[name] = { value: data[name], subscribers: [] };
    for (const name of names) fields[name].subscribers.push(() => notice(name));
    return {
      apply: (answer) => {
        const changed: Field[] = [];
        for (const name in answer) {
          const field = fields[name];
          const value = answer[name];
          if (!field || isEqual(field.value, value)) continue;
          field.value = value;
          changed.push(field);
        }
        for (const { value, subscribers } of changed) for (const tell of subscribers) tell(value);
      },
      get: (name) => fields[name].value,
    };
  },

  derived: (data, _, compute) => {
    let record = data;
    const get = (name: string) => record[name];
    compute(get);
    return {
      apply: (answer) => {
        record = { ...record, ...answer };
        compute(get);
      },
      get,
    };
  },

  list: ({ tell, isIndexed }) => listOf(tell, isIndexed),

  records: (count) =>
    Array.from({ length: count }, (_, id) =>
      Array.from({ length: 10 }, (_, place) => new BehaviorSubject(id + place)),
    ),
};

export default floor;

/** A value and its subscribers. */
interface Field {
  value: unknown;
  readonly subscribers: ((value: unknown) => void)[];
}

/** Equal by content, as far as JSON goes. */
const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

function listOf(tell: ((told: Told) => void) | undefined, isIndexed = false): List {
  let rows: Row[] = [];
  let ids: Map<number, Row> | undefined;
  let cities: Map<string, Row[]> | undefined;
  let views: SortedRows[] = [];
  let wasAsked = false;

  const byId = (id: number) => {
    // A single look-up is not worth an index.
    if (!wasAsked) {
      wasAsked = true;
      return rows.find((row) => row.id === id);
    }
    ids ??= new Map(rows.map((row) => [row.id, row]));
    return ids.get(id);
  };
  const put = (row: Row | undefined, old: Row | undefined) => {
    for (const view of views) {
      if (old?.active) view.remove(old);
      if (row?.active) view.add(row);
    }
  };

  return {
    isIndexed,
    fill: (text) => {
      rows = JSON.parse(text) as Row[];
      if (isIndexed) cities = citiesOf(rows);
    },
    refetch: (fresh) => {
      rows = merge(rows, fresh, tell);
      ids = undefined;
    },
    byId,
    where: (city) => {
      if (cities) return cities.get(city) ?? [];
      const found: Row[] = [];
      for (const row of rows) if (row.city === city) found.push(row);
      return found;
    },
    update: (row) => {
      const all = (ids ??= new Map(rows.map((each) => [each.id, each])));
      const old = all.get(row.id);
      all.set(row.id, row);
      put(row, old);
    },
    insert: (row) => {
      (ids ??= new Map(rows.map((each) => [each.id, each]))).set(row.id, row);
      put(row, undefined);
    },
    remove: (id) => {
      const old = ids?.get(id);
      ids?.delete(id);
      put(undefined, old);
    },
    open: () => {
      const view = new SortedRows(rows.filter(({ active }) => active));
      views.push(view);
      return {
        rows: () => view.first,
        close: () => {
          views = views.filter((each) => each !== view);
        },
      };
    },
  };
}

/** The rows by the field that searches use. */
function citiesOf(rows: readonly Row[]): Map<string, Row[]> {
  const cities = new Map<string, Row[]>();
  for (const row of rows) {
    const found = cities.get(row.city);
    if (found) found.push(row);
    else cities.set(row.city, [row]);
  }
  return cities;
}

/** The fresh rows, but the old objects where nothing has changed. Matched by place first, otherwise by id. */
function merge(old: readonly Row[], fresh: readonly Row[], tell: ((told: Told) => void) | undefined): Row[] {
  const next: Row[] = new Array<Row>(fresh.length);
  const added: Row[] = [];
  const changed: Row[] = [];
  let ids: Map<number, Row> | undefined;
  let found = 0;
  for (let at = 0; at < fresh.length; at += 1) {
    const row = fresh[at];
    let before: Row | undefined = old[at];
    if (before?.id !== row.id) before = (ids ??= new Map(old.map((each) => [each.id, each]))).get(row.id);
    if (before) found += 1;
    else added.push(row);
    const isKept = before !== undefined && isSameRow(before, row);
    if (before && !isKept) changed.push(row);
    next[at] = before && isKept ? before : row;
  }
  const kept = found === old.length ? undefined : new Set(fresh.map(({ id }) => id));
  const removed = kept ? old.filter(({ id }) => !kept.has(id)) : [];
  if (tell && added.length + changed.length + removed.length > 0) {
    tell({ added: added.length, changed: changed.length, removed: removed.length });
  }
  return next;
}

const isSameRow = (a: Row, b: Row): boolean =>
  a.name === b.name &&
  a.city === b.city &&
  a.age === b.age &&
  a.email === b.email &&
  a.active === b.active &&
  a.score === b.score &&
  a.updated === b.updated;

import { of } from 'rxjs';

import { DataModel, createLib } from '../../dist/index.js';
import { index, view } from '../../dist/views.js';
import type { Field } from '../../dist/index.js';
import { toldOf } from '../system.ts';
import type { Data, Row, System } from '../system.ts';

/** A record with a field for each value, mapped by name. */
class Mapped extends DataModel {
  readonly field: Readonly<Record<string, Field<unknown>>>;

  constructor(url: string, data: Data) {
    super({ url }, root);
    this.field = Object.fromEntries(
      Object.entries(data).map(([name, value]) => [name, root.observable(value).map(name, this)]),
    );
  }
}

const root = createLib();

/** As in the README: fields mapped in a class; `set` writes back where no request is made. */
const rivulet: System = {
  name: 'rivulet',
  imports: `
    export * from '../../dist/index.js';
    export { index, view } from '../../dist/views.js';`,

  reader: (url, data) => {
    const record = new Mapped(url, data);
    return {
      read: async () => {
        await record.fetch();
      },
      get: (name) => record.field[name]?.value,
    };
  },

  watched: (data, names, notice) => {
    const record = new Mapped('/records', data);
    for (const name of names) record.field[name]?.subscribe(() => notice(name));
    return { apply: (answer) => void record.set(answer), get: (name) => record.field[name]?.value };
  },

  derived: (data, _, compute) => {
    const record = new Mapped('/records', data);
    record.data$.subscribe((all) => {
      const values = all as Data;
      compute((name) => values[name]);
    });
    return { apply: (answer) => void record.set(answer), get: (name) => record.field[name]?.value };
  },

  // The transport delivers decoded answers, like Angular's HttpClient: no body is read, and no timer runs.
  list: ({ tell, isIndexed = false }) => {
    let body: unknown;
    const response = new Response();
    const lib = createLib({ transport: (sent) => of({ request: sent, response, body }) });
    const rows = lib.collection<Row>({ url: '/rows' });
    if (tell) rows.delta$.subscribe((delta) => tell(toldOf(delta)));
    if (isIndexed) index(rows, 'city');
    const placeOf = (id: number) => {
      const row = rows.byId(id);
      return row ? rows.indexOf(row) : -1;
    };
    const refetch = (fresh: readonly Row[]) => {
      body = fresh;
      rows.fetch$().subscribe();
    };
    return {
      fill: (text) => refetch(JSON.parse(text) as Row[]),
      refetch,
      byId: (id) => rows.byId(id),
      where: (city) => rows.where({ city }),
      isIndexed,
      update: (row) => void rows.splice(placeOf(row.id), 1, row),
      insert: (row) => void rows.push(row),
      remove: (id) => void rows.splice(placeOf(id), 1),
      open: () => {
        const shown = view(rows, { where: { active: true }, sortBy: 'name', limit: 50 });
        const subscription = shown.subscribe();
        return { rows: () => shown.value, close: () => subscription.unsubscribe() };
      },
      close: () => rows.dispose(),
    };
  },

  itemRecords: (count) => {
    const item = (id: number) => ({ id, b: 1, c: 2, d: 3, e: 4, f: 5, g: 6, h: 7, i: 8, j: 9 });
    const items = root.collection({ data: Array.from({ length: count }, (_, id) => item(id + 1)) });
    return items.value.map(({ id }) => items.record(id));
  },

  records: (count) => Array.from({ length: count }, (_, id) => new Ten(id)),
};

export default rivulet;

class Ten extends DataModel {
  readonly id: Field<number>;
  readonly b = root.observable(1).map('b', this);
  readonly c = root.observable(2).map('c', this);
  readonly d = root.observable(3).map('d', this);
  readonly e = root.observable(4).map('e', this);
  readonly f = root.observable(5).map('f', this);
  readonly g = root.observable(6).map('g', this);
  readonly h = root.observable(7).map('h', this);
  readonly i = root.observable(8).map('i', this);
  readonly j = root.observable(9).map('j', this);

  constructor(id: number) {
    super({ url: '/records' }, root);
    this.id = root.observable(id).map('id', this);
  }
}

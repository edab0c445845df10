import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import { index } from 'rivulet/views';
import type { Index } from 'rivulet/views';

import { observed } from '../soak/left';
import { raise } from '../hostile';
import { valuesOf } from '../watch';

interface Row {
  readonly id: number;
  readonly city?: string | null;
  readonly at?: { readonly x: number };
}

/** How many values of rows were read so far. */
let read = 0;

const rows: readonly Row[] = Array.from({ length: 100 }, (_, id) => ({
  get id() {
    read += 1;
    return id;
  },
  get city() {
    read += 1;
    return `c${id % 10}`;
  },
  get at() {
    read += 1;
    return { x: id };
  },
}));
const idsOf = (found: readonly Row[]) => found.map(({ id }) => id);
const items = () => createLib().collection(rows);
const some = [1, 11, 21, 31, 41, 51, 61, 71, 81, 91];

/** How many values of rows a search reads. */
function looks(search: () => unknown): number {
  const before = read;
  search();
  return read - before;
}

describe('an index', () => {
  it('makes where and find look up the given value, alone or with others', () => {
    const all = items();
    index(all, 'city');

    expect(idsOf(all.where({ city: 'c1' }))).toStrictEqual(some);
    expect(idsOf(all.where({ city: 'c1', id: 41 }))).toStrictEqual([41]);
    expect(all.find({ city: 'c1' })).toBe(rows[1]);
    expect(all.find({ city: 'none' })).toBeUndefined();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- map passes a place after the criteria
    const each = () => [{ city: 'none' }, { city: 'c1' }].map(all.where);
    expect(each().map(idsOf)).toStrictEqual([[], some]);
    expect(looks(each)).toBeLessThan(40);
    expect(looks(() => all.where({ city: 'c1' }))).toBeLessThan(40);
    expect(looks(() => all.where({ id: 7 }))).toBeGreaterThan(99);
    all.push({ id: 100, city: 'c1' });
    expect(looks(() => all.where({ city: 'c1' }))).toBeLessThan(40);
  });

  it('looks at no item if a value is searched again, until a write', () => {
    const all = items();
    const byCity = index(all, 'city');
    const found = all.where({ city: 'c1' });
    expect(looks(() => all.where({ city: 'c1' }))).toBe(0);
    expect(looks(() => all.find({ city: 'c1' }))).toBe(0);
    expect(looks(() => byCity.get('c1'))).toBe(0);
    // The result is the caller's own.
    found.length = 0;
    byCity.get('c1').length = 0;
    expect(idsOf(all.where({ city: 'c1' }))).toStrictEqual(some);
    all.reverse();
    expect(idsOf(all.where({ city: 'c1' }))).toStrictEqual([...some].reverse());
    all.remove(({ id }) => id === 41);
    expect(idsOf(all.where({ city: 'c1' }))).not.toContain(41);
    all.push({ id: 100, city: 'c1' });
    expect(idsOf(byCity.get('c1'))).toContain(100);
  });

  it('finds items by the current time of a date', () => {
    const [early, late] = [{ at: new Date(1) }, { at: new Date(2) }];
    const all = createLib().collection([early, late]);
    index(all, 'at');
    const at = new Date(1);
    expect(all.where({ at })).toStrictEqual([early]);
    at.setTime(2);
    expect(all.where({ at })).toStrictEqual([late]);
  });

  it('finds by criteria that are an instance of a class what a scan finds', () => {
    class City {
      readonly city = 'c1';
    }
    const all = items();
    const scanned = all.where(new City());
    index(all, 'city');
    expect(scanned).toHaveLength(10);
    expect(all.where(new City())).toStrictEqual(scanned);
  });

  it('includes a write while that is being reported', () => {
    const all = items();
    const made: Index<Row>[] = [];
    const found: number[] = [];
    // Notified before the index is.
    all.delta$.subscribe(() => {
      found.push(all.where({ city: 'x' }).length);
      for (const byCity of made) found.push(byCity.get('x').length, byCity.range('x').length);
    });
    made.push(index(all, 'city'));
    all.where({ city: 'x' });

    all.push({ id: 100, city: 'x' });

    expect(found).toStrictEqual([1, 1, 1]);
  });

  it('keeps where$ and find$ up to date', () => {
    const all = items();
    index(all, 'city');
    const told = valuesOf(all.where$({ city: 'x' }));
    const first = valuesOf(all.find$({ city: 'x' }));

    all.push({ id: 100, city: 'x' });
    const again = looks(() => all.push({ id: 101, city: 'x' }));

    expect(told.map(idsOf)).toStrictEqual([[], [100], [100, 101]]);
    expect(first).toStrictEqual([undefined, { id: 100, city: 'x' }]);
    // A scan would read every city.
    expect(again).toBe(0);
  });

  it('does not affect predicates, comparators and criteria of other kinds', () => {
    const all = items();
    index(all, 'city');

    expect(idsOf(all.where(({ city }) => city === 'c1'))).toStrictEqual(some);
    expect(idsOf(all.where('c1', (city, row) => row.city === city))).toStrictEqual(some);
    expect(all.find('c1', (city, row) => row.city === city)).toBe(rows[1]);
    expect(all.where({ city: 'c1' }, (criteria, row) => row.city !== criteria.city)).toHaveLength(90);
    expect(idsOf(all.where({ city: /^c1$/ as never }))).toStrictEqual(some);
    expect(all.where({ city: null })).toStrictEqual([]);
    expect(
      all.where({
        get city(): never {
          return raise(new Error('getter'));
        },
      }),
    ).toStrictEqual([]);
  });

  it('finds by a dotted path, and next to another index', () => {
    const all = items();
    index(all, 'at.x');
    index(all, 'city');

    expect(all.where({ at: { x: 7 } })).toStrictEqual([rows[7]]);
    expect(looks(() => all.where({ at: { x: 7 } }))).toBeLessThan(20);
  });

  it('is kept up to date by a write, next to another index', () => {
    const all = items();
    index(all, 'at.x');
    index(all, 'city');
    all.where({ city: 'c1' });

    all.push({ id: 100, city: 'c2' });

    expect(looks(() => all.where({ city: 'c1' }))).toBeLessThan(40);
  });

  it('returns items in the current order of the collection', () => {
    const all = items();
    index(all, 'city');
    all.where({ city: 'c1' });

    all.reverse();
    expect(idsOf(all.where({ city: 'c1' }))).toStrictEqual([...some].reverse());
    all.unshift({ id: 200, city: 'c1' });
    all.splice(50, 0, { id: 201, city: 'c1' });
    expect(idsOf(all.where({ city: 'c1' }))).toStrictEqual([200, 91, 81, 71, 61, 51, 201, 41, 31, 21, 11, 1]);
  });

  it('finds many items that have moved in one pass, not by a search for each', () => {
    const list = createLib().collection(Array.from({ length: 200 }, (_, id) => ({ id, isOpen: id % 2 > 0 })));
    index(list, 'isOpen');
    list.where({ isOpen: true });
    list.unshift({ id: 200, isOpen: true });
    let searches = 0;
    const indexOf = list.indexOf.bind(list);
    list.indexOf = (...args) => {
      searches += 1;
      return indexOf(...args);
    };

    expect(list.where({ isOpen: true })).toStrictEqual(list.value.filter(({ isOpen }) => isOpen));
    expect(searches).toBe(0);
  });

  it('returns the current items after they were replaced by equal ones', () => {
    const all = items();
    const byCity = index(all, 'city');
    byCity.get('c1');

    all.replace(rows.map((row) => ({ ...row })));

    expect(byCity.get('c1')[0]).toBe(all.at(1));
    expect(byCity.range('c1', 'c2')[0]).toBe(all.at(1));
  });

  it('returns the current item after one was replaced by an equal one', () => {
    const all = items();
    const byCity = index(all, 'city');
    byCity.get('c1');

    all.splice(41, 1, { id: 41, city: 'c1', at: { x: 41 } });

    expect(byCity.get('c1')).toHaveLength(some.length);
    expect(byCity.get('c1')[4]).toBe(all.at(41));
  });

  it('returns the items with a value of any kind', () => {
    const all = items();
    all.push({ id: 100, city: null }, { id: 101 });
    const byCity = index(all, 'city');

    expect(idsOf(byCity.get('c1'))).toStrictEqual(some);
    expect(idsOf(byCity.get(null))).toStrictEqual([100]);
    expect(idsOf(byCity.get(undefined))).toStrictEqual([101]);
    expect(index(all, 'at').get({ x: 4 })).toStrictEqual([rows[4]]);
  });

  it.each([1, 1n, new Date(1)])('tells values apart that are sorted alike: %o', (x) => {
    const all = createLib().collection<{ x: unknown }>([{ x: 1 }, { x: 1n }, { x: new Date(1) }]);
    const byX = index(all, 'x');

    expect([byX.get(x), all.where({ x })]).toStrictEqual([[{ x }], [{ x }]]);
  });

  it('returns a range sorted by value, excluding its end and values without an order', () => {
    const all = items();
    all.push({ id: 100, city: null }, { id: 101, at: { x: 2.5 } });
    const byPlace = index(all, 'at.x');

    expect(idsOf(byPlace.range(2, 4))).toStrictEqual([2, 101, 3]);
    expect(idsOf(byPlace.range(98))).toStrictEqual([98, 99]);
    expect(idsOf(byPlace.range(undefined, 2))).toStrictEqual([0, 1]);
    expect(byPlace.range()).toHaveLength(101);
    expect(byPlace.range({} as never)).toStrictEqual([]);
  });

  it('begins a range without a start at false, which precedes all other values', () => {
    const all = createLib().collection<{ id: number; at: unknown }>([
      { id: 1, at: -Infinity },
      { id: 2, at: true },
      { id: 3, at: false },
    ]);

    const range = index(all, 'at').range();

    expect(range.map(({ id }) => id)).toStrictEqual([3, 2, 1]);
  });

  it.each([
    ['before any other write', 0],
    ['after another', 1],
  ])('recovers if an id was changed within its item, %s', (_, writes) => {
    const row = { id: 1, city: 'x' };
    const all = createLib().collection([row, { id: 2, city: 'y' }]);
    index(all, 'city');
    all.where({ city: 'x' });
    for (let id = 8; id < 8 + writes; id += 1) all.push({ id, city: 'z' });

    row.id = 3;
    all.remove(row);

    expect(all.where({ city: 'x' })).toStrictEqual([]);
    expect(idsOf(all.where({ city: 'y' }))).toStrictEqual([2]);
  });

  it('finds what a write added that also removed an item with a changed id', () => {
    const row = { id: 1, city: 'x' };
    const all = createLib().collection([row, { id: 2, city: 'y' }]);
    index(all, 'city');
    all.where({ city: 'x' });
    all.push({ id: 8, city: 'z' });

    row.id = 3;
    all.splice(0, 1, { id: 9, city: 'new' });

    expect(idsOf(all.where({ city: 'new' }))).toStrictEqual([9]);
  });

  it('does not impede searches, however often made and disposed of', () => {
    const all = items();
    for (let count = 0; count < 20_000; count += 1) index(all, 'city').dispose();

    expect(idsOf(all.where({ city: 'c1' }))).toStrictEqual(some);
    expect(all.find({ city: 'c1' })?.id).toBe(some[0]);
  });

  it('takes no part in searches once it is disposed of', () => {
    let asked = 0;
    const criteria = {
      get city() {
        asked += 1;
        return 'c1';
      },
    };
    const all = items();
    all.where(criteria);
    const before = asked;

    index(all, 'city').dispose();
    all.where(criteria);

    expect(asked).toBe(2 * before);
  });

  it('releases the collection on dispose, which searches as before', () => {
    const all = items();
    const byCity = index(all, 'city');
    expect(observed([all._deltas])).toBe(1);

    byCity.dispose();

    expect(observed([all._deltas])).toBe(0);
    expect(idsOf(all.where({ city: 'c1' }))).toStrictEqual(some);
    expect(looks(() => all.where({ city: 'c1' }))).toBeGreaterThan(99);
    expect(idsOf(byCity.get('c1'))).toStrictEqual(some);
    expect(idsOf(byCity.range('c1', 'c2'))).toStrictEqual(some);
  });
});

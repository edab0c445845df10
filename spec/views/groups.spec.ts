import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import { groups, view } from 'rivulet/views';

import { observed } from '../soak/left';
import { valuesOf } from '../watch';

interface Sale {
  readonly id: number;
  readonly city: string;
  readonly amount: number;
}

const sales = () =>
  createLib().collection<Sale>([
    { id: 1, city: 'Rome', amount: 0.1 },
    { id: 2, city: 'Bonn', amount: 5 },
    { id: 3, city: 'Rome', amount: 0.2 },
  ]);

describe('groups', () => {
  it('count the items of each key', () => {
    const byCity = groups(sales(), 'city');

    expect([...byCity.value.values()]).toStrictEqual([
      { key: 'Rome', count: 2, sum: 0 },
      { key: 'Bonn', count: 1, sum: 0 },
    ]);
  });

  it('sum the given values, finite numbers only', () => {
    const items = sales();
    items.push({ id: 4, city: 'Bonn', amount: Infinity }, { id: 5, city: 'Bonn', amount: 'x' as never });
    const totals = groups(
      items,
      ({ city }) => city.length,
      ({ amount }) => amount,
    );

    expect([...totals.value.values()]).toStrictEqual([{ key: 4, count: 5, sum: 5.3 }]);
  });

  it('are a new map when one changes, with the same objects for the others', () => {
    const items = sales();
    const [before, after, ...more] = watched(items);

    expect(more).toStrictEqual([]);
    expect(after?.get('Bonn')).toStrictEqual({ key: 'Bonn', count: 1, sum: 6 });
    expect(after?.get('Rome')).toBe(before?.get('Rome'));
  });

  const watched = (items: ReturnType<typeof sales>) => {
    const told = valuesOf(groups(items, 'city', 'amount'));
    items.splice(1, 1, { id: 2, city: 'Bonn', amount: 6 });
    items.sort((a, b) => b.id - a.id);
    return told;
  };

  it('emit nothing on a change that leaves count and sum unchanged', () => {
    const items = sales();
    const told = valuesOf(groups(items, 'city', 'amount'));

    items.splice(1, 1, { id: 2, city: 'Bonn', amount: 5, note: 'paid' } as Sale);

    expect(told).toHaveLength(1);
  });

  it('emit the distinct keys when one is added or removed', () => {
    const items = sales();
    const { distinct$ } = groups(items, 'city');
    const told = valuesOf(distinct$);

    items.push({ id: 4, city: 'Bonn', amount: 1 });
    items.push({ id: 5, city: 'Oslo', amount: 1 });
    items.remove(({ city }) => city === 'Rome');

    expect(told).toStrictEqual([
      ['Rome', 'Bonn'],
      ['Rome', 'Bonn', 'Oslo'],
      ['Bonn', 'Oslo'],
    ]);
    expect(distinct$.value).toBe(told.at(-1));
  });

  it('keep the place of a group whose items are all replaced', () => {
    const items = sales();
    const told = valuesOf(groups(items, 'city').distinct$);

    items.replace([
      { id: 9, city: 'Rome', amount: 1 },
      { id: 2, city: 'Bonn', amount: 5 },
    ]);

    expect(told).toStrictEqual([['Rome', 'Bonn']]);
  });

  it.each([new Date(5), ['a', { b: 1 }], { a: [1] }])(
    'compare keys by content, also of equal copies: %j',
    (key) => {
      const row = () => ({ id: 1, key: structuredClone(key), amount: 3 });
      const items = createLib().collection([row(), { ...row(), id: 2, amount: 4 }]);
      const byKey = groups(items, 'key', 'amount');
      const told = valuesOf(byKey);

      items.replace([row(), { ...row(), id: 2, amount: 4 }]);
      items.splice(0, 1, { ...row(), amount: 5 });
      items.removeAll();
      items.push(row());

      const counts = told.map((all) => [...all.values()].map(({ count, sum }) => [count, sum]));
      expect(counts).toStrictEqual([[[2, 7]], [[2, 9]], [], [[1, 3]]]);
    },
  );

  it('tell keys apart that have the same JSON, and end with their last item', () => {
    interface Row {
      readonly id: number;
      readonly b?: number | null;
    }
    const rows: Row[] = [{ id: 1, b: null }, { id: 2 }, { id: 3 }];
    const list = createLib().collection<Row>({ data: rows });
    const byBoth = groups(list, ({ b }) => ['x', b]);
    const counts = () => [...byBoth.value.values()].map(({ key, count }) => [key[1], count]);
    byBoth.subscribe();
    expect(counts()).toStrictEqual([
      [null, 1],
      [undefined, 2],
    ]);
    list.remove(({ id }) => id === 2);
    expect(counts()).toStrictEqual([
      [null, 1],
      [undefined, 1],
    ]);
    list.remove(({ id }) => id === 1);
    expect(counts()).toStrictEqual([[undefined, 1]]);
    list.removeAll();
    expect(counts()).toStrictEqual([]);
  });

  it('may have bigints in their keys, which JSON has not', () => {
    const list = createLib().collection([
      { id: 1, account: 1n },
      { id: 2, account: '1' },
      { id: 3, account: 1n },
    ]);
    const byAccount = groups(list, ({ account }) => [account]);
    expect([...byAccount.value.values()].map(({ key, count }) => [key[0], count])).toStrictEqual([
      [1n, 2],
      ['1', 1],
    ]);
  });

  it('compare other objects by identity', () => {
    const [one, other] = [new Map([[1, 1]]), new Map([[2, 2]])];
    const items = createLib().collection([{ key: one }, { key: other }, { key: one }]);

    expect([...groups(items, 'key').value.values()].map(({ key, count }) => [key, count])).toStrictEqual([
      [one, 2],
      [other, 1],
    ]);
  });

  it.each([
    ['an undefined key', { a: undefined }],
    ['a map', new Map()],
  ])('keep plain objects and %s apart, which has the same JSON', (_, other) => {
    const items = createLib().collection<{ key: object }>([{ key: {} }, { key: other }, { key: {} }]);
    const told = valuesOf(groups(items, 'key'));

    items.pop();
    items.pop();
    items.push({ key: {} });
    items.removeAll();

    expect(told.map((all) => [...all.values()].map(({ count }) => count))).toStrictEqual([
      [2, 1],
      [1, 1],
      [1],
      [2],
      [],
    ]);
  });

  it('group what a view shows', () => {
    const items = sales();
    const told = valuesOf(
      groups(view(items, { sortBy: 'amount', descending: true, limit: 1 }), 'city').distinct$,
    );

    items.push({ id: 4, city: 'Oslo', amount: 7 });

    expect(told).toStrictEqual([['Bonn'], ['Oslo']]);
  });

  it('complete on dispose, and release the collection', () => {
    const items = sales();
    const byCity = groups(items, 'city');
    const ended: string[] = [];
    byCity.subscribe({ complete: () => ended.push('groups') });
    byCity.distinct$.subscribe({ complete: () => ended.push('distinct$') });
    expect(observed([items._deltas])).toBe(1);

    byCity.dispose();

    expect(ended).toStrictEqual(['groups', 'distinct$']);
    expect(observed([items._deltas])).toBe(0);
  });
});

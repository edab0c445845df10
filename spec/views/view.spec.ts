import { Subject } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { Delta } from 'rivulet';
import { view } from 'rivulet/views';
import type { ListSource, PageOptions, ViewOptions } from 'rivulet/views';

import { observed } from '../soak/left';
import { raise } from '../hostile';
import { polluted } from '../polluted';
import { valuesOf } from '../watch';

interface Person {
  readonly id: number;
  readonly name: string;
  readonly age?: number;
  readonly address?: { readonly city: string };
}

const ann: Person = { id: 1, name: 'Ann', age: 30 };
const bo: Person = { id: 2, name: 'Bo', age: 20 };
const eve: Person = { id: 3, name: 'Eve', age: 30 };
const people = () => createLib().collection([ann, bo, eve]);

describe('a view', () => {
  it('has streams that cannot be written from outside', () => {
    const list = view(people(), { groupBy: 'age' });
    const { count$, delta$, groups$ } = list;

    expect([list, count$, delta$, groups$, groups$.distinct$].filter((each) => 'next' in each)).toStrictEqual(
      [],
    );
  });

  it.each<[string, ViewOptions<Person>, Person[]]>([
    ['all without options', {}, [ann, bo, eve]],
    ['those that match criteria', { where: { age: 30 } }, [ann, eve]],
    ['those a predicate is true for', { where: ({ name }) => name.length === 2 }, [bo]],
    ['sorted by a key', { sortBy: 'age' }, [bo, ann, eve]],
    [
      'sorted in descending order, ties in original order',
      { sortBy: 'age', descending: true },
      [ann, eve, bo],
    ],
    ['sorted by several keys', { sortBy: ['age', ({ name }) => -name.length] }, [bo, ann, eve]],
    [
      'sorted by several keys in descending order',
      { sortBy: ['age', 'name'], descending: true },
      [eve, ann, bo],
    ],
    [
      'sorted by several keys, each in its own direction',
      { sortBy: ['age', 'name'], descending: [false, true] },
      [bo, eve, ann],
    ],
    [
      'sorted in ascending order by keys for which no direction is listed',
      { sortBy: ['age', 'name'], descending: [true] },
      [ann, eve, bo],
    ],
    ['no more than the limit', { limit: 2 }, [ann, bo]],
    ['from an offset on', { offset: 1, limit: 1 }, [bo]],
    ['none beyond the end', { offset: 9 }, []],
  ])('shows %s, watched or not', (_, options, shown) => {
    const list = view(people(), options);

    expect(list.value).toStrictEqual(shown);
    expect(valuesOf(list)).toStrictEqual([shown]);
  });

  it('counts and sums in groups all that match, shown or not', () => {
    const all = people();
    const list = view(all, { where: ({ name }) => name !== 'Bo', limit: 1, groupBy: 'age', sum: 'id' });
    const told = valuesOf(list.groups$);

    all.push({ id: 4, name: 'Dan', age: 20 }, { ...bo, id: 5 });

    expect(told.map((groups) => [...groups.values()])).toStrictEqual([
      [{ key: 30, count: 2, sum: 4 }],
      [
        { key: 30, count: 2, sum: 4 },
        { key: 20, count: 1, sum: 4 },
      ],
    ]);
    expect(list.groups$.distinct$.value).toStrictEqual([30, 20]);
  });

  it('ends its groups with itself, and has none without groupBy', () => {
    const all = people();
    const list = view(all, { groupBy: 'age' });
    let isOver = false;
    list.groups$.subscribe({ complete: () => (isOver = true) });

    list.dispose();

    expect([isOver, observed([all._deltas])]).toStrictEqual([true, 0]);
    expect(Object.keys(view(all))).not.toContain('groups$');
  });

  it('reads dotted paths, and puts items without them last', () => {
    const far = { ...ann, address: { city: 'Rome' } };
    const near = { ...eve, address: { city: 'Bonn' } };

    const items = createLib().collection<Person>([far, bo, near]);

    expect(view(items, { sortBy: 'address.city' }).value).toStrictEqual([near, far, bo]);
    expect(view(items, { sortBy: 'address.city', descending: true }).value).toStrictEqual([far, near, bo]);
  });

  it('reads own data only, not the properties of arrays or text', () => {
    const lists = createLib().collection([[1, 2], [3]]);

    expect(view(lists, { sortBy: 'length' }).value).toStrictEqual([[1, 2], [3]]);
    const names = createLib().collection([{ name: 'long' }, { name: 'x' }]);
    expect(view(names, { sortBy: 'name.length' as 'name' }).value).toStrictEqual([
      { name: 'long' },
      { name: 'x' },
    ]);
  });

  it.each(['limit', 'offset', 'where', 'sortBy', 'groupBy'])(
    'reads no option from a polluted prototype: %s',
    (name) => {
      polluted({ [name]: 1 }, () => {
        const list = view(people(), {});
        list.page({});
        expect([list.value, 'groups$' in list]).toStrictEqual([[ann, bo, eve], false]);
      });
    },
  );

  it('reads own data only, not the getters of a class', () => {
    class Ranked {
      readonly id: number;
      constructor(id: number) {
        this.id = id;
      }
      get rank() {
        return -this.id;
      }
    }
    const ranked = [new Ranked(1), new Ranked(2)];

    expect(view(createLib().collection(ranked), { sortBy: 'rank' }).value).toStrictEqual(ranked);
  });

  it('orders values of all kinds, each kind by itself', () => {
    const sorted = [
      false,
      true,
      -1,
      2n,
      new Date(3),
      4,
      'B',
      'a',
      'ä',
      undefined,
      null,
      NaN,
      {},
      new Date(NaN),
    ];
    const items = createLib().collection(
      [...sorted]
        .slice(0, 9)
        .reverse()
        .map((value) => ({ value })),
    );
    items.push(...sorted.slice(9).map((value) => ({ value })));

    const list = view(items, { sortBy: 'value' });

    expect(list.value.map(({ value }) => value)).toStrictEqual(sorted);
  });

  it('compares texts by the given function, and nothing else', () => {
    const values = ['Zoë', 100, undefined, 'Äsa', 20, new Date(3), 'bo', true];
    const items = createLib().collection(values.map((value) => ({ value })));
    const { compare } = new Intl.Collator('de');

    const list = view(items, { sortBy: 'value', compare, descending: true });

    expect(list.value.map(({ value }) => value)).toStrictEqual([
      'Zoë',
      'bo',
      'Äsa',
      100,
      20,
      new Date(3),
      true,
      undefined,
    ]);
  });

  it('emits once for each write that changes what it shows, and for no other', () => {
    const items = people();
    const told = valuesOf(view(items, { where: { age: 30 }, limit: 1 }));

    items.push({ id: 4, name: 'Zoe', age: 30 });
    items.splice(1, 1, { ...bo, name: 'Bob' });
    items.sort((a, b) => b.id - a.id);
    items.replace([eve, { ...ann, name: 'Anna' }]);

    expect(told).toStrictEqual([[ann], [{ ...ann, name: 'Anna' }]]);
  });

  it('without a page emits nothing on a write that changes only the order of the collection, or what does not match', () => {
    const items = people();
    const told = valuesOf(view(items, { where: { age: 30 } }));

    items.splice(1, 1, { ...bo, name: 'Bob' });
    items.push({ id: 4, name: 'Zoe' });
    items.reverse();

    expect(told).toHaveLength(1);
  });

  it('reports no earlier change to a later subscriber', () => {
    const items = people();
    const list = view(items);
    list.subscribe();
    items.pop();

    expect(valuesOf(list.delta$)).toStrictEqual([]);
  });

  it('keeps the place of an item that changes, and of one that matches again', () => {
    const items = people();
    const told = valuesOf(view(items, { where: ({ age = 0 }) => age > 25 }));

    items.splice(0, 1, { ...ann, age: 20 });
    items.splice(0, 1, ann);

    expect(told).toStrictEqual([[ann, eve], [eve], [ann, eve]]);
  });

  it('reports changes among the items shown before emitting the items', () => {
    const items = people();
    const list = view(items, { sortBy: 'age', limit: 2 });
    const told: unknown[] = [];
    list.delta$.subscribe((delta) => told.push(delta));
    list.subscribe((shown) => told.push(shown.map(({ id }) => id)));

    items.splice(1, 1, { ...bo, age: 40 });

    const delta: Delta<Person> = { added: [eve], changed: [], removed: [bo] };
    expect(told).toStrictEqual([[2, 1], delta, [1, 3]]);
  });

  it.each<[string, Partial<Person>, (before: Person, after: Person) => Delta<Person>[]]>([
    ['stays', { name: 'X' }, (before, after) => [{ added: [], changed: [[before, after]], removed: [] }]],
    ['moves', { age: 99 }, (before, after) => [{ added: [], changed: [[before, after]], removed: [] }]],
    ['leaves', { age: 1 }, (before) => [{ added: [], changed: [], removed: [before] }]],
  ])('reports, without a page, one of many items that %s on a change', (_, change, deltas) => {
    const items = createLib().collection<Person>(
      Array.from({ length: 9 }, (_unused, place) => ({ id: place, name: 'N', age: 20 + place })),
    );
    const before = { id: 4, name: 'N', age: 24 };
    items.splice(4, 1, before);
    const list = view(items, { where: ({ age = 0 }) => age > 10, sortBy: 'age' });
    const told = valuesOf(list.delta$);
    const after = { ...before, ...change };

    items.splice(4, 1, after);
    expect(told).toStrictEqual(deltas(before, after));
    expect(list.value).toStrictEqual(view(items, { where: ({ age = 0 }) => age > 10, sortBy: 'age' }).value);

    items.splice(4, 1, before);
    expect(list.value.map(({ id }) => id)).toStrictEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(told).toHaveLength(2);
    items.splice(4, 1, { ...before, age: 2 });
    items.splice(4, 1, { ...before, age: 3 });
    expect(told).toHaveLength(3);
  });

  it.each([
    ['stays', { name: 'X' }],
    ['moves', { age: 35 }],
  ])('reports an item that %s on its page as changed', (_, change) => {
    const items = people();
    const list = view(items, { sortBy: 'age', limit: 3 });
    const told = valuesOf(list.delta$);
    const [, before] = list.value as readonly [Person, Person];
    const after = { ...before, ...change };

    items.splice(items.indexOf(before), 1, after);

    expect(told).toStrictEqual([{ added: [], changed: [[before, after]], removed: [] }]);
  });

  it('reports nothing if an item leaves its page and enters it at another place', () => {
    const [one, other] = [{}, {}];
    const list = view(createLib().collection<object>([one, other, one]), { offset: 1 });
    const told = valuesOf(list.delta$);
    const ofView = valuesOf(view(list));

    list.page({ offset: 0, limit: 2 });
    expect(list.value).toStrictEqual([one, other]);
    list.page({ offset: 1, limit: 3 });

    expect([told, ofView]).toStrictEqual([[], [[other, one]]]);
  });

  it('reports an item once that enters its page twice and leaves it once', () => {
    const [one, a, b, c] = [{}, {}, {}, {}];
    const list = view(createLib().collection<object>([one, one, a, b, c, one]), { offset: 3 });
    const told = valuesOf(list.delta$);

    list.page({ offset: 0, limit: 3 });

    expect(told).toStrictEqual([{ added: [one, a], changed: [], removed: [b, c] }]);
  });

  it('reports an item once that stays on its page and enters it once more', () => {
    const [one, other] = [{}, {}];
    const list = view(createLib().collection<object>([one, one, other, one]), { offset: 3 });
    const told = valuesOf(list.delta$);

    list.page({ offset: 0, limit: 2 });

    expect(told).toStrictEqual([{ added: [one], changed: [], removed: [] }]);
  });

  it('reports on its page whatever a list may hold, such as undefined and NaN', () => {
    const items = createLib().collection<number | undefined>([NaN, 1]);
    const list = view(items, { limit: 4 });
    const [shown, told] = [valuesOf(list), valuesOf(list.delta$)];

    list.page({ limit: 3 });
    items.push(undefined);
    items.remove((item) => item === 1);

    expect(shown).toStrictEqual([
      [NaN, 1],
      [NaN, 1, undefined],
      [NaN, undefined],
    ]);
    expect(told).toStrictEqual([
      { added: [undefined], changed: [], removed: [] },
      { added: [], changed: [], removed: [1] },
    ]);
  });

  it('counts all that match, shown or not', () => {
    const items = people();
    const list = view(items, { where: { age: 30 }, limit: 1 });
    const counts = valuesOf(list.count$);

    items.push({ id: 4, name: 'Zoe', age: 30 });
    items.push({ id: 5, name: 'Max', age: 31 });

    expect(counts).toStrictEqual([2, 3]);
    expect(list.count$.value).toBe(3);
  });

  it('moves its page, watched or not, and keeps what is not given', () => {
    const list = view(people(), { limit: 1 });
    list.page({ offset: 1 });
    expect(list.value).toStrictEqual([bo]);

    const told = valuesOf(list);
    list.page({ offset: 2 });
    list.page({ limit: 2, offset: undefined });
    list.page({ offset: 0 });

    expect(told).toStrictEqual([[bo], [eve], [ann, bo]]);
  });

  it.each<PageOptions>([
    { limit: -1 },
    { limit: 1.5 },
    { limit: NaN },
    { offset: -1 },
    { offset: Infinity },
    { offset: '1' as never },
  ])('refuses an invalid page: %o', (page) => {
    const message = 'view: "limit" and "offset" must be whole numbers, 0 or more';
    expect(() => view(people(), page)).toThrow(new TypeError(message));
    const list = view(people(), { limit: 1 });
    expect(() => {
      list.page(page);
    }).toThrow(message);
    expect(list.value).toStrictEqual([ann]);
  });

  it('notices items replaced by others of the same id in one write', () => {
    const twins = createLib().collection([
      { id: 1, name: 'a' },
      { id: 1, name: 'b' },
    ]);
    const list = view(twins, { sortBy: 'name' });
    const told = valuesOf(list);

    twins.replace([
      { id: 1, name: 'b' },
      { id: 1, name: 'c' },
    ]);

    expect(told.at(-1)).toStrictEqual([
      { id: 1, name: 'b' },
      { id: 1, name: 'c' },
    ]);
  });

  it('tells items of one id apart by their data, and drops the first of equal ones', () => {
    const twins = createLib().collection<object>([{ id: 1, name: 'a' }, { id: 2 }, { id: 1, name: 'b' }]);
    const list = view(twins);
    const told = valuesOf(list);

    twins.splice(2, 1, { id: 1, name: 'b' });
    twins.pop();
    expect(told.at(-1)).toStrictEqual([{ id: 1, name: 'a' }, { id: 2 }]);

    twins.push({ id: 1, name: 'b' });
    twins.splice(0, 1, { id: 1, name: 'b' });
    twins.replace([{ id: 1, name: 'b' }, { id: 2 }, { id: 1, name: 'b' }]);
    twins.shift();
    expect(told.at(-1)).toStrictEqual([{ id: 2 }, { id: 1, name: 'b' }]);
  });

  it('drops the very item that is removed, of equal ones with one id', () => {
    const twins = createLib().collection<object>([{ id: 1, name: 'a' }, { id: 2 }, { id: 1, name: 'a' }]);
    const told = valuesOf(view(twins));

    twins.pop();

    expect(told.at(-1)).toStrictEqual([{ id: 1, name: 'a' }, { id: 2 }]);
  });

  it('keeps items of one id in order when one takes the place of another', () => {
    const [first, second, third] = ['a', 'b', 'c'].map((name) => ({ id: 1, name }));
    const twins = createLib().collection<object | undefined>([first, { id: 2 }, second]);
    const told = valuesOf(view(twins));

    twins.replace([second, { id: 2 }, third]);

    expect(told.at(-1)).toStrictEqual([second, { id: 2 }, third]);
  });

  it('drops an item that was changed in place after an equal one had taken its place', () => {
    const list = people();
    const told = valuesOf(view(list));
    const copy = { ...ann };
    list.replace([copy, bo, eve]);
    copy.name = 'Anna';

    list.shift();

    expect(told.at(-1)).toStrictEqual([bo, eve]);
  });

  it('sorts only items that match', () => {
    const items = createLib().collection<Person>([bo, { ...ann, address: { city: 'Rome' } }]);
    const sortBy = ({ address }: Person) => (address ?? raise(new Error('nothing to sort by'))).city;

    const list = view(items, { where: ({ address }) => address !== undefined, sortBy });

    expect(list.value).toHaveLength(1);
  });

  it('is not sorted anew for each item of a list whose items repeat', () => {
    let compared = 0;
    const list = createLib().collection<string>();
    const sorted = view(list, {
      sortBy: (text) => text,
      compare: (a, b) => {
        compared += 1;
        return a < b ? -1 : Number(a > b);
      },
    });
    sorted.subscribe();
    list.push(...Array.from({ length: 1000 }, () => ['a', 'b', 'c']).flat());
    const before = compared;
    list.push('b');
    list.pop();

    expect(compared - before).toBeLessThan(1000);
  });

  it('checks only the rows that a write touches', () => {
    let asked = 0;
    let compared = 0;
    const nameOf = (rank: number) => String(rank).padStart(4, '0');
    const items = createLib().collection(
      Array.from({ length: 1000 }, (_, id) => ({ id, name: nameOf(2000 - id) })),
    );
    const where = () => Boolean((asked += 1));
    const compare = (a: string, b: string) => {
      compared += 1;
      return a.localeCompare(b);
    };
    const list = view(items, { where, sortBy: 'name', compare, limit: 2 });
    list.subscribe();
    [asked, compared] = [0, 0];

    items.push({ id: 1000, name: nameOf(1000) });
    items.splice(7, 1, { id: 7, name: nameOf(0) });
    items.shift();

    expect(asked).toBe(2);
    expect(compared).toBeLessThan(100);
    expect(list.value.map(({ id }) => id)).toStrictEqual([7, 1000]);
  });
});

describe('a view without subscribers', () => {
  const source = () => {
    const items = people();
    const list = view(items, { sortBy: 'name' });
    return { items, list, watchers: () => observed([items, items._deltas]) };
  };

  it('releases the collection once its last subscriber is gone', () => {
    const { items, list, watchers } = source();
    const subscriptions = [list.subscribe(), list.count$.subscribe(), list.delta$.subscribe()];
    expect(watchers()).toBe(1);

    for (const subscription of subscriptions) subscription.unsubscribe();

    expect(watchers()).toBe(0);
    items.removeAll();
    expect(list.value).toStrictEqual([]);
  });

  it('is computed once for each state of the collection', () => {
    let asked = 0;
    const items = people();
    const list = view(items, { where: () => Boolean((asked += 1)) });

    expect(list.value).toBe(list.value);
    expect(list.count$.value).toBe(3);
    expect(asked).toBe(3);
    items.pop();
    expect(list.value).toStrictEqual([ann, bo]);
    list.subscribe();
    expect(asked).toBe(5);
  });
});

describe('a view ends', () => {
  const ends = (list: ReturnType<typeof view<Person>>) => {
    const told: string[] = [];
    const streams: Record<string, Observable<unknown>> = { list, count$: list.count$, delta$: list.delta$ };
    for (const [name, stream] of Object.entries(streams)) {
      stream.subscribe({
        complete: () => told.push(name),
        error: (error: unknown) => told.push((error as Error).message),
      });
    }
    return told;
  };

  it('with its collection', () => {
    const items = people();
    const told = ends(view(view(items), { limit: 1 }));

    items.dispose();

    expect(told).toStrictEqual(['list', 'count$', 'delta$']);
  });

  it('on dispose, for later subscribers too, and releases the collection', () => {
    const items = people();
    const list = view(items);
    const told = ends(list);

    list.dispose();

    expect(told).toStrictEqual(['list', 'count$', 'delta$']);
    expect(observed([items, items._deltas])).toBe(0);
    expect(ends(list)).toStrictEqual(['list', 'count$', 'delta$']);
  });

  it('with the error of a predicate, and restarts with the next subscriber', () => {
    const items = people();
    const failure = new Error('predicate');
    const list = view(items, { where: ({ name }) => name !== 'bad' || raise(failure) });
    const told = ends(list);

    items.push({ id: 4, name: 'bad' });

    expect(told).toStrictEqual(['predicate', 'predicate', 'predicate']);
    expect(items).toHaveLength(4);
    expect(() => list.value).toThrow(failure);
    expect(ends(list)).toStrictEqual(['predicate', 'predicate', 'predicate']);
    items.pop();
    expect(valuesOf(list)).toStrictEqual([[ann, bo, eve]]);
  });

  it('if an id was changed within its item', () => {
    const delta$ = new Subject<Delta<Person>>();
    const list: ListSource<Person> = { value: [ann], delta$, idAttribute: 'id' };
    const told = ends(view(list));

    delta$.next({ added: [], changed: [], removed: [bo] });

    expect(told).toContain('views: an id was changed inside its item: replace the item instead');
  });
});

describe('a view of a view', () => {
  it('shows a part of the other', () => {
    const items = people();
    const oldest = view(items, { sortBy: 'age', descending: true, limit: 2 });
    const told = valuesOf(view(oldest, { sortBy: 'name', descending: true }));

    items.push({ id: 4, name: 'Zoe', age: 99 });

    expect(told.map((shown) => shown.map(({ name }) => name))).toStrictEqual([
      ['Eve', 'Ann'],
      ['Zoe', 'Ann'],
    ]);
  });
});

import fc from 'fast-check';
import { of, switchMap } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection } from 'rivulet';

import { cycle, polluted, raise, revoked } from './hostile';
import { ann, bo, eve } from './people';
import type { Item } from './people';
import { valuesOf } from './watch';

class Filter {
  readonly done = false;
}

describe('where', () => {
  const day = new Date('2020-01-02');

  const cases: [title: string, criteria: unknown, item: unknown, matches: boolean][] = [
    ['an equal text', { a: 'x' }, { a: 'x' }, true],
    ['another text', { a: 'x' }, { a: 'xy' }, false],
    ['every key', { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }, true],
    ['every key of an instance of a class', new Filter(), { done: false, more: 1 }, true],
    ['another key of an instance of a class', new Filter(), { done: true }, false],
    ['the first key of two', { a: 1, b: 2 }, { a: 2, b: 2 }, false],
    ['one key of two', { a: 1, b: 2 }, { a: 1, b: 3 }, false],
    ['a missing key', { a: 1 }, { b: 1 }, false],
    ['a nested object in part', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, true],
    ['another nested object', { a: { b: 1 } }, { a: { b: 2 } }, false],
    ['a nested object that is null', { a: { b: 1 } }, { a: null }, false],
    ['a nested object that is a text', { a: { length: 1 } }, { a: 'x' }, false],
    ['a nested empty object', { a: {} }, { a: { b: 1 } }, true],
    ['a nested empty object and a number', { a: {} }, { a: 1 }, false],
    ['{} and an object', {}, { a: 1 }, true],
    ['{} and an empty object', {}, {}, true],
    ['{} and null', {}, null, false],
    ['{} and undefined', {}, undefined, false],
    ['{} and a text', {}, 'x', false],
    ['{} and a number', {}, 1, false],
    ['0', { a: 0 }, { a: 0 }, true],
    ['0 and false', { a: 0 }, { a: false }, false],
    ['0 and a missing key', { a: 0 }, {}, false],
    ['false', { a: false }, { a: false }, true],
    ['an empty text', { a: '' }, { a: '' }, true],
    ['an empty text and 0', { a: '' }, { a: 0 }, false],
    ['null', { a: null }, { a: null }, true],
    ['null and a missing key', { a: null }, {}, false],
    ['NaN', { a: Number.NaN }, { a: Number.NaN }, true],
    ['a number and its text', { a: 1 }, { a: '1' }, false],
    ['a RegExp and a text', { a: /^x/ }, { a: 'xy' }, true],
    ['a RegExp and another text', { a: /^x/ }, { a: 'yx' }, false],
    ['a RegExp and an empty text', { a: /^$/ }, { a: '' }, true],
    ['a RegExp and a number', { a: /^12/ }, { a: 123 }, true],
    ['a RegExp and another number', { a: /^2/ }, { a: 123 }, false],
    ['a RegExp and 0', { a: /0/ }, { a: 0 }, true],
    ['a RegExp and null', { a: /null/ }, { a: null }, false],
    ['a RegExp and a missing key', { a: /undefined/ }, {}, false],
    ['a RegExp and an object', { a: /object/ }, { a: {} }, false],
    ['a RegExp and an array', { a: /x/ }, { a: ['x'] }, false],
    ['a RegExp and a boolean', { a: /true/ }, { a: true }, false],
    ['a nested RegExp', { a: { b: /x/ } }, { a: { b: 'x' } }, true],
    ['an equal date', { a: day }, { a: new Date(day) }, true],
    ['another date', { a: day }, { a: new Date(0) }, false],
    ['a date and its text', { a: day }, { a: day.toISOString() }, false],
    ['a date and its time', { a: day }, { a: day.getTime() }, false],
    ['an equal array', { a: [1, 2] }, { a: [1, 2] }, true],
    ['a longer array', { a: [1] }, { a: [1, 2] }, false],
    ['a shorter array', { a: [1, 2] }, { a: [1] }, false],
    ['an array in another order', { a: [1, 2] }, { a: [2, 1] }, false],
    ['an empty array', { a: [] }, { a: [] }, true],
    ['an empty array and one that is not', { a: [] }, { a: [1] }, false],
    ['an empty array and an object', { a: [] }, { a: {} }, false],
    ['an array and an object like it', { a: [1] }, { a: { 0: 1, length: 1 } }, false],
    ['an array of objects, item by item', { a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, true],
    ['an array of RegExps', { a: [/x/] }, { a: ['xy'] }, true],
    ['an inherited key', { constructor: Object }, {}, false],
    ['a key behind __proto__', JSON.parse('{"__proto__":{}}'), {}, false],
    ['a text item', 'x', 'x', true],
    ['another text item', 'x', 'y', false],
    ['a number item', 1, 1, true],
    ['a RegExp and a text item', /x/, 'xy', true],
    ['undefined and an object', undefined, { a: 1 }, false],
    ['undefined and undefined', undefined, undefined, false],
    ['null and an object', null, { a: 1 }, false],
  ];

  it.each(cases)('%s: %o and %o', (_title, criteria, item, matches) => {
    const items = createLib().collection([item]);

    expect(items.where(criteria as never)).toStrictEqual(matches ? [item] : []);
  });

  it.each([[/a/g], [/a/y], [/a/gy]])('ignores the state of %s', (pattern) => {
    const items = createLib().collection([{ t: 'a' }, { t: 'a' }, { t: 'a' }]);
    pattern.lastIndex = 1;

    expect([items.where({ t: pattern }).length, items.where({ t: pattern }).length]).toStrictEqual([3, 3]);
  });

  it.each<[string, () => unknown]>([
    [
      'a getter that throws',
      () => ({
        get name(): never {
          return raise(new Error('getter'));
        },
      }),
    ],
    [
      'a proxy that throws',
      () => new Proxy({}, { getOwnPropertyDescriptor: () => raise(new Error('proxy')) }),
    ],
    ['a revoked proxy', () => revoked()],
    ['an object without a prototype', () => Object.create(null) as unknown],
    ['a cycle', () => cycle()],
    ['null', () => null],
    ['undefined', () => undefined],
    ['a symbol', () => Symbol('name')],
    ['a function', () => () => 'name'],
  ])('neither throws for nor finds %s', (_name, make) => {
    const items = createLib().collection<unknown>([make(), { name: 'Ann' }]);

    expect(items.where({ name: 'Ann' } as never)).toStrictEqual([{ name: 'Ann' }]);
  });

  it.each([{ address: { city: 'Rome' } }, { tags: ['a'] }, { tags: [{ b: 1 }] }])(
    'finds %o even if a script makes every object inherit a property',
    (criteria) => {
      const item = {
        id: 1,
        address: { city: 'Rome', zip: 1 },
        tags: 'tags' in criteria ? criteria.tags : [],
      };
      const items = createLib().collection<object>([structuredClone(item)]);

      expect(polluted('plugin', 1, () => items.where(criteria))).toHaveLength(1);
    },
  );

  it('does not throw for criteria that contain themselves', () => {
    const items = createLib().collection<unknown>([cycle()]);

    expect(() => items.where(cycle() as never)).not.toThrow();
  });

  it('returns the items themselves in their order, in a new array', () => {
    const people = createLib().collection<Item>([bo, ann, eve]);

    const found = people.where({ name: /^[AB]/ });

    expect([found.length, found[0] === bo, found[1] === ann]).toStrictEqual([2, true, true]);
    found.pop();
    expect(people.where({ name: /^[AB]/ })).toHaveLength(2);
  });

  it('calls a predicate with the item alone', () => {
    const predicate = vi.fn<(...given: unknown[]) => boolean>().mockReturnValue(true);

    createLib().collection<Item>([ann, bo]).where(predicate);

    expect(predicate.mock.calls).toStrictEqual([[ann], [bo]]);
  });

  it.each<[string, (people: Collection<Item>) => void, Item[]]>([
    ['adds items', (people) => people.push(eve), [ann, bo]],
    ['removes the last', (people) => people.pop(), [ann]],
  ])(
    'visits the items that were there at the start and still are, for a predicate that %s',
    (_does, change, seen) => {
      const people = createLib().collection<Item>([ann, bo]);
      const predicate = vi.fn(() => {
        change(people);
        return true;
      });

      expect(people.where(predicate)).toStrictEqual(seen);
      expect(predicate).toHaveBeenCalledTimes(seen.length);
    },
  );

  it('accepts a predicate', () => {
    const people = createLib().collection<Item>([ann, bo]);

    expect(people.where(({ name }) => name === 'Bo')).toStrictEqual([bo]);
  });

  it('accepts a comparator, called with the criteria and each item', () => {
    const people = createLib().collection<Item>([ann, bo]);
    const comparator = vi.fn((least: number, { id = 0 }: Item) => id >= least);

    expect(people.where(2, comparator)).toStrictEqual([bo]);
    expect(comparator.mock.calls).toStrictEqual([
      [2, ann],
      [2, bo],
    ]);
  });

  it('does not take the index that map passes after the criteria for a comparator', () => {
    const people = createLib().collection<Item>([ann, bo]);

    // eslint-disable-next-line @typescript-eslint/unbound-method -- the form under test
    const { find, where } = people;
    expect([{ id: 1 }, { id: 2 }].map(where)).toStrictEqual([[ann], [bo]]);
    expect([{ id: 1 }, { id: 2 }].map(find)).toStrictEqual([ann, bo]);
  });
});

describe('where$', () => {
  it('follows the next criteria in a pipeline that also passes it their index', () => {
    const people = createLib().collection<Item>([ann, bo]);
    // eslint-disable-next-line @typescript-eslint/unbound-method -- the form under test
    const { where$ } = people;
    const criteria$ = of({ id: 1 }, { id: 2 }, { id: 3 });

    expect(
      valuesOf(criteria$.pipe(switchMap(where$ as (criteria: unknown) => Observable<Item[]>))),
    ).toStrictEqual([[ann], [bo], []]);
  });

  it('emits what matches, again after each write', () => {
    const people = createLib().collection<Item>([ann, bo]);
    const found = valuesOf(people.where$({ name: /^[AE]/ }));

    people.push(eve);
    people.remove(ann);

    expect(found).toStrictEqual([[ann], [ann, eve], [eve]]);
  });

  it('accepts a predicate', () => {
    const people = createLib().collection<Item>([ann]);
    const found = valuesOf(people.where$(({ id }) => id === 2));

    people.push(bo);

    expect(found.at(-1)).toStrictEqual([bo]);
  });

  it('accepts a comparator', () => {
    const people = createLib().collection<Item>([ann]);
    const found = valuesOf(people.where$(2, (id, item) => item.id === id));

    people.push(bo);

    expect(found.at(-1)).toStrictEqual([bo]);
  });
});

describe('find and find$', () => {
  it('find returns the first item that matches', () => {
    const people = createLib().collection<Item>([ann, bo, eve]);

    expect(people.find({ name: /^[BE]/ })).toBe(bo);
  });

  it('find returns undefined if none matches', () => {
    expect(createLib().collection<Item>([ann]).find({ id: 9 })).toBeUndefined();
  });

  it('find accepts a predicate', () => {
    expect(
      createLib()
        .collection<Item>([ann, bo])
        .find(({ id }) => id === 2),
    ).toBe(bo);
  });

  it('find accepts a comparator', () => {
    expect(
      createLib()
        .collection<Item>([ann, bo])
        .find(2, (id, item) => item.id === id),
    ).toBe(bo);
  });

  it('find$ emits the first that matches, whenever it changes', () => {
    const people = createLib().collection<Item>([ann]);
    const found = valuesOf(people.find$({ name: /^[BE]/ }));

    people.push(eve);
    people.push({ name: 'nobody' });
    people.unshift(bo);

    expect(found).toStrictEqual([undefined, eve, bo]);
  });
});

describe('any item of JSON', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 4 });

  it('is found by a copy of itself, and by each part of the copy', () => {
    fc.assert(
      fc.property(objects, (item) => {
        const items = createLib().collection<unknown>([item]);
        const copy = structuredClone(item);

        const found = [copy, ...Object.entries(copy).map((entry) => Object.fromEntries([entry]))].map(
          (criteria) => items.find(criteria as never) === item,
        );

        expect(found).not.toContain(false);
      }),
    );
  });

  it('is not found by a copy with an extra key', () => {
    fc.assert(
      fc.property(objects, (item) => {
        const items = createLib().collection<unknown>([item]);

        expect(items.find({ ...structuredClone(item), 'one more': 1 } as never)).toBeUndefined();
      }),
    );
  });
});

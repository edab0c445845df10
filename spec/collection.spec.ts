import { BehaviorSubject } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { Collection, createLib } from 'rivulet';
import type { Lib } from 'rivulet';

import { ann, bo, eve, withPeople } from './people';
import type { Item } from './people';
import { StubServer } from './stub';
import { valuesOf, watch } from './watch';

describe('a collection', () => {
  it('is a BehaviorSubject of its items', () => {
    const letters = createLib().collection(['a']);

    expect([letters instanceof BehaviorSubject, letters instanceof Collection]).toStrictEqual([true, true]);
    expect(valuesOf(letters)).toStrictEqual([['a']]);
  });

  it('is empty without items', () => {
    expect(createLib().collection().value).toStrictEqual([]);
  });

  it('is iterable', () => {
    expect([...createLib().collection(['a', 'b'])]).toStrictEqual(['a', 'b']);
  });

  it('is serialized as its items by JSON.stringify', () => {
    expect(JSON.stringify(createLib().collection([{ id: 1 }]))).toBe('[{"id":1}]');
  });

  it.each<[string, (root: Lib, items: string[]) => Collection<string>]>([
    ['the array it is created from', (root, items) => root.collection(items)],
    ['its data', (root, items) => root.collection({ data: items })],
    ['the array it is replaced by', (root, items) => replaced(root.collection<string>(), items)],
    ['the array passed to next', (root, items) => nexted(root.collection<string>(), items)],
  ])('copies %s', (_name, make) => {
    const items = ['a'];
    const letters = make(createLib(), items);

    items.push('of the caller');
    letters.push('b');

    expect({ letters: letters.value, items }).toStrictEqual({
      letters: ['a', 'b'],
      items: ['a', 'of the caller'],
    });
  });

  it('accepts a frozen array', () => {
    const letters = createLib().collection(Object.freeze(['b', 'a']));

    letters.sort();

    expect(letters.value).toStrictEqual(['a', 'b']);
  });

  it.each([[{}], ['text'], [5]])('throws for the data %o, which is not an array', (data) => {
    expect(() => createLib().collection({ data: data as never })).toThrow(
      new TypeError('collection: needs an array, or an object like { url }'),
    );
  });

  it('accepts an array when created as a class, too', () => {
    class Letters extends Collection<string> {}

    expect(new Letters(['a'], createLib()).value).toStrictEqual(['a']);
  });

  it('uses the default for an option that is undefined', () => {
    const { people, server } = withPeople({
      config: { data: undefined, parse: undefined, idAttribute: undefined },
    });
    watch(people.fetch$());

    server.at(0).ok([ann]);

    expect([people.value, people.byId(1)]).toStrictEqual([[ann], ann]);
  });

  it('emits re-entrant writes in order to every subscriber', () => {
    const letters = createLib().collection(['a']);
    letters.subscribe((all) => {
      if (all.length === 2) letters.push('c');
    });
    const late = valuesOf(letters);

    letters.push('b');

    expect(late).toStrictEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
  });

  it.each([[5], [null], ['__proto__.id'], ['a..b']])(
    'is refused the idAttribute %j at once',
    (idAttribute) => {
      expect(() => createLib().collection({ idAttribute: idAttribute as never })).toThrow(
        new TypeError(`map, idAttribute: "${String(idAttribute)}" is not a path: join plain names by dots`),
      );
    },
  );

  it('finds items as they were emitted', () => {
    const list = createLib().collection<number>([1]);
    list.subscribe((items) => {
      if (items.length === 2) list.push(3);
    });
    const [found, last] = [
      valuesOf(list.where$((item) => item > 1)),
      valuesOf(list.find$((item) => item > 2)),
    ];
    list.push(2);
    expect([found, last]).toStrictEqual([
      [[], [2], [2, 3]],
      [undefined, 3],
    ]);
  });
});

describe('a collection of something else', () => {
  it.each([['/api/people'], [5], [null]])('is refused with a hint at what to pass instead: %o', (source) => {
    expect(() => createLib().collection(source as never)).toThrow(
      new TypeError('collection: needs an array, or an object like { url }'),
    );
  });
});

describe('array methods', () => {
  type List = readonly number[];

  interface Arrays {
    push(...items: number[]): number;
    pop(): number | undefined;
    shift(): number | undefined;
    unshift(...items: number[]): number;
    splice(start: number, deleteCount?: number, ...items: number[]): number[];
    sort(compare?: (a: number, b: number) => number): List;
    reverse(): List;
  }

  const writes: [string, (list: Arrays) => unknown][] = [
    ['push(4)', (list) => list.push(4)],
    ['push(4, 5)', (list) => list.push(4, 5)],
    ['pop()', (list) => list.pop()],
    ['shift()', (list) => list.shift()],
    ['unshift(4)', (list) => list.unshift(4)],
    ['unshift(4, 5)', (list) => list.unshift(4, 5)],
    ['splice(1)', (list) => list.splice(1)],
    ['splice(0)', (list) => list.splice(0)],
    ['splice(-1)', (list) => list.splice(-1)],
    ['splice(1, 1)', (list) => list.splice(1, 1)],
    ['splice(1, 0, 4, 5)', (list) => list.splice(1, 0, 4, 5)],
    ['splice(1, 9, 4)', (list) => list.splice(1, 9, 4)],
    ['splice(1, undefined, 4)', (list) => list.splice(1, undefined, 4)],
    ['sort()', (list) => list.sort()],
    ['sort(descending)', (list) => list.sort((a, b) => b - a)],
    ['reverse()', (list) => list.reverse()],
  ];

  const items = [3, 1, 2];

  it.each(writes)('%s has the same result and effect as on an array', (_name, write) => {
    const array = [...items];
    const numbers = createLib().collection(items);

    const result = write(numbers);

    expect({ result, value: numbers.value }).toStrictEqual({ result: write(array as Arrays), value: array });
  });

  it.each(writes)('%s emits once, a new array', (_name, write) => {
    const numbers = createLib().collection(items);
    const before = numbers.value;
    const seen = valuesOf(numbers);

    write(numbers);

    expect([seen.length, numbers.value === before]).toStrictEqual([2, false]);
    expect(seen[1]).toBe(numbers.value);
  });

  it.each(writes)("%s leaves the caller's array and earlier emissions unchanged", (_name, write) => {
    const given = [...items];
    const numbers = createLib().collection(given);
    const [emitted] = valuesOf(numbers);

    write(numbers);

    expect([given, emitted]).toStrictEqual([items, items]);
  });

  it.each<['sort' | 'reverse']>([['sort'], ['reverse']])('%s returns the new array', (method) => {
    const numbers = createLib().collection(items);

    expect(numbers[method]()).toBe(numbers.value);
  });

  it.each<['pop' | 'shift']>([['pop'], ['shift']])(
    '%s of an empty collection returns undefined',
    (method) => {
      const empty = createLib().collection<number>();

      expect([empty[method](), empty.value]).toStrictEqual([undefined, []]);
    },
  );

  it.each<
    [string, (list: Pick<Collection<number>, 'indexOf' | 'at' | 'slice' | 'length'>) => unknown, unknown]
  >([
    ['indexOf(1)', (list) => list.indexOf(1), 1],
    ['indexOf(9)', (list) => list.indexOf(9), -1],
    ['indexOf(3, 1)', (list) => list.indexOf(3, 1), -1],
    ['at(0)', (list) => list.at(0), 3],
    ['at(-1)', (list) => list.at(-1), 2],
    ['at(9)', (list) => list.at(9), undefined],
    ['slice()', (list) => list.slice(), [3, 1, 2]],
    ['slice(1)', (list) => list.slice(1), [1, 2]],
    ['slice(-2, -1)', (list) => list.slice(-2, -1), [1]],
    ['length', (list) => list.length, 3],
  ])('%s reads without emitting', (_name, read, expected) => {
    const numbers = createLib().collection(items);
    const seen = valuesOf(numbers);

    expect([read(numbers), seen.length]).toStrictEqual([expected, 1]);
  });

  it.each<['slice' | 'toJSON']>([['slice'], ['toJSON']])('%s returns a copy', (method) => {
    const numbers = createLib().collection(items);

    numbers[method]().push(9);

    expect(numbers.value).toStrictEqual(items);
  });

  it('toJSON returns all items, whatever key JSON.stringify passes', () => {
    const numbers = createLib().collection(items);

    expect(JSON.stringify([null, numbers, { 2: numbers }])).toBe(JSON.stringify([null, items, { 2: items }]));
  });

  it('remove of a value returns the removed items and emits once', () => {
    const numbers = createLib().collection([1, 2, 1]);
    const seen = valuesOf(numbers);

    expect(numbers.remove(1)).toStrictEqual([1, 1]);
    expect(seen).toStrictEqual([[1, 2, 1], [2]]);
  });

  it('remove of a function that is an item removes it every time it occurs', () => {
    const never = () => false;
    const functions = createLib().collection([never, never]);

    expect(functions.remove(never)).toStrictEqual([never, never]);
  });

  it('remove by a predicate returns the removed items and emits once', () => {
    const numbers = createLib().collection([1, 2, 3]);
    const seen = valuesOf(numbers);

    expect(numbers.remove((number) => number > 1)).toStrictEqual([2, 3]);
    expect(seen).toStrictEqual([[1, 2, 3], [1]]);
  });

  it('remove by a predicate keeps what the predicate writes to the list', () => {
    const people = createLib().collection([ann, bo]);
    const deltas = valuesOf(people.delta$);

    const removed = people.remove((item) => item === ann && people.push(eve) > 0);

    expect([removed, people.value]).toStrictEqual([[ann], [bo, eve]]);
    expect(deltas).toStrictEqual([
      { added: [eve], changed: [], removed: [] },
      { added: [], changed: [], removed: [ann] },
    ]);
  });

  it('remove calls a predicate for each position, so that it may count', () => {
    const seen = new Set<number>();
    const numbers = createLib().collection([1, 2, 1]);

    expect(numbers.remove((number) => seen.has(number) || !seen.add(number))).toStrictEqual([1]);
    expect(numbers.value).toStrictEqual([1, 2]);
  });

  it('remove compares by identity, not by content', () => {
    const people = createLib().collection([ann]);

    expect([people.remove({ ...ann }), people.value]).toStrictEqual([[], [ann]]);
  });

  it('remove of an absent item emits nothing', () => {
    const numbers = createLib().collection([1]);
    const seen = valuesOf(numbers);

    expect([numbers.remove(9), numbers.remove(() => false), seen.length]).toStrictEqual([[], [], 1]);
  });

  it('removeAll returns all items and emits once', () => {
    const numbers = createLib().collection([1, 2]);
    const seen = valuesOf(numbers);

    expect(numbers.removeAll()).toStrictEqual([1, 2]);
    expect(seen).toStrictEqual([[1, 2], []]);
  });

  it('removeAll of a list returns those that were present and emits once', () => {
    const numbers = createLib().collection([1, 2, 3]);
    const seen = valuesOf(numbers);

    expect(numbers.removeAll([1, 3, 9])).toStrictEqual([1, 3]);
    expect(seen).toStrictEqual([[1, 2, 3], [2]]);
  });

  it('replace replaces all items and emits once', () => {
    const numbers = createLib().collection([1, 2]);
    const seen = valuesOf(numbers);

    numbers.replace([3]);

    expect(seen).toStrictEqual([[1, 2], [3]]);
  });
});

describe('byId', () => {
  it('returns the item with the id', () => {
    expect(createLib().collection<Item>([ann, bo]).byId(2)).toBe(bo);
  });

  it.each([[9], ['2'], [undefined], [null]])('returns undefined for %o', (id) => {
    expect(createLib().collection<Item>([ann, bo]).byId(id)).toBeUndefined();
  });

  it('follows every write', () => {
    const people = createLib().collection<Item>([ann]);
    const before = people.byId(2);
    people.push(bo);
    const between = people.byId(2);

    people.splice(1, 1, { ...bo, name: 'Bob' });

    expect([before, between, people.byId(2)]).toStrictEqual([undefined, bo, { ...bo, name: 'Bob' }]);
  });

  it('uses the path that idAttribute names', () => {
    const things = createLib().collection<{ key: { no: number } }>({
      idAttribute: 'key.no',
      data: [{ key: { no: 5 } }],
    });

    expect(things.byId(5)).toStrictEqual({ key: { no: 5 } });
  });

  it('finds an item whose id is 0', () => {
    expect(
      createLib()
        .collection<Item>([{ id: 0, name: 'zero' }])
        .byId(0),
    ).toStrictEqual({ id: 0, name: 'zero' });
  });

  it.each([[null], [undefined], [5], ['text']])('skips the item %o', (item) => {
    expect(createLib().collection<unknown>([item, ann]).byId(1)).toBe(ann);
  });
});

function replaced(letters: Collection<string>, items: readonly string[]): Collection<string> {
  letters.replace(items);
  return letters;
}

function nexted(letters: Collection<string>, items: readonly string[]): Collection<string> {
  letters.next(items);
  return letters;
}

describe("a class of one's own", () => {
  it('may name its members as it likes', () => {
    const calls: unknown[] = [];
    const call = () => calls.push('call');
    class People extends Collection<Item> {
      readonly present = 'for all';
      readonly deltas = 0;
      readonly isEnded = true;
      readonly change = call;
      readonly end = call;
      readonly fill = call;
      readonly put = call;
      readonly announce = call;
      readonly byKey = call;
      readonly byText = call;
      readonly placeOf = call;
      readonly whenChanged = call;
      readonly amendReads = call;
      constructor(root: Lib) {
        super({ url: '/people' }, root);
      }
    }
    const server = new StubServer();
    const people = new People(createLib({ transport: server.transport }));
    const [names, changes] = [valuesOf(people), valuesOf(people.delta$)];
    let isComplete = false;
    people.subscribe({ complete: () => (isComplete = true) });
    people.push(ann);
    people.record(1).name.next('Bea');
    watch(people.create$(bo));
    server.at(0).ok(bo);
    people.remove(ann);
    people.dispose();

    expect([names.at(-1), changes.length, calls, isComplete]).toStrictEqual([[bo], 3, [], true]);
  });
});

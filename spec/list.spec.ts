import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { keyBy } from '../lib/items';
import { List } from '../lib/list';

import { raise } from './hostile';
import { law } from './laws/law';
import { same } from './laws/same';
import { valuesOf } from './watch';

interface Item {
  readonly id: number;
}

const keyOf = keyBy('id');
const listOf = (...ids: number[]): List<Item> =>
  new List(
    ids.map((id) => ({ id })),
    keyOf,
  );
const idsOf = (items: readonly Item[]): number[] => items.map(({ id }) => id);
const put = (...items: Item[]) => items as never[];

describe('a list', () => {
  it.each<[string, (list: List<Item>) => unknown]>([
    ['push', (list) => list._change('push', put({ id: 4 }))],
    ['pop', (list) => list._change('pop', [])],
    ['shift', (list) => list._change('shift', [])],
    ['unshift', (list) => list._change('unshift', put({ id: 4 }))],
    ['splice', (list) => list._change('splice', [1, 1] as never[])],
    ['sort', (list) => list._change('sort', put(((a: Item, b: Item) => b.id - a.id) as never))],
    ['reverse', (list) => list._change('reverse', [])],
    [
      'fill',
      (list) => {
        list._fill([]);
      },
    ],
  ])('leaves an array handed out before %s unchanged', (_, write) => {
    const list = listOf(1, 2, 3);
    const { value } = list;
    const told = valuesOf(list);

    write(list);
    list._change('push', put({ id: 5 }));

    expect(idsOf(value)).toStrictEqual([1, 2, 3]);
    expect(told.map(({ length }) => length)).toStrictEqual([3, list.value.length - 1, list.value.length]);
  });

  it('hands out the array that sort returns, and never changes it afterwards', () => {
    const list = listOf(2, 1);
    const sorted = list._change('sort', put(((a: Item, b: Item) => a.id - b.id) as never)) as Item[];

    list._change('pop', []);

    expect(idsOf(sorted)).toStrictEqual([1, 2]);
  });

  it('stays unchanged if sort throws', () => {
    const list = listOf(3, 2, 1);
    const failure = new Error('comparator');
    const sort = () => list._change('sort', put((() => raise(failure)) as never));

    expect(sort).toThrow(failure);
    expect(idsOf(list.value)).toStrictEqual([3, 2, 1]);
  });

  it('hands out the array as it was before to a function that it is sorted with', () => {
    const list = listOf(3, 2, 1);
    const seen = new Set<readonly Item[]>();
    const compare = (a: Item, b: Item) => {
      seen.add(list.value);
      return a.id - b.id;
    };

    list._change('sort', put(compare as never));

    expect([...seen].map(idsOf)).toStrictEqual([[3, 2, 1]]);
    expect(idsOf(list.value)).toStrictEqual([1, 2, 3]);
  });

  it.each(['pop', 'shift'] as const)('tells no addition if %s is called with an event', (name) => {
    const list = listOf(1, 2);
    const deltas = valuesOf(list._deltas);

    const result = list._change(name, put(new Event('click') as never));

    expect(deltas.at(-1)).toStrictEqual({ added: [], changed: [], removed: [result] });
  });

  it('writes in place an array that was not handed out', () => {
    const list = listOf(1);
    const { _present: present } = list;

    list._change('push', put({ id: 2 }));

    expect(list._present).toBe(present);
    expect(idsOf(list.value)).toStrictEqual([1, 2]);
  });

  it('begins a subscription with what was written while it had no subscribers', () => {
    const list = listOf(1);
    list._change('push', put({ id: 2 }));

    expect(valuesOf(list).map(idsOf)).toStrictEqual([[1, 2]]);
  });

  it('reads no keys for a change without subscribers', () => {
    let asked = 0;
    const list = new List<Item>([{ id: 1 }], (item) => {
      asked += 1;
      return keyOf(item);
    });

    list._change('push', put({ id: 2 }));
    list._fill([]);

    expect(asked).toBe(0);
  });

  it('emits what a write changed before it emits the array', () => {
    const list = listOf(1);
    const told: string[] = [];
    list.subscribe(() => told.push('array'));
    list._deltas.subscribe(() => told.push('delta'));
    told.length = 0;

    list._change('push', put({ id: 2 }));

    expect(told).toStrictEqual(['delta', 'array']);
  });

  it('reads only the keys of touched items, to emit a change in a long list', () => {
    let asked = 0;
    const list = new List<Item>(
      Array.from({ length: 1000 }, (_, id) => ({ id })),
      (item) => {
        asked += 1;
        return keyOf(item);
      },
    );
    const deltas = valuesOf(list._deltas);

    list._change('splice', [500, 1, { id: 5000 }] as never[]);

    expect(deltas[1]).toStrictEqual({ added: [{ id: 5000 }], changed: [], removed: [{ id: 500 }] });
    expect(asked).toBeLessThan(10);
  });

  it.each<[string, unknown[], string, unknown]>([
    ['a number', [7, 8], '8', 8],
    ['text', ['7'], '7', '7'],
    ['a bigint', [7n], '7', 7n],
    ['another form of a number', [7], '7.0', undefined],
    ['nothing', [null], '', undefined],
  ])('by text, finds an id that is %s', (_, ids, text, id) => {
    const list = new List(
      ids.map((each) => ({ id: each })),
      keyOf,
    );
    const found = Array.from({ length: 25 }, () => list._byText(text)?.id);

    expect(found).toStrictEqual(Array(25).fill(id));
  });

  const item = fc.record({ id: fc.integer({ min: 1, max: 5 }) }, { noNullPrototype: true });
  const step = fc.oneof(
    fc.tuple(fc.constantFrom('push', 'unshift'), fc.array(item, { maxLength: 3 })),
    fc.tuple(fc.constantFrom('pop', 'shift', 'reverse'), fc.constant([])),
    fc.tuple(fc.constant('splice'), fc.tuple(fc.nat(6), fc.nat(3), item)),
  );

  law(
    'finds by key and by its text the first item of each key, whatever was written',
    [fc.array(fc.tuple(step, fc.boolean()), { maxLength: 8 })],
    (steps) => {
      const list = listOf(1, 2, 3);
      for (const [[name, args], isAsked] of steps) {
        // After as many scans the index is built, then kept.
        for (let count = 0; isAsked && count < 25; count += 1) list._byKey(list._byText('-1') ?? -1);
        list._change(name, args as never[]);
        if (!isAsked) continue;
        for (const id of [1, 2, 3, 4, 5]) {
          const first = list._present.find((each) => each.id === id);
          same([list._byKey(id) === first, list._byText(String(id)) === first], [true, true]);
        }
      }
    },
  );
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { keyBy } from '../lib/items';
import { KeyIndex } from '../lib/key-index';

import { law } from './laws/law';
import { same } from './laws/same';

interface Item {
  readonly id: number;
}

const itemsOf = (...ids: number[]): Item[] => ids.map((id) => ({ id }));

/** An index, and how many keys it has read. */
function counted() {
  const cost = { reads: 0 };
  const index = new KeyIndex<Item>((item) => {
    cost.reads += 1;
    return (item as Item).id;
  });
  const costOf = (items: readonly Item[], key: number) => {
    const before = cost.reads;
    index.find(items, key);
    return cost.reads - before;
  };
  return { index, costOf };
}

describe('the items of a list by key', () => {
  it('are scanned for at first, then found in an index that is built once, which the next writes keep', () => {
    const items = itemsOf(1, 2, 3);
    const { index, costOf } = counted();
    const scans = Array.from({ length: 21 }, () => costOf(items, 9));

    expect(scans).toStrictEqual(Array(21).fill(3));
    expect([costOf(items, 9), costOf(items, 9), costOf(items, 1)]).toStrictEqual([3, 0, 0]);

    const longer = [...items, { id: 4 }];
    index.follow(longer, [], longer.slice(3));

    expect([costOf(longer, 4), index.find(longer, 4)]).toStrictEqual([0, { id: 4 }]);

    const shorter = longer.slice(1);
    index.follow(shorter, longer.slice(0, 1), []);

    expect([costOf(shorter, 1), index.find(shorter, 1)]).toStrictEqual([0, undefined]);
  });

  it('are scanned for again after a write of all: the next index must be paid for, too', () => {
    const items = itemsOf(1, 2, 3);
    const { index, costOf } = counted();
    for (let count = 0; count < 25; count += 1) costOf(items, 9);
    const others = itemsOf(5);

    index.follow(others, items, others);

    expect([costOf(others, 9), costOf(others, 9), index.find(others, 5)]).toStrictEqual([1, 1, { id: 5 }]);
  });

  it('are not indexed for searches that end soon', () => {
    const items = itemsOf(...Array.from({ length: 100 }, (_, id) => id));
    const { costOf } = counted();
    for (let count = 0; count < 100; count += 1) costOf(items, 3);

    expect(costOf(items, 3)).toBe(4);
  });

  law(
    'are the first ones of each key, whatever was written',
    [fc.array(fc.tuple(fc.nat(6), fc.nat(3), fc.array(fc.nat(5), { maxLength: 3 }), fc.boolean()))],
    (writes) => {
      const index = new KeyIndex<Item>(keyBy('id'));
      const items = itemsOf(1, 2, 3);
      for (const [start, count, ids, isSought] of writes) {
        const added = itemsOf(...ids);
        const removed = items.splice(start, count, ...added);
        index.follow(items, removed, added);
        // After as many scans the index is built.
        if (isSought) for (let scans = 0; scans < 25; scans += 1) index.find(items, -1);
        for (const id of [0, 1, 2, 3, 4, 5])
          same(index.find(items, id) === items.find((each) => each.id === id), true);
      }
    },
  );
});

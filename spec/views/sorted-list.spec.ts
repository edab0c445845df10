import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sortedList } from '../../lib/views/sorted-list';
import { law } from '../laws/law';
import { same } from '../laws/same';

const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
const listOf = (items: number[]) => {
  const list = sortedList<number>((a, b) => a - b);
  list.fill(items);
  return list;
};

describe('a sorted list', () => {
  const number = fc.nat(5000);

  law(
    'holds what a sorted array does, at sizes where chunks are added, split and removed',
    [fc.nat(1200), fc.array(fc.tuple(number, fc.nat(700), fc.boolean()), { maxLength: 6 }), number, number],
    (size, steps, one, other) => {
      const held = new Set(numbers(size).map((n) => 3 * n));
      const list = listOf([...held].reverse());
      for (const [start, count, isIn] of steps) {
        // A run of neighbours, so that one chunk gets or loses them all.
        for (const n of numbers(count).map((step) => start + step)) {
          if (held.has(n) === isIn) continue;
          list[isIn ? 'insert' : 'delete'](n);
          if (isIn) held.add(n);
          else held.delete(n);
        }
      }
      const sorted = [...held].sort((a, b) => a - b);
      same(list.length, sorted.length);
      same(list.slice(0, Infinity), sorted);
      same(list.slice(one, one + 10), sorted.slice(one, one + 10));
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      same(
        list.between(low, high),
        sorted.filter((n) => n >= low && n < high),
      );
    },
  );

  it('inserts, deletes and finds one of 100,000 in fewer than 100 comparisons', () => {
    let compared = 0;
    const list = sortedList<number>((a, b) => {
      compared += 1;
      return a - b;
    });
    list.fill(numbers(100_000));
    compared = 0;

    list.insert(50_000.5);
    list.delete(50_000.5);
    list.between(7000, 7001);

    expect(compared).toBeLessThan(100);
    expect(list.slice(50_000, 50_002)).toStrictEqual([50_000, 50_001]);
  });
});

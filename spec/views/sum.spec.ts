import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { add, total } from '../../lib/views/sum';
import type { Parts } from '../../lib/views/sum';
import { law } from '../laws/law';

const sumOf = (numbers: readonly number[]): number => total(numbers.reduce<Parts>(add, []));

/** A number as a multiple of the smallest positive number. */
function whole(number: number): bigint {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, Math.abs(number));
  const raw = bits.getBigUint64(0);
  const exponent = raw >> 52n;
  const fraction = raw & ((1n << 52n) - 1n);
  const size = exponent ? (fraction | (1n << 52n)) << (exponent - 1n) : fraction;
  return number < 0 ? -size : size;
}

/** The number nearest to such a multiple. */
function nearest(count: bigint): number {
  const size = count < 0n ? -count : count;
  const shift = Math.max(size.toString(2).length - 64, 0);
  // What is shifted out may still decide which number is the nearest.
  const rest = size & ((1n << BigInt(shift)) - 1n);
  const number = Number((size >> BigInt(shift)) | (rest ? 1n : 0n)) * 2 ** (shift - 1074);
  return count < 0n ? -number : number;
}

const number = fc.oneof(
  fc.double({ noNaN: true, min: -1e290, max: 1e290 }),
  fc.integer({ min: -3, max: 3 }).map((exponent) => 2 ** (exponent * 53)),
  fc.integer().map((count) => count / 100),
);

describe('a sum', () => {
  law('is the number nearest to the exact sum', [fc.array(number, { maxLength: 12 })], (numbers) => {
    const exact = nearest(numbers.reduce((all, each) => all + whole(each), 0n));
    // A sum of nothing is 0, never -0.
    expect(sumOf(numbers) + 0).toBe(exact + 0);
  });

  law(
    'is unchanged by numbers that are added and removed again',
    [fc.array(number, { maxLength: 8 }), fc.array(number, { maxLength: 8 })],
    (stay, go) => {
      const back = [...go].reverse().map((each) => -each);
      expect(sumOf([...go, ...stay, ...back])).toBe(sumOf(stay));
    },
  );

  it('of a tenth, ten times, is 1', () => {
    expect(sumOf(Array.from({ length: 10 }, () => 0.1))).toBe(1);
  });
});

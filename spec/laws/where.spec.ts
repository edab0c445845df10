import fc from 'fast-check';
import { describe } from 'vitest';

import { createLib } from 'rivulet';

import { law } from './law';
import { same } from './same';

const key = fc.constantFrom('a', 'b', 'c');
const leaf = fc.constantFrom<unknown[]>(
  ...['', 'x', 'xy', 'y1', 0, -0, 1, 12, true, false, null, undefined, Number.NaN],
);
const date = fc.nat(1).map((time) => new Date(time));

/** Nested values, up to some depth. */
const nested = (leaves: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      leaves,
      fc.dictionary(key, tie('value'), { maxKeys: 3 }),
      fc.array(tie('value'), { maxLength: 2 }),
    ),
  })).value;

const items = fc.array(nested(fc.oneof(leaf, date)), { maxLength: 6 });
const pattern = fc.constantFrom(/x/, /^X/i, /\d/g, /1/y, /^$/);
const criteria = nested(fc.oneof(leaf, date, pattern));

/** The rules of the README for criteria, one sentence per line. */
function isFound(wanted: unknown, value: unknown): boolean {
  if (wanted instanceof RegExp) {
    return (typeof value === 'string' || typeof value === 'number') && hasMatch(wanted, String(value));
  }
  if (wanted instanceof Date) return value instanceof Date && wanted.getTime() === value.getTime();
  if (typeof wanted !== 'object' || wanted === null) return wanted === value || Object.is(wanted, value);
  if (typeof value !== 'object' || value === null || Array.isArray(value) !== Array.isArray(wanted))
    return false;
  if (Array.isArray(wanted) && wanted.length !== (value as unknown[]).length) return false;
  const own = new Map(Object.entries(value));
  return Object.entries(wanted).every(([name, part]) => isFound(part, own.get(name)));
}

/** Whether a text matches, as if the expression had never been used: one with the flag g or y keeps a position. */
const hasMatch = ({ source, flags }: RegExp, text: string): boolean => new RegExp(source, flags).test(text);

describe('a search', () => {
  law('by criteria finds the items that match every part', [items, criteria], (all, wanted) => {
    const list = createLib().collection(all);
    const expected = wanted === undefined ? [] : all.filter((item) => isFound(wanted, item));

    same(list.where(wanted as never), expected);
    same(list.find(wanted as never), expected[0]);
  });

  law('by a predicate or comparator finds the items for which it is true', [items, leaf], (all, wanted) => {
    const list = createLib().collection(all);
    const isWanted = (item: unknown) => Object.is(item, wanted);

    same(list.where(isWanted), all.filter(isWanted));
    same(list.where(wanted, Object.is), all.filter(isWanted));
    same(list.find(isWanted), all.find(isWanted));
  });
});

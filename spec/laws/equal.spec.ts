import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { describe } from 'vitest';

import { equal } from '../../lib/equal';

import { json } from './json';
import { law } from './law';
import { same } from './same';

describe('equal', () => {
  const anything = fc.anything({ withDate: true, withNullPrototype: true, maxDepth: 2 });
  const few = fc.oneof(json(fc.constantFrom('a', 'b')), fc.constantFrom(undefined, Number.NaN, new Date(0)));

  law('finds every value equal to itself', [anything], (value) => {
    same(equal(value, value), true);
  });

  law('finds a copy equal', [json()], (value) => {
    same(equal(value, structuredClone(value)), true);
  });

  law('is symmetric', [fc.oneof(few, anything), few], (a, b) => {
    same(equal(a, b), equal(b, a));
  });

  law(
    'agrees with Node about JSON',
    [json(fc.constantFrom('a', 'b')), json(fc.constantFrom('a', 'b'))],
    (a, b) => {
      same(equal(a, b), isDeepStrictEqual(a, b));
    },
  );
});

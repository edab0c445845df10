import { describe, expect, it } from 'vitest';

import { isPlain, overlay, partLike } from '../../lib/schema/data';

const noField = () => false;

describe('overlay', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['keys of both', { a: 1, b: 2 }, { b: 3, c: 4 }, { a: 1, b: 3, c: 4 }],
    ['nested keys of both', { a: { b: 1, c: 2 } }, { a: { c: 3 } }, { a: { b: 1, c: 3 } }],
    ['lists whole', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['null whole', { a: { b: 1 } }, { a: null }, { a: null }],
    ['an object over something else', { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    [
      'no key that is undefined',
      { a: 1, b: undefined },
      { a: undefined, c: { d: undefined } },
      { a: 1, c: {} },
    ],
    ['no key that is inherited', {}, { toString: { a: 1 } }, { toString: { a: 1 } }],
  ])('has %s', (_, below, above, result) => {
    expect(overlay(below, above, noField)).toStrictEqual(result);
  });

  it('returns values without structure unchanged', () => {
    const date = new Date(0);
    expect(overlay({ a: 1 }, date, noField)).toBe(date);
    expect(overlay({ a: 1 }, undefined, noField)).toBeUndefined();
  });

  it('takes the value of a field whole', () => {
    const below = { a: { b: { c: 1, d: 2 }, e: { f: 1 } } };
    const above = { a: { b: { c: 3 }, e: { g: 2 } } };
    expect(overlay(below, above, (path) => path === 'a.b')).toStrictEqual({
      a: { b: { c: 3 }, e: { f: 1, g: 2 } },
    });
  });

  it('takes the value of a field whole at any depth', () => {
    const above = { a: { b: { c: { e: 2 } } } };
    expect(overlay({ a: { b: { c: { d: 1 } } } }, above, (path) => path === 'a.b.c')).toStrictEqual(above);
  });
});

describe('partLike', () => {
  it.each<[string, unknown, unknown, unknown]>([
    ['the keys of the other', { a: 1, b: 2 }, { b: 0, c: 0 }, { b: 2 }],
    ['nested keys of the other', { a: { b: 1, c: 2 } }, { a: { b: 0 } }, { a: { b: 1 } }],
    ['values without structure', { a: [1, 2], b: { c: 1 } }, { a: {}, b: 0 }, { a: [1, 2], b: { c: 1 } }],
    ['no key that is inherited', { constructor: 1, toString: 2 }, {}, {}],
    ['no value but its own', { a: undefined, b: 1 }, { a: 1, b: 2 }, { b: 1 }],
  ])('has %s', (_, data, of, result) => {
    expect(partLike(data, of, noField)).toStrictEqual(result);
  });

  it('takes the value of a field whole', () => {
    const data = { a: { b: 1, c: 2 }, d: { e: 1, f: 2 } };
    expect(partLike(data, { a: { b: 0 }, d: { e: 0 } }, (path) => path === 'a')).toStrictEqual({
      a: { b: 1, c: 2 },
      d: { e: 1 },
    });
  });

  it('takes the value of a field whole at any depth', () => {
    const data = { a: { b: { c: { d: 1, e: 2 } } } };
    expect(partLike(data, { a: { b: { c: { d: 0 } } } }, (path) => path === 'a.b.c')).toStrictEqual(data);
  });
});

describe('isPlain', () => {
  it('is true of object literals, of those without a prototype, and of nothing else', () => {
    expect([{}, Object.create(null), JSON.parse('{"__proto__":1}')].map(isPlain)).toStrictEqual([
      true,
      true,
      true,
    ]);
    const others = [null, undefined, 1, 'a', [], new Date(), new Map(), () => 1, Object.create({})];
    expect(others.filter(isPlain)).toStrictEqual([]);
  });
});

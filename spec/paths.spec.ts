import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { isWithin, readAt, segmentsOf, writeAt, withAt } from '../lib/paths';

describe('segmentsOf', () => {
  it.each([
    ['a', ['a']],
    ['a.b.c', ['a', 'b', 'c']],
    ['toString', ['toString']],
    ['a-b.0', ['a-b', '0']],
  ])('splits "%s" at the dots', (path, segments) => {
    expect(segmentsOf(path)).toStrictEqual(segments);
  });

  it.each([[''], ['a.'], ['a..b'], ['__proto__'], ['a.constructor'], ['prototype.a']])(
    'refuses "%s", naming it',
    (path) => {
      expect(() => segmentsOf(path)).toThrow(TypeError);
      expect(() => segmentsOf(path)).toThrow(`"${path}"`);
    },
  );
});

describe('isWithin', () => {
  it.each([
    ['a', 'a', true],
    ['a.b', 'a', true],
    ['a.b.c', 'a.b', true],
    ['a', 'a.b', false],
    ['ab', 'a', false],
    ['b.a', 'a', false],
    ['a.b', 'a.', false],
  ])('"%s" in "%s" is %s', (path, container, expected) => {
    expect(isWithin(path, container)).toBe(expected);
  });
});

describe('readAt', () => {
  it.each<[title: string, source: unknown, path: readonly string[], expected: unknown]>([
    ['a nested value', { a: { b: 1 } }, ['a', 'b'], 1],
    ['the source for no path', 5, [], 5],
    ['undefined where a step is missing', { a: 1 }, ['b', 'c'], undefined],
    ['undefined behind null', { a: null }, ['a', 'b'], undefined],
    ['undefined behind a text', { a: 'text' }, ['a', 'length'], undefined],
    ['undefined for a part of a list', { a: [1] }, ['a', '0'], undefined],
    ['undefined for an inherited name', {}, ['toString'], undefined],
    ['undefined for a prototype', {}, ['__proto__'], undefined],
    ['undefined of nothing', undefined, ['a'], undefined],
  ])('gives %s', (_title, source, path, expected) => {
    expect(readAt(source, path)).toBe(expected);
  });
});

describe('writeAt', () => {
  it('makes the objects on the way', () => {
    const target = {};
    writeAt(target, ['a', 'b', 'c'], 1);

    expect(target).toStrictEqual({ a: { b: { c: 1 } } });
  });

  it('keeps what else is there', () => {
    const target = { a: { x: 1 }, y: 2 };
    writeAt(target, ['a', 'b'], 3);

    expect(target).toStrictEqual({ a: { x: 1, b: 3 }, y: 2 });
  });

  it('puts an object in place of what is none', () => {
    const target = { a: null };
    writeAt(target, ['a', 'b'], 1);

    expect(target).toStrictEqual({ a: { b: 1 } });
  });

  it('gives a name that is inherited to the object itself', () => {
    const target = {};
    writeAt(target, ['toString', 'a'], 1);

    expect(Object.entries(target)).toStrictEqual([['toString', { a: 1 }]]);
  });

  it('puts what readAt finds again, whatever else is written beside it', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'toString', 'valueOf');
    const paths = fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 3 }), {
      maxLength: 6,
      comparator: (one, two) =>
        isWithin(one.join('.'), two.join('.')) || isWithin(two.join('.'), one.join('.')),
    });

    fc.assert(
      fc.property(paths, (all) => {
        const target = {};
        for (const [place, path] of all.entries()) writeAt(target, path, place);

        expect(all.map((path) => readAt(target, path))).toStrictEqual([...all.keys()]);
      }),
    );
  });
});

describe('withAt', () => {
  it.each<[string, unknown, readonly string[], unknown, object]>([
    ['puts a value in the place of another', { a: 1, b: 2 }, ['a'], 3, { a: 3, b: 2 }],
    ['puts it where there was none', { a: 1 }, ['b'], 3, { a: 1, b: 3 }],
    ['makes the objects on the way', undefined, ['a', 'b'], 3, { a: { b: 3 } }],
    ['replaces what is no object on the way', { a: 'text' }, ['a', 'b'], 3, { a: { b: 3 } }],
    ['keeps what is beside the way', { a: { b: 1, c: 2 } }, ['a', 'b'], 3, { a: { b: 3, c: 2 } }],
    ['makes no key for undefined', { a: 1 }, ['b'], undefined, { a: 1 }],
    ['writes undefined where there is a key', { a: 1 }, ['a'], undefined, { a: undefined }],
  ])('%s', (_, source, segments, value, expected) => {
    const before = structuredClone(source);
    expect(withAt(source, segments, value)).toStrictEqual(expected);
    expect(source).toStrictEqual(before);
  });
});

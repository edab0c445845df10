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

describe('the segments of a path', () => {
  it('are shared by all who map it', () => {
    expect(segmentsOf('shared.by.all')).toBe(segmentsOf('shared.by.all'));
  });

  it('are forgotten when there are a thousand others, so that the keys of items do not pile up', () => {
    const segments = segmentsOf('first');
    for (let count = 0; count < 1000; count += 1) segmentsOf(`other${count}`);

    expect(segmentsOf('first')).not.toBe(segments);
    expect(segmentsOf('first')).toStrictEqual(segments);
  });
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
    ['undefined below null', { a: null }, ['a', 'b'], undefined],
    ['undefined below text', { a: 'text' }, ['a', 'length'], undefined],
    ['undefined for a part of a list', { a: [1] }, ['a', '0'], undefined],
    ['undefined for an inherited name', {}, ['toString'], undefined],
    ['undefined for a prototype', {}, ['__proto__'], undefined],
    ['undefined for no source', undefined, ['a'], undefined],
  ])('returns %s', (_title, source, path, expected) => {
    expect(readAt(source, path)).toBe(expected);
  });
});

describe('writeAt', () => {
  it('creates the objects along the path', () => {
    const target = {};
    writeAt(target, ['a', 'b', 'c'], 1);

    expect(target).toStrictEqual({ a: { b: { c: 1 } } });
  });

  it('keeps everything else', () => {
    const target = { a: { x: 1 }, y: 2 };
    writeAt(target, ['a', 'b'], 3);

    expect(target).toStrictEqual({ a: { x: 1, b: 3 }, y: 2 });
  });

  it('replaces a value that is not an object', () => {
    const target = { a: null };
    writeAt(target, ['a', 'b'], 1);

    expect(target).toStrictEqual({ a: { b: 1 } });
  });

  it('writes an inherited name to the object itself', () => {
    const target = {};
    writeAt(target, ['toString', 'a'], 1);

    expect(Object.entries(target)).toStrictEqual([['toString', { a: 1 }]]);
  });

  it('writes what readAt finds again, whatever else is written beside it', () => {
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
    ['replaces a value', { a: 1, b: 2 }, ['a'], 3, { a: 3, b: 2 }],
    ['adds a missing value', { a: 1 }, ['b'], 3, { a: 1, b: 3 }],
    ['creates the objects along the path', undefined, ['a', 'b'], 3, { a: { b: 3 } }],
    ['replaces what is not an object along the path', { a: 'text' }, ['a', 'b'], 3, { a: { b: 3 } }],
    ['keeps what is beside the path', { a: { b: 1, c: 2 } }, ['a', 'b'], 3, { a: { b: 3, c: 2 } }],
    ['creates no key for undefined', { a: 1 }, ['b'], undefined, { a: 1 }],
    ['writes undefined to an existing key', { a: 1 }, ['a'], undefined, { a: undefined }],
  ])('%s', (_, source, segments, value, expected) => {
    const before = structuredClone(source);
    expect(withAt(source, segments, value)).toStrictEqual(expected);
    expect(source).toStrictEqual(before);
  });
});

import { runInNewContext } from 'node:vm';

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { equal } from '../lib/equal';

import { cycle, nested, raise, revoked } from './hostile';

class Point {
  readonly x: number;

  constructor(x: number) {
    this.x = x;
  }
}

const throwing = () => ({
  get a(): never {
    return raise(new Error('getter'));
  },
});

describe('equal', () => {
  const day = new Date('2020-01-02');
  const point = new Point(1);
  const same = () => undefined;
  const ring = cycle();

  it.each<[title: string, a: unknown, b: unknown, expected: boolean]>([
    ['texts', 'a', 'a', true],
    ['other texts', 'a', 'b', false],
    ['a number and its text', 1, '1', false],
    ['0 and false', 0, false, false],
    ['NaN', Number.NaN, Number.NaN, true],
    ['0 and -0', 0, -0, true],
    ['null and undefined', null, undefined, false],
    ['null and an object', null, {}, false],
    ['nested objects', { a: { b: 1 } }, { a: { b: 1 } }, true],
    ['keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
    ['an extra key', { a: 1 }, { a: 1, b: 2 }, false],
    ['an undefined key and a missing one', { a: undefined }, {}, false],
    ['undefined at different keys', { a: undefined }, { b: undefined }, false],
    ['lists', [1, [2]], [1, [2]], true],
    ['a list in another order', [1, 2], [2, 1], false],
    ['a longer list', [1], [1, 2], false],
    ['a list and an object like it', ['a'], { 0: 'a' }, false],
    ['dates', day, new Date(day), true],
    ['other dates', day, new Date(0), false],
    ['invalid dates', new Date(Number.NaN), new Date(Number.NaN), true],
    ['a date and its time', day, day.getTime(), false],
    ['an instance and itself', point, point, true],
    ['two instances with the same fields', point, new Point(1), false],
    ['an instance and an object like it', point, { x: 1 }, false],
    ['two maps', new Map(), new Map(), false],
    ['two sets', new Set(), new Set(), false],
    ['a function and itself', same, same, true],
    ['two functions', same, () => undefined, false],
    ['two regular expressions', /a/, /a/, false],
    ['an object without a prototype and a literal', Object.create(null), {}, true],
    ['an object and one that inherits its key', { a: 1 }, Object.create({ a: 1 }), false],
    ['a key named __proto__ and none', JSON.parse('{"__proto__":{}}'), {}, false],
    ['a cycle and itself', ring, ring, true],
  ])('of %s', (_title, a, b, expected) => {
    expect([equal(a, b), equal(b, a)]).toStrictEqual([expected, expected]);
  });

  it.each<[title: string, make: () => unknown]>([
    ['contain themselves', cycle],
    ['are nested 100000 deep', () => nested(100_000)],
    ['have a getter that throws', throwing],
    ['are revoked proxies', revoked],
  ])('of objects that %s is false and never throws', (_title, make) => {
    expect([equal(make(), make()), equal({ a: make() }, { a: make() })]).toStrictEqual([false, false]);
  });

  it('compares objects and lists of another realm by content', () => {
    const foreign: unknown = runInNewContext('({ a: [1, { b: null }] })');

    expect([equal(foreign, { a: [1, { b: null }] }), equal({ a: [1] }, foreign)]).toStrictEqual([
      true,
      false,
    ]);
  });

  it('of any JSON and a copy of it is true', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(equal(value, structuredClone(value))).toBe(true);
      }),
    );
  });

  it('of two JSON values is what a test library says, in either order', () => {
    const small = fc.jsonValue({ maxDepth: 2, stringUnit: fc.constantFrom('a', 'b') });
    const says = (a: unknown, b: unknown) => {
      try {
        expect(a).toEqual(b);
        return true;
      } catch {
        return false;
      }
    };

    fc.assert(
      fc.property(small, small, (a, b) => {
        // The test library distinguishes 0 from -0, which JSON does not.
        const [x, y] = [JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))] as unknown[];
        expect([equal(x, y), equal(y, x)]).toStrictEqual([says(x, y), says(x, y)]);
      }),
    );
  });
});

describe('equal in part', () => {
  it.each<[title: string, a: unknown, b: unknown, expected: boolean]>([
    ['ignores keys that only the second has', { a: 1 }, { a: 1, b: 2 }, true],
    ['needs the keys of the first', { a: 1, b: 2 }, { a: 1 }, false],
    ['compares instances of classes by key', { x: 1 }, new Point(1), true],
    ['takes the keys of an instance', new Point(1), { x: 1, y: 2 }, true],
    ['takes the keys of an instance inside', { at: new Point(1) }, { at: new Point(2) }, false],
    ['finds nothing equal to what has no keys but itself', new Map([[1, 1]]), new Map([[1, 1]]), false],
    ['matches a RegExp against text', { a: /^b/ }, { a: 'bc' }, true],
    ['ignores inherited keys', { x: undefined, toString: same }, {}, false],
    ['compares lists whole', [1], [1, 2], false],
    ['does not treat a list as an object', {}, [], false],
    ['does not treat a list as an object like it', { 0: 'a', length: 1 }, ['a'], false],
  ])('%s', (_title, a, b, expected) => {
    expect(equal(a, b, true)).toBe(expected);
  });

  function same(): void {
    // only its identity counts
  }
});

describe('lists with holes', () => {
  it.each<[string, unknown, unknown]>([
    ['empty and only holes', [], new Array(3)],
    ['the same text, more holes', ['a'], ['a', ...new Array<string>(2)].slice(0, 1).concat(new Array(1))],
    ['within an object', { list: [] }, { list: new Array(3) }],
  ])('differ from shorter ones: %s', (_name, a, b) => {
    expect([equal(a, b), equal(b, a)]).toStrictEqual([false, false]);
  });

  it('equal lists with undefined there', () => {
    expect([equal(new Array(1), [undefined]), equal([undefined], new Array(1), true)]).toStrictEqual([
      true,
      true,
    ]);
  });

  it('differ from lists with a value there', () => {
    expect([equal(new Array(1), [1]), equal([1], new Array(1))]).toStrictEqual([false, false]);
    expect([equal(new Array(1), [1], true), equal([1], new Array(1), true)]).toStrictEqual([false, false]);
  });
});

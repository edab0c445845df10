import { runInNewContext } from 'node:vm';

import { describe, expect, it } from 'vitest';

import { isPlain } from '../lib/objects';

class Point {
  readonly x = 1;
}

describe('isPlain', () => {
  it.each<[title: string, value: unknown, expected: boolean]>([
    ['a literal', {}, true],
    ['an object without a prototype', Object.create(null), true],
    ['an object of another realm', runInNewContext('({})'), true],
    ['an instance', new Point(), false],
    ['a list', [], false],
    ['a date', new Date(0), false],
    ['a map', new Map(), false],
    ['an error', new Error('any'), false],
    ['null', null, false],
    ['a function', () => undefined, false],
  ])('of %s', (_title, value, expected) => {
    expect(isPlain(value)).toBe(expected);
  });
});

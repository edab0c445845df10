import { describe, expect, it } from 'vitest';

import { check, isBetween, isListOf, isText, methodsOf, optionsOf } from '../../lib/resilience/options';

import { polluted } from '../hostile';

describe('optionsOf', () => {
  it('copies the given options and omits inherited ones', () => {
    const given = Object.freeze({ count: 1 });
    const options = polluted('delay', 7, () => ({
      ...optionsOf('retry', given),
      in: 'delay' in optionsOf('retry', given),
    }));
    expect(options).toStrictEqual({ count: 1, in: false });
  });

  it.each([null, undefined, 3, 'x'])('refuses %o', (given) => {
    expect(() => optionsOf('retry', given as unknown as object)).toThrow(
      new TypeError('retry: "options" must be an object'),
    );
  });
});

describe('methodsOf', () => {
  it('accepts names in any case', () => {
    expect(methodsOf('retry', ['get', 'PUT', 'Get'])).toStrictEqual(new Set(['GET', 'PUT']));
  });

  it.each(['GET', [7], null])('refuses %o', (methods) => {
    expect(() => methodsOf('retry', methods as unknown as string[])).toThrow(
      new TypeError('retry: "methods" must be a list of method names'),
    );
  });
});

describe('check', () => {
  it('accepts a valid option', () => {
    expect(() => {
      check(true, 'retry', 'count', 'a number');
    }).not.toThrow();
  });

  it('names the interceptor, the option and what to give', () => {
    expect(() => {
      check(false, 'retry', 'count', 'a number');
    }).toThrow(new TypeError('retry: "count" must be a number'));
  });
});

it.each([
  [0, true],
  [7, true],
  [7.1, false],
  [-0.1, false],
  [NaN, false],
  ['3', false],
])('isBetween: %o lies from 0 to 7: %s', (value, is) => {
  expect(isBetween(value, 0, 7)).toBe(is);
});

it.each([
  [[], true],
  [['a'], true],
  [['a', 1], false],
  ['a', false],
  [undefined, false],
])('isListOf: %o is a list of strings: %s', (value, is) => {
  expect(isListOf(value, isText)).toBe(is);
});

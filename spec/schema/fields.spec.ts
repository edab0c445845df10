import { describe, expect, it } from 'vitest';

import { Field, createLib } from 'rivulet';
import { defineRecord, whole } from 'rivulet/schema';

import { schemaOf } from './schemas';

/** A record of initial data that the compiler has not checked. */
function recordOf(initial: unknown) {
  const schema = schemaOf<{ a: { b: { c: number } } }>((value) => ({ value: value as never }));
  const Made = defineRecord<typeof schema>({ schema, initial: initial as never });
  return new Made(createLib()) as unknown as Record<string, Field<unknown>> & InstanceType<typeof Made>;
}

describe('the fields of a record', () => {
  it('are there by name, nested ones in groups, and each by its path', () => {
    const record = recordOf({ a: { b: { c: 1 } }, d: 2 });
    expect(record.a.b.c).toBeInstanceOf(Field);
    expect(record['a.b.c']).toBe(record.a.b.c);
    expect(Object.keys(record.dirtyMap())).toStrictEqual(['a.b.c', 'd']);
    expect(record.get()).toStrictEqual({ a: { b: { c: 1 } }, d: 2 });
  });

  it.each<[string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a list', [{ a: 1 }]],
    ['a date', new Date(0)],
    ['a class instance', new URL('https://example.org')],
    ['a map', new Map([['a', 1]])],
  ])('are one for %s', (_, value) => {
    const record = recordOf({ a: value });
    expect(record.hasMappedField('a')).toBe(true);
    expect(record.get()).toHaveProperty('a', value);
  });

  it('are one for what `whole` marks, at any depth', () => {
    const value = { c: 1 };
    const record = recordOf({ a: { b: whole(value) } });
    expect(Object.keys(record.dirtyMap())).toStrictEqual(['a.b']);
    expect(record['a.b']?.value).toBe(value);
  });

  it('are made of an object without a prototype, too', () => {
    expect(
      Object.keys(recordOf(Object.assign(Object.create(null), { a: { b: 1 } })).dirtyMap()),
    ).toStrictEqual(['a.b']);
  });

  it.each(['save', 'errors$', 'constructor', 'toString', '__proto__', 'a.b'])('cannot be named %s', (key) => {
    expect(() => recordOf(Object.fromEntries([[key, 1]]))).toThrow(
      new TypeError(`defineRecord: rename "${key}", it is taken or has a dot`),
    );
    expect(() => recordOf(Object.fromEntries([[key, {}]]))).toThrow(`rename "${key}"`);
  });

  it.each([
    ['x.y', 'defineRecord: rename "a.x.y", it is taken or has a dot'],
    ['__proto__', 'map, idAttribute: "a.__proto__" is not a path: join plain names by dots'],
    ['', 'map, idAttribute: "a." is not a path: join plain names by dots'],
  ])('cannot be named %s in a nested object', (key, message) => {
    expect(() => recordOf({ a: Object.fromEntries([[key, 1]]) })).toThrow(new TypeError(message));
  });
});

import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';

import { createLib } from 'rivulet';
import { defineRecord } from 'rivulet/schema';
import type { StandardSchema } from 'rivulet/schema';

import { blankOf } from '../../lib/schema/blank';

import { schemaOf } from './schemas';

/** A record of a schema that lists its keys, as data and as the paths of its fields. */
function blankRecord(schema: StandardSchema) {
  const Defined = defineRecord({ schema: schema as StandardSchema<object> });
  const record = new Defined(createLib());
  return { data: record.get(), paths: Object.keys(record.dirtyMap()).sort() };
}

describe('a record without initial data', () => {
  it.each<[string, StandardSchema]>([
    [
      'zod',
      z.object({
        id: z.number().optional(),
        name: z.string().min(1),
        born: z.coerce.date(),
        tags: z.array(z.string()),
        address: z.object({ city: z.string() }),
        spouse: z.object({ name: z.string() }).optional(),
        home: z.object({ city: z.string() }).nullable(),
        marks: z.record(z.string(), z.number()),
      }),
    ],
    [
      'valibot',
      v.object({
        id: v.optional(v.number()),
        name: v.string(),
        born: v.date(),
        tags: v.array(v.string()),
        address: v.object({ city: v.string() }),
        spouse: v.optional(v.object({ name: v.string() })),
        home: v.nullable(v.object({ city: v.string() })),
        marks: v.record(v.string(), v.number()),
      }),
    ],
    [
      'arktype',
      type({
        'id?': 'number',
        name: 'string',
        born: 'Date',
        tags: 'string[]',
        address: { city: 'string' },
        'spouse?': { name: 'string' },
        home: type({ city: 'string' }).or('null'),
        marks: { '[string]': 'number' },
      }),
    ],
  ])(
    'has the keys that a schema of %s lists; an object that may be absent is one field',
    (_library, schema) => {
      const { data, paths } = blankRecord(schema);
      expect(data).toStrictEqual({
        id: undefined,
        name: '',
        born: undefined,
        tags: [],
        address: { city: '' },
        spouse: undefined,
        home: null,
        marks: undefined,
      });
      expect(paths).toStrictEqual(['address.city', 'born', 'home', 'id', 'marks', 'name', 'spouse', 'tags']);
    },
  );

  it.each<[string, StandardSchema, object]>([
    ['the defaults of zod', z.object({ kind: z.enum(['a', 'b']).default('b') }), { kind: 'b' }],
    [
      'the default of a discriminated union of zod',
      z.object({
        kind: z
          .discriminatedUnion('is', [z.object({ is: z.literal('a') }), z.object({ is: z.literal('b') })])
          .default({ is: 'b' }),
      }),
      { kind: { is: 'b' } },
    ],
    ['the defaults of valibot', v.object({ kind: v.optional(v.string(), 'b') }), { kind: 'b' }],
    [
      'nothing for a default that only valibot can compute',
      v.object({ at: v.optional(v.string(), () => 'now') }),
      { at: undefined },
    ],
    ['no text for an enum', z.object({ kind: z.enum(['a', 'b']) }), { kind: undefined }],
    ['no text for a literal', z.object({ kind: z.literal('a') }), { kind: undefined }],
    ['no list for a tuple', z.object({ pair: z.tuple([z.string()]) }), { pair: undefined }],
    ['no text for an optional key', z.object({ name: z.string().optional() }), { name: undefined }],
    [
      'one field for an object with any keys',
      z.object({ a: z.looseObject({ b: z.string() }) }),
      { a: undefined },
    ],
    [
      'one field for such an object of valibot',
      v.object({ a: v.looseObject({ b: v.string() }), c: v.objectWithRest({ b: v.string() }, v.number()) }),
      { a: undefined, c: undefined },
    ],
    [
      'the keys of schemas that have ids',
      z.object({ a: z.object({ b: z.string() }).meta({ id: 'BlankPart' }) }).meta({ id: 'BlankWhole' }),
      { a: { b: '' } },
    ],
    [
      'the default of a whole object, key by key',
      z.object({ a: z.object({ b: z.string(), c: z.string().default('C') }).default({ b: 'B', c: 'D' }) }),
      { a: { b: 'B', c: 'D' } },
    ],
    [
      'null if the default of a whole object holds it',
      z.object({ a: z.object({ b: z.string().nullable() }).default({ b: null }) }),
      { a: { b: null } },
    ],
    [
      'the default of a whole object of valibot, key by key',
      v.object({ a: v.optional(v.object({ b: v.string() }), { b: 'B' }) }),
      { a: { b: 'B' } },
    ],
    [
      'nothing for a default that JSON cannot hold',
      z.object({ at: z.date().default(new Date(0)), marks: z.set(z.string()).default(new Set(['a'])) }),
      { at: undefined, marks: undefined },
    ],
    [
      'nothing if a pipe of valibot changes the type',
      v.object({
        at: v.pipe(v.string(), v.toDate()),
        size: v.pipe(v.pipe(v.string(), v.transform(Number)), v.minValue(1)),
        sum: v.pipe(
          v.array(v.number()),
          v.reduceItems((sum: number, item) => sum + item, 0),
        ),
        since: v.optional(v.pipe(v.string(), v.toDate()), '2026-01-01'),
        address: v.pipe(
          v.object({ city: v.string() }),
          v.transform(({ city }) => ({ town: city })),
        ),
      }),
      { at: undefined, size: undefined, sum: undefined, since: undefined, address: undefined },
    ],
    [
      'blanks if a pipe of valibot keeps the type',
      v.object({
        name: v.pipe(v.string(), v.trim(), v.toUpperCase(), v.brand('Name'), v.minLength(1), v.title('Name')),
        tags: v.pipe(
          v.array(v.string()),
          v.filterItems(Boolean),
          v.mapItems((tag) => tag.length),
          v.sortItems(),
          v.readonly(),
        ),
        address: v.pipe(v.object({ city: v.string() }), v.readonly()),
      }),
      { name: '', tags: [], address: { city: '' } },
    ],
    ['the keys of a loose object', z.looseObject({ name: z.string() }), { name: '' }],
  ])('has %s', (_name, schema, data) => {
    expect(blankRecord(schema).data).toStrictEqual(data);
  });

  it('has the defaults of functions, made anew for each', () => {
    let count = 0;
    const schema = z.object({ id: z.string().default(() => `id ${(count += 1)}`), name: z.string() });
    const Defined = defineRecord({ url: '/people', schema });
    const [one, other] = [new Defined(createLib()), new Defined(createLib())];

    expect(one.id.value).not.toBe(other.id.value);
  });

  it.each<[string, StandardSchema]>([
    ['zod', z.object({ a: z.string().nullable(), b: z.string().nullish(), c: z.date().nullable() })],
    ['valibot', v.object({ a: v.nullable(v.string()), b: v.nullish(v.string()), c: v.nullable(v.date()) })],
    ['arktype', type({ a: 'string | null', 'b?': 'string | null', c: 'Date | null' })],
    ['zod literals', z.object({ a: z.literal(['x', null]), b: z.string().optional(), c: z.null() })],
    [
      'valibot unions',
      v.object({ a: v.union([v.string(), v.null()]), b: v.optional(v.string()), c: v.null() }),
    ],
  ])('has null where a required value may be null: %s', (_library, schema) => {
    expect(blankRecord(schema).data).toStrictEqual({ a: null, b: undefined, c: null });
  });

  it.each<[string, StandardSchema]>([
    ['zod', z.object({ a: z.enum(['null', 'string']), b: z.literal('nullable') })],
    ['valibot', v.object({ a: v.picklist(['nullable', 'unique']), b: v.literal('null') })],
    ['arktype', type({ a: "'null' | 'string'", b: "'nullable'" })],
  ])('has no value where a required one may be the text "null": %s', (_library, schema) => {
    expect(blankRecord(schema).data).toStrictEqual({ a: undefined, b: undefined });
  });

  it.each(['shop/Address', 'a~b', 'a~1/%2F', 'an address'])('has the fields of an object of id %s', (id) => {
    const address = z.object({ city: z.string() }).meta({ id });

    expect(blankRecord(z.object({ home: address, work: address })).paths).toStrictEqual([
      'home.city',
      'work.city',
    ]);
  });

  it('has one field for an object without keys', () => {
    const { data, paths } = blankRecord(z.object({ name: z.string(), settings: z.object({}) }));

    expect([data, paths]).toStrictEqual([{ name: '', settings: {} }, ['name', 'settings']]);
  });

  it.each<[string, StandardSchema]>([
    ['of a library that lists no keys', schemaOf((value) => ({ value }))],
    ['of a string', z.string()],
    ['of zod 3, which does not describe itself', z3.object({ name: z3.string() })],
    [
      'whose pipe changes the keys',
      v.pipe(
        v.object({ city: v.string() }),
        v.transform(({ city }) => ({ town: city })),
      ),
    ],
  ])('cannot be made from a schema %s', (_name, schema) => {
    expect(() => blankOf(schema)).toThrow(TypeError);
    expect(() => blankOf(schema)).toThrow('defineRecord: pass "initial", the schema lists no keys');
  });
});

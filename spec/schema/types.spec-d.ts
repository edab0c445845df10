import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';

import { DataModel, createLib, lib } from 'rivulet';
import type { Collection, DataOf, Lib, MappedField, Parse, PathOf, StateStream } from 'rivulet';
import { conforms, defineRecord, errorsOf, listOf, validateSaves, whole } from 'rivulet/schema';
import type { Errors, InputOf, OutputOf, SchemaRecord, StandardSchema } from 'rivulet/schema';

interface Data {
  id?: number | undefined;
  name: string;
  born: Date;
  tags: string[];
  address: { city: string; geo: { lat: number } };
  home: { city: string } | null;
  scores: Record<string, number>;
}

/** Never run: these lines are only compiled. */
declare const schema: StandardSchema<Data, Data>;

declare function outputOf<S extends StandardSchema>(schema: S): OutputOf<S>;
declare function inputOf<S extends StandardSchema>(schema: S): InputOf<S>;
const zod = z.object({ id: z.number(), at: z.coerce.date() });
const valibot = v.object({ id: v.number(), at: v.pipe(v.string(), v.toDate()) });
const arktype = type({ id: 'number', at: 'string.date.parse' });

const initial = {
  id: undefined,
  name: '',
  born: new Date(0),
  tags: [],
  address: { city: '', geo: { lat: 0 } },
  home: null,
  scores: whole({}),
};
const Person = defineRecord({ url: '/people', schema, initial });
declare const person: InstanceType<typeof Person>;

describe('the types of a schema', () => {
  it('are those of its own library', () => {
    expectTypeOf(outputOf(zod)).toEqualTypeOf<z.output<typeof zod>>();
    expectTypeOf(inputOf(zod)).toEqualTypeOf<z.input<typeof zod>>();
    expectTypeOf(outputOf(valibot)).toEqualTypeOf<v.InferOutput<typeof valibot>>();
    expectTypeOf(inputOf(valibot)).toEqualTypeOf<v.InferInput<typeof valibot>>();
    expectTypeOf(outputOf(arktype)).toEqualTypeOf<typeof arktype.infer>();
    expectTypeOf(inputOf(arktype)).toEqualTypeOf<typeof arktype.inferIn>();
  });
});

describe('a record of a schema', () => {
  it('has a field for each key', () => {
    expectTypeOf(person.id).toEqualTypeOf<MappedField<number | undefined, 'id'>>();
    expectTypeOf(person.name).toEqualTypeOf<MappedField<string, 'name'>>();
    expectTypeOf(person.born).toEqualTypeOf<MappedField<Date, 'born'>>();
    expectTypeOf(person.tags).toEqualTypeOf<MappedField<string[], 'tags'>>();
    // @ts-expect-error -- no such key
    expectTypeOf(person.nmae);
  });

  it('has nested objects as groups of fields, each field by its path too', () => {
    expectTypeOf(person.address.city).toEqualTypeOf<MappedField<string, 'address.city'>>();
    expectTypeOf(person.address.geo.lat).toEqualTypeOf<MappedField<number, 'address.geo.lat'>>();
    expectTypeOf(person['address.geo.lat']).toEqualTypeOf<MappedField<number, 'address.geo.lat'>>();
  });

  it('has dictionaries, and objects that may be null, as one field', () => {
    expectTypeOf(person.home).toEqualTypeOf<MappedField<{ city: string } | null, 'home'>>();
    expectTypeOf(person.scores).toEqualTypeOf<MappedField<Record<string, number>, 'scores'>>();
  });

  it('has the data of the schema', () => {
    expectTypeOf<DataOf<typeof person>>().branded.toEqualTypeOf<{
      id: number | undefined;
      name: string;
      born: Date;
      tags: string[];
      address: { city: string; geo: { lat: number } };
      home: { city: string } | null;
      scores: Record<string, number>;
    }>();
    expectTypeOf(person.get().address.geo.lat).toEqualTypeOf<number>();
    expectTypeOf(person.get('address.geo')).toEqualTypeOf<{ lat: number }>();
    expectTypeOf<PathOf<typeof person>>().toEqualTypeOf<
      | 'id'
      | 'name'
      | 'born'
      | 'tags'
      | 'address'
      | 'address.city'
      | 'address.geo'
      | 'address.geo.lat'
      | 'home'
      | 'scores'
    >();
    // @ts-expect-error -- of another type
    person.set({ name: 1 });
  });

  it('is a data model with errors', () => {
    expectTypeOf(person).toExtend<DataModel>();
    expectTypeOf(person.errors$).toEqualTypeOf<StateStream<Errors>>();
    expectTypeOf(person.errors$.value.name).toEqualTypeOf<readonly string[] | undefined>();
    expectTypeOf(errorsOf(person, person.address.city)).toEqualTypeOf<StateStream<readonly string[]>>();
    expectTypeOf<InstanceType<typeof Person>>().toEqualTypeOf<SchemaRecord<Data>>();
  });

  it('accepts a root, as the classes of other records do', () => {
    expectTypeOf(Person).toExtend<new (root: Lib) => DataModel>();
    expectTypeOf(new Person(createLib())).toEqualTypeOf<typeof person>();
    // @ts-expect-error -- no root
    new Person({});
  });

  it('can be extended', () => {
    class Employee extends Person {
      readonly boss = lib.observable('').map('boss', this);
      get label(): string {
        return this.name.value + this.address.city.value;
      }
    }
    const employee = new Employee();
    expectTypeOf(employee.name).toEqualTypeOf<MappedField<string, 'name'>>();
    expectTypeOf(employee.get('boss')).toEqualTypeOf<string>();
    expectTypeOf(employee.get('address.city')).toEqualTypeOf<string>();
  });

  it('has branded text and class instances as one field', () => {
    const account = new (defineRecord({
      schema: z.object({ id: z.string().brand<'Id'>(), at: z.instanceof(URL) }),
      initial: () => ({ id: '' as string & z.$brand<'Id'>, at: new URL('https://example.org') }),
    }))();
    expectTypeOf(account.id).toEqualTypeOf<MappedField<string & z.$brand<'Id'>, 'id'>>();
    expectTypeOf(account.at).toEqualTypeOf<MappedField<URL, 'at'>>();
  });

  it('has fields below an object with a value of any type', () => {
    const Noted = defineRecord({
      schema: z.object({ meta: z.object({ extra: z.any(), note: z.string() }) }),
    });
    expectTypeOf(new Noted().meta.note).toEqualTypeOf<MappedField<string, 'meta.note'>>();
  });

  it('accepts a union as the value of one field', () => {
    const kinds = z.union([z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]);
    defineRecord({
      schema: z.object({ home: kinds, tags: z.array(z.enum(['x', 'y'])) }),
      initial: { home: whole({ kind: 'a' }), tags: ['x'] },
    });
  });

  it('has the same types from each library', () => {
    const of = { initial: { name: '', address: { city: '' } } };
    const fromZod = defineRecord({
      ...of,
      schema: z.object({ name: z.string(), address: z.object({ city: z.string() }) }),
    });
    const fromValibot = defineRecord({
      ...of,
      schema: v.object({ name: v.string(), address: v.object({ city: v.string() }) }),
    });
    const fromArktype = defineRecord({
      ...of,
      schema: type({ name: 'string', address: { city: 'string' } }),
    });
    expectTypeOf(fromValibot).toEqualTypeOf(fromZod);
    expectTypeOf(fromArktype).toEqualTypeOf(fromZod);
  });
});

describe('defineRecord refuses', () => {
  it('initial data that lack a key, have one too many, or one of another type', () => {
    // @ts-expect-error -- nothing but a name
    defineRecord({ schema, initial: { name: '' } });
    // @ts-expect-error -- no such key
    defineRecord({ schema, initial: { ...initial, nmae: '' } });
    // @ts-expect-error -- of another type
    defineRecord({ schema, initial: { ...initial, name: 1 } });
    // @ts-expect-error -- a nested key is missing
    defineRecord({ schema, initial: { ...initial, address: { city: '' } } });
  });

  it('initial data that are objects where the type has one field', () => {
    const ann: Record<string, number> = { ann: 1 };
    const home = z.object({ city: z.string() });
    const scores = z.record(z.string(), z.number());
    // @ts-expect-error -- would become fields
    defineRecord({ schema: z.object({ home: home.nullable() }), initial: { home: { city: '' } } });
    // @ts-expect-error -- would become fields
    defineRecord({ schema: z.object({ scores }), initial: { scores: ann } });
    defineRecord({
      schema: z.object({ scores, home: home.nullable() }),
      initial: { scores: whole({}), home: null },
    });
  });

  it('a schema that does not accept its own output', () => {
    const dated = z.object({ at: z.string().transform((text) => new Date(text)) });
    // @ts-expect-error -- accepts text only
    defineRecord({ schema: dated, initial: { at: new Date() } });
    defineRecord({ schema: z.object({ at: z.coerce.date() }), initial: { at: new Date() } });
  });

  it('a schema of a non-object, or with a key that records have', () => {
    // @ts-expect-error -- text, no object
    defineRecord({ schema: z.string(), initial: '' });
    // @ts-expect-error -- records have "save"
    defineRecord({ schema: z.object({ save: z.boolean() }), initial: { save: true } });
  });

  it('a schema of a list, or of several shapes, which have no fields in common', () => {
    const shapes = z.discriminatedUnion('t', [
      z.object({ t: z.literal('a') }),
      z.object({ t: z.literal('b'), b: z.string() }),
    ]);
    // @ts-expect-error -- one shape or the other
    defineRecord({ schema: shapes });
    // @ts-expect-error -- would have one field "value"
    defineRecord({ schema: shapes, initial: whole({ t: 'a' as const }) });
    // @ts-expect-error -- a list has no keys of its own
    defineRecord({ schema: z.array(z.string()), initial: ['x'] });
  });
});

describe('listOf', () => {
  it('has items of the output type of the schema', () => {
    const list = lib.collection(
      listOf({ url: '/people', schema: z.object({ id: z.number(), at: z.coerce.date() }) }),
    );
    expectTypeOf(list).toEqualTypeOf<Collection<{ id: number; at: Date }>>();
  });
});

describe('conforms and validateSaves', () => {
  it('fit into a class written by hand', () => {
    class Article extends DataModel {
      readonly title = lib.observable('').map('title', this);
      readonly errors$ = validateSaves(this, schema);
      constructor() {
        super({ url: '/articles', parse: conforms(schema, (answer) => answer) });
      }
    }
    expectTypeOf(conforms(schema)).toEqualTypeOf<Parse>();
    expectTypeOf(new Article().errors$).toEqualTypeOf<StateStream<Errors>>();
    expectTypeOf(errorsOf(new Article(), { path: 'title' }).value).toEqualTypeOf<readonly string[]>();
  });
});

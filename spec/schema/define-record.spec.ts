import { describe, expect, it } from 'vitest';

import { DataModel, Field, createLib, lib } from 'rivulet';
import { SchemaError, defineRecord, whole } from 'rivulet/schema';
import type { StandardSchema } from 'rivulet/schema';

import { polluted } from '../polluted';

import { ada, born, libraries, personSchema, schemaOf, withPerson } from './schemas';

const blank = { id: undefined, name: '', born, address: { city: '' } };

describe.each(libraries)('a record of a schema of $library', ({ schema }) => {
  it('writes an answer as the schema outputs it', async () => {
    const { person, server } = withPerson({ schema, initial: { ...blank, id: 7, born: new Date(0) } });
    const fetched = person.fetch();
    server.at(0).ok({ ...ada, more: 1 });
    await fetched;
    expect(person.get()).toStrictEqual({ ...ada, born });
    expect(person.isDirty$.value).toBe(false);
  });

  it('refuses an answer that the schema refuses, and writes nothing of it', async () => {
    const { person, server } = withPerson({ schema });
    const fetched = person.fetch();
    server.at(0).ok({ ...ada, name: 'Augusta', born: 'long ago', address: {} });
    const error = await fetched.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SchemaError);
    expect((error as SchemaError).issues.map(({ path }) => path).sort()).toStrictEqual([
      'address.city',
      'born',
    ]);
    expect(person.get()).toStrictEqual({ ...ada, born });
    expect([person.error$.value, person.isReading$.value]).toStrictEqual([error, false]);
  });

  it('sends nothing that the schema refuses', async () => {
    const { person, server } = withPerson({ schema, initial: blank });
    const error = await person.save().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SchemaError);
    expect((error as SchemaError).issues.map(({ path }) => path).sort()).toStrictEqual([
      'address.city',
      'name',
    ]);
    expect(server.sent).toStrictEqual([]);
    expect([person.error$.value, person.isSaving$.value]).toStrictEqual([error, false]);
  });

  it('sends the fields as they are, and accepts an answer with some of them', async () => {
    const { person, server } = withPerson({ schema, initial: blank });
    person.name.next('Ada');
    person.address.city.next('London');
    const saved = person.save();
    const { id, ...data } = ada;
    expect(server.sent).toStrictEqual([{ method: 'POST', url: '/people', body: data }]);
    server.at(0).ok({ id });
    await saved;
    expect(person.get()).toStrictEqual({ ...ada, born });
    expect(person.isDirty$.value).toBe(false);
  });

  it('reports its errors, live', () => {
    const { person } = withPerson({ schema, initial: blank });
    const [city, name] = [expect.any(String), expect.any(String)] as string[];
    expect(person.errors$.value).toEqual({ name: [name], 'address.city': [city] });
    person.name.next('Ada');
    expect(person.errors$.value).toEqual({ 'address.city': [city] });
    person.address.city.next('London');
    expect(person.errors$.value).toEqual({});
  });

  it('reports an issue with an answer as a whole', async () => {
    const { person, server } = withPerson({ schema });
    const fetched = person.fetch();
    server.at(0).ok('Ada');
    await expect(fetched).rejects.toMatchObject({ issues: [{ path: '' }] });
  });
});

describe('defineRecord', () => {
  it('makes a class of records like any other', () => {
    const { person, root } = withPerson();
    expect(person).toBeInstanceOf(DataModel);
    expect(person.name).toBeInstanceOf(Field);
    const Person = defineRecord({ schema: personSchema, initial: blank });
    class Employee extends Person {
      readonly boss = lib.observable('Eve').map('boss', this);
    }
    const employee = new Employee(root);
    expect(employee.get()).toStrictEqual({ ...blank, boss: 'Eve' });
    expect(employee.errors$.value).toHaveProperty('name');
  });

  it('makes records of a root, by default of `lib`', async () => {
    const Person = defineRecord({ schema: personSchema, initial: { ...blank, id: 7 } });
    const root = createLib();
    root.sync = () => ada;
    await new Person(root).fetch();
    const { sync } = lib;
    lib.sync = () => ({ ...ada, name: 'Eve' });
    const person = new Person();
    await person.fetch();
    lib.sync = sync;
    expect(person.name.value).toBe('Eve');
  });

  it('passes on the rest of the configuration', async () => {
    const { person, server } = withPerson({ url: '/persons', keepEdits: true });
    person.name.next('Augusta');
    const fetched = person.fetch();
    expect(server.lines).toStrictEqual(['GET /persons/7']);
    server.at(0).ok(ada);
    await fetched;
    expect(person.name.value).toBe('Augusta');
  });

  it('calls the configured `parse` before the schema', async () => {
    const { person, server } = withPerson({
      parse: (answer, action) => [(answer as { data: unknown }).data, action][0],
    });
    const fetched = person.fetch();
    server.at(0).ok({ data: { ...ada, name: 'Augusta' } });
    await fetched;
    expect(person.name.value).toBe('Augusta');
  });

  it('begins each record with the initial data, made anew by a function', () => {
    let id = 0;
    const Person = defineRecord({ schema: personSchema, initial: () => ({ ...blank, id: (id += 1) }) });
    expect([new Person().id.value, new Person().id.value]).toStrictEqual([1, 2]);
    const { person } = withPerson();
    expect([person.get(), person.isDirty$.value]).toStrictEqual([{ ...ada, born }, false]);
  });

  it('does not call the schema on creation or on edits', () => {
    let asked = 0;
    const schema = schemaOf(() => {
      asked += 1;
      return { issues: [] };
    });
    const { person } = withPerson({ schema });
    person.name.next('Augusta');
    expect(asked).toBe(0);
  });

  it('calls the `sync` of a record once the schema has accepted', async () => {
    const { person } = withPerson();
    const seen: unknown[] = [];
    person.sync = (action, concern, options) => {
      seen.push(action, concern === person, options.attrs);
      return { name: 'Augusta' };
    };
    await person.save();
    expect(seen).toStrictEqual(['update', true, { ...ada, born }]);
    expect(person.name.value).toBe('Augusta');
    person.name.next('');
    await expect(person.save()).rejects.toBeInstanceOf(SchemaError);
    expect(seen).toHaveLength(3);
  });

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['no schema', {}],
    ['another version', { '~standard': { version: 2 } }],
  ])('throws for %s as the schema', (_, schema) => {
    expect(() => defineRecord({ schema: schema as typeof personSchema, initial: blank })).toThrow(
      new TypeError('schema: pass a Standard Schema, like one of zod'),
    );
  });

  it('does not change the configuration', () => {
    const { person } = withPerson(Object.freeze({ initial: Object.freeze(blank) }));
    person.address.city.next('London');
    expect(blank.address.city).toBe('');
  });

  it('gives each record lists of its own, which others do not share', () => {
    const List = defineRecord<StandardSchema<{ tags: string[] }>>({
      schema: schemaOf<{ tags: string[] }>((value) => ({ value: value as never })),
      initial: { tags: ['a'] },
    });
    const [one, other] = [new List(), new List()];
    one.tags.value.push('b');

    expect([other, new List()].map(({ tags }) => tags.value)).toStrictEqual([['a'], ['a']]);
  });

  it('reads no option from a polluted prototype', () => {
    polluted({ initial: { other: 1 }, url: '/other' }, () => {
      expect(new (defineRecord({ schema: personSchema }))().get()).toHaveProperty('name');
    });
  });

  it('makes one field of what `whole` marks', () => {
    const schema = schemaOf<{ scores: Record<string, number> }>((value) => ({ value: value as never }));
    const Game = defineRecord<StandardSchema<{ scores: Record<string, number> }>>({
      schema,
      initial: { scores: whole({ ann: 1 }) },
    });
    const game = new Game();
    expect(game.hasMappedField('scores')).toBe(true);
    expect(game.scores.value).toStrictEqual({ ann: 1 });
  });
});

import { describe, expect, it, vi } from 'vitest';

import { DataModel, createLib, lib } from 'rivulet';
import type { Parse } from 'rivulet';
import { SchemaError, conforms, defineRecord, whole } from 'rivulet/schema';
import type { StandardSchema } from 'rivulet/schema';

import { raise } from '../hostile';
import { StubServer } from '../stub';

import { ada, born, personSchema, schemaOf, withPerson } from './schemas';
import type { Data } from './schemas';

describe('the answer to a read', () => {
  it('must be the whole record', async () => {
    const { person, server } = withPerson();
    const fetched = person.fetch();
    server.at(0).ok({ id: 7, name: 'Eve' });
    await expect(fetched).rejects.toMatchObject({
      message: 'read: the schema refuses the answer at "born", see "issues"',
      action: 'read',
    });
    expect(person.name.value).toBe('Ada');
  });

  it('is written with what the schema adds', async () => {
    const schema = schemaOf((value) => ({ value: { ...(value as Data), name: 'by default' } }));
    const { person, server } = withPerson({ schema });
    const fetched = person.fetch();
    server.at(0).ok({ id: 7 });
    await fetched;
    expect(person.name.value).toBe('by default');
  });

  it('is not checked if it is a refusal, or has no data', async () => {
    const { person, server } = withPerson({ schema: schemaOf(() => raise(new Error('asked'))) });
    const [refused, empty] = [person.fetch(), person.fetch()];
    server.at(0).refuse(404, 'gone');
    server.at(1).ok();
    expect([(await refused).status, (await empty).status]).toStrictEqual([404, 204]);
  });
});

describe('the answer to a save', () => {
  it('is named by the error if it is refused, and what was sent is no conflict afterwards', async () => {
    const { person, server } = withPerson({ schema: personSchema });
    person.name.next('Eve');
    const saved = person.save({ patch: true });
    server.at(0).ok({ name: 5 });
    const error: unknown = await saved.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(SchemaError);
    expect((error as SchemaError).response).toMatchObject({ ok: true, status: 200 });
    expect(Object.keys(error as SchemaError)).not.toContain('response');

    person.name.next('Eve Lee');
    void person.fetch({ keepEdits: true });
    server.at(1).ok({ ...ada, name: 'Eve' });
    await vi.waitFor(() => {
      expect(person.isReading$.value).toBe(false);
    });
    expect(person.openConflicts$.value).toStrictEqual([]);
  });

  it('may be a part of the record, and only that is written', async () => {
    const seen: unknown[] = [];
    const schema = schemaOf((value) => {
      seen.push(value);
      return { value: { id: 7, name: 'by schema', born, address: { city: 'by schema' } } };
    });
    const { person, server } = withPerson({ schema });
    person.name.next('Eve');
    const saved = person.save();
    server.at(0).ok({ address: { city: 'Bath' } });
    await saved;
    expect(seen).toStrictEqual([
      { ...ada, born, name: 'Eve' },
      { ...ada, born, name: 'Eve', address: { city: 'Bath' } },
    ]);
    expect(person.get()).toStrictEqual({ ...ada, born, name: 'Eve', address: { city: 'by schema' } });
    expect(person.isDirty$.value).toBe(false);
  });

  it('is completed by what was sent, whatever was edited since', async () => {
    const { person, server } = withPerson();
    person.name.next('Eve');
    const saved = person.save();
    person.name.next('');
    person.address.city.next('');
    server.at(0).ok({ id: 7, born: '1900-01-01' });
    await saved;
    expect(person.get()).toStrictEqual({
      id: 7,
      name: '',
      born: new Date('1900-01-01'),
      address: { city: '' },
    });
    expect(person.name.remote$.value).toBe('Eve');
  });

  it('is completed by attrs that were sent', async () => {
    const { person, server } = withPerson();
    const saved = person.save({ attrs: { name: 'Eve' } });
    server.at(0).ok({ id: 7 });
    await saved;
    expect(person.name.remote$.value).toBe('Eve');
  });

  it('fails the save if the schema refuses it, and the edits stay dirty', async () => {
    const { person, server } = withPerson();
    person.name.next('Eve');
    const saved = person.save();
    server.at(0).ok({ address: { city: 5 } });
    await expect(saved).rejects.toBeInstanceOf(SchemaError);
    expect([person.name.isDirty$.value, person.isSaving$.value]).toStrictEqual([true, false]);
  });

  it('that is refused leaves what was created with its id, so that it is not created again', async () => {
    const { person, server } = withPerson({ initial: { ...ada, id: undefined, born } });
    const created = person.save();
    const next = person.save();
    server.at(0).ok({ id: 9, address: { city: 5 } });
    const failure = await created.catch((reason: unknown) => reason);

    expect(failure).toMatchObject({
      name: 'SchemaError',
      action: 'create',
      issues: [{ path: 'address.city' }],
    });
    expect([person.id.value, person.isNew$.value, person.address.city.value]).toStrictEqual([
      9,
      false,
      'London',
    ]);
    expect([person.error$.value, person.isDirty$.value]).toStrictEqual([failure, false]);
    server.at(1).ok({ ...ada, id: 9 });
    await next;
    expect(server.lines).toStrictEqual(['POST /people', 'PUT /people/9']);
  });

  it.each<[string, unknown]>([
    ['if that is refused, too', { id: '9' }],
    ['if there is none', { address: { city: 5 } }],
    ['if it is no data', 'OK'],
    ['if it is no text or number', { id: { key: 9 }, address: { city: 5 } }],
  ])('that is refused brings no id %s', async (_name, answer) => {
    const { person, server } = withPerson({ initial: { ...ada, id: undefined, born } });
    const created = person.save();
    server.at(0).ok(answer);
    await created.catch(() => undefined);

    expect([person.id.value, person.isNew$.value]).toStrictEqual([undefined, true]);
  });

  const thrown = Object.freeze(new Error('thrown'));
  it.each<[string, () => ReturnType<StandardSchema<Data>['~standard']['validate']>]>([
    ['is refused as a whole, as for a key too many,', () => ({ issues: [{ message: 'no', path: [] }] })],
    ['is what a schema throws at', () => raise(new Error('down'))],
    ['is what a schema rejects', () => Promise.reject(new Error('down'))],
  ])('that %s leaves what was created with its id', async (_name, judge) => {
    const schema = schemaOf((value) => ((value as { id?: number }).id ? judge() : { value: value as Data }));
    const { person, server } = withPerson({ schema, initial: { ...ada, id: undefined, born } });
    const created = person.save();
    server.at(0).ok({ ...ada, id: 9 });

    await expect(created).rejects.toThrow();
    expect([person.id.value, person.isNew$.value]).toStrictEqual([9, false]);
  });

  it('at which a schema throws the same again leaves each with its own id', async () => {
    const same = new Error('same');
    const schema = schemaOf((value) =>
      (value as { id?: number }).id ? raise(same) : { value: value as Data },
    );
    for (const id of [8, 9]) {
      const { person, server } = withPerson({ schema, initial: { ...ada, id: undefined, born } });
      const created = person.save();
      server.at(0).ok({ ...ada, id });
      await expect(created).rejects.toBe(same);
      expect(person.id.value).toBe(id);
    }
  });

  it.each([[thrown], ['text']])('at which a schema throws %s fails with that', async (reason) => {
    const schema = schemaOf((value) =>
      (value as { id?: number }).id ? raise(reason) : { value: value as Data },
    );
    const { person, server } = withPerson({ schema, initial: { ...ada, id: undefined, born } });
    const created = person.save();
    server.at(0).ok({ ...ada, id: 9 });
    await expect(created).rejects.toBe(reason);
  });

  it('that is refused leaves the new row of a list with its id', async () => {
    const server = new StubServer();
    const model = defineRecord({ schema: personSchema, initial: { ...ada, id: undefined, born } });
    const people = createLib({ transport: server.transport }).collection<Data, InstanceType<typeof model>>({
      url: '/people',
      model,
    });
    const created = people.record({}).save();
    server.at(0).ok({ id: 9, address: { city: 5 } });

    await expect(created).rejects.toBeInstanceOf(SchemaError);
    expect(people.value).toMatchObject([{ id: 9, name: 'Ada', address: { city: 'London' } }]);
  });

  it.each<[string, unknown, string[][]]>([
    ['it is falsey', { key: { id: 0 } }, [['name']]],
    ['it is no text or number', { key: { id: true } }, [['name']]],
    ['it is an object', { key: { id: {} } }, [['name']]],
    ['something around it is refused', { key: { id: 9 } }, [['name'], ['key']]],
    ['something within it is refused', { key: { id: 9 } }, [['key', 'id', 'x'], ['name']]],
    ['it is not where it should be', { key: [9], id: 9 }, [['name']]],
  ])('that is refused brings no id if %s', async (_name, answer, paths) => {
    const server = new StubServer();
    const schema = schemaOf<{ key: { id?: number | undefined }; name: string }>((value) =>
      (value as Data).name === 'bad'
        ? { issues: paths.map((path) => ({ path, message: 'no' })) }
        : { value: value as never },
    );
    const initial = { key: { id: undefined }, name: '' };
    const Keyed = defineRecord({ url: '/keyed', idAttribute: 'key.id', schema, initial });
    const keyed = new Keyed(createLib({ transport: server.transport }));
    const created = keyed.save();
    server.at(0).ok({ ...(answer as object), name: 'bad' });
    await created.catch(() => undefined);

    expect([keyed.key.id.value, keyed.isNew$.value]).toStrictEqual([undefined, true]);
  });

  it('is known by its id of any path', async () => {
    const server = new StubServer();
    const schema = schemaOf<{ key: { id?: number | undefined }; name: string }>((value) =>
      (value as Data).name === 'bad'
        ? { issues: [{ path: ['name'], message: 'no' }] }
        : { value: value as never },
    );
    const Keyed = defineRecord({
      url: '/keyed',
      idAttribute: 'key.id',
      schema,
      initial: { key: { id: undefined }, name: '' },
    });
    const keyed = new Keyed(createLib({ transport: server.transport }));
    const created = keyed.save();
    server.at(0).ok({ key: { id: 9 }, name: 'bad' });
    await created.catch(() => undefined);

    expect(keyed.key.id.value).toBe(9);
  });

  it.each([null, 'OK', [], 5])('%j is checked as it is', async (answer) => {
    const { person, server } = withPerson();
    const saved = person.save();
    server.at(0).ok(answer);
    await expect(saved).rejects.toMatchObject({ issues: [{ path: '' }] });
  });

  it('replaces the value of a field as a whole: a dictionary, a union', async () => {
    interface Game {
      scores: Record<string, number>;
      board: { kind: 'round'; radius: number } | { kind: 'square'; side: number };
    }
    const seen: unknown[] = [];
    const schema = schemaOf<Game>((value) => {
      seen.push(value);
      return { value: value as Game };
    });
    const Game = defineRecord<StandardSchema<Game>>({
      schema,
      initial: { scores: whole({ ann: 1, bo: 2 }), board: whole({ kind: 'round', radius: 1 }) },
    });
    const root = createLib();
    const answer = { scores: { ann: 3 }, board: { kind: 'square', side: 2 } };
    root.sync = () => answer;
    const game = new Game(root);
    await game.save();
    expect(seen[1]).toStrictEqual(answer);
    expect(game.get()).toStrictEqual(answer);
  });

  it('cannot reach a prototype', async () => {
    const { person, server } = withPerson();
    const saved = person.save();
    server
      .at(0)
      .ok(JSON.parse('{ "__proto__": { "polluted": 1 }, "address": { "__proto__": { "polluted": 1 } } }'));
    await saved;
    expect({}).not.toHaveProperty('polluted');
    expect(person.get()).toStrictEqual({ ...ada, born });
  });
});

describe('an asynchronous schema', () => {
  const schema = schemaOf(async (value) => {
    await Promise.resolve();
    return personSchema['~standard'].validate(value);
  });

  it('has its output written', async () => {
    const { person, server } = withPerson({ schema });
    const fetched = person.fetch();
    server.at(0).ok({ ...ada, born: '1900-01-01' });
    await fetched;
    expect(person.born.value).toStrictEqual(new Date('1900-01-01'));
  });

  it('refuses answers', async () => {
    const { person, server } = withPerson({ schema });
    const fetched = person.fetch();
    server.at(0).ok({});
    await expect(fetched).rejects.toBeInstanceOf(SchemaError);
  });
});

describe('conforms', () => {
  /** A record written by hand, with a `parse`, and its server. */
  function article(parse: Parse) {
    class Article extends DataModel {
      readonly id = lib.observable<number | undefined>(7).map('id', this);
      readonly title = lib.observable('Title').map('title', this);
    }
    const server = new StubServer();
    const article = new Article({ url: '/articles', parse }, createLib({ transport: server.transport }));
    return { article, server };
  }

  it('is the `parse` of a record written by hand', async () => {
    const seen: unknown[] = [];
    const schema = schemaOf((value) => {
      seen.push(value);
      return { value: value as Data };
    });
    const made = article(conforms(schema));
    const saved = made.article.save();
    made.server.at(0).ok({ title: 'Other', more: 1 });
    await saved;
    expect(seen).toStrictEqual([{ id: 7, title: 'Other', more: 1 }]);
    expect(made.article.title.value).toBe('Other');
  });

  it('calls the given `parse` first, with the action and the record', async () => {
    const seen: unknown[] = [];
    const parse: Parse = function (answer, action) {
      seen.push(this, action);
      return Promise.resolve((answer as { data: unknown }).data);
    };
    const made = article(
      conforms(
        schemaOf((value) => ({ value: value as Data })),
        parse,
      ),
    );
    const fetched = made.article.fetch();
    made.server.at(0).ok({ data: { title: 'Other' } });
    await fetched;
    expect(seen).toStrictEqual([made.article, 'read']);
    expect(made.article.title.value).toBe('Other');
  });

  const broken = new Error('broken');
  const good = schemaOf((value) => ({ value: value as Data }));

  it.each([
    ['`parse` throws', conforms(good, () => raise(broken))],
    ['`parse` rejects with', conforms(good, () => Promise.reject(broken))],
    ['the schema throws', conforms(schemaOf(() => raise(broken)))],
    ['the schema rejects with', conforms(schemaOf(() => Promise.reject(broken)))],
  ])('fails the request with what %s', async (_, parse) => {
    const { article: record, server } = article(parse);
    const fetched = record.fetch();
    server.at(0).ok({ title: 'Other' });
    await expect(fetched).rejects.toBe(broken);
    expect(record.title.value).toBe('Title');
  });

  it('throws for anything but a schema', () => {
    expect(() => conforms({} as never)).toThrow(TypeError);
  });

  it('throws for a parse that is no function, before anything is sent', () => {
    expect(() => conforms(personSchema, 5 as never)).toThrow(
      new TypeError('schema: "parse" must be a function'),
    );
  });
});

import { setImmediate } from 'node:timers/promises';

import { describe, expect, it, onTestFinished } from 'vitest';

import { createLib } from 'rivulet';
import { SchemaError, listOf } from 'rivulet/schema';
import type { ListConfig, StandardSchema } from 'rivulet/schema';

import { raise } from '../hostile';
import { polluted } from '../polluted';
import { gate } from '../server';
import { StubServer } from '../stub';

import { ada, born, libraries, personSchema, schemaOf } from './schemas';
import type { Data } from './schemas';

const eve = { ...ada, id: 8, name: 'Eve' };
const nameless = { ...ada, id: 9, name: '' };

function withPeople(config: Partial<ListConfig<StandardSchema<Data>>> = {}) {
  const server = new StubServer();
  const root = createLib({ transport: server.transport });
  const people = root.collection(
    listOf<StandardSchema<Data>>({ url: '/people', schema: personSchema, ...config }),
  );
  return { people, server };
}

/** Checks asynchronously, like one that asks a server. */
const later = schemaOf(async (value) => {
  await Promise.resolve();
  return personSchema['~standard'].validate(value);
});

describe.each([...libraries, { library: 'an asynchronous kind', schema: later }])(
  'a list of a schema of $library',
  ({ schema }) => {
    it('has the items as the schema outputs them', async () => {
      const { people, server } = withPeople({ schema });
      const fetched = people.fetch();
      server.at(0).ok([{ ...ada, more: 1 }, eve]);
      await fetched;
      expect(people.value).toMatchObject([
        { ...ada, born },
        { ...eve, born },
      ]);
    });

    it('refuses a read as a whole, with the path of each issue', async () => {
      const { people, server } = withPeople({ schema, data: [{ ...ada, born }] });
      const fetched = people.fetch();
      server.at(0).ok([eve, nameless, 5]);
      const error = await fetched.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(SchemaError);
      expect(error).toMatchObject({
        message: 'read: the schema refuses the answer at "1.name", see "issues"',
        action: 'read',
        issues: [{ path: '1.name' }, { path: '2' }],
      });
      expect([people.length, people.error$.value]).toStrictEqual([1, error]);
    });

    it('omits refused items if there is an `onInvalid`', async () => {
      const refused: unknown[] = [];
      const { people, server } = withPeople({
        schema,
        onInvalid: ({ name, message, issues }, item) => {
          refused.push([name, message, issues.map(({ path }) => path), item]);
        },
      });
      const fetched = people.fetch();
      server.at(0).ok([nameless, eve, 5]);
      await fetched;
      expect(people.value).toStrictEqual([{ ...eve, born }]);
      expect(refused).toStrictEqual([
        ['SchemaError', 'read: the schema refuses an item at "name", see "issues"', ['name'], nameless],
        ['SchemaError', 'read: the schema refuses an item, see "issues"', [''], 5],
      ]);
    });

    it('adds the answer to a create as the schema outputs it', async () => {
      const { people, server } = withPeople({ schema });
      const created = people.create({ name: 'Eve', born, address: { city: 'Bath' } });
      server.at(0).ok(eve);
      await created;
      expect(people.value).toStrictEqual([{ ...eve, born }]);
    });

    it('refuses the answer to a create even if there is an `onInvalid`', async () => {
      const { people, server } = withPeople({ schema, onInvalid: () => raise(new Error('not asked')) });
      const created = people.create({ name: 'Eve', born, address: { city: 'Bath' } });
      server.at(0).ok(nameless);
      await expect(created).rejects.toMatchObject({ name: 'SchemaError', issues: [{ path: 'name' }] });
      expect(people.length).toBe(0);
    });
  },
);

describe('listOf', () => {
  it('refuses a read and keeps the items if the schema gives no reason', async () => {
    const { people, server } = withPeople({
      schema: schemaOf(() => ({ issues: [] })),
      data: [{ ...ada, born }],
    });
    const fetched = people.fetch();
    server.at(0).ok([eve]);
    await expect(fetched).rejects.toMatchObject({
      name: 'SchemaError',
      issues: [{ path: '0', message: 'refused without a reason' }],
    });
    expect(people.value).toStrictEqual([{ ...ada, born }]);
  });

  it('leaves no rejection unhandled if it reports one item in vain, and another fails the read', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    onTestFinished(() => void process.off('unhandledRejection', listen));
    const { people, server } = withPeople({
      schema: schemaOf(() => ({ issues: [] })),
      onInvalid: (error, item) => {
        if (item === 'fatal') throw error;
        return Promise.reject(new Error('the log cannot be reached'));
      },
    });
    const fetched = people.fetch();
    server.at(0).ok(['reported', 'fatal']);
    await expect(fetched).rejects.toMatchObject({ name: 'SchemaError' });
    await setImmediate();
    expect(unhandled).toStrictEqual([]);
  });

  it('calls the configured `parse` first, and passes on the rest of the configuration', async () => {
    const seen: unknown[] = [];
    const { people, server } = withPeople({
      url: '/persons',
      parse(answer, action) {
        seen.push(this, action);
        return Promise.resolve((answer as { items: unknown }).items);
      },
    });
    const fetched = people.fetch();
    expect(server.lines).toStrictEqual(['GET /persons']);
    server.at(0).ok({ items: [eve] });
    await fetched;
    expect([people.length, seen]).toStrictEqual([1, [people, 'read']]);
  });

  it('leaves it to the collection to refuse non-lists', async () => {
    const { people, server } = withPeople();
    const fetched = people.fetch();
    server.at(0).ok({ items: [] });
    await expect(fetched).rejects.toMatchObject({ code: 'SHAPE' });
  });

  it('waits even if only some items are checked asynchronously', async () => {
    const schema = schemaOf((value) => {
      const { validate } = (value as Data).id === eve.id ? later['~standard'] : personSchema['~standard'];
      return validate(value);
    });
    const { people, server } = withPeople({ schema });
    const fetched = people.fetch();
    server.at(0).ok([ada, eve]);
    await fetched;
    expect(people.value).toMatchObject([{ name: 'Ada' }, { name: 'Eve' }]);
  });

  it('accepts an empty list', async () => {
    const { people, server } = withPeople({ data: [{ ...ada, born }] });
    const fetched = people.fetch();
    server.at(0).ok([]);
    await fetched;
    expect(people.length).toBe(0);
  });

  it('waits for a promise of `onInvalid`', async () => {
    const written = gate();
    const { people, server } = withPeople({ onInvalid: () => written.promise });
    const fetched = people.fetch();
    server.at(0).ok([ada, nameless]);
    await setImmediate();
    const before = people.length;
    written.resolve();
    await fetched;

    expect([before, people.length]).toStrictEqual([0, 1]);
  });

  const broken = new Error('broken');

  it.each([
    ['`onInvalid` throws', { onInvalid: () => raise(broken) }],
    ['`onInvalid` rejects with', { onInvalid: () => Promise.reject(broken) }],
    ['the schema throws', { schema: schemaOf(() => raise(broken)) }],
    ['the schema rejects with', { schema: schemaOf(() => Promise.reject(broken)) }],
  ])('fails the read with what %s', async (_, config) => {
    const { people, server } = withPeople({ data: [{ ...ada, born }], ...config });
    const fetched = people.fetch();
    server.at(0).ok([nameless, nameless]);
    await expect(fetched).rejects.toBe(broken);
    expect([people.length, people.isReading$.value]).toStrictEqual([1, false]);
  });

  it('reads no option from a polluted prototype', async () => {
    const { people, server } = polluted({ onInvalid: () => undefined }, () => withPeople({}));
    const fetched = people.fetch();
    server.at(0).ok([nameless]);

    await expect(fetched).rejects.toBeInstanceOf(SchemaError);
  });

  it('throws for anything but a schema', () => {
    expect(() => listOf({ schema: 'person' as never })).toThrow(TypeError);
  });

  it('throws for callbacks that are none', () => {
    expect(() => listOf({ schema: personSchema, onInvalid: 5 as never })).toThrow(
      new TypeError('listOf: "onInvalid" must be a function'),
    );
    expect(() => listOf({ schema: personSchema, parse: 5 as never })).toThrow(
      new TypeError('schema: "parse" must be a function'),
    );
  });

  it('fails as the first check that fails, and leaves no rejection unheard', async () => {
    let count = 0;
    const schema = schemaOf(() =>
      (count += 1) === 1 ? Promise.reject(new Error('later')) : raise(new Error('now')),
    );
    const { people, server } = withPeople({ schema });
    const unheard: unknown[] = [];
    const listen = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', listen);
    onTestFinished(() => void process.off('unhandledRejection', listen));
    const fetched = people.fetch();
    server.at(0).ok([nameless, nameless]);

    await expect(fetched).rejects.toThrow('later');
    await setImmediate();
    expect(unheard).toStrictEqual([]);
  });
});

import { setImmediate } from 'node:timers/promises';

import { Subject, VirtualTimeScheduler, of } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { DataModel, createLib, lib } from 'rivulet';
import type { RequestOptions } from 'rivulet';
import { autosave } from 'rivulet/autosave';
import { SchemaError, defineRecord, validateSaves } from 'rivulet/schema';
import type { SchemaResult, StandardSchema } from 'rivulet/schema';
import { TestClock, TestServer } from 'rivulet/testing';

import { raise } from '../hostile';
import { StubServer } from '../stub';
import { advance } from '../virtual-time';
import { valuesOf, watch } from '../watch';

import { ada, born, personSchema, schemaOf, withPerson } from './schemas';
import type { Data } from './schemas';

const person7 = { ...ada, born };

/** Accepts all data, and records them. */
function recorder(): { schema: StandardSchema<Data>; seen: unknown[] } {
  const seen: unknown[] = [];
  const schema = schemaOf((value) => {
    seen.push(value);
    return { value: value as Data };
  });
  return { schema, seen };
}

/** A schema that answers when the spec says so. */
function held(): { schema: StandardSchema<Data>; results: ((issue?: string) => void)[] } {
  const results: ((issue?: string) => void)[] = [];
  const schema = schemaOf(
    (value) =>
      new Promise<SchemaResult<Data>>((resolve) => {
        results.push((message) => {
          resolve(
            message === undefined ? { value: value as Data } : { issues: [{ message, path: ['name'] }] },
          );
        });
      }),
  );
  return { schema, results };
}

describe('a save', () => {
  it('fails with all issues, and lowers the flags', () => {
    const { person, server } = withPerson();
    person.name.next('');
    person.address.city.next('');
    const flags = valuesOf(person.isSaving$);
    const watched = watch(person.save$());
    expect(watched.error).toBeInstanceOf(SchemaError);
    expect(watched.error).toMatchObject({
      name: 'SchemaError',
      message: 'update: the schema refuses the save at "name", see "issues"',
      action: 'update',
      issues: [{ path: 'name' }, { path: 'address.city' }],
    });
    expect(flags.at(-1)).toBe(false);
    expect([server.sent, person.isDirty$.value, person.error$.value]).toStrictEqual([
      [],
      true,
      watched.error,
    ]);
  });

  it('that is refused does not block the next', async () => {
    const { person, server } = withPerson();
    person.name.next('');
    const [refused, next] = [watch(person.save$()), (person.name.next('Eve'), person.save())];
    expect(refused.error).toBeInstanceOf(SchemaError);
    server.at(0).ok();
    await next;
    expect([server.sent.length, person.error$.value, person.isDirty$.value]).toStrictEqual([1, null, false]);
  });

  it('is checked when its turn has come', () => {
    const { person, server } = withPerson();
    const first = watch(person.save$());
    const second = watch(person.save$());
    person.name.next('');
    server.at(0).ok();
    expect([first.isComplete, second.error]).toStrictEqual([true, expect.any(SchemaError)]);
    expect(server.sent).toHaveLength(1);
  });

  it('sends the values of the fields, not the output of the schema', () => {
    const schema = schemaOf((value) => ({ value: { ...(value as Data), name: 'changed' } }));
    const { person, server } = withPerson({ schema });
    person.save$().subscribe();
    expect(server.sent).toStrictEqual([{ method: 'PUT', url: '/people/7', body: ada }]);
    server.at(0).ok();
    expect(person.name.value).toBe('Ada');
  });

  it('sends and checks what the record holds, whatever its own `toJSON` returns', () => {
    const { person, server } = withPerson();
    Object.assign(person, { toJSON: () => ({ name: 'for a log' }) });
    person.save$().subscribe();
    expect([server.sent, person.errors$.value]).toStrictEqual([
      [{ method: 'PUT', url: '/people/7', body: ada }],
      {},
    ]);
  });

  it('keeps refused edits, whatever `rollback` says, since nothing was sent', () => {
    const { person, server } = withPerson();
    person.name.next('');
    person.address.city.next('Bonn');
    person.save$({ rollback: 'both' }).subscribe({ error: () => undefined });
    expect([person.name.value, person.address.city.value, server.sent]).toStrictEqual(['', 'Bonn', []]);
  });

  it.each([
    ['throws', false],
    ['rejects', true],
  ])('keeps edits if the check %s, whatever `rollback` says, and an autosave goes on', async (_, isAsync) => {
    let isBroken = true;
    const check = (value: unknown) => {
      if (isBroken) throw new TypeError('the look-up failed');
      return { value: value as { readonly id?: number | undefined; readonly name: string } };
    };
    const schema = schemaOf(isAsync ? (value) => Promise.resolve(value).then(check) : check);
    const server = new TestServer();
    const clock = new TestClock();
    const Note = defineRecord({ url: '/notes', schema, initial: { id: undefined, name: '' } });
    const note = new Note(createLib({ transport: server.transport }));
    const saving = autosave(note, { scheduler: clock });
    note.name.next('B');
    await expect(note.save({ rollback: 'both' })).rejects.toThrow('the look-up failed');
    expect([note.name.value, server.requests]).toStrictEqual(['B', []]);
    isBroken = false;
    note.name.next('C');
    clock.advance(500);
    await server.next('POST /notes');
    expect(saving.state$.value).toBe('saving');
  });

  it('discards edits that a server refuses if `rollback` says so', () => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    person.save$({ rollback: 'error' }).subscribe();
    server.at(0).refuse(409);
    expect(person.name.value).toBe('Ada');
  });

  it('that is refused at once leaves no flag up, since nothing was sent', () => {
    const server = new StubServer();
    const root = createLib({ transport: server.transport, scheduler: new VirtualTimeScheduler() });
    const person = root.dataModel.boot(
      { name: root.observable('') },
      { url: '/person', requestLull: 60_000 },
    );
    validateSaves(
      person,
      schemaOf(() => ({ issues: [{ message: 'no' }] })),
    );

    const { error } = watch(person.save$());

    expect([(error as Error).name, person.isSaving$.value, server.sent]).toStrictEqual([
      'SchemaError',
      false,
      [],
    ]);
  });

  it('is refused without a reason too', async () => {
    const { person, server } = withPerson({ schema: schemaOf(() => ({ issues: [] })) });
    await expect(person.save()).rejects.toMatchObject({
      name: 'SchemaError',
      issues: [{ path: '', message: 'refused without a reason' }],
    });
    expect(server.sent).toStrictEqual([]);
  });

  it('fails with what the schema throws', async () => {
    const broken = new Error('broken');
    const { person, server } = withPerson({ schema: schemaOf(() => raise(broken)) });
    await expect(person.save()).rejects.toBe(broken);
    expect([server.sent, person.isSaving$.value]).toStrictEqual([[], false]);
  });

  it.each<{ name: string; options: RequestOptions; method: string; sent: unknown; checked: unknown }>([
    {
      name: 'all',
      options: {},
      method: 'PUT',
      sent: { ...ada, name: 'Eve' },
      checked: { ...person7, name: 'Eve' },
    },
    {
      name: 'the dirty part',
      options: { patch: true },
      method: 'PATCH',
      sent: { name: 'Eve' },
      checked: { ...person7, name: 'Eve' },
    },
    {
      name: 'other data',
      options: { attrs: { address: { city: 'Bath' }, more: 1 } },
      method: 'PUT',
      sent: { address: { city: 'Bath' }, more: 1 },
      checked: { ...person7, name: 'Eve', address: { city: 'Bath' }, more: 1 },
    },
    { name: 'null', options: { attrs: null }, method: 'PUT', sent: null, checked: null },
  ])('of $name checks the record as it would become', ({ options, method, sent, checked }) => {
    const { schema, seen } = recorder();
    const { person, server } = withPerson({ schema });
    person.name.next('Eve');
    person.save$(options).subscribe();
    expect(server.sent).toStrictEqual([{ method, url: '/people/7', body: sent }]);
    expect(seen).toStrictEqual([checked]);
  });

  it('of the dirty part of a new record sends all', () => {
    const { person, server } = withPerson();
    person.id.next(undefined);
    person.clean();
    person.save$({ patch: true }).subscribe();
    const body: unknown = JSON.parse(JSON.stringify({ ...ada, id: undefined }));
    expect(server.sent).toStrictEqual([{ method: 'POST', url: '/people', body }]);
  });

  it('checks fields without a value as absent, as in JSON', () => {
    const { schema, seen } = recorder();
    const { person } = withPerson({ schema });
    person.id.next(undefined);
    person.save$().subscribe();
    expect(seen).toStrictEqual([{ name: 'Ada', born, address: { city: 'London' } }]);
  });
});

describe('an asynchronous check', () => {
  it('holds the save back, with its flags up', async () => {
    const { schema, results } = held();
    const { person, server } = withPerson({ schema });
    const saved = person.save({ writeResponse: false });
    expect([server.sent.length, person.isSaving$.value]).toStrictEqual([0, true]);
    results[0]?.();
    await setImmediate();
    server.at(0).ok();
    await saved;
    expect(person.isSaving$.value).toBe(false);
  });

  it('refuses the save when it has found something', async () => {
    const { schema, results } = held();
    const { person, server } = withPerson({ schema });
    const saved = person.save();
    results[0]?.('is taken');
    await expect(saved).rejects.toMatchObject({ issues: [{ path: 'name', message: 'is taken' }] });
    expect([server.sent, person.isSaving$.value]).toStrictEqual([[], false]);
  });

  it('fails the save with what it rejects with', async () => {
    const broken = new Error('broken');
    const { person } = withPerson({ schema: schemaOf(() => Promise.reject(broken)) });
    await expect(person.save()).rejects.toBe(broken);
  });

  it.each<[string, RequestOptions, object]>([
    ['all', {}, ada],
    ['the dirty part', { patch: true }, { address: { city: 'Bath' } }],
  ])('sends what was checked, of %s; edits made in the meantime stay dirty', async (_, options, data) => {
    const { schema, results } = held();
    const { person, server } = withPerson({ schema });
    if (options.patch) person.address.city.next('Bath');
    const saved = person.save({ ...options, writeResponse: false });
    person.name.next('Eve');
    results[0]?.();
    await setImmediate();
    expect(server.sent).toMatchObject([{ body: data }]);
    server.at(0).ok();
    await saved;
    expect([person.name.value, person.changes$]).toStrictEqual([
      'Eve',
      expect.objectContaining({ value: { name: 'Eve' } }),
    ]);
  });

  it('sends nothing if the save is unsubscribed', async () => {
    const { schema, results } = held();
    const { person, server } = withPerson({ schema });
    const { subscription } = watch(person.save$());
    subscription.unsubscribe();
    results[0]?.();
    await setImmediate();
    expect([server.sent, person.isSaving$.value]).toStrictEqual([[], false]);
  });

  it('calls no `sync`, which might begin at once, if the save is unsubscribed', async () => {
    const { schema, results } = held();
    const { person } = withPerson({ schema });
    let calls = 0;
    person.sync = () => {
      calls += 1;
      return { name: 'Eve' };
    };
    const { subscription } = watch(person.save$());
    subscription.unsubscribe();
    results[0]?.();
    await setImmediate();
    expect(calls).toBe(0);
  });

  it.each([8, undefined])('sends nothing if the record has changed to the id %s since then', async (id) => {
    const { schema, results } = held();
    const { person, server } = withPerson({ schema });
    const saved = watch(person.save$());

    person.id.next(id);
    results[0]?.();
    await setImmediate();

    expect([saved.error, server.sent, person.requestInProgress$.value]).toMatchObject([
      { code: 'BAD_ID', action: 'update' },
      [],
      false,
    ]);
  });

  it('lets a create be sent even if the record has an id since then: its url has none', async () => {
    const { schema, results } = held();
    const { person, server } = withPerson({ schema, initial: { ...person7, id: undefined } });
    watch(person.save$());

    person.id.next(8);
    results[0]?.();
    await setImmediate();

    expect(server.lines).toStrictEqual(['POST /people']);
  });

  it('counts towards the time limit', () => {
    const scheduler = new VirtualTimeScheduler();
    const { schema } = held();
    const { person } = withPerson({ schema, options: { scheduler } });
    const watched = watch(person.save$({ timeout: 10 }));
    advance(scheduler, 10);
    expect(watched.error).toMatchObject({ name: 'TimeoutError' });
  });
});

describe('the `sync` of a record', () => {
  it('deletes without a check', async () => {
    const { person, server } = withPerson();
    person.name.next('');
    const destroyed = person.destroy();
    server.at(0).ok();
    await destroyed;
    expect(server.lines).toStrictEqual(['DELETE /people/7']);
  });

  it.each<[string, unknown]>([
    ['data', { name: 'Eve' }],
    ['a response', Response.json({ name: 'Eve' })],
    ['a promise', Promise.resolve({ name: 'Eve' })],
    ['an Observable', of({ name: 'Eve' })],
    ['a promise of an Observable', Promise.resolve(of({ name: 'Eve' }))],
    [
      'an async generator',
      (async function* () {
        yield await Promise.resolve({ name: 'Eve' });
      })(),
    ],
  ])('may still answer with %s', async (_, answer) => {
    const { person } = withPerson();
    person.sync = () => answer;
    await person.save();
    expect(person.name.value).toBe('Eve');
  });

  it('may call another, whose refusal is one', async () => {
    const { person, server } = withPerson();
    const send = createLib({ transport: server.transport }).sync;
    // eslint-disable-next-line @typescript-eslint/require-await -- an async function without `await` has to work, too
    person.sync = async (...given) => send(...given);
    person.name.next('Eve');
    const saved = person.save();
    await setImmediate();
    server.at(0).refuse(500);
    const { status } = await saved;
    expect([status, person.isDirty$.value, server.lines]).toStrictEqual([500, true, ['PUT /people/7']]);
  });

  it.each(['save$', 'fetch$'] as const)('may call the one it replaces, for %s', (request) => {
    const { person, server } = withPerson();
    const { sync } = person;
    const seen: string[] = [];
    person.sync = (...given) => {
      seen.push(given[0]);
      return sync(...given);
    };
    person[request]().subscribe();
    expect([seen.length, server.lines.length]).toStrictEqual([1, 1]);
  });

  it('may pass options of its own, without a signal', () => {
    const { person, server } = withPerson();
    const { sync } = person;
    person.sync = (action, concern) => sync(action, concern, { attrs: { name: 'Eve' } } as never);
    person.save$().subscribe();
    expect(server.sent).toStrictEqual([{ method: 'PUT', url: '/people/7', body: { name: 'Eve' } }]);
  });

  it('is called as before: on the record, and with the signal', () => {
    const { person } = withPerson();
    const seen: unknown[] = [];
    const silent$ = new Subject();
    person.sync = function (this: unknown, action, concern, { signal }) {
      seen.push(this === person, action, concern === person, signal.aborted);
      signal.addEventListener('abort', () => seen.push('aborted'));
      return silent$;
    };
    watch(person.save$()).subscription.unsubscribe();
    watch(person.fetch$()).subscription.unsubscribe();
    const asked = (action: string) => [true, action, true, false, 'aborted'];
    expect(seen).toStrictEqual([...asked('update'), ...asked('read')]);
  });
});

describe('validateSaves', () => {
  class Person extends DataModel {
    readonly id = lib.observable(7).map('id', this);
    readonly name = lib.observable('').map('name', this);
    readonly errors$ = validateSaves(this, personSchema);
  }

  it('guards a record written by hand', async () => {
    const server = new StubServer();
    const person = new Person({ url: '/people' }, createLib({ transport: server.transport }));
    expect(Object.keys(person.errors$.value)).toStrictEqual(['name', 'born', 'address']);
    await expect(person.save()).rejects.toBeInstanceOf(SchemaError);
    expect(server.sent).toStrictEqual([]);
  });

  it('adds a check to that of a record of a schema', () => {
    const { person } = withPerson();
    const { schema, seen } = recorder();
    validateSaves(person, schema);
    person.name.next('');
    expect(watch(person.save$()).error).toBeInstanceOf(SchemaError);
    expect(seen).toHaveLength(1);
  });

  it('throws for anything but a schema', () => {
    const { person } = withPerson();
    expect(() => validateSaves(person, null as never)).toThrow(TypeError);
  });

  it('throws for an object that is no record yet', () => {
    expect(() => validateSaves({} as never, personSchema)).toThrow(
      new TypeError('validateSaves: boot the record first'),
    );
  });
});

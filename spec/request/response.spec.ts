import { describe, expect, it, vi } from 'vitest';

import type { Parse } from 'rivulet';

import { raise } from '../hostile';
import { withPerson } from '../person';
import { watch } from '../watch';

describe('answers', () => {
  it('are emitted once, after write-back, then the stream completes', () => {
    const { person, server } = withPerson();
    const log: string[] = [];
    person.fetch$().subscribe({
      next: (response) => log.push(`${String(response.status)} ${person.name.value}`),
      complete: () => log.push('complete'),
    });

    server.at(0).ok({ name: 'Eve' });

    expect(log).toStrictEqual(['200 Eve', 'complete']);
  });

  it('leave their body to the caller', async () => {
    const { person, server } = withPerson();

    const done = person.fetch();
    server.at(0).respond(Response.json({ name: 'Eve' }));

    expect(await (await done).json()).toStrictEqual({ name: 'Eve' });
  });

  it('that refuse resolve at once, their body unread', async () => {
    const { person, server } = withPerson();
    const saved = watch(person.save$());

    server.at(0).respond(new Response('no', { status: 422 }));

    expect(saved.responses.map(({ bodyUsed }) => bodyUsed)).toStrictEqual([false]);
    expect(await saved.responses[0]?.text()).toBe('no');
  });

  it.each([
    ['text/plain', '{"name":"Eve"}'],
    ['text/html', ' {"name":"Eve"} '],
    ['application/problem+json', '{"name":"Eve"}'],
    ['application/json', '\ufeff{"name":"Eve"}'],
    ['application/json', ')]}\'\n{"name":"Eve"}'],
    ['application/json', ')]}\',\n{"name":"Eve"}'],
  ])('of type %s are read as JSON: %s', async (type, body) => {
    const { person, server } = withPerson();

    const done = person.fetch();
    server.at(0).respond(new Response(body, { headers: { 'content-type': type } }));
    await done;

    expect(person.name.value).toBe('Eve');
  });

  it.each([[''], ['  \n']])('that are ok and hold nothing (%o) are a success without data', async (body) => {
    const parse = vi.fn<Parse>((response) => response);
    const { person, server } = withPerson({ config: { parse } });

    const done = person.fetch();
    server.at(0).respond(new Response(body));

    expect({ status: (await done).status, data: person.get(), parsed: parse.mock.calls }).toStrictEqual({
      status: 200,
      data: { id: 7, name: 'Ann', address: { city: 'Bonn' } },
      parsed: [],
    });
  });

  it.each([['text/html'], ['application/json']])(
    'of type %s to a read that are not JSON reject with PARSE',
    async (type) => {
      const { person, server } = withPerson();

      const done = person.fetch();
      const response = new Response('<html>', { headers: { 'content-type': type } });
      server.at(0).respond(response);

      await expect(done).rejects.toMatchObject({
        name: 'RequestError',
        code: 'PARSE',
        action: 'read',
        response,
      });
      expect(person.isReading.value).toBe(false);
    },
  );

  it('to a write that are not JSON and do not claim to be are a success without data', async () => {
    const { person, server } = withPerson();
    person.name.next('Bo');

    const done = person.save();
    server.at(0).respond(new Response('OK', { headers: { 'content-type': 'text/plain' } }));

    expect({ status: (await done).status, isDirty: person.isDirty$.value }).toStrictEqual({
      status: 200,
      isDirty: false,
    });
  });

  it('to a write that claim to be JSON and are not reject with PARSE', async () => {
    const { person, server } = withPerson();

    const done = person.save();
    server.at(0).respond(new Response('{', { headers: { 'content-type': 'application/json' } }));

    await expect(done).rejects.toMatchObject({ code: 'PARSE', action: 'update' });
  });

  it('are not parsed with writeResponse false', async () => {
    const parse = vi.fn<Parse>((response) => response);
    const { person, server } = withPerson({ config: { parse } });

    const done = person.save({ writeResponse: false });
    server.at(0).respond(new Response('{', { headers: { 'content-type': 'application/json' } }));

    expect({ status: (await done).status, parsed: parse.mock.calls }).toStrictEqual({
      status: 200,
      parsed: [],
    });
  });

  it('pass through parse, which gets the data and the action, with the record as this', () => {
    const parse = vi.fn<Parse>((response) => (response as { data: unknown }).data);
    const { person, server } = withPerson({ config: { parse }, values: { id: undefined } });

    watch(person.save$());
    server.at(0).ok({ data: { id: 7 } });
    watch(person.save$());
    server.at(1).ok({ data: { name: 'Bo' } });
    watch(person.fetch$());
    server.at(2).ok({ data: { name: 'Eve' } });

    expect({ calls: parse.mock.calls, data: person.get() }).toStrictEqual({
      calls: [
        [{ data: { id: 7 } }, 'create'],
        [{ data: { name: 'Bo' } }, 'update'],
        [{ data: { name: 'Eve' } }, 'read'],
      ],
      data: { id: 7, name: 'Eve', address: { city: 'Bonn' } },
    });
    expect(parse.mock.contexts.every((context) => context === person)).toBe(true);
  });

  it('wait for a promise that parse returns', async () => {
    const { person, server } = withPerson({ config: { parse: () => Promise.resolve({ name: 'Eve' }) } });

    const done = person.fetch();
    server.at(0).ok({});
    await done;

    expect(person.name.value).toBe('Eve');
  });

  it('reject with what parse throws, and write nothing', () => {
    const failure = new Error('parse');
    const { person, server } = withPerson({ config: { parse: () => raise(failure) } });
    const fetched = watch(person.fetch$());

    server.at(0).ok({ name: 'Eve' });

    expect([fetched.error, person.error$.value]).toStrictEqual([failure, failure]);
    expect({ name: person.name.value, isReading: person.isReading.value }).toStrictEqual({
      name: 'Ann',
      isReading: false,
    });
  });

  it('reject with what the promise of parse rejects with', async () => {
    const failure = new Error('parse');
    const { person, server } = withPerson({ config: { parse: () => Promise.reject(failure) } });

    const done = person.fetch();
    server.at(0).ok({});

    await expect(done).rejects.toBe(failure);
  });

  it('cannot pollute a prototype', () => {
    const { person, server } = withPerson();

    watch(person.fetch$());
    server
      .at(0)
      .ok(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"name":"Eve"}'));

    expect({ name: person.name.value, polluted: Reflect.get({}, 'polluted') as unknown }).toStrictEqual({
      name: 'Eve',
      polluted: undefined,
    });
  });

  it('give no inherited data to a field', () => {
    const { root, person } = withPerson();
    root.sync = () => Object.create({ name: 'inherited' }) as unknown;

    watch(person.fetch$());

    expect(person.name.value).toBe('Ann');
  });

  it('that hide data behind __proto__ give none of it to a field', () => {
    const { person, server } = withPerson();

    watch(person.fetch$());
    server.at(0).ok(JSON.parse('{"__proto__":{"name":"hidden"},"address":{"__proto__":{"city":"hidden"}}}'));

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });
});

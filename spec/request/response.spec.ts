import { setImmediate } from 'node:timers/promises';

import { concatMap, from, map, of, tap } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { LibOptions, Parse, RequestError, Sync } from 'rivulet';

import { raise } from '../hostile';
import { withPerson } from '../person';
import type { PersonSetup } from '../person';
import { polluted } from '../polluted';
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

  it.each(['fetch', 'a sync'])('of %s have no data but their own, whatever all objects inherit', (sender) => {
    const { root, person } = withPerson();
    const answer = { ok: true, status: 200, text: () => '{"name":"Eve"}' };
    root.options = {};
    vi.stubGlobal('fetch', () => answer);
    if (sender === 'a sync') person.sync = () => answer;

    polluted({ body: { name: 'foreign' } }, () => watch(person.fetch$()));

    expect(person.name.value).toBe('Eve');
  });

  it.each<[string, object]>([
    ['clone', { text: () => Promise.resolve('{"name":"Eve"}') }],
    ['clone and text', { json: () => Promise.resolve({ name: 'Eve' }) }],
    ['a promise of their text', { text: () => '{"name":"Eve"}' }],
    ['a promise of their data', { json: () => ({ name: 'Eve' }) }],
  ])('may be stand-ins for a Response that lack %s', async (_name, standIn) => {
    const { root, person } = withPerson();
    const answer = { ok: true, status: 200, ...standIn };
    root.sync = () => answer;

    const response: object = await person.fetch();

    expect([response === answer, person.name.value]).toStrictEqual([true, 'Eve']);
  });

  it.each<[string, object, LibOptions]>([
    ['a refusal', { ok: false, status: 503 }, {}],
    ['an acceptance', { ok: true, status: 200 }, {}],
    [
      'an acceptance that has passed an interceptor',
      { ok: true, status: 200 },
      { interceptors: [(request, next) => next(request)] },
    ],
    [
      'a refusal by an interceptor',
      { ok: false, status: 503 },
      { interceptors: [(request) => of({ request, response: { ok: false, status: 503 } as Response })] },
    ],
  ])('may come from a stand-in for fetch that has no body to read: %s', async (_name, answer, options) => {
    vi.stubGlobal('fetch', () => Promise.resolve(answer));
    const { person } = withPerson({ options: { transport: undefined, ...options } });
    person.name.next('Bo');

    const { ok, status } = await person.save();

    expect({ ok, status }).toStrictEqual(answer);
    expect([person.isDirty$.value, person.error$.value?.name]).toStrictEqual([
      !ok,
      ok ? undefined : 'RequestError',
    ]);
  });

  it('to a read bring no data if they are such a stand-in', async () => {
    vi.stubGlobal('fetch', () => Promise.resolve({ ok: true, status: 200 }));
    const { person } = withPerson({ options: { transport: undefined } });
    const before = person.get();

    const { status } = await person.fetch();

    expect([status, person.get(), person.error$.value]).toStrictEqual([200, before, null]);
  });

  it('may come from a stand-in for fetch that returns no promises', async () => {
    vi.stubGlobal('fetch', () => ({ ok: true, status: 200, json: () => [{ name: 'Eve' }] }));
    const people = createLib().collection<{ name: string }>({ url: '/people' });

    await people.fetch();

    expect(people.value).toStrictEqual([{ name: 'Eve' }]);
  });

  it.each(['fetch', 'save', 'destroy'] as const)('to a %s are copied once, to be read', async (method) => {
    const { person, server } = withPerson();
    const response = Response.json({ name: 'Eve' });
    const clone = vi.spyOn(response, 'clone');

    const done = person[method]();
    server.at(0).respond(response);
    await done;

    expect(clone).toHaveBeenCalledTimes(1);
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

  it('keep what looks like a JSON guard inside a string', async () => {
    const { person, server } = withPerson();

    const done = person.fetch();
    server.at(0).respond(Response.json({ name: ")]}'," }));
    await done;

    expect(person.name.value).toBe(")]}',");
  });

  it.each([[''], ['  \n']])('that are ok and blank (%o) are a success without data', async (body) => {
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

  it.each<[type: string, answer: object]>([
    ['another type', new Response('OK', { headers: { 'content-type': 'text/plain' } })],
    ['no type', new Response(new TextEncoder().encode('OK'))],
    [
      'a type with JSON in a parameter',
      new Response('OK', { headers: { 'content-type': 'text/plain; name=a/json' } }),
    ],
    [
      'a type of many JSON values',
      new Response('{}{}', { headers: { 'content-type': 'application/x-ndjson' } }),
    ],
    ['no usable headers, as stand-ins', { ok: true, status: 200, headers: {}, text: () => 'OK' }],
    ['no headers, as stand-ins', { ok: true, status: 200, text: () => Promise.resolve('OK') }],
  ])('to a write that are not JSON, with %s, are a success without data', async (_type, answer) => {
    const { root, person } = withPerson();
    root.sync = () => answer;
    person.name.next('Bo');

    const { status } = await person.save();

    expect([status, person.name.value, person.isDirty$.value]).toStrictEqual([200, 'Bo', false]);
  });

  it.each([
    ['application/json'],
    ['application/json ; charset=utf-8'],
    ['Application/Problem+JSON; charset=utf-8'],
  ])('to a write that falsely claim to be JSON reject with PARSE: %s', async (type) => {
    const { person, server } = withPerson();

    const done = person.save();
    server.at(0).respond(new Response('{', { headers: { 'content-type': type } }));

    await expect(done).rejects.toMatchObject({ code: 'PARSE', action: 'update' });
  });

  it.each<[string, Response | undefined]>([
    ['decoded here', Response.json({ name: 'Bo' })],
    ['decoded by the transport', undefined],
  ])('%s whose data an interceptor drops are a success without data', async (_, response) => {
    const { person, server } = withPerson({
      options: {
        interceptors: [
          (request, next) => next(request).pipe(map((exchange) => ({ ...exchange, body: undefined }))),
        ],
      },
    });

    const done = person.fetch();
    if (response) server.at(0).respond(response);
    else server.at(0).ok({ name: 'Bo' });

    expect([(await done).status, person.name.value]).toStrictEqual([200, 'Ann']);
  });

  it('are read each time the transport emits them, even for one request', async () => {
    const response = Response.json({ name: 'Bo' });
    const { person } = withPerson({
      options: {
        transport: (request) => of({ request, response, body: undefined }),
        interceptors: [(request, next) => next(request).pipe(concatMap(() => next(request)))],
      },
    });

    await person.fetch();

    expect(person.name.value).toBe('Bo');
  });

  it('are read even if they name no request, or one that is no object', async () => {
    const { root, person } = withPerson();
    const named: unknown[] = [];
    for (const [request, name] of [
      [undefined, 'Bo'],
      ['GET /person/7', 'Cy'],
    ]) {
      root.sync = () => ({ request, response: Response.json({ name }), body: undefined });
      await person.fetch();
      named.push(person.name.value);
    }

    expect(named).toStrictEqual(['Bo', 'Cy']);
  });

  it('are read once if their data is not to be written', async () => {
    const { person, server } = withPerson();
    const response = Response.json({ name: 'Bo' });
    const clone = vi.spyOn(response, 'clone');

    const done = person.save({ writeResponse: false });
    server.at(0).respond(response);
    await done;

    expect(clone).toHaveBeenCalledOnce();
  });

  it('that an interceptor has read, and returns without data, are a success without data', async () => {
    const { person } = withPerson({
      options: {
        interceptors: [
          (request) => {
            const response = Response.json({ name: 'Bo' });
            return from(response.text()).pipe(map(() => ({ request, response, body: undefined })));
          },
        ],
      },
    });

    const { status } = await person.fetch();

    expect([status, person.name.value]).toStrictEqual([200, 'Ann']);
  });

  it.each<[string, (response: Response) => PersonSetup & { readonly sync?: Sync }]>([
    [
      'a transport',
      (response) => ({ options: { transport: (request) => of({ request, response, body: undefined }) } }),
    ],
    ['a sync', (response) => ({ sync: () => response })],
  ])('that %s has already read fail, their data being unknown', async (_, by) => {
    const response = Response.json({ id: 8 });
    await response.text();
    const { sync, ...setup } = by(response);
    const { person } = withPerson({ ...setup, values: { id: undefined } });
    if (sync) person.sync = sync;

    const error = await person.save({ rollback: 'error' }).catch((reason: unknown) => reason as RequestError);

    expect(error).toMatchObject({
      code: 'PARSE',
      message: expect.stringMatching(/^create: the answer 200 to .+ was already read/) as string,
    });
    // `toMatchObject` would accept any other response.
    expect((error as RequestError).response).toBe(response);
    expect(person.name.value).toBe('Ann');
  });

  it('that somebody else is reading fail like those already read', async () => {
    const { person, server } = withPerson();
    const response = Response.json({ name: 'Eve' });
    response.body?.getReader();
    const done = person.fetch();
    server.at(0).respond(response);

    await expect(done).rejects.toMatchObject({ code: 'PARSE' });
  });

  it('of a transport that decodes them are not passed on with writeResponse false', () => {
    const bodies: unknown[] = [];
    const { person, server } = withPerson({
      options: {
        interceptors: [(request, next) => next(request).pipe(tap(({ body }) => bodies.push(body)))],
      },
    });

    watch(person.save$({ writeResponse: false }));
    server.at(0).ok({ name: 'Eve' });

    expect(bodies).toStrictEqual([undefined]);
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

  it('pass through parse, which receives data and action, with the record as this', () => {
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

  it('to a destroy whose body breaks off are a success, and nothing is reported', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    // RxJS reports unhandled errors with it.
    const later = vi.spyOn(globalThis, 'setTimeout');
    const { person, server } = withPerson();
    const destroyed = watch(person.destroy$());

    server.at(0).respond(new Response(new ReadableStream({ pull: () => raise(new Error('cut')) })));
    await setImmediate();
    process.off('unhandledRejection', unhandled);
    const reports = later.mock.calls;
    later.mockRestore();

    expect([destroyed.isComplete, unhandled.mock.calls, reports]).toStrictEqual([true, [], []]);
  });

  it('wait for any thenable that parse returns, even if its then returns nothing', async () => {
    const thenable = (data: unknown) => ({
      then: (resolve: (value: unknown) => void) => {
        queueMicrotask(() => {
          resolve(data);
        });
      },
    });
    const { person, server } = withPerson({ config: { parse: thenable } });

    const done = person.save();
    server.at(0).ok({ name: 'Eve' });
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

  it('set no field to inherited data', () => {
    const { root, person } = withPerson();
    root.sync = () => Object.create({ name: 'inherited' }) as unknown;

    watch(person.fetch$());

    expect(person.name.value).toBe('Ann');
  });

  it('set no field to data hidden behind __proto__', () => {
    const { person, server } = withPerson();

    watch(person.fetch$());
    server.at(0).ok(JSON.parse('{"__proto__":{"name":"hidden"},"address":{"__proto__":{"city":"hidden"}}}'));

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });
});

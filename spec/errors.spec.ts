import { setImmediate } from 'node:timers/promises';

import { EMPTY, identity, map, of, throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { RequestError, createLib } from 'rivulet';
import type {
  Collection,
  CollectionConfig,
  DataModelConfig,
  Interceptor,
  LibOptions,
  RequestOptions,
  Sync,
  Transport,
  WireRequest,
} from 'rivulet';

import { raise, throwing } from './hostile';
import { ann, withPeople } from './people';
import type { Item } from './people';
import { withPerson } from './person';
import { valuesOf, watch } from './watch';

describe('failures of a record', () => {
  const failure = new Error('callback');

  const causes: [string, DataModelConfig, LibOptions, RequestOptions | undefined][] = [
    ['no url', { url: undefined }, {}, undefined],
    ['a url callback that throws', { url: () => raise(failure) }, {}, undefined],
    [
      'a url object callback that throws',
      {
        url: {
          create: () => raise(failure),
          read: () => raise(failure),
          update: () => raise(failure),
          delete: () => raise(failure),
        },
      },
      {},
      undefined,
    ],
    ['a fetchOptions callback that throws', { fetchOptions: () => raise(failure) }, {}, undefined],
    ['a global fetchOptions callback that throws', {}, { fetchOptions: () => raise(failure) }, undefined],
    ['fetchOptions that are not an object', { fetchOptions: 'text' as never }, {}, undefined],
    ['a requestLull callback that throws', { requestLull: () => raise(failure) }, {}, undefined],
    ['a bad timeout', {}, {}, { timeout: -1 }],
    ['a header that cannot be sent', {}, {}, { headers: { 'a b': 'c' } }],
    ['a transport that throws', {}, { transport: () => raise(failure) }, undefined],
    ['a transport that fails', {}, { transport: () => throwError(() => failure) }, undefined],
    ['an interceptor that throws', {}, { interceptors: [() => raise(failure)] }, undefined],
    ['an option that throws when read', {}, {}, throwing()],
  ];

  for (const method of ['save', 'fetch', 'destroy'] as const) {
    it.each(causes)(
      `of ${method} are rejections, never thrown: %s`,
      async (_name, config, options, request) => {
        const { person, server } = withPerson({ config, options });
        let done: Promise<Response> | undefined;

        expect(() => {
          done = person[method](request);
        }).not.toThrow();
        await expect(done).rejects.toBeInstanceOf(Error);
        expect([server.sent, person.requestInProgress$.value]).toStrictEqual([[], false]);
      },
    );
  }

  it.each<[string, DataModelConfig, LibOptions]>([
    ['a url callback', { url: () => raise(failure) }, {}],
    ['a fetchOptions callback', { fetchOptions: () => raise(failure) }, {}],
    ['a transport', {}, { transport: () => raise(failure) }],
    ['an interceptor', {}, { interceptors: [() => raise(failure)] }],
  ])('thrown by %s are passed on as they are', async (_name, config, options) => {
    const { person } = withPerson({ config, options });

    await expect(person.save()).rejects.toBe(failure);

    expect(person.error$.value).toBe(failure);
  });

  it.each([[null], ['text'], [5], [true]])('do not result from %o as options', (options) => {
    const { person, server } = withPerson();

    watch(person.fetch$(options as never));

    expect(server.lines).toStrictEqual(['GET /person/7']);
  });

  it('that the caller handles cause no unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { person, server } = withPerson({
      config: { parse: (response) => (response === 'bad' ? raise(failure) : response) },
    });
    const controller = new AbortController();

    const all = [
      person.fetch(),
      person.fetch(),
      person.fetch({ signal: controller.signal }),
      person.save(),
      person.destroy(),
    ];
    const ends = Promise.allSettled(all);
    server.at(0).fail(failure);
    server.at(1).ok('bad');
    controller.abort();
    server.at(3).refuse(500);
    person.dispose();
    await ends;
    await setImmediate();
    process.off('unhandledRejection', unhandled);

    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('failures of a collection', () => {
  const failure = new Error('callback');

  const causes: [string, CollectionConfig<Item>, LibOptions][] = [
    ['no url', { url: undefined }, {}],
    ['a url callback that throws', { url: () => raise(failure) }, {}],
    ['a fetchOptions callback that throws', { fetchOptions: () => raise(failure) }, {}],
    ['a requestLull callback that throws', { requestLull: () => raise(failure) }, {}],
    ['a transport that throws', {}, { transport: () => raise(failure) }],
    ['a transport that fails', {}, { transport: () => throwError(() => failure) }],
    ['an interceptor that throws', {}, { interceptors: [() => raise(failure)] }],
  ];

  for (const method of ['fetch', 'create'] as const) {
    it.each(causes)(`of ${method} are rejections, never thrown: %s`, async (_name, config, options) => {
      const { people, server } = withPeople({ config, options });
      let done: Promise<Response> | undefined;

      expect(() => {
        done = method === 'fetch' ? people.fetch() : people.create(ann);
      }).not.toThrow();
      await expect(done).rejects.toBeInstanceOf(Error);
      expect([server.sent, people.requestInProgress$.value, people.value]).toStrictEqual([[], false, []]);
    });
  }

  it('that the caller handles cause no unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { people, server } = withPeople();
    const controller = new AbortController();

    const ends = Promise.allSettled([
      people.fetch(),
      people.fetch(),
      people.fetch({ signal: controller.signal }),
      people.create(ann),
    ]);
    server.at(0).fail(failure);
    server.at(1).ok({ not: 'a list' });
    controller.abort();
    people.dispose();
    await ends;
    await setImmediate();
    process.off('unhandledRejection', unhandled);

    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('RequestError', () => {
  const failed = (config: DataModelConfig, id?: unknown) =>
    watch(withPerson({ config, values: { id } }).person.destroy$()).error as RequestError;

  it('is an Error with a name, a code and the action', () => {
    const error = failed({});

    expect([error instanceof Error, error instanceof RequestError]).toStrictEqual([true, true]);
    expect(error).toMatchObject({ name: 'RequestError', code: 'NO_ID', action: 'delete' });
    expect(String(error)).toMatch(/^RequestError: delete: /);
  });

  const asynchronous = (() => Promise.resolve('/person')) as never;
  const disposed = () => {
    const { person } = withPerson();
    person.dispose();
    return person;
  };

  it.each<[code: string, message: string, fail: () => Promise<Response>]>([
    [
      'NO_URL',
      'delete: no url: set "url", or return one for this action',
      () => withPerson({ config: { url: { read: '/x' } } }).person.destroy(),
    ],
    [
      'NO_ID',
      'read: "key", the idAttribute, has no value: map it, or save a new record',
      () => withPerson({ config: { idAttribute: 'key' } }).person.fetch(),
    ],
    [
      'BAD_ID',
      'update: the id has no form in a url: use text or a number, but not "." or ".."',
      () => withPerson({ values: { id: '..' } }).person.save(),
    ],
    [
      'BAD_OPTION',
      'read: the url needs "team", where no field is mapped',
      () => withPerson({ config: { url: '/of/:team' } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: the url needs "name", which has no value that it can hold',
      () => withPerson({ config: { url: '/of/:name' }, values: { name: '' } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: "url" must be text, not of type number',
      () => withPerson({ config: { url: 5 as never } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: "url" must be a value, or a callback that returns one, not a promise',
      () => withPerson({ config: { url: asynchronous } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: "fetchOptions" must be an object',
      () => withPerson({ config: { fetchOptions: 'no-store' as never } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: "fetchOptions" must be a value, or a callback that returns one, not a promise',
      () => withPerson({ config: { fetchOptions: Promise.resolve({}) as never } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'update: "parse" must be a function',
      () => withPerson({ config: { parse: false as never } }).person.save(),
    ],
    [
      'BAD_OPTION',
      'update: "rollback" must be "error", "abort" or "both"',
      () => withPerson().person.save({ rollback: true as never }),
    ],
    ['BAD_OPTION', 'update: "method" must be text', () => withPerson().person.save({ method: 5 as never })],
    [
      'BAD_OPTION',
      'read: "signal" must be an AbortSignal',
      () => withPerson().person.fetch({ signal: {} as never }),
    ],
    [
      'BAD_OPTION',
      'read: "signal" must be an AbortSignal',
      () => withPerson({ config: { fetchOptions: { signal: 'x' as never } } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: "signal" must be an AbortSignal',
      () => answeredBy(() => [], { fetchOptions: {} }).fetch({ signal: new AbortController() as never }),
    ],
    [
      'BAD_OPTION',
      'read: the transport or an interceptor must pass on { ...request } with "url" and "method" as text',
      () => withPerson({ options: { interceptors: [(_, next) => next({} as never)] } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: "timeout" must be a whole number of ms, 1 to 2147483647, not 0',
      () => withPerson({ config: { timeout: 0 } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: "timeout" must be a whole number of ms, 1 to 2147483647, not 5',
      () => withPerson().person.fetch({ timeout: '5' as never }),
    ],
    [
      'BAD_OPTION',
      'read: "timeout" must be a whole number of ms, 1 to 2147483647, not Symbol(5)',
      () => withPerson().person.fetch({ timeout: Symbol('5') as never }),
    ],
    [
      'BAD_OPTION',
      'read: "interceptors" must be a list',
      () => withPerson({ options: { interceptors: identity as never } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: the transport or an interceptor ended without an answer',
      () => withPerson({ options: { transport: () => EMPTY } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: "around" ended without an answer',
      () => withPerson({ options: { around: () => EMPTY } }).person.fetch(),
    ],
    [
      'BAD_OPTION',
      'read: "parse" ended without data',
      () => answeredBy(() => ({ name: 'Ann' }), { parse: () => EMPTY }).fetch(),
    ],
    [
      'SERIALIZE',
      'update: the data cannot be written as JSON: see "cause"',
      () => withPerson().person.save({ attrs: 1n }),
    ],
    [
      'SERIALIZE',
      'update: the data cannot be written as JSON: see "cause"',
      () => withPerson().person.save({ attrs: Promise.resolve({ name: 'Bo' }) }),
    ],
    [
      'PARSE',
      'read: the answer 200 to sync is not JSON',
      () => answeredBy(() => new Response('<p>')).fetch(),
    ],
    [
      'PARSE',
      'read: the answer 200 to GET /items is not JSON',
      () => {
        const request = { method: 'GET', url: new URL('http://host/items'), headers: new Headers() };
        return answeredBy(() => ({ request, response: new Response('<p>') })).fetch();
      },
    ],
    [
      'PARSE',
      'read: the answer 200 to GET /person/7 is not JSON',
      () => {
        const interceptor: Interceptor = (request) =>
          of({ request, response: new Response('<p>'), body: undefined });
        return withPerson({ options: { interceptors: [interceptor] } }).person.fetch();
      },
    ],
    [
      'SHAPE',
      'read: the answer to sync is not a list: return one from "parse"',
      () => answeredBy(() => ({ items: [] })).fetch(),
    ],
    [
      'SHAPE',
      'read: the answer to GET /people is not a list: return one from "parse"',
      () => {
        const interceptor: Interceptor = (request) =>
          of({ request, response: Response.json({ items: [] }), body: undefined });
        return createLib({ interceptors: [interceptor] })
          .collection({ url: '/people?page=1' })
          .fetch();
      },
    ],
    ['DISPOSED', 'read: ended by dispose(), or made after it', () => disposed().fetch()],
  ])('of code %s says: %s', async (code, message, fail) => {
    await expect(fail()).rejects.toMatchObject({ name: 'RequestError', code, message });
  });

  it('of an unusable signal is shown in error$, and nothing is sent', async () => {
    const { server, person } = withPerson();
    await person.save({ signal: {} as never }).catch(() => undefined);

    expect([person.error$.value, server.sent]).toMatchObject([{ code: 'BAD_OPTION' }, []]);
    expect(person.isSaving$.value).toBe(false);
  });

  it.each<[string, object]>([
    [
      'an async interceptor',
      { interceptors: [(_: unknown, next: () => unknown) => Promise.resolve(next())] },
    ],
    ['a transport that emits a response', { transport: () => of(new Response('{}')) }],
    ['a transport that emits undefined', { transport: () => of(undefined) }],
    [
      'a transport whose response is not a Response',
      { transport: (request: unknown) => of({ request, response: { status: 500, data: {} } }) },
    ],
    [
      'an interceptor that does not pass on the exchange',
      {
        transport: (request: unknown) => of({ request, response: new Response(null, { status: 500 }) }),
        interceptors: [
          (request: unknown, next: Transport) => next(request as WireRequest).pipe(map(() => 0)),
        ],
      },
    ],
  ])('of code BAD_OPTION says what %s should return', async (_, options) => {
    const { person } = withPerson({ options });

    await expect(person.destroy()).rejects.toMatchObject({
      code: 'BAD_OPTION',
      message:
        'delete: the transport or an interceptor must return an Observable of one { request, response, body }',
    });
    expect(person.id.value).toBe(7);
  });

  it.each<[string, object]>([
    ['is async', { around: (request$: unknown) => Promise.resolve(request$) }],
    [
      'passes nothing on',
      { around: (request$: Observable<Response>) => request$.pipe(map(() => undefined)) },
    ],
  ])('of code BAD_OPTION says that an "around" that %s ended without an answer', async (_, options) => {
    const { person, server } = withPerson({ options });
    const saved = person.save();
    server.held[0]?.ok();

    await expect(saved).rejects.toMatchObject({
      code: 'BAD_OPTION',
      message: 'update: "around" ended without an answer',
    });
    expect(person.error$.value).toMatchObject({ code: 'BAD_OPTION' });
  });

  const noError = 'an object that is no Error';
  it.each([
    ...[undefined, null, 0, 'text', Symbol('s')].map((reason) => [reason, String(reason)] as const),
    [{ a: 1 }, noError],
    [[], noError],
    [Object.create(null) as unknown, noError],
  ] as const)('for a thrown value without a message, %o, says so in error$, once', async (reason, words) => {
    const { person } = withPerson({ options: { around: (request$) => request$.pipe() } });
    person.sync = () => raise(reason);
    const errors = valuesOf(person.error$);

    await expect(person.save()).rejects.toBe(reason);

    expect(errors).toMatchObject([null, { message: `update: failed with ${words}`, cause: reason }]);
  });

  it.each<[string, object]>([
    ['transport', { transport: 5 }],
    ['interceptor', { interceptors: [null] }],
    ['around', { around: 'text' }],
  ])("for an option that must be a function is the platform's, and names it: %s", async (name, options) => {
    const { person } = withPerson({ options });

    await expect(person.fetch()).rejects.toMatchObject({
      name: 'TypeError',
      message: `${name} is not a function`,
    });
  });

  it('for a string that two requests fail with names the last one', async () => {
    const { person } = withPerson();
    person.sync = () => raise('offline');

    await expect(person.fetch()).rejects.toBe('offline');
    await expect(person.save()).rejects.toBe('offline');

    expect(person.error$.value?.message).toBe('update: failed with offline');
  });

  /** A collection whose requests are answered immediately. */
  function answeredBy(sync: Sync, config: CollectionConfig<Item> = {}): Collection<Item> {
    const { root, people } = withPeople({ config });
    root.sync = sync;
    return people;
  }

  it('reveals neither query nor fragment of the url, nor headers or bodies', async () => {
    const { person, server } = withPerson({
      config: {
        url: '/person/:id?token=secret#secret',
        fetchOptions: { headers: { authorization: 'secret' } },
      },
    });
    const done = person.fetch();

    server.at(0).respond(new Response('secret', { headers: { 'set-cookie': 'secret' } }));

    await expect(done).rejects.toMatchObject({
      message: 'read: the answer 200 to GET /person/7 is not JSON',
    });
  });

  it.each([
    ['http://me:secret@a.test/person', '/person/7'],
    ['s3://me:secret@a.test/person', '/person/7'],
    ['//me:secret@a.test/person', '/person/7'],
    ['/all//person', '/all//person/7'],
  ])('omits the host, which may contain a password: %s', async (url, path) => {
    const { person, server } = withPerson({ config: { url } });
    const done = person.fetch();

    server.at(0).respond(new Response('<p>'));

    await expect(done).rejects.toMatchObject({
      message: `read: the answer 200 to GET ${path} is not JSON`,
    });
  });

  it('carries the response, which logging and JSON do not show', () => {
    const { person, server } = withPerson();
    const { responses } = watch(person.save$());

    server.at(0).refuse(500, { secret: true });

    const error = person.error$.value as RequestError;
    expect(error.response).toBe(responses[0]);
    expect(Object.keys(error)).not.toContain('response');
    expect(JSON.parse(JSON.stringify(error))).toStrictEqual({
      name: 'RequestError',
      code: 'HTTP',
      action: 'update',
    });
  });

  it('has no response if there was none', () => {
    expect(failed({}).response).toBeUndefined();
  });

  it('keeps its cause', () => {
    const cause = new Error('toJSON');
    const { root, person } = withPerson();
    root.observable({ toJSON: () => raise(cause) }).map('value', person);

    const { error } = watch(person.save$());

    expect((error as RequestError).cause).toBe(cause);
    expect(error).toMatchObject({ code: 'SERIALIZE', action: 'update' });
  });

  it('for an answer that is not JSON keeps the SyntaxError', async () => {
    const { person, server } = withPerson();
    const done = person.fetch();

    server.at(0).respond(new Response('<html>'));

    await expect(done).rejects.toMatchObject({ code: 'PARSE', cause: expect.any(SyntaxError) as unknown });
  });

  it('has no cause if there was none', () => {
    expect('cause' in failed({})).toBe(false);
  });

  it.each([['opaque'], ['opaqueredirect']])('for an answer that the browser hides says so: %s', (type) => {
    const { root, person } = withPerson();
    root.sync = () => ({ ok: false, status: 0, statusText: '', type, text: () => Promise.resolve('') });

    watch(person.save$());

    expect(person.error$.value?.message).toBe(`update: the answer is hidden (${type})`);
  });

  it.each([
    [409, 'Conflict', 'update: the server answered 409 Conflict to PUT /person/7'],
    [409, '', 'update: the server answered 409 to PUT /person/7'],
  ])('for a refusal states its status and the request: %s %s', (status, statusText, message) => {
    const url = 'https://me:secret@example.org/person?token=secret#secret';
    const { person, server } = withPerson({ config: { url } });
    watch(person.save$());

    server.at(0).respond(new Response(null, { status, statusText }));

    expect(person.error$.value?.message).toBe(message);
  });

  it('for a refusal by a sync that sends nothing states its status', () => {
    const { root, person } = withPerson();
    const response = new Response(null, { status: 409 });

    for (const answer of [response, { response }, { response, request: {} }]) {
      root.sync = () => answer;
      watch(person.save$());
      expect(person.error$.value?.message).toBe('update: the server answered 409');
    }
  });
});

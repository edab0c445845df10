import { setImmediate } from 'node:timers/promises';

import { of, retry } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { FetchOptions, FetchOptionsSource, LibOptions, RequestOptions, Transport } from 'rivulet';

import { polluted } from '../hostile';
import { withPeople } from '../people';
import { Person, withPerson } from '../person';
import { watch } from '../watch';

describe('options of a record', () => {
  it('merge headers of all levels by name, whatever their case and form', () => {
    const { person, server } = withPerson({
      options: { fetchOptions: { headers: { Authorization: 'global', 'X-A': 'global' } } },
      config: { fetchOptions: { headers: new Headers({ 'x-a': 'record', 'x-b': 'record' }) } },
    });

    watch(person.fetch$({ headers: [['X-B', 'request']] }));

    expect([...server.at(0).request.headers]).toStrictEqual([
      ['authorization', 'global'],
      ['x-a', 'record'],
      ['x-b', 'request'],
    ]);
  });

  it('that are undefined do not override', () => {
    const { person, server } = withPerson({
      options: { fetchOptions: { credentials: 'include', headers: { 'x-a': 'global' } } },
      config: { fetchOptions: { credentials: undefined } },
    });

    watch(person.save$({ method: undefined, credentials: undefined, headers: { 'x-a': undefined } }));

    const { method, credentials, headers } = server.at(0).request;
    expect({ method, credentials, header: headers.get('x-a') }).toStrictEqual({
      method: 'PUT',
      credentials: 'include',
      header: 'global',
    });
  });

  it('accept null for the signal, as fetch does, which keeps signals of other levels', () => {
    const controller = new AbortController();
    const { person, server } = withPerson({
      options: { fetchOptions: { signal: controller.signal } },
      config: { fetchOptions: { signal: null } },
    });
    const fetched = watch(person.fetch$({ signal: null }));
    const lines = server.lines;

    controller.abort('enough');

    expect([lines, fetched.error]).toStrictEqual([['GET /person/7'], 'enough']);
  });

  it('stay unchanged, and may be frozen', () => {
    const fetchOptions = Object.freeze({ headers: Object.freeze({ 'x-a': '1' }) });
    const { person, server } = withPerson({ options: { fetchOptions }, config: { fetchOptions } });

    const { error } = watch(person.save$(fetchOptions));

    expect({ error, fetchOptions, count: server.sent.length }).toStrictEqual({
      error: undefined,
      fetchOptions: { headers: { 'x-a': '1' } },
      count: 1,
    });
  });

  it("do not leave our content type in a caller's headers", () => {
    const headers = new Headers({ 'x-a': '1' });
    const { person } = withPerson({ options: { fetchOptions: { headers } } });

    watch(person.save$());

    expect([...headers]).toStrictEqual([['x-a', '1']]);
  });

  it('of our own do not reach the transport', () => {
    const { person, server } = withPerson();

    watch(
      person.save$({
        writeResponse: true,
        attrs: {},
        patch: false,
        timeout: 5,
        keepEdits: true,
        rollback: 'both',
        // Meant for the configuration, and given here by mistake.
        ...{ parse: () => undefined, requestLull: 5 },
        cache: 'reload',
      }),
    );

    expect(Object.keys(server.at(0).request).sort()).toStrictEqual([
      'body',
      'cache',
      'headers',
      'method',
      'signal',
      'url',
    ]);
  });

  it('are read as own properties', () => {
    const { person, server } = withPerson();

    watch(person.save$(Object.create({ method: 'DELETE', attrs: { a: 1 } }) as RequestOptions));

    expect(server.sent).toStrictEqual([
      { method: 'PUT', url: '/person/7', body: { id: 7, name: 'Ann', address: { city: 'Bonn' } } },
    ]);
  });

  it.each<[what: string, given: object]>([
    ['an event', Object.assign(new Event('submit'), { cache: 'reload' })],
    ['a plain object that is an event', { preventDefault: () => undefined, cache: 'reload' }],
  ])('are empty if %s is given instead', (_what, given) => {
    const { person, server } = withPerson();

    watch(person.fetch$(given));

    expect(server.at(0).request.cache).toBeUndefined();
  });

  it('accept a method in any case', () => {
    const { person, server } = withPerson();

    watch(person.save$({ method: 'patch' }));

    expect(server.lines).toStrictEqual(['PATCH /person/7']);
  });

  it.each(['GET', 'HEAD'])('with the method %s send no body', (method) => {
    const { person, server } = withPerson();

    watch(person.save$({ method }));

    expect({ sent: server.sent, type: server.at(0).request.headers.get('content-type') }).toStrictEqual({
      sent: [{ method, url: '/person/7', body: undefined }],
      type: null,
    });
  });

  it.each(['FORGET', 'HEADING'])('with the similar method %s send a body', (method) => {
    const { person, server } = withPerson();

    watch(person.save$({ method }));

    expect(server.sent).toStrictEqual([
      { method, url: '/person/7', body: { id: 7, name: 'Ann', address: { city: 'Bonn' } } },
    ]);
  });

  it('accept a body that is sent unchanged, without a content type of ours', () => {
    const { person, server } = withPerson();
    const body = new FormData();

    watch(person.save$({ body }));

    const { request } = server.at(0);
    expect({ isSame: request.body === body, type: request.headers.get('content-type') }).toStrictEqual({
      isSame: true,
      type: null,
    });
  });

  it("callback receives the action, the record and exactly the caller's options, with the record as this", () => {
    const fetchOptions = vi.fn<Exclude<FetchOptionsSource, FetchOptions>>(() => undefined);
    const { person } = withPerson({ config: { fetchOptions } });
    const options = { cache: 'no-store', writeResponse: false } as const;

    watch(person.save$(options));

    const [[action, concern, given] = []] = fetchOptions.mock.calls;
    expect({ action, given }).toStrictEqual({ action: 'update', given: options });
    expect([concern === person, fetchOptions.mock.contexts[0] === person]).toStrictEqual([true, true]);
  });

  it('callbacks are called once per subscription, and anew for a retry', () => {
    const fetchOptions = vi.fn(() => ({}));
    const { person, server } = withPerson({ config: { fetchOptions } });

    watch(person.fetch$().pipe(retry(1)));
    server.at(0).fail(new Error('network'));

    expect([fetchOptions.mock.calls.length, server.lines]).toStrictEqual([
      2,
      ['GET /person/7', 'GET /person/7'],
    ]);
  });

  it('callback that returns a promise is refused with BAD_OPTION, its rejection not reported', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { person, server } = withPerson({
      config: { fetchOptions: (() => Promise.reject(new Error('unheard'))) as never },
    });

    const { error } = watch(person.fetch$());
    await setImmediate();
    process.off('unhandledRejection', unhandled);

    expect({ error, sent: server.sent }).toMatchObject({ error: { code: 'BAD_OPTION' }, sent: [] });
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('options of a collection', () => {
  it('of the call override those of the configuration, which override global ones', () => {
    const { people, server } = withPeople({
      options: { fetchOptions: { headers: { a: 'global', b: 'global', c: 'global' } } },
      config: { fetchOptions: { headers: { a: 'configuration', b: 'configuration' } } },
    });

    watch(people.fetch$({ headers: { a: 'call' } }));

    expect([...server.at(0).request.headers]).toStrictEqual([
      ['a', 'call'],
      ['b', 'configuration'],
      ['c', 'global'],
    ]);
  });

  it('callback receives the action, the collection and the options, with the collection as this', () => {
    const fetchOptions = vi.fn<Exclude<FetchOptionsSource, FetchOptions>>(() => undefined);
    const { people } = withPeople({ config: { fetchOptions } });
    const options = { cache: 'no-store' } as const;

    watch(people.fetch$(options));

    const [[action, concern, given] = []] = fetchOptions.mock.calls;
    expect({ action, given }).toStrictEqual({ action: 'read', given: options });
    expect([concern === people, fetchOptions.mock.contexts[0] === people]).toStrictEqual([true, true]);
  });
});

describe('a polluted Object.prototype', () => {
  const names = [
    'attrs',
    'patch',
    'writeResponse',
    'timeout',
    'keepEdits',
    'rollback',
    'signal',
    'headers',
    'method',
    'url',
    'parse',
    'fetchOptions',
    'requestLull',
    'idAttribute',
    'data',
    'transport',
    'interceptors',
    'scheduler',
    // These confuse `fetch` itself, so spec/integration/pollution.spec.ts cannot tell which effects are ours.
    ...['body', 'mode', 'referrer', 'window'],
  ];
  const values = { text: 'foreign', object: { a: 1 }, function: () => ({ a: 1 }) };
  const cases = names.flatMap((name) =>
    Object.entries(values).map(([kind, value]) => ({ name, kind, value })),
  );

  const lineOf = (url: string, init: RequestInit) => ({
    url,
    keys: Object.keys(init).sort(),
    method: init.method,
    headers: [...new Headers(init.headers)],
    body: Object.hasOwn(init, 'body') ? init.body : undefined,
  });

  /** Makes each kind of request once, and returns how each ended and the data afterwards. */
  const everyRequest = (options: LibOptions) => {
    const root = createLib(options);
    const requests: Observable<Response>[] = [];
    const people = Array.from({ length: 4 }, () => new Person(root, {}, {}));
    const [fresh, read, saved, patched] = people;
    fresh?.id.next(undefined);
    patched?.name.next('Bo');
    if (fresh) requests.push(fresh.save$());
    if (read) requests.push(read.fetch$());
    if (saved) requests.push(saved.save$(), saved.destroy$());
    if (patched) requests.push(patched.save$({ patch: true, rollback: 'both' }));
    const list = root.collection<unknown>({ url: '/people' });
    requests.push(list.fetch$(), list.create$({ name: 'Eve' }, { headers: { 'x-a': '1' } }));
    const ends = requests.map((request$) => {
      const { error, isComplete } = watch(request$);
      return { error, isComplete };
    });
    return {
      ends,
      records: people.map((person) => ({
        data: person.get(),
        isBusy: person.requestInProgress$.value,
        dirty: person.dirtyMap(),
      })),
      items: list.value,
    };
  };

  it.each(cases)('does not reach requests that are answered: $name, a $kind', ({ name, value }) => {
    const response = new Response();
    const run = () => {
      const sent: unknown[] = [];
      const transport: Transport = (request) => {
        const { url, ...init } = request;
        sent.push(lineOf(url, init));
        const isList = url === '/people' && request.method === 'GET';
        return of({ request, response, body: isList ? [{ id: 1 }] : { name: 'Eve' } });
      };
      return { ...everyRequest({ transport }), sent };
    };
    const expected = run();

    expect(polluted(name, value, run)).toStrictEqual(expected);
    expect(expected.sent).toHaveLength(7);
    expect(expected.ends.every(({ isComplete }) => isComplete)).toBe(true);
  });

  it.each(cases)("does not reach the platform's fetch: $name, a $kind", ({ name, value }) => {
    const run = () => {
      const sent: unknown[] = [];
      const { fetch } = globalThis;
      globalThis.fetch = (url, init = {}) => {
        sent.push(lineOf(url as string, init));
        return new Promise(() => undefined);
      };
      try {
        return { ...everyRequest({}), sent };
      } finally {
        globalThis.fetch = fetch;
      }
    };
    const expected = run();

    expect(polluted(name, value, run)).toStrictEqual(expected);
    expect(expected.sent).toHaveLength(6);
  });
});

describe('with a polluted Object.prototype', () => {
  it.each<[string, unknown, unknown]>([
    ['data', { name: 'Eve' }, 'Eve'],
    ['nothing', undefined, 'Ann'],
  ])('a replaced sync may return %s', (_name, answer, name) => {
    const root = createLib();
    root.sync = () => answer;
    const person = new Person(root, {}, {});

    const { error } = polluted('headers', 'x', () => watch(person.fetch$()));

    expect([error, person.name.value]).toStrictEqual([undefined, name]);
  });

  it('a record can be booted and configured', () => {
    expect(polluted('root', {}, () => polluted('config', {}, () => withPerson().person.get().name))).toBe(
      'Ann',
    );
  });
});

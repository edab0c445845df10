import {
  EMPTY,
  NEVER,
  Subject,
  VirtualTimeScheduler,
  catchError,
  delayWhen,
  firstValueFrom,
  from,
  map,
  of,
  raceWith,
  retry,
  take,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Interceptor, LibOptions, RequestOptions, Transport, WireRequest } from 'rivulet';

import { raise } from '../hostile';
import { Person, withPerson } from '../person';
import { watch } from '../watch';

describe('interceptors', () => {
  it.each<[string, (request: WireRequest) => unknown]>([
    ['a URL instead of a string', (request) => ({ ...request, url: new URL('http://api.test/person/7') })],
    ['a platform Request', ({ method }) => new Request('http://api.test/person/7', { method })],
    ['a request without a method', ({ url, headers }) => ({ url, headers })],
    ['nothing', () => undefined],
  ])('that pass on %s send nothing', (_, change) => {
    const { person, server } = withPerson({
      options: { interceptors: [(request, next) => next(change(request) as WireRequest)] },
    });

    const saved = watch(person.save$());

    expect(saved.error).toMatchObject({ code: 'BAD_OPTION', action: 'update' });
    expect([server.sent, person.requestInProgress$.value]).toStrictEqual([[], false]);
  });

  const header =
    (name: string): Interceptor =>
    (request, next) => {
      const headers = new Headers(request.headers);
      headers.set('x-way', [headers.get('x-way'), name].filter(Boolean).join());
      return next({ ...request, headers });
    };

  it('see the request in list order, the first outermost', () => {
    const { person, server } = withPerson({ options: { interceptors: [header('one'), header('two')] } });

    watch(person.fetch$());

    expect(server.at(0).request.headers.get('x-way')).toBe('one,two');
  });

  it('see the answer in reverse order', () => {
    const log: string[] = [];
    const logging =
      (name: string): Interceptor =>
      (request, next) =>
        next(request).pipe(tap(() => log.push(name)));
    const { person, server } = withPerson({ options: { interceptors: [logging('one'), logging('two')] } });
    watch(person.fetch$());

    server.at(0).ok();

    expect(log).toStrictEqual(['two', 'one']);
  });

  it('receive the action, the record, the clock and the root', () => {
    const contexts: unknown[] = [];
    const scheduler = new VirtualTimeScheduler();
    const { root, person } = withPerson({
      options: {
        scheduler,
        interceptors: [
          (request, next, context) => {
            contexts.push(context);
            return next(request);
          },
        ],
      },
    });

    watch(person.save$());

    const [context] = contexts as [object];
    expect(Object.entries(context)).toStrictEqual([
      ['action', 'update'],
      ['concern', person],
      ['scheduler', scheduler],
      ['root', root],
    ]);
  });

  it('may answer without sending', () => {
    const { person, server } = withPerson({
      options: {
        interceptors: [(request) => of({ request, response: Response.json({}), body: { name: 'cached' } })],
      },
    });

    watch(person.fetch$());

    expect([person.name.value, server.sent]).toStrictEqual(['cached', []]);
  });

  it('may change the decoded answer', () => {
    const { person, server } = withPerson({
      options: {
        interceptors: [
          (request, next) => next(request).pipe(map((given) => ({ ...given, body: { name: 'changed' } }))),
        ],
      },
    });
    watch(person.fetch$());

    server.at(0).ok({ name: 'Eve' });

    expect(person.name.value).toBe('changed');
  });

  it('may send again', () => {
    const { person, server } = withPerson({
      options: { interceptors: [(request, next) => next(request).pipe(retry(1))] },
    });
    const fetched = watch(person.fetch$());

    server.at(0).fail(new Error('network'));
    server.at(1).ok({ name: 'Eve' });

    expect({ name: person.name.value, lines: server.lines, error: fetched.error }).toStrictEqual({
      name: 'Eve',
      lines: ['GET /person/7', 'GET /person/7'],
      error: undefined,
    });
  });

  it('see the body of the answer decoded', async () => {
    const bodies: unknown[] = [];
    const { person, server } = withPerson({
      options: {
        interceptors: [(request, next) => next(request).pipe(tap(({ body }) => bodies.push(body)))],
      },
    });

    const done = person.fetch();
    server.at(0).respond(Response.json({ name: 'Eve' }));
    await done;

    expect(bodies).toStrictEqual([{ name: 'Eve' }]);
  });

  it('see decoded what an inner one left undecoded', async () => {
    const bodies: unknown[] = [];
    const { person, server } = withPerson({
      options: {
        interceptors: [
          (request, next) => next(request).pipe(tap(({ body }) => bodies.push(body))),
          (request, next) =>
            next(request).pipe(
              map(() => ({ request, response: Response.json({ name: 'Eve' }), body: undefined })),
            ),
        ],
      },
    });

    const done = person.fetch();
    server.at(0).ok({ data: { name: 'Eve' } });
    await done;

    expect(bodies).toStrictEqual([{ name: 'Eve' }]);
  });

  it('are read anew at each request', () => {
    const { root, person, server } = withPerson();
    watch(person.fetch$());

    root.options.interceptors = [header('late')];
    watch(person.fetch$());

    expect(server.held.map(({ request }) => request.headers.get('x-way'))).toStrictEqual([null, 'late']);
  });
});

/** Makes `fetch` wait until each call is aborted, or the last one is answered. */
function holding() {
  const signals: AbortSignal[] = [];
  let answer: (response: Response) => void = () => undefined;
  vi.spyOn(globalThis, 'fetch').mockImplementation((_, init) => {
    const { signal } = init as { signal: AbortSignal };
    signals.push(signal);
    return new Promise((resolve, reject) => {
      answer = resolve;
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
  });
  const last = (response: Response) => {
    answer(response);
  };
  return { signals, answer: last };
}

describe('the default transport', () => {
  const fetching = () => vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => undefined));
  const fetchedPerson = () => new Person(createLib(), {}, {});

  it("is the platform's fetch, looked up at each request", async () => {
    const person = fetchedPerson();
    const fetch$ = person.fetch$();
    fetching();
    watch(fetch$).subscription.unsubscribe();

    const late = vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ name: 'Eve' }));
    await person.fetch();

    expect(late.mock.calls.at(-1)?.[0]).toBe('/person/7');
    expect(person.name.value).toBe('Eve');
  });

  it('passes fetch the url and its options, and nothing else', () => {
    const fetch = fetching();

    watch(fetchedPerson().save$({ cache: 'no-store' }));

    const [[url, init = {}] = []] = fetch.mock.calls;
    const { signal, headers, ...rest } = init;
    expect({ url, rest, headers: [...new Headers(headers)] }).toStrictEqual({
      url: '/person/7',
      rest: {
        method: 'PUT',
        body: '{"id":7,"name":"Ann","address":{"city":"Bonn"}}',
        cache: 'no-store',
      },
      headers: [['content-type', 'application/json']],
    });
    expect(signal).toBeInstanceOf(AbortSignal);
  });

  it('passes fetch none of our own options, at any level', () => {
    const ours: RequestOptions = {
      attrs: {},
      keepEdits: true,
      patch: true,
      rollback: 'both',
      timeout: 1000,
      writeResponse: false,
    };
    const fetch = fetching();
    const root = createLib({ fetchOptions: { ...ours, mode: 'cors' } as object });
    const person = new Person(root, { fetchOptions: () => ({ ...ours, cache: 'reload' }) as object }, {});

    watch(person.save$({ ...ours, redirect: 'error' })).subscription.unsubscribe();

    expect(Object.keys(fetch.mock.calls[0]?.[1] ?? {}).sort()).toStrictEqual([
      'body',
      'cache',
      'headers',
      'method',
      'mode',
      'redirect',
      'signal',
    ]);
  });

  it('fetches anew for each subscription, so that an interceptor may send again', async () => {
    const fetch = vi
      .spyOn(globalThis, 'fetch')
      .mockRejectedValueOnce(new TypeError('network'))
      .mockResolvedValue(Response.json({ name: 'Eve' }));
    const root = createLib({ interceptors: [(request, next) => next(request).pipe(retry(1))] });
    const person = new Person(root, {}, {});

    await person.fetch();

    expect([fetch.mock.calls.length, person.name.value]).toStrictEqual([2, 'Eve']);
  });

  it('aborts its signal on unsubscribing', () => {
    const fetch = fetching();
    const fetched = watch(fetchedPerson().fetch$());
    const signal = fetch.mock.calls[0]?.[1]?.signal;
    const before = signal?.aborted;

    fetched.subscription.unsubscribe();

    expect([before, signal?.aborted]).toStrictEqual([false, true]);
  });

  it('aborts the signal of an attempt that an interceptor gives up, not that of the next', async () => {
    const { signals, answer } = holding();
    const late$ = new Subject<void>();
    const tooLate$ = late$.pipe(map(() => raise(new Error('late'))));
    const impatient: Interceptor = (request, next) => next(request).pipe(raceWith(tooLate$), retry(1));
    const person = new Person(createLib({ interceptors: [impatient] }), {}, {});
    const saved = person.save();

    late$.next();
    const isAborted = signals.map(({ aborted }) => aborted);
    answer(Response.json({ name: 'Eve' }));
    await saved;

    expect(isAborted).toStrictEqual([true, false]);
    // The answer is the caller's, and an abort would cut off its body.
    expect(signals[1]?.aborted).toBe(false);
  });

  it('aborts its signal on unsubscribing, even if an interceptor passes on none', () => {
    const { signals } = holding();
    const interceptors: Interceptor[] = [(request, next) => next({ ...request, signal: null as never })];
    const { subscription } = watch(new Person(createLib({ interceptors }), {}, {}).save$());

    subscription.unsubscribe();

    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true]);
  });

  it.each<[string, AbortSignal | undefined, boolean]>([
    ['aborts its signal on unsubscribing while an interceptor holds back an unread answer', undefined, true],
    ['does not abort a signal of the interceptor then', new AbortController().signal, false],
  ])('%s', async (_, signal, isAborted) => {
    const { signals, answer } = holding();
    const held$ = new Subject<void>();
    const arrived$ = new Subject<void>();
    const interceptors: Interceptor[] = [
      (request, next) =>
        next({ ...request, signal: signal ?? request.signal }).pipe(
          tap(() => {
            arrived$.next();
          }),
          delayWhen(() => held$),
        ),
    ];
    const { subscription } = watch(new Person(createLib({ interceptors }), {}, {}).save$());
    const arrived = firstValueFrom(arrived$);
    answer(new Response('no', { status: 503 }));
    await arrived;

    subscription.unsubscribe();

    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([isAborted]);
  });

  it('aborts the signal of a request that a sync around the default one gives up', async () => {
    const { signals } = holding();
    const root = createLib();
    const { sync } = root;
    const instead$ = new Subject<object>();
    root.sync = (...args) =>
      from(sync(...args) as Observable<unknown>).pipe(raceWith(instead$.pipe(take(1))));
    const saved = new Person(root, {}, {}).save();

    instead$.next({});
    await saved;

    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([true]);
  });

  it('passes on the request with the answer', async () => {
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ name: 'Eve' }));
    const seen: unknown[] = [];
    const interceptor: Interceptor = (request, next) =>
      next(request).pipe(tap((exchange) => seen.push([exchange.request.method, exchange.request.url])));
    const person = new Person(createLib({ interceptors: [interceptor] }), {}, {});

    await person.fetch();

    expect(seen).toStrictEqual([['GET', '/person/7']]);
  });

  it('aborts its signal with the signal that an interceptor passes on', async () => {
    const { signals } = holding();
    const controller = new AbortController();
    const interceptors: Interceptor[] = [(request, next) => next({ ...request, signal: controller.signal })];
    const saved = new Person(createLib({ interceptors }), {}, {}).save();

    controller.abort('enough');

    await expect(saved).rejects.toBe('enough');
    expect(signals).toMatchObject([{ aborted: true, reason: 'enough' }]);
  });

  it.each<[string, () => Promise<Response>]>([
    ['rejects', () => Promise.reject(new TypeError('network'))],
    ['throws', () => raise(new TypeError('network'))],
  ])('passes on the error that fetch %s with', async (_name, fetch) => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(fetch);

    await expect(fetchedPerson().fetch()).rejects.toThrow(new TypeError('network'));
  });
});

describe('a transport of the root', () => {
  it('receives one plain object that can be spread and changed', () => {
    const calls: [WireRequest, ...unknown[]][] = [];
    const transport: Transport = (...args) => {
      calls.push(args);
      return NEVER;
    };
    const { person } = withPerson({ options: { transport } });

    watch(person.fetch$({ cache: 'reload' }));

    const [[{ headers, signal, ...rest }, ...others] = raise(new Error('nothing sent'))] = calls;
    expect(others).toStrictEqual([]);
    expect(rest).toStrictEqual({ url: '/person/7', method: 'GET', cache: 'reload' });
    expect([headers instanceof Headers, signal instanceof AbortSignal]).toStrictEqual([true, true]);
  });

  it('is looked up anew for each request', () => {
    const { root, person, server } = withPerson();
    root.options.transport = undefined;
    const fetch = vi.spyOn(globalThis, 'fetch').mockImplementation(() => new Promise(() => undefined));
    watch(person.fetch$());

    root.options.transport = server.transport;
    watch(person.fetch$());

    expect([fetch.mock.calls.length, server.lines]).toStrictEqual([1, ['GET /person/7']]);
  });

  it('is reached through interceptors that are called when the stream that sync returns is subscribed', () => {
    const interceptor = vi.fn<Interceptor>((request, next) => next(request));
    const { root, person, server } = withPerson({ options: { interceptors: [interceptor] } });
    const { signal } = new AbortController();

    const sent$ = root.sync('read', person, { signal }) as Observable<unknown>;
    const before = interceptor.mock.calls.length;
    sent$.subscribe();

    expect([before, interceptor.mock.calls.length, server.lines]).toStrictEqual([0, 1, ['GET /person/7']]);
  });

  it('sends nothing before the stream that sync returns is subscribed', () => {
    const { root, person, server } = withPerson();
    const { signal } = new AbortController();

    const sent$ = root.sync('read', person, { signal }) as ReturnType<Transport>;
    const before = server.lines;
    sent$.subscribe();

    expect([before, server.lines]).toStrictEqual([[], ['GET /person/7']]);
  });
});

describe('the signal that an interceptor passes on', () => {
  it('ends the reading of the body', () => {
    const controller = new AbortController();
    const interceptor: Interceptor = (request, next) => next({ ...request, signal: controller.signal });
    const { person, server } = withPerson({ options: { interceptors: [interceptor] } });
    const fetched = watch(person.fetch$());
    server.at(0).respond(new Response(new ReadableStream()));
    const reason = new Error('enough');

    controller.abort(reason);

    expect([fetched.error, person.isReading$.value]).toStrictEqual([reason, false]);
  });
});

describe('a stream without an answer', () => {
  it.each<[string, LibOptions]>([
    ['the transport', { transport: () => EMPTY }],
    [
      'an interceptor that swallows a failure',
      {
        transport: () => throwError(() => new Error('network')),
        interceptors: [(request, next) => next(request).pipe(catchError(() => EMPTY))],
      },
    ],
  ])('of %s fails the request, and the edit stays dirty', (_name, options) => {
    const { person } = withPerson({ options });
    person.name.next('edit');

    const { error } = watch(person.save$());

    expect(error).toMatchObject({ code: 'BAD_OPTION', action: 'update' });
    expect([person.isDirty$.value, person.error$.value]).toStrictEqual([true, error]);
  });

  it('fails a read too, and the message names the cause', () => {
    const { person } = withPerson({ options: { transport: () => EMPTY } });

    const { error } = watch(person.fetch$());

    expect(error).toMatchObject({
      code: 'BAD_OPTION',
      action: 'read',
      message: expect.stringContaining('the transport or an interceptor ended without an answer') as string,
    });
  });
});

describe('a value that is no stream', () => {
  const given: readonly unknown[] = [undefined, null, 5, {}, [], 'text', Promise.resolve({})];
  it.each(
    given.flatMap((each): readonly [string, unknown, LibOptions][] => [
      ['an interceptor', each, { interceptors: [() => each as never] }],
      ['the transport', each, { transport: () => each as never }],
    ]),
  )('from %s (%o) fails the request with BAD_OPTION, also in error$', async (_name, _given, options) => {
    const { person } = withPerson({ options });

    const error = (await person.save().catch((reason: unknown) => reason)) as Error;

    expect(error).toMatchObject({ code: 'BAD_OPTION', action: 'update' });
    expect(error.message).toContain('the transport or an interceptor must return an Observable');
    expect([person.error$.value, person.isSaving$.value]).toStrictEqual([error, false]);
  });
});

describe('a request that an interceptor gives up', () => {
  it('is not sent even if it is passed on', () => {
    const stop$ = new Subject<void>();
    const { person, server } = withPerson({
      options: {
        interceptors: [
          (request, next) => {
            stop$.next();
            return next(request);
          },
        ],
      },
    });
    watch(person.save$().pipe(takeUntil(stop$)));
    expect([server.lines, person.requestInProgress$.value]).toStrictEqual([[], false]);
  });
});

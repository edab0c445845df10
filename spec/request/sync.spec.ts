import { setImmediate } from 'node:timers/promises';

import {
  EMPTY,
  NEVER,
  Subject,
  catchError,
  concat,
  defer,
  firstValueFrom,
  map,
  of,
  retry,
  switchMap,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import type { Exchange, Parse, Sync } from 'rivulet';

import { cycle, raise } from '../hostile';
import { ann, bo, eve as third, withPeople } from '../people';
import type { Item } from '../people';
import { Person, withPerson } from '../person';
import { polluted } from '../polluted';
import { marbles } from '../virtual-time';
import { watch } from '../watch';

describe('streams of a record', () => {
  it.each(['save$', 'fetch$', 'destroy$'] as const)('%s sends nothing before it is subscribed', (method) => {
    const { person, server } = withPerson();

    person[method]();

    expect([server.sent, person.requestInProgress$.value]).toStrictEqual([[], false]);
  });

  it.each(['save', 'fetch', 'destroy'] as const)('%s sends synchronously', (method) => {
    const { person, server } = withPerson();

    void person[method]();

    expect(server.sent).toHaveLength(1);
  });

  it('send anew for each subscription', () => {
    const { person, server } = withPerson();
    const fetch$ = person.fetch$();

    watch(fetch$);
    watch(fetch$);

    expect(server.lines).toStrictEqual(['GET /person/7', 'GET /person/7']);
  });

  it('subscribed again are ended by the disposal, whatever the first has received', () => {
    const { person, server } = withPerson();
    const fetch$ = person.fetch$();
    watch(fetch$);
    server.at(0).ok();
    const second = watch(fetch$);

    person.dispose();

    expect(second.error).toMatchObject({ code: 'DISPOSED' });
  });

  it('unsubscribed abort the request and write nothing', () => {
    const { person, server } = withPerson();
    const fetched = watch(person.fetch$());

    fetched.subscription.unsubscribe();
    server.at(0).ok({ name: 'Eve' });

    const { request, isClosed } = server.at(0);
    expect([request.signal.aborted, isClosed, person.name.value]).toStrictEqual([true, true, 'Ann']);
  });

  it('unsubscribed while the body arrives abort the request', async () => {
    const { person, server } = withPerson();
    const fetched = watch(person.fetch$());
    server.at(0).respond(new Response(new ReadableStream()));
    await setImmediate();

    fetched.subscription.unsubscribe();

    expect([server.at(0).request.signal.aborted, person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('unsubscribed on the response do not abort its body', async () => {
    const { person, server } = withPerson();

    const done = firstValueFrom(person.fetch$());
    server.at(0).respond(Response.json({ name: 'Eve' }));
    const response = await done;

    expect([server.at(0).request.signal.aborted, await response.json()]).toStrictEqual([
      false,
      { name: 'Eve' },
    ]);
  });

  it.each(['url', 'fetchOptions', 'requestLull'] as const)(
    'unsubscribed inside the %s callback leave no request open',
    (name) => {
      const stop$ = new Subject<void>();
      const callback = () => {
        stop$.next();
        return name === 'url' ? '/person' : undefined;
      };
      const { person, server } = withPerson({ config: { requestLull: 1000, [name]: callback } });

      const fetched = watch(person.fetch$().pipe(takeUntil(stop$)));

      expect({
        open: server.held.filter(({ request }) => !request.signal.aborted).length,
        count: fetched.responses.length,
        isReading: person.isReading$.value,
      }).toStrictEqual({ open: 0, count: 0, isReading: false });
    },
  );

  it('refused leave no error to a record that shows another id by then', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    person.set({ id: 8 });

    server.at(0).refuse(422);

    expect(person.error$.value).toBeNull();
  });

  it('unsubscribed inside sync leave no rejection of it unhandled', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const stop$ = new Subject<void>();
    const { root, person } = withPerson();
    root.sync = () => {
      stop$.next();
      return Promise.reject(new Error('unheard'));
    };

    const { error } = watch(person.fetch$().pipe(takeUntil(stop$)));
    await setImmediate();
    process.off('unhandledRejection', unhandled);

    expect([error, unhandled.mock.calls]).toStrictEqual([undefined, []]);
  });

  it('unsubscribed inside parse write nothing', () => {
    const stop$ = new Subject<void>();
    const parse: Parse = (response) => {
      stop$.next();
      return response;
    };
    const { person, server } = withPerson({ config: { parse } });
    const fetched = watch(person.fetch$().pipe(takeUntil(stop$)));

    server.at(0).ok({ name: 'Eve' });

    expect([person.name.value, fetched.responses.length, person.isReading$.value]).toStrictEqual([
      'Ann',
      0,
      false,
    ]);
  });

  it('unsubscribed write nothing even if a replaced sync ignores the signal', () => {
    const { root, person } = withPerson();
    const answer = new Subject<unknown>();
    root.sync = () => answer;
    const fetched = watch(person.fetch$());

    fetched.subscription.unsubscribe();
    answer.next({ name: 'Eve' });
    answer.complete();

    expect(person.name.value).toBe('Ann');
  });

  it('unsubscribed write nothing even if the promise of a replaced sync resolves', async () => {
    const { root, person } = withPerson();
    let resolve: (data: unknown) => void = raise;
    root.sync = () => new Promise((resolved) => (resolve = resolved));
    const fetched = watch(person.fetch$());

    fetched.subscription.unsubscribe();
    resolve({ name: 'Eve' });
    await setImmediate();

    expect(person.name.value).toBe('Ann');
  });
});

describe('streams of a collection', () => {
  it('fetch$ sends nothing before it is subscribed, and anew for each subscription', () => {
    const { people, server } = withPeople();
    const fetch$ = people.fetch$();
    const before = server.lines;

    watch(fetch$);
    watch(fetch$);

    expect([before, server.lines]).toStrictEqual([[], ['GET /people', 'GET /people']]);
  });

  it('callbacks are called anew for a retry', () => {
    const url = vi.fn(() => '/people');
    const { people, server } = withPeople({ config: { url } });
    watch(people.fetch$().pipe(retry(1)));

    server.at(0).fail(new Error('network'));

    expect([url.mock.calls.length, server.lines.length]).toStrictEqual([2, 2]);
  });

  it('unsubscribed abort the request and write nothing', () => {
    const { people, server } = withPeople();
    const fetched = watch(people.fetch$());

    fetched.subscription.unsubscribe();
    server.at(0).ok([ann]);

    expect([server.at(0).request.signal.aborted, people.value]).toStrictEqual([true, []]);
  });

  it('unsubscribed on the response leave its body readable', async () => {
    const { people, server } = withPeople();

    const done = firstValueFrom(people.fetch$());
    server.at(0).respond(Response.json([ann]));

    expect([await (await done).json(), server.at(0).request.signal.aborted]).toStrictEqual([[ann], false]);
  });
});

describe('an option that would fail only after the server has accepted', () => {
  it.each<[string, object, object]>([
    ['a parse that is no function', { parse: 'data' }, {}],
    ['a parse that is false', { parse: false }, {}],
    ['an unknown rollback', {}, { rollback: true }],
  ])('prevents sending: %s', (_, config, options) => {
    const { person, server } = withPerson({ config, values: { id: undefined } });

    const saved = watch(person.save$(options));

    expect(saved.error).toMatchObject({ code: 'BAD_OPTION', action: 'create' });
    expect([server.sent, person.requestInProgress$.value]).toStrictEqual([[], false]);
  });

  it('may be undefined', () => {
    const { person, server } = withPerson({ config: { parse: undefined } });

    watch(person.save$({ rollback: undefined }));

    expect(server.sent).toHaveLength(1);
  });
});

describe('under marbles', () => {
  const answered = (name: string): Exchange => ({
    request: undefined as never,
    response: Response.json({ name }),
    body: { name },
  });

  it('a read emits and completes in the frame of its answer, and the flag falls with it', () => {
    marbles(({ cold, expectObservable }, scheduler) => {
      const transport = () => cold('-----(a|)', { a: answered('Eve') });
      const { person } = withPerson({ options: { scheduler, transport } });

      expectObservable(person.isReading$).toBe('(ft)-f', { t: true, f: false });
      expectObservable(person.name).toBe('a----e', { a: 'Ann', e: 'Eve' });
      expectObservable(person.fetch$().pipe(map(({ status }) => status))).toBe('-----(r|)', { r: 200 });
    });
  });

  it('a search aborts the request that a newer one replaces', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }, scheduler) => {
      const answers = [cold('----(a|)', { a: answered('one') }), cold('----(a|)', { a: answered('two') })];
      const left = [...answers];
      const { person } = withPerson({ options: { scheduler, transport: () => left.shift() ?? NEVER } });
      const search$ = hot('-a-b|').pipe(switchMap(() => person.fetch$()));

      expectObservable(search$.pipe(map(() => person.name.value))).toBe('-------(n|)', { n: 'two' });
      expectSubscriptions(answers[0]?.subscriptions ?? []).toBe('-^-!');
      expectSubscriptions(answers[1]?.subscriptions ?? []).toBe('---^---!');
    });
  });

  it('a lull and a timeout run on the same clock', () => {
    marbles(({ cold, expectObservable }, scheduler) => {
      const { person } = withPerson({
        options: { scheduler, transport: () => cold('---') },
        config: { requestLull: 20, timeout: 10 },
      });
      const failed$ = defer(() => person.fetch$().pipe(map(() => 'answered')));

      expectObservable(person.isReading$).toBe('(ft) 16ms f', { t: true, f: false });
      expectObservable(failed$.pipe(tap({ error: () => undefined }), retry(0))).toBe(
        '10ms #',
        undefined,
        timeoutError,
      );
    });
  });

  const timeoutError = new DOMException('read took longer than 10 ms', 'TimeoutError');
});

describe('a replaced sync of a record', () => {
  const eve = { name: 'Eve' };

  const exchange = (): Exchange => ({
    request: { url: '/', method: 'GET', headers: new Headers(), signal: new AbortController().signal },
    response: Response.json({ raw: true }, { status: 201 }),
    body: eve,
  });

  const thenable = (data: unknown) => ({
    then: (resolve: (data: unknown) => void) => {
      resolve(data);
    },
  });

  async function* generated(data: unknown): AsyncGenerator {
    yield await Promise.resolve(data);
  }

  it('may return data that is not written if writeResponse is false', async () => {
    const { person } = withPerson();
    person.name.next('Ada');
    person.sync = () => eve;

    const response = await person.save({ writeResponse: false });

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Ada', false]);
    expect(await response.json()).toStrictEqual(eve);
  });

  it.each<[string, unknown]>([
    ['a bigint', 7n],
    ['a cycle', cycle()],
  ])('may return %s, which JSON cannot hold, for an accepted save', async (_, city) => {
    const { person } = withPerson();
    person.name.next('Eve');
    person.sync = () => ({ name: 'Eve', address: { city } });

    const response = await person.save({ rollback: 'error' });

    expect([person.name.value, person.city.value, person.isDirty$.value]).toStrictEqual(['Eve', city, false]);
    expect([response.status, await response.text()]).toStrictEqual([200, '']);
  });

  it.each<[string, () => unknown, { status: number; name: string; body: unknown }]>([
    ['a Response', () => Response.json(eve, { status: 201 }), { status: 201, name: 'Eve', body: eve }],
    [
      'a Response without a body',
      () => new Response(null, { status: 204 }),
      { status: 204, name: 'Ann', body: undefined },
    ],
    [
      'a refused Response',
      () => Response.json(eve, { status: 500 }),
      { status: 500, name: 'Ann', body: eve },
    ],
    ['an Exchange', exchange, { status: 201, name: 'Eve', body: { raw: true } }],
    [
      'an Exchange that was not decoded',
      () => ({ ...exchange(), response: Response.json(eve), body: undefined }),
      { status: 200, name: 'Eve', body: eve },
    ],
    ['data', () => eve, { status: 200, name: 'Eve', body: eve }],
    ['undefined', () => undefined, { status: 204, name: 'Ann', body: undefined }],
    ['null', () => null, { status: 200, name: 'Ann', body: null }],
    ['a string', () => 'Eve', { status: 200, name: 'Ann', body: 'Eve' }],
    ['a number', () => 5, { status: 200, name: 'Ann', body: 5 }],
    ['false', () => false, { status: 200, name: 'Ann', body: false }],
    ['an array', () => [eve], { status: 200, name: 'Ann', body: [eve] }],
    [
      'a promise of a Response',
      () => Promise.resolve(Response.json(eve)),
      { status: 200, name: 'Eve', body: eve },
    ],
    [
      'a promise of an Exchange',
      () => Promise.resolve(exchange()),
      { status: 201, name: 'Eve', body: { raw: true } },
    ],
    ['a promise of data', () => Promise.resolve(eve), { status: 200, name: 'Eve', body: eve }],
    [
      'a promise of undefined',
      () => Promise.resolve(undefined),
      { status: 204, name: 'Ann', body: undefined },
    ],
    ['a thenable', () => thenable(eve), { status: 200, name: 'Eve', body: eve }],
    ['an Observable', () => of(eve), { status: 200, name: 'Eve', body: eve }],
    ['an Observable of a Response', () => of(Response.json(eve)), { status: 200, name: 'Eve', body: eve }],
    ['an Observable of an Exchange', () => of(exchange()), { status: 201, name: 'Eve', body: { raw: true } }],
    [
      'an asynchronous Observable',
      () => defer(() => Promise.resolve(eve)),
      { status: 200, name: 'Eve', body: eve },
    ],
    ['an empty Observable', () => EMPTY, { status: 204, name: 'Ann', body: undefined }],
    [
      'a promise of an Observable, as from an async function around the default sync',
      () => Promise.resolve(of(exchange())),
      { status: 201, name: 'Eve', body: { raw: true } },
    ],
    [
      'an Observable that can be awaited, too',
      () => Object.assign(of(eve), thenable(bo)),
      { status: 200, name: 'Eve', body: eve },
    ],
    ['an async generator', () => generated(eve), { status: 200, name: 'Eve', body: eve }],
    [
      'an Observable of an Observable, as `from` of such a function',
      () => of(of(exchange())),
      { status: 201, name: 'Eve', body: { raw: true } },
    ],
  ])('may return %s', async (_name, answer, expected) => {
    const { root, person } = withPerson();
    root.sync = answer;

    const response = await person.fetch();

    const text = await response.text();
    expect({
      status: response.status,
      name: person.name.value,
      body: text ? (JSON.parse(text) as unknown) : undefined,
    }).toStrictEqual(expected);
  });

  it.each(['save', 'destroy'] as const)('that ends without an answer fails a %s', async (method) => {
    const { root, person } = withPerson();
    root.sync = () => throwError(() => new TypeError('offline')).pipe(catchError(() => EMPTY));
    person.name.next('Mine');

    await expect(person[method]()).rejects.toMatchObject({
      code: 'BAD_OPTION',
      message: expect.stringMatching(/: "sync" ended without an answer$/) as string,
    });

    expect([person.name.isDirty$.value, person.id.value]).toStrictEqual([true, 7]);
  });

  it.each<[what: string, data: object]>([
    ['ok', { ok: true, name: 'Eve' }],
    ['text()', { text: () => 'Eve', name: 'Eve' }],
    ['a response', { response: { ok: true }, name: 'Eve' }],
  ])('may return data that has %s, as a Response or an Exchange has', async (_what, data) => {
    const { root, person } = withPerson();
    root.sync = () => data;

    const { status } = await person.fetch();

    expect([status, person.name.value]).toStrictEqual([200, 'Eve']);
  });

  it('that returns a Response passes that very Response to the caller', async () => {
    const { root, person } = withPerson();
    const response = Response.json(eve);
    root.sync = () => response;

    expect(await person.fetch()).toBe(response);
  });

  it.each([[Symbol('key')], [Object.create(null) as object]])(
    'may use ids that no url can hold: %o',
    (id) => {
      const { root, person } = withPerson({ values: { id } });
      root.sync = () => eve;

      const { error } = watch(person.fetch$());

      expect([error, person.name.value]).toStrictEqual([undefined, 'Eve']);
    },
  );

  it('that answers a save several times leaves the record with the last answer, clean', () => {
    const { root, person } = withPerson();
    root.sync = () => of({ name: 'first' }, { name: 'last' });

    watch(person.save$());

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['last', false]);
  });

  it('that emits several values is answered with the last', async () => {
    const { root, person } = withPerson();
    root.sync = () => of({ name: 'first' }, { name: 'last' });
    const fetched = watch(person.fetch$());
    await setImmediate();

    expect({
      count: fetched.responses.length,
      name: person.name.value,
      isDirty: person.isDirty$.value,
    }).toStrictEqual({
      count: 1,
      name: 'last',
      isDirty: false,
    });
    expect(await fetched.responses[0]?.json()).toStrictEqual({ name: 'last' });
  });

  it.each<[string, (error: Error) => unknown]>([
    ['throws', (error) => raise(error)],
    ['rejects', (error) => Promise.reject(error)],
    ['fails', (error) => throwError(() => error)],
    [
      'fails after a value',
      (error) =>
        concat(
          of(eve),
          throwError(() => error),
        ),
    ],
  ])('that %s fails the request with the same error, and the flag falls', async (_name, answer) => {
    const { root, person } = withPerson();
    const failure = new Error('storage');
    root.sync = () => answer(failure);
    const watched = watch(person.fetch$());
    await vi.waitFor(() => {
      expect(person.isReading$.value).toBe(false);
    });

    expect([watched.error, person.error$.value]).toStrictEqual([failure, failure]);
    expect(watched.responses).toStrictEqual([]);
  });

  it('of one record is used for that record only', () => {
    const { root, person, server } = withPerson();
    const other = new Person(root, {}, { id: 8 });
    person.sync = () => eve;

    watch(person.fetch$());
    watch(other.fetch$());

    expect({ name: person.name.value, lines: server.lines }).toStrictEqual({
      name: 'Eve',
      lines: ['GET /person/8'],
    });
  });

  it('of lib.dataModel is used for records, that of lib for collections', () => {
    const { root, person } = withPerson();
    const log: string[] = [];
    root.sync = (action) => {
      log.push(`lib ${action}`);
      return [];
    };
    root.dataModel.sync = (action) => {
      log.push(`dataModel ${action}`);
    };

    watch(person.fetch$());
    watch(root.collection({ url: '/people' }).fetch$());

    expect(log).toStrictEqual(['dataModel read', 'lib read']);
  });

  it('is looked up at each request', () => {
    const { root, person, server } = withPerson();
    const fetch$ = person.fetch$();
    root.sync = () => eve;

    watch(fetch$);

    expect([person.name.value, server.sent]).toStrictEqual(['Eve', []]);
  });

  it('that has answered and not ended is aborted by unsubscribing', () => {
    const { root, person } = withPerson();
    const sync = vi.fn<Sync>(() => concat(of({ name: 'Eve' }), NEVER));
    root.sync = sync;
    const fetched = watch(person.fetch$());

    fetched.subscription.unsubscribe();

    const [[, , given] = []] = sync.mock.calls;
    expect([given?.signal.aborted, fetched.responses]).toStrictEqual([true, []]);
  });

  it("receives a copy of the caller's options with the signal of the request", () => {
    const { root, person } = withPerson();
    const sync = vi.fn<Sync>(() => NEVER);
    root.sync = sync;
    const options = Object.freeze({ cache: 'no-store' as const });
    const fetched = watch(person.fetch$(options));
    const [[action, concern, given] = []] = sync.mock.calls;
    const wasAborted = given?.signal.aborted;

    fetched.subscription.unsubscribe();

    expect({
      action,
      isPerson: concern === person,
      given,
      wasAborted,
      isAborted: given?.signal.aborted,
    }).toStrictEqual({
      action: 'read',
      isPerson: true,
      given: { cache: 'no-store', signal: given?.signal },
      wasAborted: false,
      isAborted: true,
    });
  });

  it('may call the default one with other options', () => {
    const { root, person, server } = withPerson();
    const send = root.sync;
    root.sync = (action, concern, options) => send(action, concern, { ...options, headers: { 'x-a': '1' } });

    watch(person.fetch$());
    server.at(0).ok(eve);

    expect([server.at(0).request.headers.get('x-a'), person.name.value]).toStrictEqual(['1', 'Eve']);
  });

  it('may send part of the data: an edit that this omits stays', () => {
    const { root, person, server } = withPerson();
    const send = root.sync;
    root.sync = (action, concern, options) =>
      send(action, concern, { ...options, attrs: { address: { city: 'Bonn' } } });
    person.name.next('Bea');

    watch(person.save$());
    server.at(0).ok({ id: 7, name: 'Ann', address: { city: 'Bonn' } });

    expect([person.name.value, person.name.isDirty$.value]).toStrictEqual(['Bea', true]);
  });

  it('may call the default one after waiting, and a refusal stays one', async () => {
    const { root, person, server } = withPerson();
    const send = root.sync;
    root.sync = async (action, concern, options) => {
      await setImmediate();
      return send(action, concern, options);
    };
    person.name.next('Bea');
    const saved = person.save();
    await vi.waitFor(() => {
      server.at(0).refuse(503);
    });

    const { status } = await saved;

    expect([status, person.isDirty$.value]).toStrictEqual([503, true]);
  });

  it('is subject to overtaking and to parse like the default one', () => {
    const { root, person } = withPerson({
      config: { parse: (response) => ({ name: `parsed ${(response as typeof eve).name}` }) },
    });
    const answers: Subject<unknown>[] = [];
    root.sync = () => {
      const answer = new Subject<unknown>();
      answers.push(answer);
      return answer.asObservable();
    };
    watch(person.fetch$());
    watch(person.fetch$());

    for (const [place, name] of [
      [1, 'newer'],
      [0, 'older'],
    ] as const) {
      answers[place]?.next({ name });
      answers[place]?.complete();
    }

    expect(person.name.value).toBe('parsed newer');
  });
});

describe('a replaced sync of a collection', () => {
  it('of lib performs the requests of a collection: it receives action, collection and options', () => {
    const { root, people, server } = withPeople();
    const sync = vi.fn<Sync>(() => [ann]);
    root.sync = sync;

    watch(people.fetch$({ cache: 'no-store' }));

    const [[action, concern, options] = []] = sync.mock.calls;
    expect({
      action,
      options,
      isPeople: concern === people,
      items: people.value,
      sent: server.sent,
    }).toStrictEqual({
      action: 'read',
      options: { cache: 'no-store', signal: options?.signal },
      isPeople: true,
      items: [ann],
      sent: [],
    });
    expect(options?.signal).toBeInstanceOf(AbortSignal);
  });

  it.each<[string, unknown, unknown]>([
    ['without an id at first', { name: 'Eve' }, third],
    ['without data at first', undefined, third],
    ['with an id of its own at first', { id: 'new', name: 'Eve' }, third],
    ['with more at last', third, { ...third, tags: {} }],
  ])('may answer a create twice, which adds one item, as answered last: %s', (_, first, last) => {
    const { root, people } = withPeople({ config: { data: [ann] } });
    root.sync = () => of(first, last);
    watch(people.create$({ name: 'Eve' }));
    expect(people.value).toStrictEqual([ann, last]);

    const draft = { name: 'Eve' };
    people.replace([draft, ann]);
    watch(people.record(draft).save$());
    expect(people.value).toStrictEqual([last, ann]);
    expect(people.record(3).isDirty$.value).toBe(false);
  });

  it('may answer what nobody decodes, if nothing of that is to be written', async () => {
    const { person } = withPerson();
    const answered = new Response('{', { headers: { 'content-type': 'application/json' } });
    person.sync = () => of(answered);

    const response = await person.save({ writeResponse: false });

    expect(await response.text()).toBe('{');
  });

  it('that refuses first and then answers after all leaves no error', () => {
    const { people } = withPeople();
    people.sync = () => of(new Response(null, { status: 504 }), [ann]);
    watch(people.fetch$());
    expect([people.value, people.error$.value]).toStrictEqual([[ann], null]);
  });

  it('of lib.dataModel is not used for collections', () => {
    const { root, people, server } = withPeople();
    root.dataModel.sync = () => [bo];

    watch(people.fetch$());

    expect(server.lines).toStrictEqual(['GET /people']);
  });

  it('of one collection is used for that collection only', () => {
    const { root, people, server } = withPeople();
    const others = root.collection<Item>({ url: '/others' });
    people.sync = () => [ann];

    watch(people.fetch$());
    watch(others.fetch$());

    expect([people.value, server.lines]).toStrictEqual([[ann], ['GET /others']]);
  });

  it('by default is that of lib, also when called by hand', () => {
    const { root, people } = withPeople();
    const sync = vi.fn<Sync>(() => 'result');
    root.sync = sync;
    const options = { signal: new AbortController().signal };

    const result = people.sync('read', people, options);

    expect([result, sync.mock.calls]).toStrictEqual(['result', [['read', people, options]]]);
  });

  it.each<[string, () => unknown]>([
    ['a list', () => [ann]],
    ['a Response', () => Response.json([ann])],
    ['a promise of a list', () => Promise.resolve([ann])],
    ['an Observable of a list', () => of([ann])],
    ['an Observable of a Response', () => of(Response.json([ann]))],
  ])('may return %s', async (_name, answer) => {
    const { root, people } = withPeople();
    root.sync = answer;

    const response = await people.fetch();

    expect([response.ok, people.value]).toStrictEqual([true, [ann]]);
  });

  it('that returns undefined keeps the items', async () => {
    const { root, people } = withPeople({ config: { data: [ann] } });
    root.sync = () => undefined;

    const response = await people.fetch();

    expect([response.status, people.value]).toStrictEqual([204, [ann]]);
  });

  it('that returns an iterable other than an array fails with SHAPE', async () => {
    const { root, people } = withPeople();
    root.sync = () => new Set([ann]);

    await expect(people.fetch()).rejects.toMatchObject({ code: 'SHAPE' });
  });

  it.each<[string, (error: Error) => unknown]>([
    ['throws', (error) => raise(error)],
    ['rejects', (error) => Promise.reject(error)],
    ['fails', (error) => throwError(() => error)],
  ])('that %s fails the request with the same error, and the flag falls', async (_name, answer) => {
    const { root, people } = withPeople();
    const failure = new Error('storage');
    root.sync = () => answer(failure);

    await expect(people.fetch()).rejects.toBe(failure);

    expect(people.isReading$.value).toBe(false);
  });

  it('that ignores the signal writes nothing after unsubscribing', () => {
    const { root, people } = withPeople();
    const answer = new Subject<unknown>();
    root.sync = () => answer;

    watch(people.fetch$()).subscription.unsubscribe();
    answer.next([ann]);

    expect(people.value).toStrictEqual([]);
  });
});

describe('a request unsubscribed while it is being made', () => {
  it.each(['sync', 'requestLull'] as const)('is not sent: in %s', (by) => {
    const stop$ = new Subject<void>();
    let asked = 0;
    const giveUp = () => {
      stop$.next();
      return 0;
    };
    const { person, root } = withPerson({ config: by === 'requestLull' ? { requestLull: giveUp } : {} });
    root.sync = () => {
      if (by === 'sync') giveUp();
      return defer(() => {
        asked += 1;
        return of({ id: 7 });
      });
    };
    watch(person.save$().pipe(takeUntil(stop$)));
    expect([asked, person.requestInProgress$.value]).toStrictEqual([0, false]);
  });

  it('does not continue a transport stream that is just beginning', () => {
    const stop$ = new Subject<void>();
    const rest = vi.fn(() => NEVER);
    const beginning$ = defer(() => {
      stop$.next();
      return EMPTY;
    });
    const { person } = withPerson({ options: { transport: () => concat(beginning$, defer(rest)) } });

    watch(person.save$().pipe(takeUntil(stop$)));

    expect(rest).not.toHaveBeenCalled();
    expect(person.requestInProgress$.value).toBe(false);
  });
});

describe('a parse that fails with an error that happens to have data', () => {
  const failing = (error: object) => () => raise(Object.assign(new Error('refused'), error));

  it.each([
    ['created', { created: { id: 5, name: 'X' } }],
    ['another key', { id: 5 }],
  ])('leaves a new record as it is: %s', (_, error) => {
    const { person, server } = withPerson({ values: { id: undefined }, config: { parse: failing(error) } });
    person.set({ id: undefined }, { unset: true });
    person.name.next('Typed');
    watch(person.save$());
    server.at(0).ok({ id: 7, name: 'Bo' });

    expect([person.name.value, person.isDirty$.value, person.isNew$.value]).toStrictEqual([
      'Typed',
      true,
      true,
    ]);
  });

  it('adds nothing to a list, even if it is the refusal of a schema', () => {
    const refusal = { [Symbol.for('rivulet.created')]: { id: 5 } };
    const { people, server } = withPeople({ config: { parse: failing(refusal) } });
    watch(people.create$({ name: 'Bo' }));
    server.at(0).ok({ id: 7, name: 'Bo' });

    expect(people.value).toStrictEqual([]);
  });

  it('changes nothing by an update, even if it is the refusal of a schema', () => {
    const refusal = { [Symbol.for('rivulet.created')]: { id: 5 } };
    const { person, server } = withPerson({ config: { parse: failing(refusal) } });
    person.name.next('Typed');
    watch(person.save$());
    server.at(0).ok({ id: 7, name: 'Bo' });

    expect([person.id.value, person.isDirty$.value]).toStrictEqual([7, true]);
  });
});

it.each([{ addEventListener: () => undefined }, { whenWritten: 'text' }, { begun: 'text' }])(
  'a request is not disturbed by a polluted prototype: %o',
  (properties) => {
    const { person, server } = withPerson();
    polluted(properties, () => {
      const watched = watch(person.fetch$());
      server.at(0).ok({ id: 7, name: 'Bo' });

      expect([watched.error, person.name.value]).toStrictEqual([undefined, 'Bo']);
    });
  },
);

import { Subject, catchError, of, retry, switchMap } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import type { Action, Concern, Sync } from 'rivulet';

import { cycle, raise } from '../hostile';
import { withPeople } from '../people';
import { Person, withPerson } from '../person';
import type { PersonSetup } from '../person';
import { watch } from '../watch';

describe('a save', () => {
  it('with attrs sends those instead of the data, and keeps other edits dirty', () => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    person.city.next('Ulm');
    watch(person.save$({ attrs: { name: 'Bo', extra: 1 } }));

    server.at(0).ok();

    expect({ sent: server.sent, dirty: person.dirtyMap() }).toStrictEqual({
      sent: [{ method: 'PUT', url: '/person/7', body: { name: 'Bo', extra: 1 } }],
      dirty: { id: false, name: false, 'address.city': true },
    });
  });

  it.each([[null], [0], [''], [false], [[1]]])('with attrs %o sends just that', (attrs) => {
    const { person, server } = withPerson();

    watch(person.save$({ attrs }));

    expect(server.sent).toStrictEqual([{ method: 'PUT', url: '/person/7', body: attrs }]);
  });

  it('with patch sends only dirty fields with PATCH', () => {
    const { person, server } = withPerson();
    person.city.next('Ulm');

    watch(person.save$({ patch: true }));

    expect(server.sent).toStrictEqual([
      { method: 'PATCH', url: '/person/7', body: { address: { city: 'Ulm' } } },
    ]);
  });

  it('with patch sends PATCH whatever method the url names, unless the call names another', () => {
    const { person, server } = withPerson({ config: { url: 'POST /person' } });

    watch(person.save$({ patch: true }));
    server.at(0).ok();
    watch(person.save$({ patch: true, method: 'PUT' }));

    expect(server.lines).toStrictEqual(['PATCH /person/7', 'PUT /person/7']);
  });

  it.each<[string, PersonSetup]>([
    ['the configuration', { config: { fetchOptions: { method: 'PUT' } } }],
    ['the root', { options: { fetchOptions: () => ({ method: 'PUT' }) } }],
  ])('with patch sends PATCH whatever method %s names', (_where, setup) => {
    const { person, server } = withPerson(setup);

    watch(person.save$({ patch: true }));

    expect(server.lines).toStrictEqual(['PATCH /person/7']);
  });

  it('with patch posts a new record whole', () => {
    const { person, server } = withPerson({ values: { id: undefined } });
    person.name.next('Bo');

    watch(person.save$({ patch: true }));

    expect(server.sent).toStrictEqual([
      { method: 'POST', url: '/person', body: { name: 'Bo', address: { city: 'Bonn' } } },
    ]);
  });

  it.each<[string, unknown]>([
    ['a BigInt', 1n],
    ['a cycle', cycle()],
    ['a toJSON that throws', { toJSON: () => raise(new Error('toJSON')) }],
  ])('of %s fails with SERIALIZE, and nothing is sent', (_name, value) => {
    const { root, person, server } = withPerson();
    root.observable(value).map('value', person);

    const { error } = watch(person.save$());

    expect({ error, sent: server.sent }).toMatchObject({
      error: { code: 'SERIALIZE', action: 'update' },
      sent: [],
    });
    expect((error as Error).cause).toBeInstanceOf(Error);
  });
});

describe('a value that JSON omits', () => {
  it.each<[string, unknown]>([
    ['a symbol', Symbol('s')],
    ['a function', () => 1],
    ['a toJSON that returns nothing', { toJSON: () => undefined }],
  ])('is refused as attrs with SERIALIZE, and not sent: %s', (_name, attrs) => {
    const { person, server } = withPerson();

    const { error } = watch(person.save$({ attrs }));

    expect([error, server.sent]).toMatchObject([{ code: 'SERIALIZE', action: 'update' }, []]);
  });

  it.each<[string, unknown, string]>([
    ['a symbol', Symbol('s'), 'JSON has no form for it'],
    ['a promise', Promise.resolve({ name: 'Bob' }), 'it is a promise: await it first'],
  ])('says what is wrong: %s', (_name, attrs, reason) => {
    const { person, server } = withPerson();

    const { error } = watch(person.save$({ attrs }));

    expect([error, (error as Error).cause, server.sent]).toMatchObject([
      { code: 'SERIALIZE' },
      { name: 'TypeError', message: reason },
      [],
    ]);
  });

  it('is refused as an item, and not added', () => {
    const { people, server } = withPeople();

    const { error } = watch(people.create$(undefined as never));

    expect([error, server.sent, people.value]).toMatchObject([{ code: 'SERIALIZE' }, [], []]);
  });
});

describe('the default sync', () => {
  const { signal } = new AbortController();

  it.each<[string, (sync: Sync, person: Person) => unknown]>([
    ['an action it does not know', (sync, person) => sync('list' as Action, person, { signal })],
    ['an object that is no record', (sync) => sync('read', {} as Concern, { signal })],
  ])('fails with BAD_OPTION for %s, and nothing is sent', (_name, call) => {
    const { root, person, server } = withPerson();

    const failed = watch(call(root.sync, person) as Observable<never>);

    expect(failed.error).toMatchObject({
      code: 'BAD_OPTION',
      message: expect.stringMatching(
        /^\w+: sync takes an action and a record or collection of this copy of rivulet$/,
      ) as string,
    });
    expect(server.sent).toStrictEqual([]);
  });

  it('emits an error if the request cannot be made, as if the network fails', () => {
    const { root, person } = withPerson({ config: { url: undefined } });
    const send = root.sync;
    root.sync = (...args) =>
      (send(...args) as Observable<unknown>).pipe(catchError(() => of({ name: 'from a store' })));

    watch(person.fetch$());

    expect([person.name.value, person.error$.value]).toStrictEqual(['from a store', null]);
  });

  it('sends the data of a record when it is called by hand', () => {
    const { root, person, server } = withPerson();

    watch(root.sync('update', person, { signal }) as Observable<never>);

    expect(server.sent).toStrictEqual([
      { method: 'PUT', url: '/person/7', body: { id: 7, name: 'Ann', address: { city: 'Bonn' } } },
    ]);
  });

  it('calls callbacks once for a request that cannot be made', () => {
    const url = vi.fn(() => raise(new Error('no url')));
    const { person } = withPerson({ config: { url } });

    watch(person.fetch$());

    expect(url).toHaveBeenCalledTimes(1);
  });

  it.each<[string, unknown, (person: Person) => Observable<Response>, unknown, string[]]>([
    [
      'sends no read for a record that shows another id by then',
      7,
      (person) => person.fetch$(),
      'BAD_ID',
      [],
    ],
    ['sends no save for a record that shows another id by then', 7, (person) => person.save$(), 'BAD_ID', []],
    [
      'creates a record that shows an id by then',
      undefined,
      (person) => person.save$(),
      undefined,
      ['POST /person'],
    ],
  ])('called late %s', (_, id, request$, code, lines) => {
    const { root, person, server } = withPerson({ values: { id } });
    const late$ = new Subject<void>();
    const send = root.sync;
    root.sync = (...args) => late$.pipe(switchMap(() => send(...args) as Observable<unknown>));
    const watched = watch(request$(person));

    person.id.next(8);
    late$.next();

    expect([(watched.error as { code?: unknown } | undefined)?.code, server.lines]).toStrictEqual([
      code,
      lines,
    ]);
  });

  it('makes the request anew each time it is repeated, with all callbacks', () => {
    const tokens = ['old', 'new'];
    const fetchOptions = vi.fn(() => ({ headers: { authorization: String(tokens.shift()) } }));
    const { root, person, server } = withPerson({ config: { fetchOptions } });
    const send = root.sync;
    root.sync = (...args) => (send(...args) as Observable<unknown>).pipe(retry(1));
    person.name.next('Bo');

    watch(person.save$());
    server.at(0).fail(new Error('offline'));
    server.at(1).ok();

    expect(server.held.map(({ request }) => request.headers.get('authorization'))).toStrictEqual([
      'old',
      'new',
    ]);
    expect([fetchOptions.mock.calls.length, person.isDirty$.value]).toStrictEqual([2, false]);
  });

  it('sends without a signal too, for a sync that passes its own options', async () => {
    const { root, person, server } = withPerson();
    const send = root.sync;
    root.sync = (action, concern) => send(action, concern, {} as never);

    const done = person.fetch();
    server.at(0).ok({ name: 'Bo' });
    await done;

    expect(person.name.value).toBe('Bo');
  });

  it('sends JSON with a content type unless one is given', () => {
    const { person, server } = withPerson();

    watch(person.save$({ headers: { 'Content-Type': 'application/ld+json' } }));
    server.at(0).ok();
    watch(person.save$());

    expect(server.held.map(({ request }) => request.headers.get('content-type'))).toStrictEqual([
      'application/ld+json',
      'application/json',
    ]);
  });

  it.each(['fetch$', 'destroy$'] as const)('sends neither body nor content type for %s', (method) => {
    const { person, server } = withPerson();

    watch(person[method]());

    const { request } = server.at(0);
    expect(['body' in request, [...request.headers]]).toStrictEqual([false, []]);
  });
});

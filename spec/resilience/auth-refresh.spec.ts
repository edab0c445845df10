import { EMPTY, NEVER, Subject, of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Exchange } from 'rivulet';
import { authRefresh } from 'rivulet/resilience';
import type { AuthRefreshOptions } from 'rivulet/resilience';

import { raise } from '../hostile';
import { Person } from '../person';
import { gate } from '../server';
import { StubServer } from '../stub';
import { watch } from '../watch';

/** A person whose requests send a token, and the refreshes begun, which the spec ends. */
function withToken(options: Partial<AuthRefreshOptions> = {}) {
  const server = new StubServer();
  const session = { token: 'old' };
  const refreshes: Subject<unknown>[] = [];
  const auth = authRefresh({
    authorize: (headers) => {
      headers.set('authorization', `Bearer ${session.token}`);
    },
    refresh: () => {
      const refresh$ = new Subject();
      refreshes.push(refresh$);
      return refresh$;
    },
    origins: ['http://api.test'],
    ...options,
  });
  const root = createLib({ transport: server.transport, interceptors: [auth] });
  const make = (url = 'http://api.test/person') => new Person(root, { url }, {});
  const renew = (place = 0) => {
    session.token = 'new';
    refreshes[place]?.complete();
  };
  const tokens = () => server.held.map(({ request }) => request.headers.get('authorization'));
  return { server, session, refreshes, make, renew, tokens };
}

describe('a request', () => {
  it.each([
    ['', () => Promise.resolve()],
    [', also one that fails, which does not surface', () => Promise.reject(new Error('signed out'))],
  ])('is not sent if authorize returns a promise%s', (_, authorize: () => unknown) => {
    const { server, make } = withToken({ authorize });
    const { error } = watch(make().fetch$());
    expect(error).toStrictEqual(
      new TypeError('authRefresh: "authorize" must be a function that returns no promise'),
    );
    expect(server.sent).toStrictEqual([]);
  });

  it('that was accepted is not sent again if isExpired returns a promise', () => {
    const { server, make } = withToken({ isExpired: (() => Promise.resolve(false)) as never });
    const saved = watch(make().save$());
    server.at(0).ok();
    expect(saved.error).toStrictEqual(
      new TypeError('authRefresh: "isExpired" must be a function that returns no promise'),
    );
    expect(server.sent).toHaveLength(1);
  });

  it('sends the current token', () => {
    const { session, make, tokens } = withToken();
    watch(make().fetch$());
    session.token = 'other';
    watch(make().save$());
    expect(tokens()).toStrictEqual(['Bearer old', 'Bearer other']);
  });

  it('is sent whatever else authorize returns', () => {
    const { server, make } = withToken({ authorize: (headers) => headers });
    watch(make().fetch$());
    expect(server.held).toHaveLength(1);
  });

  it('keeps its own headers, and does not change those of the caller', () => {
    const { server, make } = withToken();
    const headers = new Headers({ accept: 'text/plain' });
    watch(make().fetch$({ headers }));
    expect(server.at(0).request.headers.get('accept')).toBe('text/plain');
    expect(headers.has('authorization')).toBe(false);
  });

  it('that is refused with 401 is sent again with the new token', () => {
    const { server, refreshes, make, renew, tokens } = withToken();
    const person = make();
    const { responses } = watch(person.save$());
    const body = vi.fn();
    server.at(0).respond(new Response(new ReadableStream({ cancel: body }), { status: 401 }));
    expect({ refreshes: refreshes.length, sent: server.held.length }).toStrictEqual({
      refreshes: 1,
      sent: 1,
    });
    expect(body).not.toHaveBeenCalled();

    renew();
    server.at(1).ok();

    expect(tokens()).toStrictEqual(['Bearer old', 'Bearer new']);
    expect(server.at(1).request.body).toBe(server.at(0).request.body);
    expect(body).toHaveBeenCalledOnce();
    expect(responses.map(({ status }) => status)).toStrictEqual([204]);
    expect(person.error$.value).toBeNull();
  });

  it('that is refused again emits that answer', () => {
    const { server, refreshes, make, renew } = withToken();
    const { responses } = watch(make().fetch$());
    server.at(0).refuse(401, 'first');
    renew();
    const again = new Response('again', { status: 401 });
    server.at(1).respond(again);
    expect({ refreshes: refreshes.length, sent: server.held.length }).toStrictEqual({
      refreshes: 1,
      sent: 2,
    });
    expect(responses[0]).toBe(again);
    expect(again.bodyUsed).toBe(false);
  });

  it.each([200, 403, 404, 500])('that is answered with %i is not sent again', (status) => {
    const { server, refreshes, make } = withToken();
    const { responses } = watch(make().fetch$());
    server.at(0).respond(new Response(null, { status }));
    expect({ refreshes, statuses: responses.map((each) => each.status) }).toStrictEqual({
      refreshes: [],
      statuses: [status],
    });
  });

  it('is sent again after an answer that isExpired accepts', () => {
    const isExpired = ({ body }: Exchange) => (body as { error?: string }).error === 'expired';
    const { server, make, renew } = withToken({ isExpired });
    watch(make().fetch$());
    server.at(0).ok({ error: 'expired' });
    renew();
    expect(server.held).toHaveLength(2);
  });

  it('whose body is a stream is not sent again, since that is used up', () => {
    const { server, refreshes, make, renew } = withToken();
    const { responses } = watch(make().save$({ body: new ReadableStream() }));
    server.at(0).refuse(401);
    expect([responses.length, refreshes.length]).toStrictEqual([0, 1]);
    renew();

    expect([responses[0]?.status, server.held.length]).toStrictEqual([401, 1]);
    watch(make().save$({ body: new ReadableStream() }));
    expect(server.held[1]?.request.headers.get('authorization')).not.toBe(
      server.held[0]?.request.headers.get('authorization'),
    );
  });

  it('that fails causes no refresh', () => {
    const { server, refreshes, make } = withToken();
    const failure = new TypeError('fetch failed');
    const watched = watch(make().fetch$());
    server.at(0).fail(failure);
    expect({ refreshes, error: watched.error }).toStrictEqual({ refreshes: [], error: failure });
  });

  it('fails with what authorize throws, and nothing is sent', () => {
    const failure = new Error('no session');
    const { server, make } = withToken({ authorize: () => raise(failure) });
    expect(watch(make().fetch$()).error).toBe(failure);
    expect(server.held).toHaveLength(0);
  });
});

describe('a refresh', () => {
  it('is shared by all requests refused with the old token, however late', () => {
    const { server, refreshes, make, renew, tokens } = withToken();
    for (const person of [make(), make(), make()]) watch(person.fetch$());
    server.at(0).refuse(401);
    server.at(1).refuse(401);
    renew();
    server.at(2).refuse(401);
    expect(refreshes).toHaveLength(1);
    expect(tokens().slice(3)).toStrictEqual(['Bearer new', 'Bearer new', 'Bearer new']);
  });

  it('makes requests begun in the meantime wait', () => {
    const { server, refreshes, make, renew, tokens } = withToken();
    watch(make().fetch$());
    server.at(0).refuse(401);
    const { responses } = watch(make().save$());
    expect(server.held).toHaveLength(1);
    renew();
    server.at(2).ok();
    expect(tokens()).toStrictEqual(['Bearer old', 'Bearer new', 'Bearer new']);
    expect(responses).toHaveLength(1);
    expect(refreshes).toHaveLength(1);
  });

  it('is repeated if a request that waited for it is still refused', () => {
    const { server, refreshes, make, renew } = withToken();
    watch(make().fetch$());
    server.at(0).refuse(401);
    watch(make().fetch$());
    renew();
    server.at(2).refuse(401);
    expect(refreshes).toHaveLength(2);
    renew(1);
    expect(server.held).toHaveLength(4);
  });

  it('is awaited by requests sent before an earlier one, if refused while it runs', () => {
    const { server, refreshes, make, renew } = withToken();
    watch(make().fetch$());
    watch(make().fetch$());
    server.at(0).refuse(401);
    renew();
    watch(make().fetch$());
    server.at(3).refuse(401);
    expect(refreshes).toHaveLength(2);
    server.at(1).refuse(401);
    expect(server.held).toHaveLength(4);
    renew(1);
    expect(server.held).toHaveLength(6);
  });

  it('is over before waiting requests go on, so that these do not wait again', () => {
    const { server, refreshes, make, renew } = withToken();
    const person = make();
    watch(person.fetch$());
    server.at(0).refuse(401);
    const later = make();
    // Waits too, and is sent as the refresh ends.
    watch(later.fetch$());
    renew();
    server.at(1).ok({});
    expect(server.held).toHaveLength(3);
    expect(refreshes).toHaveLength(1);
  });

  it('may be a promise', async () => {
    const end = gate();
    const { server, make, session } = withToken({ refresh: () => end.promise });
    watch(make().fetch$());
    server.at(0).refuse(401);
    session.token = 'new';
    end.resolve();
    await end.promise;
    await Promise.resolve();
    expect(server.held).toHaveLength(2);
  });

  it.each([
    ['emits', () => of(1, 2)],
    ['is empty', () => EMPTY],
  ])('that %s is over when it completes', (_name, refresh) => {
    const { server, make } = withToken({ refresh });
    const { responses } = watch(make().fetch$());
    server.at(0).refuse(401);
    server.at(1).ok({});
    expect(responses.map(({ status }) => status)).toStrictEqual([200]);
  });
});

describe('a refresh that fails', () => {
  it('answers each request with its own 401, which can be read', async () => {
    const { server, refreshes, make } = withToken();
    const reads = [watch(make().fetch$()), watch(make().fetch$())];
    server.at(0).refuse(401, 0);
    server.at(1).refuse(401, 1);
    refreshes[0]?.error(new Error('logged out'));
    const bodies = await Promise.all(reads.map(({ responses }) => responses[0]?.json() as Promise<unknown>));
    expect(bodies).toStrictEqual([0, 1]);
    expect(server.held).toHaveLength(2);
  });

  it('sends waiting requests for an answer of their own, without a further refresh', () => {
    const { server, refreshes, make } = withToken();
    watch(make().fetch$());
    server.at(0).refuse(401);
    const { responses } = watch(make().fetch$());
    refreshes[0]?.error(new Error('logged out'));
    server.at(1).refuse(401);
    expect({ status: responses[0]?.status, refreshes: refreshes.length }).toStrictEqual({
      status: 401,
      refreshes: 1,
    });
  });

  it('lets requests that had waited join the next one, if refused while it runs', () => {
    const { server, refreshes, make, renew } = withToken();
    watch(make().fetch$());
    server.at(0).refuse(401);
    const { responses } = watch(make().fetch$());
    refreshes[0]?.error(new Error('no network'));
    watch(make().fetch$());
    server.at(2).refuse(401);
    server.at(1).refuse(401);
    expect({ refreshes: refreshes.length, sent: server.held.length }).toStrictEqual({
      refreshes: 2,
      sent: 3,
    });
    renew(1);
    for (const place of [3, 4]) server.at(place).ok({});
    expect(responses.map(({ status }) => status)).toStrictEqual([200]);
  });

  it('is not tried again for a request that was sent before', () => {
    const { server, refreshes, make } = withToken();
    watch(make().fetch$());
    const { responses } = watch(make().fetch$());
    server.at(0).refuse(401);
    refreshes[0]?.error(new Error('logged out'));
    server.at(1).refuse(401);
    expect({ status: responses[0]?.status, refreshes: refreshes.length }).toStrictEqual({
      status: 401,
      refreshes: 1,
    });
  });

  it('is tried again for the next request', () => {
    const { server, refreshes, make, renew } = withToken();
    watch(make().fetch$());
    server.at(0).refuse(401);
    refreshes[0]?.error(new Error('no network'));
    const { responses } = watch(make().fetch$());
    server.at(1).refuse(401);
    renew(1);
    server.at(2).ok({});
    expect(responses.map(({ status }) => status)).toStrictEqual([200]);
  });

  it('may throw', () => {
    const { server, make } = withToken({ refresh: () => raise(new Error('broken')) });
    const { responses } = watch(make().fetch$());
    server.at(0).refuse(401);
    expect(responses.map(({ status }) => status)).toStrictEqual([401]);
  });
});

describe('unsubscribing during a refresh', () => {
  it('does not affect the others, even by the one that began it', () => {
    const { server, refreshes, make, renew } = withToken();
    const { subscription } = watch(make().fetch$());
    server.at(0).refuse(401);
    const { responses } = watch(make().fetch$());
    subscription.unsubscribe();
    expect(refreshes[0]?.observed).toBe(true);
    renew();
    server.at(1).ok({});
    expect(server.held).toHaveLength(2);
    expect(responses).toHaveLength(1);
  });

  it('ends it if no subscriber is left, and the next request does not wait', () => {
    const { server, refreshes, make } = withToken();
    const reads = [watch(make().fetch$()), watch(make().fetch$())];
    for (const place of [0, 1]) server.at(place).refuse(401);
    for (const { subscription } of reads) subscription.unsubscribe();
    expect(refreshes[0]?.observed).toBe(false);

    watch(make().fetch$());
    expect(server.held).toHaveLength(3);
    server.at(2).refuse(401);
    expect(refreshes).toHaveLength(2);
  });

  it('also ends it if no subscriber is left while it begins', () => {
    const refresh$ = new Subject();
    const leave = new Subject<void>();
    const refresh = vi.fn(() => {
      leave.next();
      return refresh$;
    });
    const { server, make } = withToken({ refresh });
    const read = watch(make().fetch$());
    leave.subscribe(() => {
      read.subscription.unsubscribe();
    });
    server.at(0).refuse(401);
    expect(refresh$.observed).toBe(false);

    watch(make().fetch$());
    expect(server.held).toHaveLength(2);
  });

  it('lets a promise settle, for which the next request waits', async () => {
    const end = gate();
    const refresh = vi.fn(() => end.promise);
    const { server, make, session, tokens } = withToken({ refresh });
    const { subscription } = watch(make().fetch$());
    server.at(0).refuse(401);
    subscription.unsubscribe();
    watch(make().fetch$());
    expect(server.held).toHaveLength(1);

    session.token = 'new';
    end.resolve();
    await end.promise;
    await Promise.resolve();
    expect(tokens()).toStrictEqual(['Bearer old', 'Bearer new']);
    expect(refresh).toHaveBeenCalledOnce();
  });

  it('leaves the rejection of a promise unreported', async () => {
    const end = gate();
    const { server, make } = withToken({ refresh: () => end.promise });
    const { subscription } = watch(make().fetch$());
    server.at(0).refuse(401);
    subscription.unsubscribe();
    end.reject(new Error('logged out'));
    await new Promise((resolve) => setImmediate(resolve));
    watch(make().fetch$());
    expect(server.held).toHaveLength(2);
  });
});

describe('the token', () => {
  it.each([
    ['http://api.test/person', true],
    ['http://api.test:80/person', true],
    ['https://api.test/person', false],
    ['http://api.test:8080/person', false],
    ['http://www.api.test/person', false],
    ['http://api.test.evil.test/person', false],
    ['http://api.test@evil.test/person', false],
    ['http://evil.test/http://api.test/person', false],
    ['/person', false],
    ['//api.test/person', false],
  ])('is sent to %s: %s', (url, is) => {
    const { server, refreshes, make, tokens } = withToken();
    watch(make(url).fetch$());
    expect(tokens()).toStrictEqual([is ? 'Bearer old' : null]);
    server.at(0).refuse(401);
    expect(refreshes).toHaveLength(is ? 1 : 0);
  });

  it('is not awaited by requests to another origin', () => {
    const { server, make } = withToken();
    watch(make().fetch$());
    server.at(0).refuse(401);
    watch(make('http://other.test/person').fetch$());
    expect(server.held).toHaveLength(2);
  });

  it.each([
    ['/person', true],
    ['http://page.test/person', true],
    ['//evil.test/person', false],
    ['http://api.test/person', false],
  ])('of a page, without origins, is sent to %s: %s', (url, is) => {
    vi.stubGlobal('location', { href: 'http://page.test/a/b' });
    const { make, tokens } = withToken({ origins: undefined });
    watch(make(url).fetch$());
    expect(tokens()).toStrictEqual([is ? 'Bearer old' : null]);
  });
});

describe('without authorize', () => {
  /** Requests whose credentials are sent anyway. */
  function withCookies(options: Partial<AuthRefreshOptions> = {}) {
    const { server, make, renew } = withToken({ authorize: undefined, origins: undefined, ...options });
    return { server, make, renew };
  }

  it('a request is sent unchanged, and again after the refresh', () => {
    const { server, make, renew } = withCookies();
    watch(make('https://any.test/person').fetch$({ headers: { 'x-own': '1' } }));
    server.at(0).refuse(401);
    renew();
    expect(server.held.map(({ request }) => Object.fromEntries(request.headers))).toStrictEqual([
      { 'x-own': '1' },
      { 'x-own': '1' },
    ]);
  });

  it.each([
    ['the page', undefined, 'http://page.test/a', 2],
    ['another origin', undefined, 'http://api.test/a', 1],
    ['a named origin', ['http://api.test'], 'http://api.test/a', 2],
    ['an unnamed origin', ['http://api.test'], 'http://page.test/a', 1],
  ])('on a page a request to %s follows the same rules for origins', (_name, origins, url, sent) => {
    vi.stubGlobal('location', { href: 'http://page.test/' });
    const { server, make, renew } = withCookies({ origins });
    watch(make(url).fetch$());
    server.at(0).refuse(401);
    renew();
    expect(server.held).toHaveLength(sent);
  });
});

describe('a refresh', () => {
  it('is over when it emits, even without completing', () => {
    const { server, session, refreshes, make, tokens } = withToken();
    watch(make().fetch$());
    server.at(0).refuse(401);
    session.token = 'new';

    refreshes[0]?.next('a token');

    expect(tokens()).toStrictEqual(['Bearer old', 'Bearer new']);
    expect(refreshes[0]?.observed).toBe(false);
  });
});

describe('options', () => {
  const authorize = () => undefined;
  const refresh = () => NEVER;

  it.each<[string, Partial<AuthRefreshOptions> | undefined, RegExp]>([
    ['nothing', undefined, /^authRefresh: "options" must be an object$/],
    ['a token', { authorize: 'Bearer x' as never, refresh }, /^authRefresh: "authorize" must be a function$/],
    ['no refresh', { authorize }, /^authRefresh: "refresh" must be a function$/],
    [
      'a status',
      { authorize, refresh, isExpired: 401 as never },
      /^authRefresh: "isExpired" must be a function$/,
    ],
    [
      'no origins outside a page',
      { authorize, refresh },
      /^authRefresh: "origins" must be .* outside a page$/,
    ],
    ['a string', { authorize, refresh, origins: 'http://api.test' as never }, /"origins" must be a list/],
    ['a path', { authorize, refresh, origins: ['http://api.test/v1'] }, /"origins" must be a list/],
    [
      'a trailing slash',
      { authorize, refresh, origins: ['http://api.test/'] },
      /like \["https:\/\/api.example.org"\]/,
    ],
    ['a name', { authorize, refresh, origins: ['api.test'] }, /"origins"/],
    ['an opaque origin', { authorize, refresh, origins: ['null'] }, /"origins"/],
    ['a wildcard', { authorize, refresh, origins: ['*'] }, /"origins"/],
  ])('with %s are refused', (_name, options, message) => {
    expect(() => authRefresh(options as AuthRefreshOptions)).toThrow(TypeError);
    expect(() => authRefresh(options as AuthRefreshOptions)).toThrow(message);
  });

  it('are copied', () => {
    const origins = ['http://api.test'];
    const { make, tokens } = withToken({ origins });
    origins[0] = 'http://evil.test';
    watch(make('http://evil.test').fetch$());
    expect(tokens()).toStrictEqual([null]);
  });
});

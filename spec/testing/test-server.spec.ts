import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import { TestServer } from 'rivulet/testing';
import type { RequestMatch } from 'rivulet/testing';

import { Person } from '../person';
import { watch } from '../watch';

function withServer() {
  const server = new TestServer();
  const root = createLib({ transport: server.transport });
  const people = root.collection<{ id?: number; name: string }>({ url: '/people' });
  return { root, server, people, person: new Person(root, { url: '/people' }, { id: 7 }) };
}

describe('a test server', () => {
  it('holds requests, in the order in which they were sent', () => {
    const { people, person, server } = withServer();
    watch(people.fetch$());
    watch(person.save$());

    expect(server.requests.map(String)).toStrictEqual(['GET /people', 'PUT /people/7']);
    expect(server.open).toStrictEqual(server.requests);
    expect([people.isReading$.value, person.isSaving$.value]).toStrictEqual([true, true]);
  });

  it('holds one request for each subscription, and none before', () => {
    const { people, server } = withServer();
    const read$ = people.fetch$();
    expect(server.requests).toStrictEqual([]);

    watch(read$);
    watch(read$);

    expect(server.requests).toHaveLength(2);
  });

  it('counts as open what was neither answered nor given up, nor failed', () => {
    const { people, server } = withServer();
    const [answered, failed, unsubscribed, waiting] = [1, 2, 3, 4].map(() =>
      watch(people.create$({ name: '' })),
    );
    server.open[0]?.answer();
    server.open[0]?.fail();
    unsubscribed?.subscription.unsubscribe();

    expect(server.requests.map(({ state }) => state)).toStrictEqual([
      'answered',
      'failed',
      'aborted',
      'open',
    ]);
    expect(server.open).toStrictEqual([server.requests[3]]);
    expect([answered?.isComplete, waiting?.isComplete]).toStrictEqual([true, false]);
    expect(failed?.error).toBeInstanceOf(TypeError);
  });

  it('hands out its lists as copies', () => {
    const { people, server } = withServer();
    watch(people.fetch$());

    (server.requests as unknown[]).pop();
    (server.open as unknown[]).pop();

    expect([server.requests.length, server.open.length]).toStrictEqual([1, 1]);
  });

  it('keeps nothing of another', () => {
    const { people } = withServer();
    watch(people.fetch$());

    expect(new TestServer().requests).toStrictEqual([]);
  });
});

describe('expectOne', () => {
  it.each([
    ['/people'],
    ['GET /people'],
    [/^GET .*e$/],
    [/GET \/people/gy],
    [({ url }: { readonly url: string }) => url === '/people'],
  ])('finds a request by %s', (match) => {
    const { people, person, server } = withServer();
    watch(people.fetch$());
    watch(person.save$());

    const found = [1, 2].map(() => server.expectOne(match));

    expect(found).toStrictEqual([server.requests[0], server.requests[0]]);
  });

  it('finds it again by an expression that keeps a state', () => {
    const { people, server } = withServer();
    watch(people.fetch$());
    const match = /people/g;

    expect(server.expectOne(match)).toBe(server.expectOne(match));
  });

  it('leaves the url in a parameter as it is', () => {
    const { root, server } = withServer();
    watch(root.collection({ url: '/people?next=https://example.com/a' }).fetch$());

    expect(() => server.expectOne('/people?next=/a')).toThrow('no request');
  });

  it('is about those that wait for an answer, also for whoever is notified of one', () => {
    const { people, server } = withServer();
    const open: number[] = [];
    people.fetch$().subscribe(() => {
      open.push(server.open.length);
      watch(people.fetch$());
      server.expectOne('/people').answer([{ id: 1, name: 'Ann' }]);
    });

    server.expectOne('/people').answer([]);

    expect(open).toStrictEqual([0]);
    expect(people.value).toStrictEqual([{ id: 1, name: 'Ann' }]);
    server.verify();
  });

  it('is about those that wait for an answer', () => {
    const { people, server } = withServer();
    watch(people.fetch$());
    server.expectOne('/people').answer([]);
    watch(people.fetch$());

    expect(server.expectOne('/people')).toBe(server.requests[1]);
  });

  it.each([
    ['https://example.com/people?page=2'],
    ['GET https://example.com/people?page=2'],
    ['/people?page=2'],
    ['GET /people?page=2'],
  ])('finds a request to another origin by %s', (match) => {
    const { root, server } = withServer();
    watch(root.collection({ url: 'https://example.com/people?page=2' }).fetch$());

    expect(server.expectOne(match)).toBe(server.requests[0]);
  });

  it.each([
    ['/other', 'no request that waits for an answer matches /other'],
    ['PUT /people', 'no request that waits for an answer matches PUT /people'],
    ['/people', 'more than one request that waits for an answer matches /people'],
    [/P.T/, 'no request that waits for an answer matches /P.T/'],
    [() => true, 'more than one request that waits for an answer matches the function'],
  ])('throws for %s, and lists what was sent', (match, problem) => {
    const { people, server } = withServer();
    watch(people.fetch$({ method: 'HEAD' })).subscription.unsubscribe();
    watch(people.fetch$());
    watch(people.create$({ name: 'Bo' }));

    expect(() => server.expectOne(match)).toThrow(
      new Error(
        `expectOne: ${problem}; sent: HEAD /people (aborted), GET /people (open), POST /people (open)`,
      ),
    );
  });

  it('says that none was sent', () => {
    expect(() => new TestServer().expectOne('/people')).toThrow(
      new Error('expectOne: no request that waits for an answer matches /people; sent: none'),
    );
  });
});

describe('expectAll', () => {
  it('returns those that wait, in the order in which they were sent', () => {
    const { people, server } = withServer();
    watch(people.fetch$());
    server.expectOne('/people').answer([]);
    watch(people.fetch$());
    watch(people.fetch$());

    const [older, newer] = server.expectAll('GET /people', /people/);
    newer.answer([{ id: 2, name: 'Bo' }]);
    older.answer([]);

    expect(people.value).toStrictEqual([{ id: 2, name: 'Bo' }]);
    expect(server.expectAll()).toStrictEqual([]);
  });

  it.each<[readonly RequestMatch[], string]>([
    [[], 'none'],
    [['/people'], '/people'],
    [['POST /people', () => true], 'POST /people, the function'],
    [['GET /people', 'POST /people', '/people'], 'GET /people, POST /people, /people'],
  ])('throws for %j, and lists what was sent', (matches, wanted) => {
    const { people, server } = withServer();
    watch(people.fetch$());
    watch(people.create$({ name: 'Bo' }));

    expect(() => server.expectAll(...matches)).toThrow(
      new Error(
        `expectAll: waiting for an answer must be ${wanted}; sent: GET /people (open), POST /people (open)`,
      ),
    );
  });
});

describe('next', () => {
  it('waits for a request that is sent after a promise', async () => {
    const { person, server } = withServer();
    const saveAndRead = async () => {
      await person.save();
      await person.fetch();
    };
    const done = saveAndRead();
    server.expectOne('PUT /people/7').answer();

    (await server.next('GET /people/7')).answer({ id: 7, name: 'Bo' });
    await done;

    expect(person.name.value).toBe('Bo');
  });

  it('returns one that was sent before, without waiting', async () => {
    vi.useFakeTimers();
    const { people, server } = withServer();
    watch(people.fetch$());

    expect(await server.next('/people')).toBe(server.requests[0]);
  });

  it('rejects if several are meant, or none is sent', async () => {
    const { people, server } = withServer();
    watch(people.fetch$());
    watch(people.fetch$());
    await expect(server.next('/people')).rejects.toThrow('next: more than one request');

    vi.useFakeTimers();
    const none = expect(server.next('/other')).rejects.toThrow('next: no request that waits');
    await vi.advanceTimersByTimeAsync(1000);
    await none;
  });
});

describe('verify', () => {
  it('passes if none waits for an answer', () => {
    const { people, server } = withServer();
    server.verify();
    watch(people.fetch$());
    server.expectOne('/people').answer([]);

    expect(() => {
      server.verify();
    }).not.toThrow();
  });

  it('throws for those that wait, and lists them', () => {
    const { people, server } = withServer();
    watch(people.fetch$());
    watch(people.create$({ name: 'Bo' }));

    expect(() => {
      server.verify();
    }).toThrow(
      new Error('verify: requests wait for an answer; sent: GET /people (open), POST /people (open)'),
    );
  });
});

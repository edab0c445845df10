import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import { TestServer } from 'rivulet/testing';

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

    expect(server.requests.map(({ isOpen }) => isOpen)).toStrictEqual([false, false, false, true]);
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

  it('is about those that wait for an answer', () => {
    const { people, server } = withServer();
    watch(people.fetch$());
    server.expectOne('/people').answer([]);
    watch(people.fetch$());

    expect(server.expectOne('/people')).toBe(server.requests[1]);
  });

  it.each([
    ['/other', 'no request that waits for an answer matches /other; waiting: GET /people, POST /people'],
    [
      'PUT /people',
      'no request that waits for an answer matches PUT /people; waiting: GET /people, POST /people',
    ],
    [
      '/people',
      'more than one request that waits for an answer matches /people; waiting: GET /people, POST /people',
    ],
    [/P.T/, 'no request that waits for an answer matches /P.T/; waiting: GET /people, POST /people'],
    [
      () => true,
      'more than one request that waits for an answer matches the function; waiting: GET /people, POST /people',
    ],
  ])('throws for %s, and lists what waits', (match, message) => {
    const { people, server } = withServer();
    watch(people.fetch$());
    watch(people.create$({ name: 'Bo' }));

    expect(() => server.expectOne(match)).toThrow(new Error(`expectOne: ${message}`));
  });

  it('says that none waits', () => {
    expect(() => new TestServer().expectOne('/people')).toThrow(
      new Error('expectOne: no request that waits for an answer matches /people; waiting: none'),
    );
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
    }).toThrow(new Error('verify: not answered: GET /people, POST /people'));
  });
});

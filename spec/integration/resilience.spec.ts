import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { VirtualTimeScheduler, timer } from 'rxjs';

import { DataModel, createLib } from 'rivulet';
import type { LibOptions } from 'rivulet';
import { authRefresh, concurrency, dedupe, idempotencyKey, offlineHold, retry } from 'rivulet/resilience';

import { startServer } from '../../examples/server/server.ts';
import type { RunningServer } from '../../examples/server/server.ts';

import { countPeople } from './people';

let server: RunningServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

/** All interceptors in their order, for the server; an expired token, and how often it was renewed. */
function withAll(options: LibOptions = {}) {
  const session = { token: 'old', renewals: 0 };
  const interceptors = [
    idempotencyKey(),
    authRefresh({
      authorize: (headers) => {
        headers.set('authorization', `Bearer ${session.token}`);
      },
      refresh: () => {
        session.renewals += 1;
        session.token = 'new';
        return timer(5);
      },
      origins: [server.url],
    }),
    dedupe(),
    retry({ delay: 1, count: 3 }),
    concurrency(2),
    offlineHold(),
  ];
  const root = createLib({ interceptors, timeout: 20_000, ...options });
  class Person extends DataModel {
    readonly id = root.observable<number>().map('id', this);
    readonly name = root.observable('Ada').map('name', this);
    readonly email = root.observable('ada@example.org').map('email', this);
    readonly city = root.observable('London').map('address.city', this);

    constructor(query: string) {
      super({ url: `${server.url}/api/people?${query}` }, root);
    }
  }
  const person = (query: string, id?: number) => {
    const made = new Person(query);
    made.id.next(id);
    return made;
  };
  return { session, person };
}

const statuses = () => server.requests.map(({ status }) => status);

describe('on a real server', () => {
  it('a read is retried until the server is available', async () => {
    const person = withAll().person('_fail=503&_retry_after=0&_times=2', 7);
    const { status } = await person.fetch();
    expect(status).toBe(200);
    expect(person.isDirty$.value).toBe(false);
    expect(statuses()).toEqual([503, 503, 200]);
  });

  it('a read is retried after broken connections', async () => {
    const person = withAll().person('_fail=reset&_times=2', 7);
    expect((await person.fetch()).status).toBe(200);
    // A client may itself retry once when a reused connection breaks.
    expect(statuses().at(-1)).toBe(200);
    expect(server.requests.length).toBeGreaterThan(2);
  });

  it('the last refusal of a server that stays busy is returned, with a readable body', async () => {
    const person = withAll().person('_fail=503&_retry_after=0', 7);
    const response = await person.fetch();
    expect(await response.json()).toMatchObject({ status: 503 });
    expect(statuses()).toEqual([503, 503, 503, 503]);
  });

  it('a create is retried with the same key', async () => {
    const person = withAll().person('_fail=503&_times=1');
    expect((await person.save()).status).toBe(201);
    const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual([keys[0], keys[0]]);
    expect(keys[0]).toMatch(/^"[\d-]+"$/);
    expect({ id: person.id.value, people: countPeople(server) }).toEqual({ id: 301, people: 301 });
  });

  it('an expired token is renewed once for all requests, and nothing is lost', async () => {
    const { session, person } = withAll();
    const people = [1, 2, 3, 4].map((id) => person('_token=new', id));
    people[3]?.email.next('four@example.org');
    const responses = await Promise.all(
      people.map((each, place) => (place === 3 ? each.save() : each.fetch())),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(session.renewals).toBe(1);
    expect(statuses().filter((status) => status === 200)).toHaveLength(4);
    expect(people.map(({ error$ }) => error$.value)).toEqual([null, null, null, null]);
  });

  it('a request that is refused even after a renewal resolves with the 401', async () => {
    const { session, person } = withAll();
    const response = await person('_token=other', 1).fetch();
    expect(await response.json()).toMatchObject({ status: 401 });
    expect({ renewals: session.renewals, statuses: statuses() }).toEqual({
      renewals: 1,
      statuses: [401, 401],
    });
  });

  it('identical simultaneous reads are sent once, at most two requests at a time', async () => {
    const { person } = withAll();
    const people = [1, 1, 1, 2, 3, 4].map((id) => person('_delay=20', id));
    await Promise.all(people.map((each) => each.fetch()));
    expect(server.requests.map(({ path }) => path).sort()).toEqual(
      [1, 2, 3, 4].map((id) => `/api/people/${String(id)}?_delay=20`),
    );
    const events = server.requests.flatMap(({ startedAt, endedAt }) => [
      [startedAt, 1] as const,
      [endedAt ?? Infinity, -1] as const,
    ]);
    let [open, most] = [0, 0];
    for (const [, change] of events.sort(([a], [b]) => a - b)) most = Math.max(most, (open += change));
    expect(most).toBe(2);
    expect(new Set(people.slice(0, 3).map(({ name }) => name.value)).size).toBe(1);
  });

  it('the time limit ends waits, and no further request is sent', async () => {
    const scheduler = new VirtualTimeScheduler();
    const { person } = withAll({ timeout: 100, scheduler });
    const busy = person('_fail=503&_retry_after=20', 1);
    const fetched = expect(busy.fetch()).rejects.toMatchObject({ name: 'TimeoutError' });
    // The time limit, and the wait for the retry.
    await vi.waitFor(() => {
      expect(scheduler.actions).toHaveLength(2);
    });

    scheduler.flush();

    await fetched;
    expect(scheduler.now()).toBe(100);
    expect(busy.requestInProgress$.value).toBe(false);
    await person('', 2).fetch();
    expect(statuses()).toEqual([503, 200]);
  });
});

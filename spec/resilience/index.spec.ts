import { BehaviorSubject, Subject, VirtualTimeScheduler, finalize } from 'rxjs';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Interceptor } from 'rivulet';
import { authRefresh, concurrency, dedupe, idempotencyKey, offlineHold, retry } from 'rivulet/resilience';

import { Person, withPerson } from '../person';
import { mockServer, origin } from '../server';
import { advance } from '../virtual-time';
import { watch } from '../watch';

const server = mockServer();

/** All interceptors in order, with what drives them. */
function withAll() {
  const scheduler = new VirtualTimeScheduler();
  const online$ = new BehaviorSubject(true);
  const session = { token: 'old' };
  const refreshes: Subject<unknown>[] = [];
  const interceptors: Interceptor[] = [
    idempotencyKey(),
    authRefresh({
      authorize: (headers) => {
        headers.set('authorization', `Bearer ${session.token}`);
      },
      refresh: () => {
        const refresh$ = new Subject();
        refreshes.push(refresh$);
        return refresh$;
      },
      origins: [origin],
    }),
    dedupe(),
    retry({ scheduler, jitter: 0 }),
    concurrency(1),
    offlineHold(online$),
    (request, next) =>
      next(request).pipe(
        finalize(() => {
          ended += 1;
        }),
      ),
  ];
  const root = createLib({ interceptors, scheduler });
  const make = (id: unknown) => new Person(root, { url: `${origin}/person` }, { id });
  return { scheduler, online$, session, refreshes, make };
}

/** The answers of the server, in order; then it answers 204. */
let answers: (Response | Promise<Response>)[];
/** How many requests have been sent and have ended. */
let ended: number;

beforeEach(() => {
  answers = [];
  ended = 0;
  server.answer(() => answers.shift());
});

/** Waits until so many requests have ended. */
const requests = (count: number) =>
  vi.waitFor(() => {
    expect(ended).toBe(count);
  });

const refused = (status: number) => Response.json({ status }, { status });

describe('all interceptors together', () => {
  it('carry a create through a busy server, a lost network and an expired token, with one key', async () => {
    const { scheduler, online$, session, refreshes, make } = withAll();
    answers.push(refused(503), refused(401), refused(503), Response.json({ id: 9 }, { status: 201 }));
    const person = make(undefined);
    const watched = watch(person.save$());

    await requests(1);
    online$.next(false);
    advance(scheduler, 500);
    expect(server.seen).toHaveLength(1);
    online$.next(true);
    await requests(2);
    session.token = 'new';
    refreshes[0]?.complete();
    await requests(3);
    // The refresh restarts the count of retries, so the wait is the first again.
    advance(scheduler, 1_000);
    await requests(4);

    expect(watched.responses.map(({ status }) => status)).toStrictEqual([201]);
    expect({ id: person.id.value, isDirty: person.isDirty$.value }).toStrictEqual({ id: 9, isDirty: false });
    const seen = server.seen.map(({ method, headers }) => `${method} ${headers.get('authorization') ?? ''}`);
    expect(seen).toStrictEqual(['POST Bearer old', 'POST Bearer old', 'POST Bearer new', 'POST Bearer new']);
    expect(new Set(server.seen.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
  });

  it('refresh once and retry once for all identical reads', async () => {
    const { scheduler, session, refreshes, make } = withAll();
    answers.push(refused(401), refused(503), Response.json({ name: 'Bo' }));
    const people = [make(7), make(7), make(7)];
    const reads = people.map((person) => watch(person.fetch$()));

    await requests(1);
    session.token = 'new';
    refreshes[0]?.complete();
    await requests(2);
    advance(scheduler, 500);
    await requests(3);

    expect(refreshes).toHaveLength(1);
    expect(people.map(({ name }) => name.value)).toStrictEqual(['Bo', 'Bo', 'Bo']);
    for (const { responses } of reads)
      await expect(responses[0]?.json()).resolves.toStrictEqual({ name: 'Bo' });
  });

  it('occupy no slot while waiting', async () => {
    const { scheduler, make } = withAll();
    answers.push(refused(503), Response.json({ name: 'Bo' }), Response.json({ name: 'Cy' }));
    const [one, other] = [make(7), make(8)];
    watch(one.fetch$());
    watch(other.fetch$());
    await requests(2);
    expect([one.name.value, other.name.value]).toStrictEqual(['Ann', 'Bo']);
    advance(scheduler, 500);
    await requests(3);
    expect(one.name.value).toBe('Cy');
  });

  it('use up no retry of a request that waited for a slot when the network was lost', () => {
    const online$ = new BehaviorSubject(true);
    const { server: stub, root } = withPerson({
      options: { interceptors: [retry({ count: 0 }), concurrency(1), offlineHold(online$)] },
    });
    const saves = [watch(new Person(root, {}, {}).save$()), watch(new Person(root, {}, {}).save$())];
    online$.next(false);

    stub.at(0).fail(new TypeError('network'));
    const held = stub.held.length;
    online$.next(true);
    stub.at(1).ok();

    expect({ held, failed: saves.map(({ error }) => error !== undefined) }).toStrictEqual({
      held: 1,
      failed: [true, false],
    });
  });

  it('do not share a read between tokens', async () => {
    const { session, make } = withAll();
    answers.push(Response.json({ name: 'of one' }), Response.json({ name: 'of another' }));
    const [one, other] = [make(7), make(7)];
    watch(one.fetch$());
    session.token = 'another';
    watch(other.fetch$());
    await requests(2);
    expect([one.name.value, other.name.value]).toStrictEqual(['of one', 'of another']);
  });

  it.each(['for the network', 'for a repetition', 'for a refresh', 'for a place'])(
    'leave nothing behind of a request unsubscribed while waiting %s',
    async (where) => {
      const { scheduler, online$, refreshes, make } = withAll();
      const person = make(7);
      if (where === 'for the network') online$.next(false);
      if (where === 'for a repetition') answers.push(refused(503));
      if (where === 'for a refresh') answers.push(refused(401));
      answers.push(...(where === 'for a place' ? [new Promise<Response>(() => undefined)] : []));
      const other = where === 'for a place' ? watch(make(8).fetch$()) : undefined;
      const { subscription } = watch(person.fetch$());
      const sent = where === 'for the network' ? 0 : 1;
      await vi.waitFor(() => {
        expect({ arrived: server.seen.length, ended }).toStrictEqual({
          arrived: sent,
          ended: other ? 0 : sent,
        });
      });

      subscription.unsubscribe();
      other?.subscription.unsubscribe();

      advance(scheduler, 1e6);
      expect({
        isListening: online$.observed,
        isRefreshing: refreshes.some(({ observed }) => observed),
        isReading: person.isReading$.value,
      }).toStrictEqual({ isListening: false, isRefreshing: false, isReading: false });
      online$.next(true);
      const last = make(9);
      watch(last.fetch$());
      await requests(sent + 1);
      expect(server.seen.at(-1)?.url).toBe('/person/9');
    },
  );
});

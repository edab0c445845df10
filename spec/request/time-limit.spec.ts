import { setImmediate } from 'node:timers/promises';

import { Subject, VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';

import type { LibOptions } from 'rivulet';

import { withPeople } from '../people';
import { withPerson } from '../person';
import { advance } from '../virtual-time';
import { watch } from '../watch';

describe('timeout', () => {
  const timed = (timeout?: number, options: LibOptions = {}) => {
    const scheduler = new VirtualTimeScheduler();
    return { ...withPerson({ options: { scheduler, ...options }, config: { timeout } }), scheduler };
  };

  it('fails a request with a TimeoutError and aborts it', () => {
    const { person, server, scheduler } = timed();
    const fetched = watch(person.fetch$({ timeout: 100 }));

    advance(scheduler, 99);
    const before = fetched.error;
    advance(scheduler, 100);

    expect(before).toBeUndefined();
    expect(fetched.error).toBeInstanceOf(DOMException);
    expect({
      name: (fetched.error as Error).name,
      isAbortedByIt: server.at(0).request.signal.reason === fetched.error,
      isReading: person.isReading$.value,
      isTold: person.error$.value === fetched.error,
    }).toStrictEqual({ name: 'TimeoutError', isAbortedByIt: true, isReading: false, isTold: true });
  });

  it.each<[string, number | undefined, number | undefined, number | undefined]>([
    ['the request', 100, 200, 300],
    ['the configuration', undefined, 100, 300],
    ['the root', undefined, undefined, 100],
  ])('of %s applies if nearest', (_name, request, configuration, root) => {
    const { person, scheduler } = timed(configuration, { timeout: root });
    const fetched = watch(person.fetch$({ timeout: request }));

    advance(scheduler, 99);
    const before = fetched.error;
    advance(scheduler, 100);

    expect([before, (fetched.error as Error | undefined)?.name]).toStrictEqual([undefined, 'TimeoutError']);
  });

  it('lasts until the end of the body', async () => {
    const { person, server, scheduler } = timed(100);
    const fetched = watch(person.fetch$());
    server.at(0).respond(new Response(new ReadableStream()));
    await setImmediate();

    advance(scheduler, 100);

    expect((fetched.error as Error | undefined)?.name).toBe('TimeoutError');
  });

  it('does not count the time that parse takes', () => {
    const scheduler = new VirtualTimeScheduler();
    const parsed$ = new Subject<unknown>();
    const { person, server } = withPerson({
      options: { scheduler },
      config: { timeout: 100, parse: () => parsed$ },
    });
    const fetched = watch(person.fetch$());
    server.at(0).ok({});

    advance(scheduler, 100);
    parsed$.next({ name: 'Eve' });
    parsed$.complete();

    expect([fetched.error, person.name.value]).toStrictEqual([undefined, 'Eve']);
  });

  it('does not count the time that the answer waits for a write', () => {
    const { person, server, scheduler } = timed(100);
    watch(person.save$({ timeout: 1000 }));
    const fetched = watch(person.fetch$());
    server.at(1).ok({ name: 'Eve' });

    advance(scheduler, 100);
    server.at(0).refuse(500);

    expect([fetched.error, person.name.value]).toStrictEqual([undefined, 'Eve']);
  });

  it('leaves no timer behind', () => {
    const { person, server, scheduler } = timed(100);
    watch(person.fetch$());

    server.at(0).ok();

    expect(scheduler.actions).toHaveLength(0);
  });

  it('lets the next write start', () => {
    const { person, server, scheduler } = timed();
    watch(person.save$({ timeout: 100 }));
    watch(person.destroy$());

    advance(scheduler, 100);

    expect(server.lines).toStrictEqual(['PUT /person/7', 'DELETE /person/7']);
  });

  it.each([[0], [-1], [1.5], [Number.NaN], [Infinity], [2 ** 31], ['100'], [null]])(
    'of %o is refused with BAD_OPTION, and nothing is sent',
    (timeout) => {
      const { person, server } = timed();

      const { error } = watch(person.fetch$({ timeout: timeout as number }));

      expect({ error, sent: server.sent }).toMatchObject({
        error: { code: 'BAD_OPTION', action: 'read' },
        sent: [],
      });
    },
  );

  it('of the longest time a timer supports is accepted', () => {
    const { person, server } = timed();

    watch(person.fetch$({ timeout: 2 ** 31 - 1 }));

    expect(server.sent).toHaveLength(1);
  });

  it('of a collection fails a request that takes longer', () => {
    const scheduler = new VirtualTimeScheduler();
    const { people, server } = withPeople({ options: { scheduler }, config: { timeout: 100 } });
    const fetched = watch(people.fetch$());

    advance(scheduler, 99);
    const before = fetched.error;
    advance(scheduler, 100);

    expect([before, (fetched.error as Error | undefined)?.name]).toStrictEqual([undefined, 'TimeoutError']);
    expect([server.at(0).request.signal.aborted, people.isReading$.value]).toStrictEqual([true, false]);
  });
});

import { setImmediate as turn } from 'node:timers/promises';

import { BehaviorSubject, throwError, timeout } from 'rxjs';
import type { MonoTypeOperatorFunction } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Exchange } from 'rivulet';
import { idempotencyKey, offlineHold, retry } from 'rivulet/resilience';
import { TestClock, TestServer } from 'rivulet/testing';

import { run } from '../markdown';
import { watch } from '../watch';

describe('docs/BAD-NETWORKS.md', () => {
  it('aborts an attempt that takes too long, and is final', async () => {
    vi.useFakeTimers();
    const signals: (AbortSignal | null | undefined)[] = [];
    vi.stubGlobal('fetch', (_: string, { signal }: RequestInit) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const read = run('limits each attempt', []);
    const failed = expect(read).rejects.toMatchObject({ name: 'TimeoutError' });
    await vi.waitFor(
      () => {
        expect(signals).toHaveLength(1);
      },
      { timeout: 20_000 },
    );
    await vi.advanceTimersByTimeAsync(7_000);
    expect(signals[0]?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    await failed;

    expect(signals.map((signal) => signal?.aborted)).toStrictEqual([true]);
  });

  /** A read whose attempts are limited, while there is no network yet. */
  const reading = (limited: (clock: TestClock) => MonoTypeOperatorFunction<Exchange>) => {
    const clock = new TestClock();
    const server = new TestServer();
    const online$ = new BehaviorSubject(false);
    const root = createLib({
      transport: server.transport,
      scheduler: clock,
      interceptors: [
        retry({ count: 1 }),
        offlineHold(online$),
        (request, next) => next(request).pipe(limited(clock)),
      ],
    });
    const list = root.collection({ url: '/people' });
    const read = watch(list.fetch$());
    clock.advance(60_000);
    online$.next(true);
    return { clock, server, list, read };
  };

  it('does not limit how long a request is held', () => {
    const { clock, server, list, read } = reading((scheduler) => timeout({ each: 8_000, scheduler }));
    clock.advance(7_999);
    expect([read.error, server.open.length]).toStrictEqual([undefined, 1]);
    clock.advance(1);

    expect(read.error).toMatchObject({ name: 'TimeoutError' });
    expect(list.error$.value).toBe(read.error);
    clock.advance(60_000);
    expect(server.requests.map(({ state }) => state)).toStrictEqual(['aborted']);
  });

  it('lets an attempt be repeated that fails as the network does', () => {
    const { clock, server, read } = reading((scheduler) =>
      timeout({ each: 8_000, scheduler, with: () => throwError(() => new TypeError('no answer')) }),
    );
    clock.advance(8_500);
    server.expectOne('GET /people').answer([]);

    expect(server.requests.map(({ state }) => state)).toStrictEqual(['aborted', 'answered']);
    expect(read.isComplete).toBe(true);
  });

  it("sends the caller's own key with each save of a draft", async () => {
    const server = new TestServer();
    const root = createLib({ transport: server.transport, interceptors: [idempotencyKey()] });
    const draft = root.collection<{ id?: number; name: string }>({ url: '/people' }).record({ name: 'Ann' });
    const save = async () => {
      watch(draft.save$({ headers: { 'Idempotency-Key': '"mine"' } }));
      const request = server.expectOne('POST /people');
      request.fail();
      await turn();
      return request.headers.get('idempotency-key');
    };

    expect([await save(), await save()]).toStrictEqual(['"mine"', '"mine"']);
  });
});

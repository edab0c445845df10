import { interval, timer } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import { retry } from 'rivulet/resilience';
import { TestClock, TestServer } from 'rivulet/testing';

import { valuesOf, watch } from '../watch';

describe('a test clock', () => {
  it('shows the time that has passed, from 0', () => {
    const clock = new TestClock();
    clock.advance(5);
    clock.advance(0);
    clock.advance(0.5);

    expect(clock.now()).toBe(5.5);
  });

  it.each([Date.UTC(2026, 0), new Date('2026-01-01T00:00:00Z')])('begins at a time given: %s', (now) => {
    const clock = new TestClock(now);
    clock.advance(1000);

    expect(new Date(clock.now()).toISOString()).toBe('2026-01-01T00:00:01.000Z');
  });

  it('lets happen what is due, each at its own time, and nothing else', () => {
    const clock = new TestClock();
    const times: number[] = [];
    interval(10, clock).subscribe(() => times.push(clock.now()));
    timer(15, clock).subscribe(() => times.push(clock.now()));

    clock.advance(20);
    expect([times, clock.now()]).toStrictEqual([[10, 15, 20], 20]);

    clock.advance(9);
    expect([times.length, clock.now()]).toStrictEqual([3, 29]);
  });

  it('does not go back if what is due advances it', () => {
    const clock = new TestClock();
    clock.schedule(() => {
      clock.advance(50);
    }, 10);

    clock.advance(20);

    expect(clock.now()).toBe(60);
  });

  it('can be flushed afterwards as any scheduler of RxJS', () => {
    const clock = new TestClock();
    clock.advance(5);
    const seen = valuesOf(timer(1000, clock));

    clock.flush();

    expect([seen, clock.now()]).toStrictEqual([[0], 1005]);
  });

  it('can go on after something due has thrown', () => {
    const clock = new TestClock();
    clock.schedule(() => {
      throw new Error('due');
    }, 5);

    expect(() => {
      clock.advance(10);
    }).toThrow(new Error('due'));
    const seen = valuesOf(timer(1000, clock));
    clock.flush();

    expect([seen, clock.now()]).toStrictEqual([[0], 1005]);
  });

  it.each<unknown>([-1, NaN, Infinity, '5', undefined])('refuses %s', (time) => {
    const clock = new TestClock();

    expect(() => {
      clock.advance(time as number);
    }).toThrow(new RangeError(`advance: ${String(time)} is not a time: pass milliseconds, 0 or more`));
    expect(clock.now()).toBe(0);
  });

  it.each([NaN, -1, new Date(NaN)])('does not begin at %s', (now) => {
    expect(() => new TestClock(now)).toThrow(RangeError);
  });

  it('decides about time limits, lulls and retries of a root', () => {
    const [clock, server] = [new TestClock(Date.UTC(2026, 0)), new TestServer()];
    const interceptors = [retry({ count: 1, delay: 1000, jitter: 0 })];
    const root = createLib({ scheduler: clock, transport: server.transport, interceptors, timeout: 10_000 });
    const people = root.collection({ url: '/people', requestLull: 200 });
    const read = watch(people.fetch$());
    const headers = { 'retry-after': new Date(clock.now() + 3000).toUTCString() };
    server.expectOne('/people').answer(undefined, { status: 503, headers });

    clock.advance(2999);
    expect(server.open).toStrictEqual([]);
    clock.advance(1);
    expect(server.open).toHaveLength(1);
    clock.advance(7000);

    expect(read.error).toMatchObject({ name: 'TimeoutError' });
    expect(people.isReading$.value).toBe(false);
    server.verify();
  });
});

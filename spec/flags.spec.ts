import { NEVER, Subject, VirtualTimeScheduler, defer, takeUntil } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { Flags } from '../lib/flags';

import { advance } from './virtual-time';

function counting() {
  let changes = 0;
  const flags = new Flags(() => {
    changes += 1;
  });
  return { flags, changes: () => changes };
}

describe('a flag', () => {
  it('is up while any request of its kind is pending', () => {
    const { flags, changes } = counting();
    const first$ = new Subject();
    const second = NEVER.pipe(flags.raise('read')).subscribe();
    first$.pipe(flags.raise('read')).subscribe();

    first$.complete();
    expect([flags.isUp(['read']), flags.isUp(['create', 'save']), changes()]).toStrictEqual([true, false, 3]);
    second.unsubscribe();
    expect([flags.isUp(['read']), changes()]).toStrictEqual([false, 4]);
  });

  it.each(['complete', 'error'] as const)('is down before subscribers are notified of the end: %s', (end) => {
    const { flags } = counting();
    const request$ = new Subject();
    const seen: boolean[] = [];
    const look = () => {
      seen.push(flags.isUp(['save']));
    };
    request$.pipe(flags.raise('save')).subscribe({ error: look, complete: look });

    request$[end]('broken');

    expect(seen).toStrictEqual([false]);
  });

  it('does not start the request if raising it makes the subscriber leave', () => {
    const make = vi.fn(() => NEVER);
    const leave$ = new Subject<void>();
    const flags = new Flags(() => {
      leave$.next();
    });

    defer(make).pipe(flags.raise('read'), takeUntil(leave$)).subscribe();

    expect([make.mock.calls, flags.isUp(['read'])]).toStrictEqual([[], false]);
  });

  it('is held by the longest lull when there are several, by one timer, and by none after the end', () => {
    const { flags } = counting();
    const clock = new VirtualTimeScheduler();
    const end$ = new Subject();
    for (const lull of [20, 50, 10]) flags.hold('read', lull, clock, end$);
    expect(clock.actions).toHaveLength(1);

    advance(clock, 49);
    expect(flags.isUp(['read'])).toBe(true);
    advance(clock, 50);
    expect(flags.isUp(['read'])).toBe(false);

    flags.hold('read', 20, clock, end$);
    end$.next(0);
    expect(flags.isUp(['read'])).toBe(false);
  });

  it('is held by a lull even if the clock was set back since the last one', () => {
    const { flags } = counting();
    const clock = new VirtualTimeScheduler();
    flags.hold('read', 50, clock, NEVER);
    advance(clock, 50);
    vi.spyOn(clock, 'now').mockReturnValue(-3_600_000);
    flags.hold('read', 50, clock, NEVER);
    expect(flags.isUp(['read'])).toBe(true);
  });
});

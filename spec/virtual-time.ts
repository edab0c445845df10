import type { VirtualTimeScheduler } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { expect } from 'vitest';

/** Advances virtual time to a point, in milliseconds from the start. */
export function advance(scheduler: VirtualTimeScheduler, to: number): void {
  scheduler.schedule(() => undefined, to - scheduler.now());
  scheduler.maxFrames = to;
  scheduler.flush();
}

/** Runs a marble test; the scheduler goes into the options of a root. */
export function marbles(
  run: (helpers: Parameters<Parameters<TestScheduler['run']>[0]>[0], scheduler: TestScheduler) => void,
): void {
  const scheduler = new TestScheduler((actual, expected) => {
    expect(actual).toStrictEqual(expected);
  });
  scheduler.run((helpers) => {
    run(helpers, scheduler);
  });
}

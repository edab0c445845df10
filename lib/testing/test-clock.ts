import { VirtualTimeScheduler } from './peers';

/**
 * A clock that the test moves: time limits, lulls, and the waiting of `retry` pass in no time, and exactly as told.
 *
 * Pass it to a root as its `scheduler`, and to operators of your own: `debounceTime(500, clock)`. It is a scheduler of RxJS,
 * whose `now()` is the time in milliseconds.
 */
export class TestClock extends VirtualTimeScheduler {
  /** @param now What it shows at first, in milliseconds; for dates, milliseconds since 1970. Default 0. */
  constructor(now = 0) {
    super();
    this.frame = now;
  }

  /**
   * Lets time pass. What is due by then happens in its order, each at its own time, before this returns.
   *
   * @param time In milliseconds, 0 or more.
   * @throws RangeError for anything else; and what is thrown by what is due.
   */
  advance(time: number): void {
    const end = this.frame + time;
    if (!(time >= 0 && end < Infinity))
      throw new RangeError(`advance: ${String(time)} is not a time: pass milliseconds, 0 or more`);
    this.maxFrames = end;
    try {
      this.flush();
      this.frame = end;
    } finally {
      this.maxFrames = Infinity;
    }
  }
}

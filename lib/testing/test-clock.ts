import { VirtualTimeScheduler } from './peers';

/**
 * A clock that the test moves: time limits, lulls, and the waiting of `retry` pass in no time, and exactly as told.
 *
 * Pass it to a root as its `scheduler`, and to operators of your own: `debounceTime(500, clock)`. It is a scheduler of RxJS,
 * whose `now()` is the time in milliseconds.
 */
export class TestClock extends VirtualTimeScheduler {
  /**
   * @param now What it shows at first: a date, or milliseconds. Default 0.
   * @throws RangeError for anything else.
   */
  constructor(now: number | Date = 0) {
    super();
    this.frame = timeOf('TestClock', Number(now));
  }

  /**
   * Lets time pass. What is due by then happens in its order, each at its own time, before this returns. What is thrown by it
   * is thrown here; as always in RxJS, a scheduler then drops what else it holds.
   *
   * Not `flush()` of RxJS, which goes on for ever if anything repeats.
   *
   * @param time In milliseconds, 0 or more.
   * @throws RangeError for anything else.
   */
  advance(time: number): void {
    const end = this.frame + timeOf('advance', time);
    this.maxFrames = end;
    try {
      this.flush();
      // What is due may itself have advanced it further.
      this.frame = Math.max(this.frame, end);
    } finally {
      this.maxFrames = Infinity;
    }
  }
}

function timeOf(call: string, time: number): number {
  if (Number.isFinite(time) && time >= 0) return time;
  throw new RangeError(`${call}: ${String(time)} is not a time: pass milliseconds, 0 or more`);
}

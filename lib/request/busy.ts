import { asyncScheduler, tap } from 'rxjs';
import type { MonoTypeOperatorFunction, SchedulerLike, Subscription } from 'rxjs';

import type { Action } from '../types';

/** What a flag stands for: an action, or a save of either kind. */
export type Kind = Action | 'save';

/** The longest time a timer can wait; a longer one would fire at once. */
const longestDelay = 2 ** 31 - 1;

class Flag {
  count = 0;
  until = 0;
  timer: Subscription | undefined;

  get isUp(): boolean {
    return this.count > 0 || this.timer !== undefined;
  }
}

/** Counts requests under way by kind, and keeps a flag up until its lull is over. */
export class Busy {
  readonly #flags = new Map<Kind, Flag>();
  readonly #changed: () => void;
  readonly #scheduler: () => SchedulerLike | undefined;

  constructor(changed: () => void, scheduler: () => SchedulerLike | undefined) {
    this.#changed = changed;
    this.#scheduler = scheduler;
  }

  /** Whether requests of that kind, or of any kind, are under way or held by a lull. */
  is(kind?: Kind): boolean {
    if (kind) return this.#flags.get(kind)?.isUp ?? false;
    return [...this.#flags.values()].some((flag) => flag.isUp);
  }

  /** Keeps the flag up from subscription until the source ends in any way; lowered before the end is passed on. */
  during<T>(kind: Kind): MonoTypeOperatorFunction<T> {
    const flag = this.#flag(kind);
    const lower = () => {
      flag.count -= 1;
      this.#settle(flag);
    };
    return tap({
      subscribe: () => {
        flag.count += 1;
        this.#changed();
      },
      error: lower,
      complete: lower,
      unsubscribe: lower,
    });
  }

  /** Keeps a flag that is up from going down for some milliseconds more. */
  hold(kind: Kind, lull: number): void {
    const flag = this.#flag(kind);
    flag.until = Math.max(flag.until, this.#clock.now() + lull);
  }

  /** Lowers all flags, cancels the timers. */
  end(): void {
    for (const flag of this.#flags.values()) {
      flag.timer?.unsubscribe();
      flag.timer = undefined;
    }
    this.#changed();
  }

  get #clock(): SchedulerLike {
    return this.#scheduler() ?? asyncScheduler;
  }

  #flag(kind: Kind): Flag {
    let flag = this.#flags.get(kind);
    if (!flag) this.#flags.set(kind, (flag = new Flag()));
    return flag;
  }

  /** One timer per flag: one that finds the lull prolonged starts again for the rest. */
  #settle(flag: Flag): void {
    const rest = flag.until - this.#clock.now();
    if (!flag.count && !flag.timer && rest > 0) {
      flag.timer = this.#clock.schedule(
        () => {
          flag.timer = undefined;
          this.#settle(flag);
        },
        Math.min(rest, longestDelay),
      );
    }
    this.#changed();
  }
}

import { ownCopy } from './objects';
import { Observable, takeUntil, tap, timer } from './rx';
import type { MonoTypeOperatorFunction, SchedulerLike, Subscription } from './rx';
import type { Action } from './types';

/** What a flag stands for: an action, or a save of either kind. */
export type Kind = Action | 'save';

/** How long a flag is kept up. */
interface Lull {
  readonly until: number;
  readonly timer: Subscription;
}

/** Which kinds of request are under way, or held by a lull. */
export class Flags {
  /** A count for each kind, not a set of requests: engines keep each table that a set has outgrown. */
  readonly #counts = ownCopy<Partial<Record<Kind, number>>>({});
  /** The lull that ends last, by kind. */
  readonly #lulls = ownCopy<Partial<Record<Kind, Lull>>>({});
  readonly #changed: () => void;

  /** @param changed Called after each change of a count. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  isUp(kinds: readonly Kind[]): boolean {
    return kinds.some((kind) => this.#counts[kind]);
  }

  /** Keeps a flag up from subscription until the source ends in any way; lowered before the end is passed on. */
  raise<T>(kind: Kind): MonoTypeOperatorFunction<T> {
    return (source) =>
      new Observable((subscriber) => {
        const count = (by: number) => {
          this.#counts[kind] = (this.#counts[kind] ?? 0) + by;
          this.#changed();
        };
        const lower = () => {
          count(-1);
        };
        count(1);
        // A subscriber to the flag may have unsubscribed this very request: then the source is not subscribed.
        if (subscriber.closed) lower();
        else source.pipe(tap({ error: lower, complete: lower, unsubscribe: lower })).subscribe(subscriber);
      });
  }

  /**
   * Keeps a flag up for some milliseconds at least, by one timer: of several lulls only the one that ends last.
   *
   * @param lull Any number; unless it is positive and finite, there is no lull.
   */
  hold(kind: Kind, lull: number, clock: SchedulerLike, end$: Observable<unknown>): void {
    if (!(lull > 0 && lull < Infinity)) return;
    const until = clock.now() + lull;
    const held = this.#lulls[kind];
    // The clock may have been set back since one has ended.
    if (held && !held.timer.closed && held.until > until) return;
    held?.timer.unsubscribe();
    // A delay longer than a timer can wait would fire at once.
    const lull$ = timer(Math.min(lull, 2 ** 31 - 1), clock).pipe(takeUntil(end$), this.raise(kind));
    this.#lulls[kind] = { until, timer: lull$.subscribe() };
  }
}

import { EMPTY, Subject, defer, filter, merge, of, switchMap, take, tap } from '../rx';
import type { Observable } from '../rx';

/** Lets one piece of work run at a time, in the order of subscription. */
export class Lane {
  readonly #queue: Subject<void>[] = [];
  readonly #left$ = new Subject<void>();
  /** The first in line, once it runs. */
  #running: Subject<void> | undefined;
  #isAdvancing = false;

  /** How many are waiting or running. */
  get size(): number {
    return this.#queue.length;
  }

  /**
   * Puts off the subscription to some work until all earlier work has ended in any way. Idle, it subscribes at once;
   * whoever leaves while waiting is dropped, and those behind go on waiting.
   */
  enter<T>(work: Observable<T>): Observable<T> {
    return defer(() => {
      const turn$ = new Subject<void>();
      this.#queue.push(turn$);
      const work$ = turn$.pipe(
        take(1),
        switchMap(() => work),
      );
      const start$ = defer(() => {
        this.#advance();
        return EMPTY;
      });
      return merge(work$, start$).pipe(
        tap({
          finalize: () => {
            this.#queue.splice(this.#queue.indexOf(turn$), 1);
            this.#left$.next();
            this.#advance();
          },
        }),
      );
    });
  }

  /** Emits as soon as the condition no longer holds; it is looked at now and whenever somebody has left. */
  whileBlocked(isBlocked: () => boolean): Observable<unknown> {
    const freed$ = this.#left$.pipe(filter(() => !isBlocked()));
    return defer(() => (isBlocked() ? freed$ : of(0)));
  }

  /** A loop, not a call from one to the next: thousands that end at once would overflow the stack. */
  #advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    try {
      for (let next = this.#queue[0]; next && next !== this.#running; next = this.#queue[0]) {
        this.#running = next;
        next.next();
      }
    } finally {
      this.#isAdvancing = false;
    }
  }
}

import { BehaviorSubject, Observable, defer, filter, tap } from '../rx';

/** Lets one piece of work run at a time, in the order of subscription. */
export class Lane {
  /** What starts each, in line. */
  readonly #queue: (() => void)[] = [];
  /** Emits on subscription and whenever somebody has left. */
  readonly #left$ = new BehaviorSubject(0);
  /** The first in line, once it runs. */
  #running: (() => void) | undefined;
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
      let start: () => void;
      const turn$ = new Observable<T>((subscriber) => {
        start = () => {
          work.subscribe(subscriber);
        };
        this.#queue.push(start);
        this.#advance();
      });
      return turn$.pipe(
        tap({
          finalize: () => {
            this.#queue.splice(this.#queue.indexOf(start), 1);
            this.#left$.next(0);
            this.#advance();
          },
        }),
      );
    });
  }

  /** Emits as soon as the condition no longer holds; it is looked at now and whenever somebody has left. */
  whileBlocked(isBlocked: () => boolean): Observable<unknown> {
    return this.#left$.pipe(filter(() => !isBlocked()));
  }

  /** A loop, not a call from one to the next: thousands that end at once would overflow the stack. */
  #advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    try {
      for (let next = this.#queue[0]; next && next !== this.#running; next = this.#queue[0]) {
        this.#running = next;
        next();
      }
    } finally {
      this.#isAdvancing = false;
    }
  }
}

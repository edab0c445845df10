import { Observable, Subject, defer, first, of, tap } from '../rx';

/** Lets one piece of work run at a time, in the order of subscription. */
export class Lane {
  /** What starts each, in line. */
  readonly #queue = new Set<() => void>();
  /** Emits whenever somebody has left. */
  readonly #left$ = new Subject<number>();
  /** The first in line, once it runs. */
  #running: (() => void) | undefined;
  #isAdvancing = false;
  /** The number of the one that runs, or ran last. */
  turn = 0;

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
        this.#queue.add(start);
        this.#advance();
      });
      return turn$.pipe(
        tap({
          // Not a teardown of the above, which would come before that of the work: the next would begin too early.
          finalize: () => {
            this.#queue.delete(start);
            this.#left$.next(0);
            this.#advance();
          },
        }),
      );
    });
  }

  /** Emits once, as soon as the condition does not hold, given how many wait or run: at once, or when somebody has left. */
  waitWhile(isBlocked: (size: number) => boolean): Observable<unknown> {
    const isFree = () => !isBlocked(this.#queue.size);
    return isFree() ? of(0) : this.#left$.pipe(first(isFree));
  }

  /** A loop, not a call from one to the next: thousands that end at once would overflow the stack. */
  #advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    try {
      for (let [next] = this.#queue; next && next !== this.#running; [next] = this.#queue) {
        this.#running = next;
        this.turn += 1;
        next();
      }
    } finally {
      this.#isAdvancing = false;
    }
  }
}

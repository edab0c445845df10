import { BehaviorSubject, Observable, defer, first, tap } from '../rx';

/** Lets one piece of work run at a time, in the order of subscription. */
export class Lane {
  /** What starts each piece of work in line, the running one included. */
  readonly #queue = new Set<() => void>();
  /** Emits whenever one has left the line. */
  readonly #left$ = new BehaviorSubject(0);
  #isAdvancing = false;
  /** What runs, or ran last. */
  running: (() => void) | undefined;

  /**
   * Delays the subscription to some work until all earlier work has ended in any way. When idle, it subscribes at once; a
   * subscriber that leaves while waiting is dropped without letting the next overtake.
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
          // Not a teardown of the Observable above, which would run before that of the work: the next would begin too early.
          finalize: () => {
            this.#queue.delete(start);
            this.#left$.next(0);
            this.#advance();
          },
        }),
      );
    });
  }

  /** Emits once the condition no longer holds for the number that wait or run: at once, or when one has left the line. */
  waitWhile(isBlocked: (size: number) => boolean): Observable<unknown> {
    return this.#left$.pipe(first(() => !isBlocked(this.#queue.size)));
  }

  /** A loop rather than recursion: thousands that end synchronously would overflow the stack. */
  #advance(): void {
    if (this.#isAdvancing) return;
    this.#isAdvancing = true;
    try {
      for (let [next] = this.#queue; next && next !== this.running; [next] = this.#queue) {
        this.running = next;
        next();
      }
    } finally {
      this.#isAdvancing = false;
    }
  }
}

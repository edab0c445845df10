import { BehaviorSubject, Observable, defer, first, tap } from '../rx';

/** A place in line. */
interface Turn {
  /** Starts the work; undefined once that has ended, since a place may be remembered for longer than its work. */
  start?: (() => void) | undefined;
}

/** Lets one piece of work run at a time, in the order of subscription. */
export class Lane {
  /** The places of all work in line, the running one included. */
  readonly #queue = new Set<Turn>();
  /** Emits whenever one has left the line. */
  readonly #left$ = new BehaviorSubject(0);
  #isAdvancing = false;
  /** What runs, or ran last. */
  running: Turn | undefined;

  /**
   * Delays the subscription to some work until all earlier work has ended in any way. When idle, it subscribes at once; a
   * subscriber that leaves while waiting is dropped without letting the next overtake.
   */
  enter<T>(work: Observable<T>): Observable<T> {
    return defer(() => {
      const turn: Turn = {};
      const turn$ = new Observable<T>((subscriber) => {
        turn.start = () => {
          work.subscribe(subscriber);
        };
        this.#queue.add(turn);
        this.#advance();
      });
      return turn$.pipe(
        tap({
          // Not a teardown of the Observable above, which would run before that of the work: the next would begin too early.
          finalize: () => {
            this.#queue.delete(turn);
            turn.start = undefined;
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
        next.start?.();
      }
    } finally {
      this.#isAdvancing = false;
    }
  }
}

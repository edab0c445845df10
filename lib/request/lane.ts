import { AsyncSubject, EMPTY, concat, defer, of, tap } from '../rx';
import type { Observable } from '../rx';

/** Lets one piece of work run at a time, in the order of subscription. */
export class Lane {
  /** How many are waiting or running. */
  size = 0;
  /** Completes when the last in line has ended. */
  #last$: Observable<never> = EMPTY;

  /**
   * Puts off the subscription to some work until all earlier work has ended in any way. Idle, it subscribes at once;
   * whoever leaves while waiting is dropped, and those behind go on waiting.
   */
  enter<T>(work: Observable<T>): Observable<T> {
    return defer(() => {
      const before$ = this.#last$;
      const done$ = (this.#last$ = new AsyncSubject<never>());
      this.size += 1;
      return concat(before$, work).pipe(
        tap({
          finalize: () => {
            this.#leave(before$, done$);
          },
        }),
      );
    });
  }

  /** Emits once, as soon as nothing is in line any more that the condition holds for. */
  whileBlocked(isBlocked: () => boolean): Observable<unknown> {
    return defer(() => (isBlocked() ? concat(this.#last$, this.whileBlocked(isBlocked)) : of(0)));
  }

  /** Whoever leaves is done when those before are: so nobody who waits behind overtakes them. */
  #leave(before$: Observable<never>, done$: AsyncSubject<never>): void {
    this.size -= 1;
    before$.subscribe(done$);
  }
}

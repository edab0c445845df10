import { Subject, defer, filter, finalize, of, startWith, switchMap, take } from 'rxjs';
import type { Observable } from 'rxjs';

/** Lets one piece of work run at a time, in the order of subscription. */
export class Lane {
  readonly #queue: Subject<void>[] = [];
  readonly #ended$ = new Subject<void>();

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
      const turn = new Subject<void>();
      const isFirst = this.#queue.push(turn) === 1;
      const start$ = isFirst ? of(undefined) : turn.pipe(take(1));
      return start$.pipe(
        switchMap(() => work),
        finalize(() => {
          this.#leave(turn);
        }),
      );
    });
  }

  /** Emits once, as soon as the condition no longer holds; it is looked at now and whenever some work has ended. */
  whileBusy(isBlocked: () => boolean): Observable<void> {
    return this.#ended$.pipe(
      startWith(undefined),
      filter(() => !isBlocked()),
      take(1),
    );
  }

  #leave(turn: Subject<void>): void {
    const place = this.#queue.indexOf(turn);
    this.#queue.splice(place, 1);
    this.#ended$.next();
    if (place === 0) this.#queue[0]?.next();
  }
}

import { check } from './options';
import { originOf } from './origin';
import { AsyncSubject, defer, finalize, switchMap } from './peers';
import type { Interceptor, Observable } from './peers';

/**
 * Sends at most so many requests at a time to each origin; others wait, and go in the order in which they came.
 *
 * A request counts from sending until it has ended: its answer has been read, or has been refused, or was that of a
 * destroy (their bodies are for the caller to read), or has failed, or nobody waits for it any more. Put it last, so that
 * nothing waits while it counts.
 *
 * @param limit A whole number, 1 or more.
 * @throws TypeError for any other.
 */
export function concurrency(limit: number): Interceptor {
  check(Number.isInteger(limit) && limit > 0, 'concurrency', 'limit', 'a whole number, 1 or more');
  const gates = new Map<string | undefined, Gate>();
  return (request, next) =>
    defer(() => {
      const origin = originOf(request.url);
      const gate = gates.get(origin) ?? new Gate(limit);
      gates.set(origin, gate);
      return gate.pass(defer(() => next(request)));
    });
}

/** Lets some through at a time. */
class Gate {
  #free: number;
  readonly #waiting = new Set<AsyncSubject<void>>();
  #isAdmitting = false;

  constructor(limit: number) {
    this.#free = limit;
  }

  /** Subscribes to the work when it is its turn; whoever unsubscribes before gives up the turn. */
  pass<T>(work$: Observable<T>): Observable<T> {
    return defer(() => {
      const turn = new AsyncSubject<void>();
      this.#waiting.add(turn);
      this.#admit();
      return turn.pipe(
        switchMap(() => work$),
        finalize(() => {
          if (this.#waiting.delete(turn)) return;
          this.#free += 1;
          this.#admit();
        }),
      );
    });
  }

  /** A loop, not a call from one to the next: thousands that are answered at once would overflow the stack. */
  #admit(): void {
    if (this.#isAdmitting) return;
    this.#isAdmitting = true;
    for (const turn of this.#waiting) {
      if (!this.#free) break;
      this.#free -= 1;
      this.#waiting.delete(turn);
      turn.next();
      turn.complete();
    }
    this.#isAdmitting = false;
  }
}

import { defer, fromEvent, identity, map, merge, of, takeUntil } from '../rx';
import type { MonoTypeOperatorFunction, Observable } from '../rx';

/** Fails with the first reason that any of the streams emits. */
export const failOn = <T>(reasons: readonly Observable<unknown>[]): MonoTypeOperatorFunction<T> =>
  reasons.length
    ? takeUntil(
        merge(...reasons).pipe(
          map((reason) => {
            throw reason;
          }),
        ),
      )
    : identity;

/** One stream per signal, which emits the signal's own reason once it is aborted. Unsubscribing removes the listener. */
export const reasonsOf = (signals: readonly (AbortSignal | null | undefined)[]): Observable<unknown>[] =>
  signals
    .filter((signal) => !!signal)
    .map((signal) =>
      defer(() => (signal.aborted ? of(0) : fromEvent(signal, 'abort'))).pipe(
        map(() => signal.reason as unknown),
      ),
    );

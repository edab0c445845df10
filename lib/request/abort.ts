import { isObject } from '../objects';
import { Observable, filter, identity, merge, takeUntil } from '../rx';
import type { MonoTypeOperatorFunction } from '../rx';

/** Fails with the first reason that any of the streams emits, unless it is past by then. */
export const failOn = <T>(
  reasons: readonly Observable<unknown>[],
  isPast?: () => boolean,
): MonoTypeOperatorFunction<T> =>
  reasons.length
    ? takeUntil(
        merge(...reasons).pipe(
          filter((reason) => {
            if (isPast?.()) return false;
            throw reason;
          }),
        ),
      )
    : identity;

/** A signal, of whichever realm or library. */
export const isSignal = (value: unknown): value is AbortSignal =>
  isObject(value) && typeof value.addEventListener === 'function';

/** One stream per signal, which emits the signal's own reason once it is aborted. Unsubscribing removes the listener. */
export const reasonsOf = (signals: readonly unknown[]): Observable<unknown>[] =>
  signals.filter(isSignal).map(reasonOf);

/** Not `fromEvent`, which misses a signal that is aborted already, and takes three operators to say so. */
const reasonOf = (signal: AbortSignal): Observable<unknown> =>
  new Observable((subscriber) => {
    const tell = () => {
      subscriber.next(signal.reason);
    };
    if (signal.aborted) tell();
    else signal.addEventListener('abort', tell);
    subscriber.add(() => {
      signal.removeEventListener('abort', tell);
    });
  });

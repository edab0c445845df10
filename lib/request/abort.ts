import { EMPTY, defer, fromEvent, map, of } from '../rx';
import type { Observable, OperatorFunction } from '../rx';

/** Fails with what the source emits: makes a notice of the end out of a notice of the reason. */
export const failWith = (): OperatorFunction<unknown, never> =>
  map((reason) => {
    throw reason;
  });

/** Emits the signal's own reason once it is aborted. Its listener goes with the subscription. */
export const reasonOf = (signal: AbortSignal | null | undefined): Observable<unknown> =>
  signal
    ? defer(() => (signal.aborted ? of(0) : fromEvent(signal, 'abort'))).pipe(
        map(() => signal.reason as unknown),
      )
    : EMPTY;

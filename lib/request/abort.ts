import { EMPTY, defer, fromEvent, map, of } from '../rx';
import type { Observable } from '../rx';

/** Fails with what a function gives once the source emits. */
export const failOn = (source: Observable<unknown>, error: () => unknown): Observable<never> =>
  source.pipe(
    map(() => {
      throw error();
    }),
  );

/** Fails with the signal's own reason once it is aborted. Its listener goes with the subscription. */
export const abortOf = (signal: AbortSignal | null | undefined): Observable<never> =>
  signal
    ? failOn(
        defer(() => (signal.aborted ? of(0) : fromEvent(signal, 'abort'))),
        () => signal.reason as unknown,
      )
    : EMPTY;

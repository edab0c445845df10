import { EMPTY, defer, fromEvent, map, of } from '../rx';
import type { Observable } from '../rx';

/** Emits the signal's own reason once it is aborted. Its listener goes with the subscription. */
export const reasonOf = (signal: AbortSignal | null | undefined): Observable<unknown> =>
  signal
    ? defer(() => (signal.aborted ? of(0) : fromEvent(signal, 'abort'))).pipe(
        map(() => signal.reason as unknown),
      )
    : EMPTY;

import { NEVER, Observable } from 'rxjs';

/** Fails with the signal's own reason once it is aborted. Its listener goes with the subscription. */
export function abortOf(signal: AbortSignal | null | undefined): Observable<never> {
  if (!signal) return NEVER;
  return new Observable((subscriber) => {
    const abort = () => {
      subscriber.error(signal.reason);
    };
    if (signal.aborted) {
      abort();
      return undefined;
    }
    signal.addEventListener('abort', abort);
    return () => {
      signal.removeEventListener('abort', abort);
    };
  });
}

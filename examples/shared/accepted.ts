import { EMPTY, catchError, filter } from 'rxjs';
import type { MonoTypeOperatorFunction, Observable } from 'rxjs';

/**
 * Lets through the answer of a request that the server accepted, and simply ends after one that failed.
 *
 * For requests inside a longer stream, which a failure must not end: what went wrong is in `error$` of the record or
 * collection, and is shown from there.
 */
export function accepted(): MonoTypeOperatorFunction<Response> {
  return (request$: Observable<Response>) =>
    request$.pipe(
      filter(({ ok }) => ok),
      catchError(() => EMPTY),
    );
}

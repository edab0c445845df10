import { EMPTY, catchError, filter } from 'rxjs';
import type { MonoTypeOperatorFunction, Observable } from 'rxjs';

/**
 * Passes on the answer to a request that the server accepted, and just completes after any other.
 *
 * For requests inside a longer stream, which a failure must not end: the reason is in `error$` of the record or
 * collection, and is shown from there.
 */
export function accepted(): MonoTypeOperatorFunction<Response> {
  return (request$: Observable<Response>) =>
    request$.pipe(
      filter(({ ok }) => ok),
      catchError(() => EMPTY),
    );
}

import { catchError, EMPTY, from, ignoreElements, of, saveLatest, throwError } from './peers';
import type { Observable, ObservableInput } from './peers';

/**
 * Performs a save, and completes when that ends, however it does. What `save` or a teardown of its stream throws is a mistake,
 * which no `error$` would show: it is reported as RxJS reports an unhandled error, and holds nothing up.
 */
export const endOf = (save: () => ObservableInput<unknown>): Observable<never> =>
  of(0).pipe(
    // Reports what a teardown throws.
    saveLatest(() => {
      try {
        return from(save());
      } catch (error) {
        report(error);
        return EMPTY;
      }
    }),
    ignoreElements(),
    catchError(() => EMPTY),
  );

/** Reports an error as RxJS reports an unhandled one. */
export function report(error: unknown): void {
  throwError(() => error).subscribe();
}

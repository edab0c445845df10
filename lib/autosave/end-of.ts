import { from, Observable, throwError } from './peers';
import type { ObservableInput, Unsubscribable } from './peers';

/**
 * Performs a save, and completes when that ends, however it does. What `save` or a teardown of its stream throws is a mistake,
 * which no `error$` would show: it is reported as RxJS reports an unhandled error, and holds nothing up.
 */
export function endOf(save: () => ObservableInput<unknown>): Observable<never> {
  return new Observable((subscriber) => {
    const end = () => {
      subscriber.complete();
    };
    let saving: Unsubscribable | undefined;
    subscriber.add(() => {
      reporting(() => saving?.unsubscribe());
    });
    reporting(() => (saving = from(save()).subscribe({ error: end, complete: end })), end);
  });
}

function reporting(run: () => void, whenFailed?: () => void): void {
  try {
    run();
  } catch (error) {
    report(error);
    whenFailed?.();
  }
}

/** Reports an error as RxJS reports an unhandled one. */
export function report(error: unknown): void {
  throwError(() => error).subscribe();
}

import { catchError, defer, first, isObservable, map, of, ReplaySubject, share, tap } from './peers';
import type { Observable, ObservableInput } from './peers';

/** Refreshes of credentials, of which one runs at a time. Each emits whether it has succeeded. */
export interface Renewals {
  /** How the latest one ended; a new object after each. */
  ended(): Observable<boolean>;
  /** The one under way; otherwise how the latest one ended. If that is the given one, the next is begun. */
  latest(known$?: Observable<boolean>): Observable<boolean>;
}

/** Shares each refresh among all requests that wait for it. */
export function renewalsBy(refresh: () => ObservableInput<unknown>): Renewals {
  /** The one under way, if any. */
  let running$: Observable<boolean> | undefined;
  let ended$ = of(true);
  const begin = () => {
    /** Emits once it may be given up, for those too who have left while it began. */
    const leavable$ = new ReplaySubject<unknown>(1);
    return defer(() => {
      const result = refresh();
      if (isObservable(result)) leavable$.next(0);
      return result;
    }).pipe(
      // Over at its first value or at its end, whatever the value.
      map(() => true),
      first(null, true),
      catchError(() => of(false)),
      // Before any subscriber is notified, since a request that begins then must not wait.
      tap({
        next: (isRenewed) => {
          ended$ = of(isRenewed);
          running$ = undefined;
        },
        unsubscribe: () => {
          running$ = undefined;
        },
      }),
      share({ resetOnRefCountZero: () => leavable$ }),
    );
  };
  return {
    ended: () => ended$,
    latest: (known$) => {
      if (ended$ === known$) running$ ??= begin();
      return running$ ?? ended$;
    },
  };
}

import type { DataModel, RequestError } from '../index';

import { ignoreElements, merge, tap } from './peers';
import type { Observable } from './peers';

/** What is known of whether the server has a record that shows no id. */
export class Existence {
  /** Whether the record is new because it was destroyed. */
  isGone = false;
  /** Whether it is new, but a save may have created it: the answer was lost, or could not be read. */
  mayBeCreated = false;
  /** Keeps these up to date while it is subscribed; emits nothing. */
  readonly watching$: Observable<never>;
  #isDeleting = false;

  constructor({ error$, isDeleting$, isNew$ }: DataModel) {
    this.watching$ = merge(
      isNew$.pipe(
        tap((isNew) => {
          this.isGone = isNew && this.#isDeleting;
          this.mayBeCreated &&= isNew;
        }),
      ),
      // After that: both may change in one write.
      isDeleting$.pipe(tap((isDeleting) => (this.#isDeleting = isDeleting))),
      error$.pipe(tap((error) => (this.mayBeCreated ||= isNew$.value && isUnclear(error)))),
    ).pipe(ignoreElements());
  }
}

/** Whether a save that failed so may have been carried out: anything else that rivulet itself reports was refused or not sent. */
function isUnclear(error: Error | null): boolean {
  const { action, response } = (error ?? {}) as Partial<RequestError>;
  return !!error && (!action || !!response?.ok);
}

import type { DataModel, RequestError } from '../index';

import { ignoreElements, merge, tap } from './peers';
import type { Observable } from './peers';

/** What is known of whether the server has a record that shows no id. */
export class Existence {
  /** Whether the record is new because it was destroyed. */
  isGone = false;
  /**
   * Whether it is new, but a save may have created it: until it has an id, or that save was refused. Never of a record without
   * a field for an id, such as the settings of a user: each save replaces the same.
   */
  mayBeCreated = false;
  /** Keeps these up to date while it is subscribed; emits nothing. */
  readonly watching$: Observable<never>;
  #isDeleting = false;

  constructor(record: DataModel) {
    const { error$, isCreating$, isDeleting$, isNew$ } = record;
    const canBeCreated = () => isNew$.value && record.hasMappedField(record.idAttribute);
    this.watching$ = merge(
      isNew$.pipe(
        tap((isNew) => {
          this.isGone = isNew && this.#isDeleting;
          this.mayBeCreated &&= isNew;
        }),
      ),
      // After that: both may change in one write.
      isDeleting$.pipe(tap((isDeleting) => (this.#isDeleting = isDeleting))),
      isCreating$.pipe(
        tap((isCreating) => {
          this.mayBeCreated ||= isCreating && canBeCreated();
        }),
      ),
      error$.pipe(
        tap((error) => {
          const { action, response } = (error ?? {}) as Partial<RequestError>;
          // Whatever else rivulet itself reports of a create, it was refused or not sent.
          const isUnclear = !action || !!response?.ok;
          if (error && (isUnclear || action === 'create')) this.mayBeCreated = isUnclear && canBeCreated();
        }),
      ),
    ).pipe(ignoreElements());
  }
}

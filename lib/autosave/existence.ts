import type { DataModel, RequestError } from '../index';

import { equal, merge, tap } from './peers';

/** By record, what is known of it since its first autosave began, even if that has ended. */
const known = new WeakMap<DataModel, Existence>();

/** What is known of whether the server has a record that shows no id. */
export class Existence {
  /** Whether the record is new because it was destroyed, and no other is shown since. */
  isGone = false;
  /**
   * Whether it is new, but a save may have created it: until it has an id, or that save was refused. Never of a record without
   * a field for an id, such as the settings of a user: each save replaces the same.
   */
  mayBeCreated = false;
  /** Whether one before the latest may have. */
  #mightBeBefore = false;
  #isDeleting = false;
  /** What a destroy has left. */
  #left: unknown;

  /** One for each record, so that an autosave that begins later knows what others have seen. */
  static of(record: DataModel): Existence {
    const existence = known.get(record) ?? new Existence(record);
    known.set(record, existence);
    return existence;
  }

  /** Keeps itself up to date until the record ends, with which its streams complete. */
  private constructor(record: DataModel) {
    const { data$, error$, isCreating$, isDeleting$, isDirty$, isNew$ } = record;
    const canBeCreated = () => isNew$.value && record.hasMappedField(record.idAttribute);
    merge(
      isNew$.pipe(
        tap((isNew) => {
          this.isGone = isNew && this.#isDeleting;
          this.#left = data$.value;
          this.mayBeCreated &&= isNew;
        }),
      ),
      data$.pipe(
        tap((data) => {
          // Edits are of what is gone; what is confirmed is another record, such as a blank one.
          this.isGone &&= isDirty$.value || equal(data, this.#left);
        }),
      ),
      // After that: both may change in one write.
      isDeleting$.pipe(tap((isDeleting) => (this.#isDeleting = isDeleting))),
      isCreating$.pipe(
        tap((isCreating) => {
          // A refusal says nothing of those before.
          if (isCreating) this.#mightBeBefore = this.mayBeCreated;
          this.mayBeCreated ||= isCreating && canBeCreated();
        }),
      ),
      error$.pipe(
        tap((error) => {
          const { action, response } = (error ?? {}) as Partial<RequestError>;
          // Whatever else rivulet itself reports of a create, it was refused or not sent. Only a gateway that got no answer
          // (502, 504 in RFC 9110, and the 52x of Cloudflare) cannot say so.
          const isUnclear = !action || !!response?.ok || /^5(02|04|2.)$/.test(String(response?.status));
          if (error && (isUnclear || action === 'create'))
            this.mayBeCreated = (this.#mightBeBefore ||= isUnclear) && canBeCreated();
        }),
      ),
    ).subscribe();
  }
}

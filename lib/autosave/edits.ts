import type { DataModel } from '../index';

import { EMPTY, equal, of, switchMap, tap, timer } from './peers';
import type { Observable, SchedulerLike } from './peers';

/** What is unsaved of a record: whether it has waited long enough to be saved, and whether that was tried. */
export class Edits {
  /** Keeps this up to date while it is subscribed; emits when what is unsaved has waited long enough since the last edit. */
  readonly watching$: Observable<unknown>;
  /** Whether it has waited long enough, and no save was tried since. */
  isDue = false;
  /** What is unsaved; the same object as long as it is the same. */
  #patch: object = {};
  /** Of each field, whether it is unsaved, and what it shows. */
  #fields: (readonly [isDirty: boolean, value: unknown])[] = [];
  /** What the last save was to save. */
  #tried: unknown;

  constructor(record: DataModel, wait: number, scheduler: SchedulerLike) {
    const { changes$, isDirty$ } = record;
    this.watching$ = changes$.pipe(
      tap((patch) => {
        const fields = Object.entries(record.dirtyMap()).map(
          ([path, isDirty]) => [isDirty, record.get(path as never) as unknown] as const,
        );
        // What the server confirms changes what is unsaved, too. Only an edit changes what is shown of that.
        const isEdit = fields.some(([isDirty, value], place) => {
          const [wasDirty, shown] = this.#fields[place] ?? [];
          return (isDirty || wasDirty) && !equal(value, shown);
        });
        if (isEdit) this.isDue = false;
        else if (this.isTried) this.#tried = patch;
        this.#patch = patch;
        this.#fields = fields;
      }),
      switchMap(() => (isDirty$.value ? (this.isDue ? of(0) : timer(wait, scheduler)) : EMPTY)),
      tap(() => (this.isDue = !this.isTried)),
    );
  }

  /** Whether the last save was to save just what is unsaved. */
  get isTried(): boolean {
    return this.#tried === this.#patch;
  }

  /** Counts what is unsaved as tried, whatever becomes of it: the next edit waits again. */
  markTried(): void {
    this.isDue = false;
    this.#tried = this.#patch;
  }
}

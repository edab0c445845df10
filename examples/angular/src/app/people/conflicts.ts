import { Service, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import type { Conflict } from 'rivulet';
import { Subject, filter, map, merge, scan } from 'rxjs';

import { Person } from './person';

/** At most one for each field. */
type OpenConflicts = readonly Conflict[];

/**
 * The fields that somebody else has changed while they were edited here. Each is open until the user chooses a value, or
 * the edit is discarded in some other way; typing on is no choice, as the user may not have seen the conflict yet.
 */
@Service({ autoProvided: false })
export class Conflicts {
  readonly #person = inject(Person);
  readonly #chosen$ = new Subject<Conflict>();

  /** The open conflicts, in the order in which they were last reported. */
  readonly open = toSignal(
    merge(
      this.#person.conflicts$.pipe(
        map((told) => (open: OpenConflicts) => [...open.filter(({ path }) => path !== told.path), told]),
      ),
      this.#chosen$.pipe(map((chosen) => (open: OpenConflicts) => open.filter((each) => each !== chosen))),
      this.#person.changes$.pipe(
        map(() => this.#person.dirtyMap()),
        map((dirty) => (open: OpenConflicts) => open.filter(({ path }) => dirty[path])),
      ),
    ).pipe(scan((open, change) => change(open), [] as OpenConflicts)),
    { requireSync: true },
  );

  /** Emits when a choice has settled the last open conflict. */
  readonly settled$ = this.#chosen$.pipe(filter(() => this.open().length === 0));

  /** Keeps the shown value, to overwrite what somebody else has saved. */
  keepMine(conflict: Conflict): void {
    conflict.keepMine();
    this.#chosen$.next(conflict);
  }

  /** Replaces the shown value with what somebody else has saved. */
  takeTheirs(conflict: Conflict): void {
    conflict.takeTheirs();
    this.#chosen$.next(conflict);
  }
}

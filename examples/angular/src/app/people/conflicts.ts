import { Service, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import type { Conflict } from 'rivulet';
import { Subject, filter, map, merge, scan } from 'rxjs';

import { Person } from './person';

/** One for each field at most. */
type OpenConflicts = readonly Conflict[];

/**
 * The fields that somebody else has changed while they were edited here. Each is open until it is chosen which value
 * stays, or the edit is given up in any other way; typing on is no choice, as whoever types may not have seen it yet.
 */
@Service({ autoProvided: false })
export class Conflicts {
  readonly #person = inject(Person);
  readonly #chosen$ = new Subject<Conflict>();

  /** Those that are open, in the order in which they came up. */
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

  /** Emits when the last one has been chosen. */
  readonly settled$ = this.#chosen$.pipe(filter(() => this.open().length === 0));

  /** Has what is shown saved, over what somebody else has saved. */
  keepMine(conflict: Conflict): void {
    conflict.keepMine();
    this.#chosen$.next(conflict);
  }

  /** Gives up what is shown for what somebody else has saved. */
  takeTheirs(conflict: Conflict): void {
    conflict.takeTheirs();
    this.#chosen$.next(conflict);
  }
}

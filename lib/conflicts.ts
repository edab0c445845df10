import { notifyLast } from './batch';
import { isDirty, shown } from './entry';
import type { Entry, Owner } from './entry';
import { equal } from './equal';
import { isSameId } from './id';
import { Subject, defer, filter, map, merge } from './rx';
import type { Observable } from './rx';

/** An edited field for which the server has confirmed another value. Both are available until one is chosen. */
export interface Conflict {
  /** Where the field is mapped. */
  readonly path: string;
  /** The edit. It stays shown, and dirty, until something else is written. */
  readonly mine: unknown;
  /** What the server confirmed instead. */
  readonly theirs: unknown;
  /** Keeps the edit, or what was typed over it, for the next save; shows the edit again if none is left. */
  keepMine(): void;
  /** Replaces the edit with what the server confirmed last. */
  takeTheirs(): void;
}

/** What identifies a conflict: a newer one of the same field is a different conflict. */
interface Open {
  /** The id that the record had. */
  readonly id: unknown;
  /** What the server confirmed. */
  readonly theirs: unknown;
  /** Whether it was announced: before, it already counts, for whoever is notified of the same write. */
  isAnnounced?: true;
  /** As it was told last: the same object as long as the edit is the same. */
  told?: Conflict;
}

/** The conflicts of a record. Each is open until it is decided or the edit ends in any other way. */
export class Conflicts {
  readonly #record: Owner;
  readonly #told$ = new Subject<readonly [entry: Entry, open: Open]>();
  readonly #open = new Map<Entry, Open>();

  constructor(record: Owner) {
    this.#record = record;
  }

  /** Begins with those that are open. */
  readonly stream$: Observable<Conflict> = defer(() =>
    merge(
      this.#told$,
      [...this.#open].filter(([, { isAnnounced }]) => isAnnounced),
    ),
  ).pipe(
    // A subscriber notified before, of it or of another one, may have ended it.
    filter(([entry, open]) => this.prune().get(entry) === open),
    map(([entry, open]) => this.#conflictOf(entry, open)),
  );

  /** Those that are open, as they are now. */
  get open(): readonly Conflict[] {
    return [...this.prune()].map(([entry, open]) => this.#conflictOf(entry, open));
  }

  /** Within a write: adds a conflict, which is emitted once that is over, unless a subscriber notified of it ends it. */
  add(entry: Entry): void {
    const open: Open = { id: this.#record.id, theirs: entry.confirmed };
    this.#open.set(entry, open);
    notifyLast(() => {
      open.isAnnounced = true;
      this.#told$.next([entry, open]);
    });
  }

  /**
   * Closes those whose edit was saved or given up, or no longer contradicts what was confirmed, and those of a record other
   * than the one shown. Returns those left.
   */
  prune(): ReadonlyMap<Entry, Open> {
    const { fields, id } = this.#record;
    for (const [entry, open] of this.#open) {
      const isEdit = fields.includes(entry) && isDirty(entry) && equal(entry.confirmed, open.theirs);
      if (!isEdit || !isSameId(open.id, id)) this.#open.delete(entry);
    }
    return this.#open;
  }

  #conflictOf(entry: Entry, open: Open): Conflict {
    const mine = shown(entry);
    if (open.told && equal(open.told.mine, mine)) return open.told;
    const decide = (choose: () => void) => () => {
      if (this.#open.get(entry) === open) this.#open.delete(entry);
      // A late choice must not affect another record shown since then.
      if (isSameId(this.#record.id, open.id)) choose();
    };
    return (open.told = {
      path: entry.path,
      mine,
      theirs: open.theirs,
      keepMine: decide(() => {
        // What was typed since then is an edit, too. Writing nothing still tells that the choice was made.
        this.#record.show(isDirty(entry) ? [] : [[entry, mine]]);
      }),
      takeTheirs: decide(() => {
        this.#record.restore([entry]);
      }),
    });
  }
}

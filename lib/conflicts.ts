import { notifyLast } from './batch';
import { isDirty, shown } from './entry';
import type { Entry, Owner } from './entry';
import { equal } from './equal';
import { isSameId } from './id';
import { Subject, defer, filter, from, map, merge } from './rx';
import type { Observable } from './rx';

/** A field that holds an edit when the server confirms another value for it. Both can be had, until one is chosen. */
export interface Conflict {
  /** Where the field is mapped. */
  readonly path: string;
  /** The edit. It stays shown, and dirty, until something else is written. */
  readonly mine: unknown;
  /** What the server confirmed instead. */
  readonly theirs: unknown;
  /** Has what is shown sent by the next save, the edit or what was typed over it; shows the edit again if none is left. */
  keepMine(): void;
  /** Gives the edit up for what the server confirmed last. */
  takeTheirs(): void;
}

/** What makes a conflict one of its own: a newer one of the same field is another. */
interface Open {
  /** The id that the record had. */
  readonly id: unknown;
  /** What the server confirmed. */
  readonly theirs: unknown;
}

/** The conflicts of a record. Each is open until it is decided, or the edit has come to an end in any other way. */
export class Conflicts {
  readonly #record: Owner;
  readonly #told$ = new Subject<Conflict>();
  readonly #open = new Map<Entry, Open>();

  constructor(record: Owner) {
    this.#record = record;
  }

  /** Begins with those that are open. */
  readonly stream$: Observable<Conflict> = defer(() => {
    const open$ = from([...this.#open]).pipe(
      filter((each) => this.#isOpen(...each)),
      map((each) => this.#conflictOf(...each)),
    );
    return merge(this.#told$, open$);
  });

  /** Tells of a conflict once the write is over. */
  add(entry: Entry): void {
    const open = { id: this.#record.id, theirs: entry.confirmed };
    const conflict = this.#conflictOf(entry, open);
    notifyLast(() => {
      this.#open.set(entry, open);
      if (this.#isOpen(entry, open)) this.#told$.next(conflict);
    });
  }

  /** Whether a conflict is to be told of: whoever was told before, of another or of the write, may have put an end to it. */
  #isOpen(entry: Entry, open: Open): boolean {
    this.prune();
    return this.#open.get(entry) === open;
  }

  /** Closes those whose edit was saved or given up, and those of another record than the one shown. */
  prune(): void {
    const { fields, id } = this.#record;
    for (const [entry, open] of this.#open) {
      const isOpen = fields.includes(entry) && isDirty(entry) && equal(entry.confirmed, open.theirs);
      if (!isOpen || !isSameId(open.id, id)) this.#open.delete(entry);
    }
  }

  #conflictOf(entry: Entry, open: Open): Conflict {
    const mine = shown(entry);
    const decide = (choose: () => void) => () => {
      if (this.#open.get(entry) === open) this.#open.delete(entry);
      // A choice made late says nothing of another record that is shown by then.
      if (isSameId(this.#record.id, open.id)) choose();
    };
    return {
      path: entry.path,
      mine,
      theirs: open.theirs,
      keepMine: decide(() => {
        // What was typed since is an edit too.
        if (!isDirty(entry)) this.#record.show([[entry, mine]]);
      }),
      takeTheirs: decide(() => {
        this.#record.restore([entry]);
      }),
    };
  }
}

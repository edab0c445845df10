import { asShown, isDirty, shown } from './entry';
import type { Entry, Given } from './entry';
import { equal } from './equal';
import type { Pending } from './mapped-resource';

/** The record that a write is of. */
interface Written {
  readonly id: unknown;
  readonly fields: readonly Entry[];
}

/** A write of a record under way: what it has sent, and what its answer may replace. */
export class Write implements Pending {
  /** The id it was made for. */
  readonly id: unknown;
  readonly newer: Set<Entry> = new Set<Entry>();
  expected: Map<Entry, unknown>;
  /** What is sent and not confirmed yet. At first a guess: a `sync` may send something else, more than once. */
  sent: Map<Entry, unknown>;
  #isGuess = true;
  readonly #record: Written;
  readonly #edited: ReadonlySet<Entry>;

  constructor(record: Written, guess: readonly Given[]) {
    this.id = record.id;
    this.#record = record;
    this.sent = new Map(guess);
    this.#edited = new Set([...this.sent.keys()].filter(isDirty));
    this.expected = new Map([...guess, ...this.#clean()]);
  }

  /**
   * Records what is sent, each time.
   *
   * @param isShown Whether it is what is shown now; otherwise it may have been read before, as for a schema that takes its
   *   time, and is older than what came since.
   */
  carry(given: readonly Given[], isShown: boolean): void {
    this.sent = new Map([...(this.#isGuess ? [] : this.sent), ...given]);
    this.#isGuess = false;
    if (isShown) for (const [entry] of given) this.newer.delete(entry);
    const others = isShown ? this.#clean() : [...this.expected].filter(([entry]) => !this.#edited.has(entry));
    this.expected = new Map([...this.sent, ...others]);
  }

  /** Once what was sent is confirmed: a further answer replaces what is clean, and no edit. */
  settle(): void {
    this.sent = new Map();
    this.expected = new Map(this.#clean());
  }

  /** The fields that show what was sent. */
  get unchanged(): readonly Entry[] {
    return this.#record.fields.filter(
      (entry) => this.sent.has(entry) && equal(shown(entry), this.sent.get(entry)),
    );
  }

  #clean(): readonly Given[] {
    return this.#record.fields.filter((entry) => !isDirty(entry)).map(asShown);
  }
}

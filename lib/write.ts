import { asShown, entryOf, isDirty, shown } from './entry';
import type { Entry, Given } from './entry';
import { equal } from './equal';
import type { Pending } from './pending';

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
  expected!: Map<Entry, unknown>;
  /** What is sent and not confirmed yet. At first a guess: a `sync` may send something else, more than once. */
  sent!: Map<Entry, unknown>;
  /** The fields that have shown what was sent ever since, as far as it was noticed. */
  #kept!: readonly Entry[];
  #isGuess = true;
  readonly #record: Written;
  readonly #edited: ReadonlySet<Entry>;
  readonly #isReversible: boolean;

  /** @param isReversible Whether it may be rolled back: then it notices what is edited. */
  constructor(record: Written, guess: readonly Given[], isReversible = false) {
    this.#isReversible = isReversible;
    this.id = record.id;
    this.#record = record;
    this.#edited = new Set(guess.map(entryOf).filter(isDirty));
    this.#expect(guess);
  }

  /**
   * Records what is sent, each time.
   *
   * @param isShown Whether it is what is shown now; otherwise it may have been read before, as for a schema that takes its
   *   time, and is older than what came since.
   */
  carry(given: readonly Given[], isShown: boolean): void {
    if (isShown) for (const [entry] of given) this.newer.delete(entry);
    this.#expect(
      [...(this.#isGuess ? [] : this.sent), ...given],
      isShown ? undefined : [...this.expected].filter(([entry]) => !this.#edited.has(entry)),
    );
    this.#isGuess = false;
  }

  /** Once what was sent is confirmed: a further answer replaces what is clean, and no edit. */
  settle(): void {
    this.#expect([]);
  }

  /** @param others What else is expected. Default: what is clean now. */
  #expect(
    sent: readonly Given[],
    others: readonly Given[] = this.#record.fields.filter((entry) => !isDirty(entry)).map(asShown),
  ): void {
    this.sent = new Map(sent);
    this.#kept = [...this.sent.keys()];
    this.expected = new Map([...sent, ...others]);
  }

  /** Called after each change of the record: a box that was ticked twice was edited, whatever it shows. */
  notice(): void {
    if (this.#isReversible) this.#kept = this.unedited;
  }

  /** The fields to roll back. */
  get unedited(): readonly Entry[] {
    return this.#kept.filter((entry) => equal(shown(entry), this.sent.get(entry)));
  }
}

import type { Conflict } from 'rivulet';

/** What is known of all clients together. */
export interface Ledger {
  /** What the server has accepted of anybody. */
  readonly accepted: ReadonlySet<string>;
  /** What was accepted more than once: whoever finds it again cannot tell that anything happened. */
  readonly repeated: ReadonlySet<string>;
  readonly problems: string[];
}

/**
 * Knows what was typed into one field of one record and what was seen there, and objects when an update is lost unseen.
 * No two values that are typed are the same.
 */
export class Witness {
  readonly #name: string;
  readonly #ledger: Ledger;
  readonly #seen = new Set<string>();
  readonly #typed = new Set<string>();
  /** What a conflict was about: it may be written once more. */
  readonly #asked = new Set<string>();
  /** What was typed last and not given up. */
  edit: string | undefined;

  constructor(name: string, ledger: Ledger) {
    this.#name = name;
    this.#ledger = ledger;
  }

  typed(value: string): void {
    this.#typed.add(value);
    this.edit = value;
  }

  gaveUp(): void {
    this.edit = undefined;
  }

  told({ mine }: Conflict): void {
    this.#asked.add(String(mine));
  }

  /** A choice was made: what is shown is meant as if it was typed, over what somebody else has written. */
  chose(value: string, { theirs }: Conflict): void {
    this.#seen.add(String(theirs));
    this.meant(value);
  }

  /** What is shown is meant, even if another value is saved by then: it may be saved again. */
  meant(value: string): void {
    this.#seen.add(value);
    this.#asked.add(value);
    this.#typed.add(value);
  }

  /** The field shows a value: that of the edit, or instead of one that the server has, or that was given up. */
  shown(value: string): void {
    this.#seen.add(value);
    const { edit } = this;
    if (edit === undefined || edit === value || this.#ledger.accepted.has(edit)) return;
    this.#object(`the edit ${edit} went for ${value}`);
  }

  /** The server has taken a value of this record in place of another. */
  wrote(value: string, replaced: string, wasAccepted: boolean): void {
    if (!this.#seen.has(replaced)) this.#object(`${value} replaced ${replaced}, which nobody has seen there`);
    if (!this.#typed.has(value)) this.#object(`${value} replaced ${replaced}, and was never typed`);
    const isTold = this.#asked.has(value) || this.#ledger.repeated.has(replaced);
    if (wasAccepted && !isTold) this.#object(`${value} replaced ${replaced} once more`);
  }

  /** The record is deleted with this value. */
  deleted(value: string): void {
    if (!this.#seen.has(value)) this.#object(`${value} was deleted, which nobody has seen there`);
  }

  #object(problem: string): void {
    this.#ledger.problems.push(`${this.#name}: ${problem}`);
  }
}

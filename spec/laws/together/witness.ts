import type { Conflict } from 'rivulet';

/** What is known about all clients together. */
export interface Ledger {
  /** The values that the server has accepted, from anyone. */
  readonly accepted: ReadonlySet<string>;
  /** The values that were accepted more than once: a client that finds one again cannot tell that anything happened. */
  readonly repeated: ReadonlySet<string>;
  readonly problems: string[];
}

/**
 * Knows what was typed into one field of one record and what it has shown, and objects when an update is lost unseen.
 * No two typed values are the same.
 */
export class Witness {
  readonly #name: string;
  readonly #ledger: Ledger;
  readonly #seen = new Set<string>();
  readonly #typed = new Set<string>();
  /** Values that were part of a conflict: they may be written once more. */
  readonly #asked = new Set<string>();
  /** The value typed last, unless it was given up. */
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

  /** A choice was made: the shown value counts as typed, over what somebody else has written. */
  chose(value: string, { theirs }: Conflict): void {
    this.#seen.add(String(theirs));
    this.meant(value);
  }

  /** The shown value counts as typed, even if another one has been saved since: it may be saved again. */
  meant(value: string): void {
    this.#seen.add(value);
    this.#asked.add(value);
    this.#typed.add(value);
  }

  /** The field shows a value: that of the edit, unless the edit was accepted by the server or given up. */
  shown(value: string): void {
    this.#seen.add(value);
    const { edit } = this;
    if (edit === undefined || edit === value || this.#ledger.accepted.has(edit)) return;
    this.#object(`the edit ${edit} went for ${value}`);
  }

  /** The server has replaced a value with one of this record. */
  wrote(value: string, replaced: string, wasAccepted: boolean): void {
    if (!this.#seen.has(replaced)) this.#object(`${value} replaced ${replaced}, which nobody has seen there`);
    if (!this.#typed.has(value)) this.#object(`${value} replaced ${replaced}, and was never typed`);
    const isTold = this.#asked.has(value) || this.#ledger.repeated.has(replaced);
    if (wasAccepted && !isTold) this.#object(`${value} replaced ${replaced} once more`);
  }

  /** The record was deleted while it had this value. */
  deleted(value: string): void {
    if (!this.#seen.has(value)) this.#object(`${value} was deleted, which nobody has seen there`);
  }

  #object(problem: string): void {
    this.#ledger.problems.push(`${this.#name}: ${problem}`);
  }
}

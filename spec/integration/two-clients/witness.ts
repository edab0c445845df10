import type { Conflict } from 'rivulet';

/** What is known about all clients together: the values accepted by the server, and the problems found. */
export interface Ledger {
  readonly accepted: Set<string>;
  readonly problems: string[];
}

/**
 * Knows what the user of a client has typed into one field and seen there, and objects when an update is lost unseen.
 * No two typed values are the same.
 */
export class Witness {
  readonly #ledger: Ledger;
  readonly #seen = new Set<string>();
  readonly #typed = new Set<string>();
  /** Values that were part of a conflict: the user may have them written once more. */
  readonly #asked = new Set<string>();
  /** The value typed last, unless it was given up. */
  #edit: string | undefined;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  typed(value: string): void {
    this.#typed.add(value);
    this.#edit = value;
  }

  /** The user gives up the edit, whatever replaces it. */
  gaveUp(): void {
    this.#edit = undefined;
  }

  /** The user was asked, and chose a value: it counts as typed, over that of somebody else. */
  chose(value: string, { theirs }: Conflict): void {
    this.#seen.add(String(theirs));
    this.#asked.add(value);
    this.#typed.add(value);
  }

  /** A reported conflict is not yet decided. */
  told({ mine }: Conflict): void {
    this.#asked.add(String(mine));
  }

  /** The field shows a value: that of the edit, unless the edit was accepted by the server or given up. */
  shown(value: string): void {
    this.#seen.add(value);
    const edit = this.#edit;
    if (edit === undefined || edit === value || this.#ledger.accepted.has(edit)) return;
    this.#object(`the edit "${edit}" went for "${value}"`);
  }

  /** The server has replaced a value with one from this client. */
  wrote(value: string, replaced: string): void {
    const { accepted } = this.#ledger;
    if (!this.#seen.has(replaced))
      this.#object(`"${value}" replaced "${replaced}", which nobody has decided on`);
    if (!this.#typed.has(value)) this.#object(`"${value}" was written, and never typed`);
    if (accepted.has(value) && !this.#asked.has(value)) this.#object(`"${value}" was written again`);
    accepted.add(value);
  }

  #object(problem: string): void {
    this.#ledger.problems.push(problem);
  }
}

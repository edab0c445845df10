import type { Conflict } from 'rivulet';

/** What is known of all clients together: what the server has accepted of any of them, and what was found wrong. */
export interface Ledger {
  readonly accepted: Set<string>;
  readonly problems: string[];
}

/**
 * Knows what the user of a client has typed into one field and seen of it, and objects when an update is lost unseen.
 * No two values that are typed are the same.
 */
export class Witness {
  readonly #ledger: Ledger;
  readonly #seen = new Set<string>();
  readonly #typed = new Set<string>();
  /** What a conflict was about: the user may well have it written once more. */
  readonly #asked = new Set<string>();
  /** What was typed last and not given up. */
  #edit: string | undefined;

  constructor(ledger: Ledger) {
    this.#ledger = ledger;
  }

  typed(value: string): void {
    this.#typed.add(value);
    this.#edit = value;
  }

  /** The user lets go of the edit, for what comes instead. */
  gaveUp(): void {
    this.#edit = undefined;
  }

  /** The user has been asked, and means a value as if it was typed, over that of somebody else. */
  chose(value: string, { theirs }: Conflict): void {
    this.#seen.add(String(theirs));
    this.#asked.add(value);
    this.#typed.add(value);
  }

  /** To be told is not to have decided. */
  told({ mine }: Conflict): void {
    this.#asked.add(String(mine));
  }

  /** The field shows a value: that of an edit, or instead of one that the server has, or that was given up. */
  shown(value: string): void {
    this.#seen.add(value);
    const edit = this.#edit;
    if (edit === undefined || edit === value || this.#ledger.accepted.has(edit)) return;
    this.#object(`the edit "${edit}" went for "${value}"`);
  }

  /** The server has taken a value from this client in place of another. */
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

import { equal } from '../equal';

/** One read under way: the id it asked for, and whether something newer has been written meanwhile. */
export interface Claim {
  readonly id: unknown;
  isOvertaken: boolean;
}

/**
 * Decides which reads may still be written: the newest issued wins, and a write that succeeded beats every read that
 * was under way with it. A read that fails or is cancelled overtakes nothing.
 */
export class Claims {
  /** In the order of issue. */
  readonly #open = new Set<Claim>();

  issue(id: unknown): Claim {
    const claim = { id, isOvertaken: false };
    this.#open.add(claim);
    return claim;
  }

  /** Overtakes the reads of that id that are under way: those issued before a given one, or all. */
  overtake(id: unknown, by?: Claim): void {
    for (const claim of this.#open) {
      if (claim === by) return;
      if (equal(claim.id, id)) claim.isOvertaken = true;
    }
  }

  release(claim: Claim): void {
    this.#open.delete(claim);
  }
}

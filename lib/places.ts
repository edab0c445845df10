/** How many scans of a whole list take as long as recording every place. */
const worth = 200;

/**
 * Finds the place of an item in a list without examining the others. The map this needs costs time and memory, so it is
 * built only once scanning has taken as much time.
 */
export class Places<T> {
  /** Where each item was when it was recorded. */
  #noted: Map<T, number> | undefined;
  /** How far an item may have moved since. */
  #moved = 0;
  /** How many items were scanned since then, or would have been without the map: this must pay for the next one. */
  #looks = 0;

  /** The place of the first such item from a place on, or -1. */
  find(items: readonly T[], item: T, from = 0): number {
    if (!this.#noted && this.#looks > worth * items.length) this.#note(items);
    const place = this.#noted ? this.#recall(this.#noted, items, item, from) : items.indexOf(item, from);
    this.#looks += place < 0 ? items.length : place;
    return place;
  }

  /** With duplicates, one place per item is not enough: then it keeps scanning. */
  #note(items: readonly T[]): void {
    const noted = new Map<T, number>();
    items.forEach((item, place) => noted.set(item, place));
    if (noted.size === items.length) this.#noted = noted;
    this.#looks = this.#moved = 0;
  }

  #recall(noted: ReadonlyMap<T, number>, items: readonly T[], item: T, from: number): number {
    const was = noted.get(item);
    if (was === undefined) return -1;
    const place = items[was] === item ? was : items.indexOf(item, Math.max(0, was - this.#moved));
    return place < from ? -1 : place;
  }

  /**
   * Updates the map after a write, or drops it if it cannot.
   *
   * @param start Where the items were removed and inserted; anything but a place if unknown.
   */
  follow(items: readonly T[], removed: readonly T[], added: readonly T[], start: unknown): void {
    const noted = this.#noted;
    if (!noted) return;
    this.#noted = undefined;
    const first = Number(start);
    const behind = items.length - added.length - first;
    if (!(first >= 0 && behind >= 0)) return;
    if (behind) this.#moved += Math.abs(added.length - removed.length);
    for (const item of removed) noted.delete(item);
    added.forEach((item, place) => noted.set(item, first + place));
    // The further an item may have moved, the longer the scan for it.
    if (noted.size === items.length && this.#moved * 16 <= items.length) this.#noted = noted;
  }
}

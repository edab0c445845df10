/** How many looks through a whole list take as long as noting where everything is. */
const worth = 200;

/**
 * Knows where the items of a list are without a look at the others. The notes that it needs cost time and memory, so it
 * makes none until as much time has gone into looking.
 */
export class Places<T> {
  /** Where each item was when it was noted. */
  #noted: Map<T, number> | undefined;
  /** How far an item may have moved since. */
  #moved = 0;
  /** How many items were looked at for want of notes. */
  #looks = 0;

  /** The place of the first such item from a place on, or -1. */
  find(items: readonly T[], item: T, from = 0): number {
    if (this.#looks > worth * items.length) this.#note(items);
    if (!this.#noted) {
      const place = items.indexOf(item, from);
      this.#looks += place < 0 ? items.length : place;
      return place;
    }
    const was = this.#noted.get(item);
    if (was === undefined) return -1;
    const place = items[was] === item ? was : items.indexOf(item, Math.max(0, was - this.#moved));
    return place < from ? -1 : place;
  }

  /** Of items that are there twice it would have to know more than one place: then all goes on as before. */
  #note(items: readonly T[]): void {
    const noted = new Map<T, number>();
    items.forEach((item, place) => noted.set(item, place));
    if (noted.size === items.length) this.#noted = noted;
    this.#looks = 0;
  }

  /**
   * Keeps up with a write.
   *
   * @param start Where the items have gone and come; anything but a place if that is not known.
   * @returns Whether it did; otherwise its notes are of no use any more.
   */
  follow(items: readonly T[], gone: readonly T[], come: readonly T[], start: unknown): boolean {
    const noted = this.#noted;
    if (!noted) return true;
    const first = Number(start);
    const behind = items.length - come.length - first;
    if (!(first >= 0 && behind >= 0)) return false;
    if (behind) this.#moved += Math.abs(come.length - gone.length);
    for (const item of gone) noted.delete(item);
    come.forEach((item, place) => noted.set(item, first + place));
    // The longer the way that an item may have moved, the longer the look for it.
    return noted.size === items.length && this.#moved * 16 <= items.length;
  }
}

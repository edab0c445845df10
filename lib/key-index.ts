import { indexBy } from './items';
import type { KeyOf } from './items';

/** How many scans of a whole list take as long as building its index. */
const worth = 20;

/**
 * Finds items by key without examining the others. The map this needs costs time and memory, so it is built only once
 * scanning has taken as much time.
 */
export class KeyIndex<T> {
  readonly #keyOf: KeyOf;
  /** The items by key; if several share a key, the first. */
  #items: Map<unknown, T> | undefined;
  /** How many items were scanned since the map was built last: this must pay for the next one. */
  #looks = 0;

  constructor(keyOf: KeyOf) {
    this.#keyOf = keyOf;
  }

  /** The first item with that key. */
  find(items: readonly T[], key: unknown): T | undefined {
    return this.#items ? this.#items.get(key) : this.#scan(items, key);
  }

  // A method of its own: with its closure, a look-up in the map would take a third longer.
  #scan(items: readonly T[], key: unknown): T | undefined {
    if (this.#looks > worth * items.length) {
      this.#looks = 0;
      this.#items = indexBy(items, this.#keyOf);
      return this.#items.get(key);
    }
    const place = items.findIndex((item) => this.#keyOf(item) === key);
    this.#looks += place < 0 ? items.length : place;
    return items[place];
  }

  /** Updates the map after a write of few items; after a larger one, or if keys repeat, it is dropped. */
  follow(items: readonly T[], removed: readonly T[], added: readonly T[]): void {
    const index = this.#items;
    this.#items = undefined;
    if (index?.size !== items.length - added.length + removed.length || index.size <= removed.length) return;
    for (const item of removed) index.delete(this.#keyOf(item));
    for (const item of added) index.set(this.#keyOf(item), item);
    if (index.size === items.length) this.#items = index;
  }
}

import { readerOf } from './change';
import type { Change } from './change';

/** A version, to be compared by `<`: text is compared as text, so `'10'` is older than `'9'`. */
export type Version = number | string | bigint | Date | null | undefined;

/** Which of two states of an item is newer, by versions; of what has none, the later one. */
export class Versions<T extends object> {
  readonly #versionOf: (item: Partial<T>) => number;
  readonly #idOf: (item: unknown) => string;
  /** The versions of what was deleted, by the id as text: an older state that arrives later must not bring it back. */
  readonly #deleted = new Map<string, number>();

  constructor(version: (item: Partial<T>) => Version, idAttribute: string) {
    // Nothing is less than NaN, nor NaN than anything. For the compiler, all versions are numbers.
    this.#versionOf = (item) => (version(item) ?? NaN) as number;
    const read = readerOf(idAttribute);
    this.#idOf = (item) => String(read(item));
  }

  /** Whether an item is in an older state than another; one with another id is not. */
  isOlder(item: Partial<T>, than: Partial<T>): boolean {
    return this.#idOf(item) === this.#idOf(than) && this.#versionOf(item) < this.#versionOf(than);
  }

  /** Whether an item is in a state from before it was deleted. */
  isGone(item: Partial<T>): boolean {
    return this.#versionOf(item) <= (this.#deleted.get(this.#idOf(item)) ?? NaN);
  }

  /** Whether a change is to be applied to an item as it is now; remembers a deletion. */
  admits({ kind, item }: Change<T>, now: T | undefined): boolean {
    if (now && this.isOlder(item, now)) return false;
    if (this.isGone(item)) return kind === 'delete';
    const version = this.#versionOf(item);
    if (kind === 'delete' && !Number.isNaN(version)) this.#deleted.set(this.#idOf(item), version);
    return true;
  }
}

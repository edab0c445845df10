import { batch } from './batch';
import { BatchedSubject } from './batched-subject';
import { diff, indexBy } from './items';
import type { Delta, KeyOf } from './items';
import { Places } from './places';

/** How many scans of a whole list take as long as building its index. */
const worth = 20;

/** A write that changes nothing. */
const noChange: Delta<never> = { added: [], changed: [], removed: [] };

/** The methods of arrays that change them. */
type Changer = 'push' | 'pop' | 'shift' | 'unshift' | 'splice' | 'sort' | 'reverse';
type Changers = Record<Changer, (...args: readonly never[]) => unknown>;

/**
 * An observable array that knows what each write inserts and removes, so that a change of one item among many need not
 * examine the others.
 */
export class List<T> extends BatchedSubject<readonly T[]> {
  /** @internal What each write changed, emitted before the array itself; empty while nobody is subscribed. */
  readonly deltas: BatchedSubject<Delta<T>> = new BatchedSubject<Delta<T>>(noChange);
  /** @internal Called within each write with what it changes, so that the consequences are part of the write. */
  whenChanged: ((delta: Delta<T>) => void) | undefined;
  readonly #keyOf: KeyOf;
  #items: T[];
  /** Whether anybody else may hold the array: then the next write makes a new one. */
  #isShared = false;
  /** The items by key, once scanning has taken as long as building it; if several share a key, the first. */
  #byKey: Map<unknown, T> | undefined;
  /** How many items were scanned for a key since the index was built last: this must pay for the next one. */
  #looks = 0;
  readonly #places = new Places<T>();

  constructor(items: T[], keyOf: KeyOf) {
    // Not the items: a `BehaviorSubject` would keep its first value permanently.
    super([]);
    this.#items = items;
    this.#keyOf = keyOf;
  }

  /** @internal The items, to be read at once: a later write may modify this very array. */
  get present(): readonly T[] {
    return this.#items;
  }

  override getValue(): readonly T[] {
    this.#isShared = true;
    return this.#items;
  }

  /** @internal The first item with that key. */
  byKey(key: unknown): T | undefined {
    const items = this.#items;
    if (!this.#byKey && this.#looks > worth * items.length) {
      this.#byKey = indexBy(items, this.#keyOf);
      this.#looks = 0;
    }
    if (this.#byKey) return this.#byKey.get(key);
    const place = items.findIndex((item) => this.#keyOf(item) === key);
    this.#looks += place < 0 ? items.length : place;
    return items[place];
  }

  /** @internal The place of the first such item from a place on, or -1. */
  placeOf(item: T, from?: number): number {
    return this.#places.find(this.#items, item, from);
  }

  /** @internal Calls an array method that modifies the array, and returns its result. */
  change(name: Changer, args: readonly never[]): unknown {
    // The function passed to `sort` may throw: then nothing is written.
    const isCopied = this.#isShared || this.isEnded || name === 'sort';
    const items = isCopied ? this.#items.slice() : this.#items;
    const { length } = items;
    const result = (items as unknown as Changers)[name](...args);
    // The result and the arguments show what was removed and inserted, without examining the items.
    const isSplice = name === 'splice';
    const removed = isSplice ? (result as T[]) : items.length < length ? [result as T] : [];
    const added = isSplice ? args.slice(2) : items.length > length ? args : [];
    const start = isSplice ? args[0] : name.endsWith('shift') ? 0 : items.length - added.length;
    if (result === items) this.fill(items, [], [], undefined, true);
    else this.fill(items, removed, added, start);
    return result;
  }

  /**
   * @internal Replaces all items; the array becomes the list's own. If only a few differ, those may be passed.
   *
   * @param start Where they were removed and added, if that is one place.
   * @param isShared Whether anybody else holds the array. Default false.
   */
  fill(
    items: T[],
    removed: readonly T[] = this.#items,
    added: readonly T[] = items,
    start?: unknown,
    isShared = false,
  ): void {
    if (this.isEnded) return;
    this.#reindex(items, removed, added);
    this.#places.follow(items, removed, added, start);
    this.#items = items;
    this.#isShared = isShared;
    batch(() => {
      const { observed } = this.deltas;
      const delta = observed || this.whenChanged ? diff(removed, added, this.#keyOf) : noChange;
      // Without subscribers it is emptied, or the items of the last one emitted would be retained permanently.
      this.deltas.next(observed ? delta : noChange);
      this.whenChanged?.(delta);
      this.announce();
    });
  }

  /** Keeps the index in step with a change of few items; after a larger one, or if keys repeat, it is rebuilt on demand. */
  #reindex(items: readonly T[], removed: readonly T[], added: readonly T[]): void {
    const index = this.#byKey;
    this.#byKey = undefined;
    if (index?.size !== items.length - added.length + removed.length || index.size <= removed.length) return;
    for (const item of removed) index.delete(this.#keyOf(item));
    for (const item of added) index.set(this.#keyOf(item), item);
    if (index.size === items.length) this.#byKey = index;
  }

  /** @internal */
  override end(): void {
    super.end();
    this.deltas.end();
  }
}

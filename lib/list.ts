import { batch } from './batch';
import { BatchedSubject } from './batched-subject';
import { idText } from './id';
import { diff } from './items';
import type { Delta, KeyOf } from './items';
import { KeyIndex } from './key-index';
import { Places } from './places';

/** A write that changes nothing. */
const noChange: Delta<never> = { added: [], changed: [], removed: [] };

/** Whether a state of an item is too old to take the place of another. Must only read, and not throw. */
export type Guard<T> = (item: T, before: T | undefined) => boolean;

/** The methods of arrays that change them. */
export type Changer = 'push' | 'pop' | 'shift' | 'unshift' | 'splice' | 'sort' | 'reverse';
type Changers = Record<Changer, (...args: readonly never[]) => unknown>;

/**
 * An observable array that knows what each write inserts and removes, so that a change of one item among many need not
 * examine the others.
 */
export class List<T> extends BatchedSubject<readonly T[]> {
  /** @internal What each write changed, emitted before the array itself; empty while nobody is subscribed. */
  readonly _deltas: BatchedSubject<Delta<T>> = new BatchedSubject<Delta<T>>(noChange);
  /** @internal Called within each write with what it changes, so that the consequences are part of the write. */
  _whenChanged: ((delta: Delta<T>) => void) | undefined;
  /** @internal Asked before an answer is written; `before` is undefined for an item that is not there. */
  _guards: readonly Guard<T>[] = [];
  readonly #keyOf: KeyOf;
  #items: T[];
  /** Whether anybody else may hold the array: then the next write makes a new one. */
  #isShared = false;
  readonly #byKey: KeyIndex<T>;
  readonly #byText: KeyIndex<T>;
  readonly #places = new Places<T>();

  constructor(items: T[], keyOf: KeyOf) {
    // Not the items: a `BehaviorSubject` would keep its first value permanently.
    super([]);
    this.#items = items;
    this.#keyOf = keyOf;
    this.#byKey = new KeyIndex(keyOf);
    this.#byText = new KeyIndex((item) => {
      const key = keyOf(item);
      return key === item ? key : idText(key);
    });
  }

  /** @internal The items, to be read at once: a later write may modify this very array. */
  get _present(): readonly T[] {
    return this.#items;
  }

  override getValue(): readonly T[] {
    this.#isShared = true;
    return this.#items;
  }

  /** @internal The first item with that key. */
  _byKey(key: unknown): T | undefined {
    return this.#byKey.find(this.#items, key);
  }

  /** @internal The first item whose key reads like that in a url. */
  _byText(text: string): T | undefined {
    return this.#byText.find(this.#items, text);
  }

  /** @internal The place of the first such item from a place on, or -1. */
  _placeOf(item: T, from?: number): number {
    return this.#places.find(this.#items, item, from);
  }

  /** @internal Calls an array method that modifies the array, and returns its result. */
  _change(name: Changer, args: readonly never[]): unknown {
    // The function passed to `sort` may hand out the array.
    const isCopied = this.#isShared || this._isEnded || name === 'sort';
    const items = isCopied ? this.#items.slice() : this.#items;
    const { length } = items;
    const result = (items as unknown as Changers)[name](...args);
    // The result and the arguments show what was removed and inserted, without examining the items.
    const isSplice = name === 'splice';
    const removed = isSplice ? (result as T[]) : items.length < length ? [result as T] : [];
    const added = isSplice ? args.slice(2) : items.length > length ? args : [];
    const start = isSplice ? args[0] : name.endsWith('shift') ? 0 : items.length - added.length;
    // What sorts or reverses returns the array itself, whose items are anywhere by then.
    const isShared = result === items;
    this._fill(items, removed, added, isShared ? undefined : start, isShared);
    return result;
  }

  /**
   * @internal Replaces all items; the array becomes the list's own. If only a few differ, those may be passed.
   *
   * @param start Where they were removed and added, if that is one place.
   * @param isShared Whether anybody else holds the array. Default false.
   */
  _fill(
    items: T[],
    removed: readonly T[] = this.#items,
    added: readonly T[] = items,
    start?: unknown,
    isShared = false,
  ): void {
    if (this._isEnded) return;
    this.#byKey.follow(items, removed, added);
    this.#byText.follow(items, removed, added);
    this.#places.follow(items, removed, added, start);
    this.#items = items;
    this.#isShared = isShared;
    batch(() => {
      const { observed } = this._deltas;
      const delta = observed || this._whenChanged ? diff(removed, added, this.#keyOf) : noChange;
      // Without subscribers it is emptied, or the items of the last one emitted would be retained permanently.
      this._deltas.next(observed ? delta : noChange);
      this._whenChanged?.(delta);
      this._announce();
    });
  }

  /** @internal */
  override _end(): void {
    super._end();
    this._deltas._end();
  }
}

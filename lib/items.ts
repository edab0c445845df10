import { equal } from './equal';
import { readAt } from './paths';

/** What a write to a collection really changed; an item moved is not changed. */
export interface Delta<T> {
  readonly added: T[];
  readonly changed: (readonly [before: T, after: T])[];
  readonly removed: T[];
}

/** Gives an item's identity: its id, or the item itself where it has none. */
export type KeyOf = (item: unknown) => unknown;

/** The identity of items by the path of their id. */
export function keyBy(idAttribute: string): KeyOf {
  const segments = idAttribute.split('.');
  return (item) => readAt(item, segments) ?? item;
}

/** The items by key; of several with one key the first. */
export function indexBy<T>(items: readonly T[], keyOf: KeyOf): Map<unknown, T> {
  const index = new Map<unknown, T>();
  for (const item of items) if (!index.has(keyOf(item))) index.set(keyOf(item), item);
  return index;
}

/** The new items in their order; where an old one of the same key is equal, that one takes its place. */
export function reconcile<T>(before: readonly T[], after: readonly T[], keyOf: KeyOf): T[] {
  let index: Map<unknown, T> | undefined;
  return after.map((item, place) => {
    const key = keyOf(item);
    // Most answers come in the order of the last one, so the index is seldom needed.
    let known = before[place];
    if (known === undefined || keyOf(known) !== key) known = (index ??= indexBy(before, keyOf)).get(key);
    return known !== undefined && equal(known, item) ? known : item;
  });
}

/** Compares two lists by identity, then by content. Items of one key are paired in their order. */
export function diff<T>(before: readonly T[], after: readonly T[], keyOf: KeyOf): Delta<T> {
  const delta: Delta<T> = { added: [], changed: [], removed: [] };
  const gone = new Map<unknown, T[]>();
  const come: T[] = [];
  const pair = (old: T, item: T) => {
    if (!equal(old, item)) delta.changed.push([old, item]);
  };
  before.forEach((old, place) => {
    const key = keyOf(old);
    const item = after[place];
    if (place < after.length && keyOf(item) === key) pair(old, item as T);
    else if (!gone.get(key)?.push(old)) gone.set(key, [old]);
  });
  after.forEach((item, place) => {
    if (place >= before.length || keyOf(before[place]) !== keyOf(item)) come.push(item);
  });
  for (const item of come) {
    const [old] = gone.get(keyOf(item))?.splice(0, 1) ?? [];
    if (old === undefined) delta.added.push(item);
    else pair(old, item);
  }
  for (const left of gone.values()) delta.removed.push(...left);
  return delta;
}

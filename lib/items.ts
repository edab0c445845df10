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
export const indexBy = <T>(items: readonly T[], keyOf: KeyOf): Map<unknown, T> =>
  new Map([...items].reverse().map((item) => [keyOf(item), item]));

/** The new items in their order; where an old one of the same key is equal, that one takes its place. */
export function reconcile<T>(before: readonly T[], after: readonly T[], keyOf: KeyOf): T[] {
  const known = indexBy(before, keyOf);
  return after.map((item) => {
    const old = known.get(keyOf(item));
    return equal(old, item) ? (old as T) : item;
  });
}

/** Compares two lists by identity, then by content. Items of one key are paired in their order. */
export function diff<T>(before: readonly T[], after: readonly T[], keyOf: KeyOf): Delta<T> {
  const delta: Delta<T> = { added: [], changed: [], removed: [] };
  const gone = new Map<unknown, T[]>();
  for (const old of before) if (!gone.get(keyOf(old))?.push(old)) gone.set(keyOf(old), [old]);
  // The next of several with one key is at the end, where it is taken off at no cost.
  for (const known of gone.values()) known.reverse();
  for (const item of after) {
    const known = gone.get(keyOf(item));
    if (!known?.length) {
      delta.added.push(item);
      continue;
    }
    const old = known.pop() as T;
    if (!equal(old, item)) delta.changed.push([old, item]);
  }
  for (const left of gone.values()) for (const old of left.reverse()) delta.removed.push(old);
  return delta;
}

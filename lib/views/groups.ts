import { live } from './live';
import type { ListSource } from './live';
import { reader } from './paths';
import type { Key, ValueBy } from './paths';
import { equal } from './peers';
import type { Delta, StateStream } from './peers';
import { emptyDelta } from './rows';
import { add, total } from './sum';
import type { Parts } from './sum';

/** The items that have one value in common, counted. The same object until its count or sum is another. */
export interface Group<K> {
  /** The value they have in common. */
  readonly key: K;
  /** How many they are; at least 1. */
  readonly count: number;
  /** The sum of what was to be summed; 0 if nothing was. */
  readonly sum: number;
}

/** The groups of a list by their key, in the order in which they arose. A fresh map whenever one is another. */
export interface Groups<K> extends StateStream<ReadonlyMap<K, Group<K>>> {
  /** The distinct keys; told only when one comes or goes. */
  readonly distinct$: StateStream<readonly K[]>;
  /** Ends it: completes its streams, those made later too, and releases the list. */
  dispose(): void;
}

/**
 * Counts and sums the items of a collection or a view in groups, and keeps that up to date: a write costs what it
 * changed, and a step for each group.
 *
 * It works while somebody is subscribed to it or to `distinct$`. Otherwise it holds at most the state of the list for which
 * its `value` was asked last. Completes with the list. For the groups of some items only, take a view with `where`.
 *
 * @param by What the items of a group have in common: a key, a dotted path, or a function of an item. Compared as the
 *   keys of a `Map` are; for dates give their time or day, for objects an id: an equal copy of an item is no change.
 * @param sum What is summed, given in the same ways. Only finite numbers count. The sum is exact: the number nearest to the
 *   true sum, however often items have come and gone (as long as it has been finite all the time). Default: nothing.
 */
export function groups<T, const B extends Key<T>>(
  source: ListSource<T>,
  by: B,
  sum: Key<T, number | null | undefined> = () => 0,
): Groups<ValueBy<T, B>> {
  const keyOf = reader(by) as (item: T) => ValueBy<T, B>;
  const numberOf = reader(sum);
  const { state, dispose } = live(source, (items) => tallyOf(items, keyOf, numberOf));
  return Object.assign(
    state((tally) => tally.groups()),
    { distinct$: state((tally) => tally.keys()), dispose },
  );
}

/** The groups of some items. */
interface Tally<T, K> {
  readonly groups: () => ReadonlyMap<K, Group<K>>;
  readonly keys: () => readonly K[];
  readonly apply: (delta: Delta<T>) => Delta<T>;
}

/** What is known of the items of one group. */
interface Count {
  readonly count: number;
  readonly parts: Parts;
}

function tallyOf<T, K>(
  items: readonly T[],
  keyOf: (item: T) => K,
  numberOf: (item: T) => unknown,
): Tally<T, K> {
  let groups: ReadonlyMap<K, Group<K>> = new Map();
  /** Taken when first asked for. */
  let keys: readonly K[] | undefined;
  const counts = new Map<K, Count>();

  const apply = (delta: Delta<T>): Delta<T> => {
    const { added, changed, removed } = delta;
    const touched = new Map<K, Count>();
    const put = (item: T, times: 1 | -1) => {
      const key = keyOf(item);
      const number = numberOf(item) as number;
      const { count, parts } = touched.get(key) ?? counts.get(key) ?? { count: 0, parts: [] };
      touched.set(key, {
        count: count + times,
        parts: Number.isFinite(number) ? add(parts, times * number) : parts,
      });
    };
    // What comes before what goes: a group whose items are all replaced keeps its place.
    for (const item of added) put(item, 1);
    for (const [before, after] of changed) {
      put(after, 1);
      put(before, -1);
    }
    for (const item of removed) put(item, -1);

    const next = new Map(groups);
    for (const [key, { count, parts }] of touched) {
      counts.set(key, { count, parts });
      const group = { key, count, sum: total(parts) };
      const known = groups.get(key);
      if (equal(group, known)) continue;
      groups = next;
      next.set(key, group);
      if (!count) counts.delete(key);
      if (!count) next.delete(key);
      if (!count || !known) keys = undefined;
    }
    return delta;
  };
  apply({ ...emptyDelta(), added: [...items] });

  return {
    groups: () => groups,
    keys: () => (keys ??= [...groups.keys()]),
    apply,
  };
}

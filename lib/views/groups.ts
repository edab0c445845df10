import type { Delta, StateStream } from '../index';

import { live } from './live';
import type { ListSource } from './live';
import { reader } from './paths';
import type { Key, ValueBy } from './paths';
import { equal } from './peers';
import { emptyDelta } from './rows';
import { add, total } from './sum';
import type { Parts } from './sum';

/** The items that share one key, counted and summed. The same object until its count or sum changes. */
export interface Group<K> {
  /** The value that the items share. */
  readonly key: K;
  /** How many items there are; at least 1. */
  readonly count: number;
  /** The sum of the values that `sum` selects; 0 without it. */
  readonly sum: number;
}

/** The groups of a list by key, in the order in which they arose. Emits a new map whenever a group changes. */
export interface Groups<K> extends StateStream<ReadonlyMap<K, Group<K>>> {
  /** The distinct keys; emits only when one is added or removed. */
  readonly distinct$: StateStream<readonly K[]>;
  /** Ends it: completes its streams, for later subscribers too, and releases the list. */
  dispose(): void;
}

/**
 * Counts and sums the items of a collection or a view by group, kept up to date: a write costs what it changed, plus one
 * step per group.
 *
 * It works only while it or `distinct$` has a subscriber. Otherwise it holds at most the state of the list for which its
 * `value` was last read. Completes with the list. To group only some items, pass a view with `where`. What `by` or `sum`
 * throws, `value` throws and the streams fail with.
 *
 * @param by What the items of a group share: a key, a dotted path, or a function of an item. Compared like the keys of a
 *   `Map`; dates, lists and plain objects by content, like those of the same JSON.
 * @param sum What to sum, given in the same ways. Only finite numbers count. The sum is exact: the number nearest to the
 *   true sum, however often items have come and gone (as long as it was always finite). Default: nothing.
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
interface Count<K> {
  readonly key: K;
  count: number;
  parts: Parts;
}

function tallyOf<T, K>(
  items: readonly T[],
  keyOf: (item: T) => K,
  numberOf: (item: T) => unknown,
): Tally<T, K> {
  const current = new Map<K, Group<K>>();
  /** Copies of `current` and of its keys, made when first read. */
  let snapshot: ReadonlyMap<K, Group<K>> | undefined;
  let keys: readonly K[] | undefined;
  /** The counts by what their keys are found by. */
  const counts = new Map<unknown, readonly Count<K>[]>();

  const countOf = (key: K): Count<K> => {
    const alike = counts.get(comparable(key)) ?? [];
    const known = alike.find((each) => equal(each.key, key));
    if (known) return known;
    const made = { key, count: 0, parts: [] };
    counts.set(comparable(key), [...alike, made]);
    return made;
  };

  /** Makes the group of what was counted anew, if it is another now. */
  const regroup = (counted: Count<K>): void => {
    const { key, count, parts } = counted;
    const group = { key, count, sum: total(parts) };
    const known = current.get(key);
    if (equal(group, known)) return;
    snapshot = undefined;
    if (!count || !known) keys = undefined;
    if (count) {
      current.set(key, group);
      return;
    }
    current.delete(key);
    const others = counts.get(comparable(key))?.filter((each) => each !== counted);
    if (others?.length) counts.set(comparable(key), others);
    else counts.delete(comparable(key));
  };

  const apply = (delta: Delta<T>): Delta<T> => {
    const { added, changed, removed } = delta;
    const touched = new Set<Count<K>>();
    const put = (item: T, times: 1 | -1) => {
      const counted = countOf(keyOf(item));
      const number = numberOf(item) as number;
      counted.count += times;
      if (Number.isFinite(number)) counted.parts = add(counted.parts, times * number);
      touched.add(counted);
    };
    for (const item of added) put(item, 1);
    for (const [before, after] of changed) {
      put(after, 1);
      put(before, -1);
    }
    for (const item of removed) put(item, -1);
    touched.forEach(regroup);
    return delta;
  };
  apply({ ...emptyDelta(), added: items as T[] });

  return {
    groups: () => (snapshot ??= new Map(current)),
    keys: () => (keys ??= [...current.keys()]),
    apply,
  };
}

/**
 * What a key is found by: itself, or the JSON of an object, which different ones may share, such as `{ a: undefined }` and
 * `{}`. An item may be replaced by an equal copy without a change being reported, and a function may make another key at each
 * call.
 */
const comparable = (key: unknown): unknown => (key === Object(key) ? JSON.stringify(key, textOfBigint) : key);

/** JSON has no bigints. */
const textOfBigint = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

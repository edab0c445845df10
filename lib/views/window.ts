import type { Delta } from '../index';

import { emptyDelta, sizeOf } from './rows';
import type { Rows } from './rows';

/** Which of the listed items are shown. */
export interface PageOptions {
  /** How many items to show at most: a whole number, or Infinity. Default Infinity. */
  readonly limit?: number | undefined;
  /** How many items to skip at the start: a whole number. Default 0. */
  readonly offset?: number | undefined;
}

/** A page with all options set. */
export interface Bounds {
  readonly limit: number;
  readonly offset: number;
}

/** The part of some rows that is shown. */
export interface Window<T> {
  /** How many rows there are, shown or not. */
  readonly count: () => number;
  /** The items shown; the same array until they change. */
  readonly items: () => readonly T[];
  /** Applies a change of the source. Returns what that changes among the items shown. */
  readonly apply: (delta: Delta<T>) => Delta<T>;
  /** Shows another page. Returns what that changes. */
  readonly show: (bounds: Bounds) => Delta<T>;
}

/** Shows a part of some rows, and takes over their `apply`: whoever uses both would apply a change twice. */
export function windowOf<T>({ list, apply }: Rows<T>, initial: Bounds): Window<T> {
  let bounds = initial;
  const take = () => list.slice(bounds.offset, bounds.offset + bounds.limit).map(({ item }) => item);
  /** Computed when first read: 100,000 rows are not copied for a subscriber that only wants to know what has changed. */
  let shown: readonly T[] | undefined;
  const items = () => (shown ??= take());

  /** Makes a change; returns what that means for what is shown. */
  const compare = (change: () => Delta<T>): Delta<T> => {
    const before = items();
    const listed = change();
    const after = take();
    const [come, gone] = outOfStep(before, after);
    if (come.length || gone.length) shown = after;
    return changeOf(come, gone, listed);
  };

  return {
    count: () => list.length,
    items,
    apply: (delta) => {
      if (bounds.offset || bounds.limit < Infinity) return compare(() => apply(delta));
      const listed = apply(delta);
      if (sizeOf(listed)) shown = undefined;
      return listed;
    },
    show: (next) =>
      compare(() => {
        bounds = next;
        return emptyDelta();
      }),
  };
}

/**
 * The items left over by a walk through both lists in step: after a change of few, few need to be counted. An item that has
 * only moved may be in both.
 */
function outOfStep<T>(
  before: readonly T[],
  after: readonly T[],
): readonly [come: readonly T[], gone: readonly T[]] {
  const come: T[] = [];
  const gone: T[] = [];
  let place = 0;
  const isAt = (at: number, item: T) => at < before.length && Object.is(before[at], item);
  for (const item of after) {
    if (!isAt(place, item) && isAt(place + 1, item)) gone.push(before[place++] as T);
    if (isAt(place, item)) place += 1;
    else come.push(item);
  }
  return [come, gone.concat(before.slice(place))];
}

/** What has changed, given what may have come and gone, and what has changed among all items. */
function changeOf<T>(come: readonly T[], gone: readonly T[], { changed }: Delta<T>): Delta<T> {
  /** How often each item has come, or gone if negative, without being reported yet: the same item may be there twice. */
  const counts = new Map<T, number>();
  const countOf = (item: T) => counts.get(item) ?? 0;
  for (const item of gone) counts.set(item, countOf(item) - 1);
  for (const item of come) counts.set(item, countOf(item) + 1);
  const hasCome = (item: T): unknown => countOf(item) > 0 && counts.set(item, countOf(item) - 1);
  const hasGone = (item: T): unknown => countOf(item) < 0 && counts.set(item, countOf(item) + 1);
  return {
    changed: changed.filter(([old, item]) => countOf(item) > 0 && hasGone(old) && hasCome(item)),
    added: come.filter(hasCome),
    removed: gone.filter(hasGone),
  };
}

/** The page asked for; what it leaves out is as in the present one. */
export function boundsOf(page: PageOptions, present: Bounds): Bounds {
  const { limit, offset } = { __proto__: null, ...page } as PageOptions;
  const bounds = { limit: limit ?? present.limit, offset: offset ?? present.offset };
  const isCount = (count: number) => count === Math.floor(count) && count >= 0;
  if (isCount(bounds.limit) && isCount(bounds.offset) && bounds.offset < Infinity) return bounds;
  throw new TypeError('view: "limit" and "offset" must be whole numbers, 0 or more');
}

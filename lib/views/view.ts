import type { Delta, StateStream } from '../index';

import { groups } from './groups';
import type { Groups } from './groups';
import { live } from './live';
import type { ListSource } from './live';
import type { Listed } from './order';
import type { Key, ValueBy } from './paths';
import type { Observable } from './peers';
import { rowsBy } from './rows';
import { boundsOf, windowOf } from './window';
import type { PageOptions } from './window';

/** Which items a view shows, and in which order. */
export interface ViewOptions<T> extends Listed<T>, PageOptions {}

/** Options of a view with groups. */
export interface GroupedViewOptions<T, B extends Key<T>> extends ViewOptions<T> {
  /** What `groups$` groups by, given as for `groups`. */
  readonly groupBy: B;
  /** What `groups$` sums. Default: nothing. */
  readonly sum?: Key<T, number | null | undefined> | undefined;
}

/**
 * A part of a list, in an order of its own, kept up to date. A state stream of the items shown, which emits a new array once
 * for each write or `page()` that changes them, and for no other.
 */
export interface View<T> extends StateStream<readonly T[]>, ListSource<T> {
  /**
   * The items shown; in the middle of a write, those of the last one that the view was notified of. While no stream of the
   * view has a subscriber, computed when read, once per state of the list.
   */
  readonly value: readonly T[];
  /** What each write or `page()` from now on changes among the items shown. */
  readonly delta$: Observable<Delta<T>>;
  /** How many items are listed, shown or not. */
  readonly count$: StateStream<number>;
  /**
   * Shows another page: `{ offset: 50 }` skips the first fifty items. What is not given stays as it is. If a subscriber calls
   * this when notified, those after it receive the last page only.
   *
   * @throws TypeError if `limit` or `offset` is not a whole number, 0 or more; `limit` may be Infinity.
   */
  page(page: PageOptions): void;
  /** Ends the view: completes its streams, for later subscribers too, and releases the list. */
  dispose(): void;
}

/** A view with groups. */
export interface GroupedView<T, K> extends View<T> {
  /** The groups of all items listed, shown or not. */
  readonly groups$: Groups<K>;
}

/**
 * Lists items of a collection, or of another view, in an order of its own, and keeps them up to date at a cost that depends
 * on what has changed and on the size of the page, not of the list.
 *
 * Without `sortBy`, and among equal values, items stay in the order in which they came: that of the list when the view got
 * its first subscriber (again, if all had left), later ones after them; a changed item keeps its place. So a later `sort()`,
 * an `unshift` or a refetch in another order is not followed; use `where$` for that. An item replaced by an equal copy stays
 * the object it was. If equal items share an id, the first counts as the one removed.
 *
 * It works only while it, `count$` or `delta$` has a subscriber. Otherwise it holds the change that it last emitted, and the
 * state of the list for which its `value` was last read. Completes with the list.
 *
 * @param source The list. Its items must be values: replace an item, since a change inside it goes unnoticed.
 * @throws TypeError if `limit` or `offset` is not a whole number, 0 or more; `limit` may be Infinity.
 */
export function view<T, const B extends Key<T>>(
  source: ListSource<T>,
  options: GroupedViewOptions<T, B>,
): GroupedView<T, ValueBy<T, B>>;
/** The same without groups: items of a collection, or of another view, in an order of its own, kept up to date. */
export function view<T>(source: ListSource<T>, options?: ViewOptions<T>): View<T>;
export function view<T>(
  source: ListSource<T>,
  given?: ViewOptions<T> & Partial<GroupedViewOptions<T, Key<T>>>,
): View<T> {
  // Without a prototype: what careless scripts add to `Object.prototype` is no option.
  const options = { __proto__: null, ...given };
  const { where, groupBy, sum } = options;
  const rowsOf = rowsBy(source, options);
  let bounds = boundsOf(options, { limit: Infinity, offset: 0 });
  const { state, delta$, change, dispose } = live(source, (items) => windowOf(rowsOf(items), bounds));
  const groups$ = groupBy && groups(view(source, { where }), groupBy, sum);
  return Object.assign(
    state((shown) => shown.items()),
    groups$ && { groups$ },
    {
      idAttribute: source.idAttribute,
      delta$,
      count$: state((shown) => shown.count()),
      page: (page: PageOptions) => {
        bounds = boundsOf(page, bounds);
        change((shown) => shown.show(bounds));
      },
      dispose: () => {
        groups$?.dispose();
        dispose();
      },
    },
  );
}

import type { Collection } from '../index';

import { lookupBy } from './lookup';
import { reader } from './paths';
import type { PathIn, ValueBy } from './paths';
import { equal, matcher } from './peers';

/** Looks up the items of a collection by one of their values, of type `V`. */
export interface Index<T, V = unknown> {
  /** Returns the items that have a value, compared by content, in the order of the collection. */
  get(value: V): T[];
  /**
   * Returns the items with values from `from` up to, but not including, `to`, sorted by value; equal values in the order in
   * which their items came. Values are ordered as by the `sortBy` of a view; a value without an order is in no range.
   *
   * @param from The least value, included. Default: the first.
   * @param to The value to stop before. Default: up to the last.
   */
  range(from?: V, to?: V): T[];
  /** Ends it: releases the collection, whose searches scan all items again. */
  dispose(): void;
}

/**
 * Makes a collection find items by one of their values without scanning all: from now on its `where`, `find`, `where$` and
 * `find$` look it up whenever criteria name it (`{ city: 'Rome' }`, alone or with others). They return exactly what they
 * would return without the index, in the same order.
 *
 * Text, numbers, bigints, booleans and dates are looked up. For anything else (a RegExp, nested criteria, null, a
 * predicate), and in the middle of a write, all items are scanned as before.
 *
 * The first search sorts all items by the value; after that each write keeps them sorted. Lives as long as the collection,
 * or until `dispose()`.
 *
 * @param items The collection. Its items must be values: replace an item, since a change inside it goes unnoticed.
 * @param key Where the value is: a key, or a dotted path.
 */
export function index<T, M extends object, const P extends PathIn<T>>(
  items: Collection<T, M>,
  key: P,
): Index<T, ValueBy<T, P>> {
  const lookup = lookupBy(items, key);
  const valueOf = reader<unknown>(key);
  const searches = searchesOf(items);
  const search = (criteria: unknown): T[] | undefined => {
    try {
      const value = valueOf(criteria);
      const found = lookup.having(value);
      // Criteria that name nothing else match all of these.
      return equal(criteria, { [key]: value }) ? found : found?.filter(matcher<T>(criteria as never));
    } catch {
      // Criteria never throw, nor do the items that they are compared with.
      return undefined;
    }
  };
  searches.add(search);
  return {
    get: (value) => lookup.having(value) ?? items.value.filter((item) => equal(value, valueOf(item))),
    range: lookup.range,
    dispose: () => {
      searches.delete(search);
      lookup.dispose();
    },
  };
}

/** Looks up criteria; returns undefined if all items have to be scanned. */
type Search<T> = (criteria: unknown) => T[] | undefined;

/** The searches that take the place of a collection's own, by collection: one for each index. */
const all = new WeakMap<object, unknown>();

function searchesOf<T, M extends object>(items: Collection<T, M>): Set<Search<T>> {
  const known = all.get(items) as Set<Search<T>> | undefined;
  if (known) return known;
  const searches = new Set<Search<T>>();
  all.set(items, searches);
  const searched = (criteria: unknown, comparator?: unknown): T[] | undefined => {
    // A comparator decides by itself: there is no value to look up.
    if (typeof comparator === 'function') return undefined;
    for (const search of searches) {
      const found = search(criteria);
      if (found) return found;
    }
    return undefined;
  };
  const { where, find } = items as unknown as Searches<T>;
  Object.assign<Collection<T, M>, Searches<T>>(items, {
    where: (...args) => searched(...args) ?? where(...args),
    find: (...args) => (searched(...args) ?? [find(...args)])[0],
  });
  return searches;
}

/** The searches of a collection, whatever they take. */
interface Searches<T> {
  readonly where: (criteria: unknown, comparator?: unknown) => T[];
  readonly find: (criteria: unknown, comparator?: unknown) => T | undefined;
}

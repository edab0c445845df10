import type { Criteria } from '../index';

import { reader } from './paths';
import type { Key } from './paths';

/** How a list is sorted. */
export interface Order<T> {
  /**
   * What to sort by: a key, a dotted path, a function of an item, or a list of these, of which a later one decides if those
   * before it are equal. Default: nothing, the items stay in the order in which they came.
   *
   * Booleans (false first) come before numbers, bigints and dates (by time), and these before text (by code unit, like `<`).
   * Values without an order, such as undefined, null, NaN and objects, come last, even when `descending`.
   */
  readonly sortBy?: Key<T> | readonly Key<T>[] | undefined;
  /**
   * Whether the greatest value comes first: for all keys of `sortBy`, or a list with one for each. Items with equal values stay
   * in the order in which they came. Default false.
   */
  readonly descending?: boolean | readonly boolean[] | undefined;
  /**
   * Compares two texts as people do, for example `new Intl.Collator('de').compare`; must be consistent, as for `sort`. All
   * other values are ordered as described at `sortBy`. Default: by code unit.
   */
  readonly compare?: ((a: string, b: string) => number) | undefined;
}

/** Which items are listed, and in which order. */
export interface Listed<T> extends Order<T> {
  /**
   * Which items are listed: criteria or a predicate, like those of a collection's `where`. Default: all.
   *
   * It must depend on the item alone, and is evaluated once for each that comes or changes. What it (or a function to sort
   * by) throws, `value` throws and the streams fail with; the write goes on, and a new subscription starts afresh.
   */
  readonly where?: Criteria<NoInfer<T>> | ((item: NoInfer<T>) => boolean) | undefined;
}

/** A value that has an order. */
type Comparable = string | number | bigint | boolean;

/** A value as it is compared: undefined where it has no order. */
export type Sortable = Comparable | undefined;

/** What an item is sorted by: one value, or one for each of several keys. */
export type SortValue = Sortable | readonly Sortable[];

/** An order, ready for use. */
export interface Sorting<T> {
  readonly valueOf: (item: T) => SortValue;
  readonly compare: (a: SortValue, b: SortValue) => number;
}

/** The order that options describe. They are read once, here. */
export function sortingOf<T>({ sortBy = [], descending, compare = ascending }: Order<T>): Sorting<T> {
  const keys = [sortBy].flat().map((key, place) => {
    const isDescending = typeof descending === 'object' ? descending[place] : descending;
    return {
      place,
      read: reader<T>(key as Key<T>),
      compare: (a: SortValue, b: SortValue): number => {
        const isText = typeof a === 'string' && typeof b === 'string';
        const result = isText ? compare(a, b) : ascending(a as Comparable, b as Comparable);
        // What has no order comes last, even so.
        return isDescending && a !== undefined && b !== undefined ? -result : result;
      },
    };
  });
  const [first, second] = keys;
  // A list of values per item would cost more than all the rest.
  if (first && !second) {
    return { valueOf: (item) => sortable(first.read(item)), compare: first.compare };
  }
  return {
    valueOf: (item) => keys.map(({ read }) => sortable(read(item))),
    compare: (a, b) => {
      for (const key of keys) {
        const result = key.compare(
          (a as readonly Sortable[])[key.place],
          (b as readonly Sortable[])[key.place],
        );
        if (result) return result;
      }
      return 0;
    },
  };
}

/** A value as it is compared: a date by its time, undefined for what has no order. */
export function sortable(value: unknown): Sortable {
  const plain = value instanceof Date ? Number(value) : value;
  return (typeof plain) in kinds && plain === plain ? (plain as Sortable) : undefined;
}

/** The rank of each `typeof`: values of one rank are compared with each other. What has no order comes last. */
const kinds = { boolean: 0, bigint: 1, number: 1, string: 2, undefined: 3 };

const kindOf = (value: unknown): number => kinds[typeof value as keyof typeof kinds];

const ascending = (a: Comparable, b: Comparable): number =>
  kindOf(a) - kindOf(b) || (a < b ? -1 : Number(a > b));

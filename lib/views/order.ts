import { reader } from './paths';
import type { Key } from './paths';
import type { Criteria } from './peers';

/** What a list is sorted by. */
export interface Order<T> {
  /**
   * What the rows are sorted by: a key, a dotted path, a function of an item, or several of these, of which a later one
   * decides where those before it are equal. Default: nothing, the rows stay in the order in which they came.
   *
   * Booleans (false first) come before numbers, bigints and dates (by their time), these before text (by code unit, as
   * `<` has it). What has no order, such as undefined, null, NaN and objects, comes last, also when `descending`.
   */
  readonly sortBy?: Key<T> | readonly Key<T>[] | undefined;
  /** Whether the greatest value comes first; rows with equal values stay in the order in which they came. Default false. */
  readonly descending?: boolean | undefined;
  /**
   * Compares two values in another way, say `new Intl.Collator('de').compare`. Called with values that have an order,
   * dates as their milliseconds; must be consistent, as for `sort`. Default: the order said at `sortBy`.
   */
  readonly compare?: Compare['compare'] | undefined;
}

/** Which items are listed, and in which order. */
export interface Listed<T> extends Order<T> {
  /**
   * Which items are listed: criteria or a predicate, as `where` of a collection takes them. Default all.
   *
   * It must go by the item alone, and is asked once for each that comes or changes. What it throws (as a function to
   * sort by), `value` throws and the streams fail with; the write goes on, and who subscribes again begins anew.
   */
  readonly where?: Criteria<NoInfer<T>> | ((item: NoInfer<T>) => boolean) | undefined;
}

/** A value that has an order. */
type Comparable = string | number | bigint | boolean;

/** Declared as a method, so that it may be one that takes text only, or numbers. */
interface Compare {
  compare(a: Comparable, b: Comparable): number;
}

/** A value as it is compared: undefined where it has no order. */
export type Sortable = Comparable | undefined;

/** What an item is sorted by: one value, or one for each of several keys. */
export type SortValue = Sortable | readonly Sortable[];

/** An order, ready for use. */
export interface Sorting<T> {
  readonly valueOf: (item: T) => SortValue;
  readonly compare: (a: SortValue, b: SortValue) => number;
}

export function sortingOf<T>({ sortBy = [], descending, compare = ascending }: Order<T>): Sorting<T> {
  const sign = descending ? -1 : 1;
  const one = (a: SortValue, b: SortValue): number => {
    if (a === b) return 0;
    if (a === undefined) return 1;
    return b === undefined ? -1 : sign * compare(a as Comparable, b as Comparable);
  };
  if (!Array.isArray(sortBy)) {
    const read = reader(sortBy as Key<T>);
    return { valueOf: (item) => sortable(read(item)), compare: one };
  }
  const readers = sortBy.map((key: Key<T>) => reader(key));
  return {
    valueOf: (item) => readers.map((read) => sortable(read(item))),
    compare: (a, b) => {
      let result = 0;
      for (let place = 0; !result && place < readers.length; place += 1) {
        result = one((a as readonly Sortable[])[place], (b as readonly Sortable[])[place]);
      }
      return result;
    },
  };
}

/** A value as it is compared: a date by its time, undefined for what has no order. */
export function sortable(value: unknown): Sortable {
  const plain = value instanceof Date ? Number(value) : value;
  return (typeof plain) in kinds && plain === plain ? (plain as Sortable) : undefined;
}

/** What is compared with each other, and which comes first, by `typeof`. */
const kinds = { boolean: 0, bigint: 1, number: 1, string: 2 };

const kindOf = (value: Comparable): number => kinds[typeof value as keyof typeof kinds];

const ascending = (a: Comparable, b: Comparable): number =>
  kindOf(a) - kindOf(b) || (a < b ? -1 : Number(a > b));

import { equal } from './equal';
import { isKeyed, isObject, isPlain, own } from './objects';

/** What an item must hold to be found: for each key a value, nested criteria, or a RegExp for text and numbers. */
export type Criteria<T> = T extends string | number
  ? T | RegExp
  : T extends
        | bigint
        | boolean
        | symbol
        | null
        | undefined
        | Date
        | ReadonlyMap<unknown, unknown>
        | ReadonlySet<unknown>
    ? T
    : T extends readonly (infer Item)[]
      ? number extends T['length']
        ? readonly Criteria<Item>[]
        : { readonly [Place in keyof T]: Criteria<T[Place]> }
      : T extends object
        ? { readonly [K in keyof T]?: Criteria<T[K]> | undefined }
        : T;

/** Returns whether an item is found by the criteria. */
export type Comparator<C, T> = (criteria: C, item: T) => boolean;

/**
 * Turns what `where` and `find` take into a test for one item. Criteria never throw: an item they cannot be compared with
 * does not match. What a predicate or comparator throws reaches the caller.
 *
 * @param criteria Criteria, a predicate, or whatever the comparator takes.
 * @param comparator Called with the criteria and each item. Default: none; anything but a function is ignored.
 */
export function matcher<T>(
  criteria: Criteria<NoInfer<T>> | ((item: NoInfer<T>) => boolean),
): (item: T) => boolean;
/** A test for the items for which `comparator(criteria, item)` is true. */
export function matcher<C, T>(criteria: C, comparator: Comparator<C, T>): (item: T) => boolean;
export function matcher<T>(criteria: unknown, comparator?: Comparator<never, T>): (item: T) => boolean {
  // Ignored unless a function: passed directly to `map`, `matcher` gets the index here.
  if (typeof comparator === 'function') return (item) => comparator(criteria as never, item);
  if (typeof criteria === 'function') return (item) => (criteria as (item: T) => boolean)(item);
  try {
    if (isPlain(criteria)) return holder(Object.entries(criteria));
  } catch {
    // What cannot be examined equals nothing.
  }
  return (item) => criteria !== undefined && equal(criteria, item, true);
}

/** Like `filter`, even if the test writes to the list, in two thirds of the time. */
export function select<T>(items: readonly T[], test: (item: T) => boolean): T[] {
  const found: T[] = [];
  const { length } = items;
  for (let place = 0; place < length && place < items.length; place += 1) {
    const item = items[place] as T;
    if (test(item)) found.push(item);
  }
  return found;
}

/** The test for an object of criteria, compared key by key, usually with text or a number. */
function holder(wanted: readonly (readonly [key: string, value: unknown])[]): (item: unknown) => boolean {
  const test = (item: unknown) =>
    isKeyed(item) && wanted.every(([key, value]) => equal(value, own(item, key), true));
  const [first, sought] = wanted[0] ?? [''];
  // Text, numbers and the like equal only themselves.
  const isSlow = sought === undefined || isObject(sought) || sought !== sought;
  return (item) => {
    try {
      // Most items differ in the first key, so the loop over the items checks that one directly.
      return (isSlow || (item as Record<string, unknown>)[first] === sought) && test(item);
    } catch {
      return false;
    }
  };
}

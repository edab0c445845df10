import { equal, isObject, isPlain, own } from './equal';

/**
 * What an item must hold to be found: for each key a value, a nested criteria, or a RegExp for text and numbers.
 */
export type Criteria<T> = T extends string | number | bigint
  ? T | RegExp
  : T extends boolean | symbol | null | undefined | Date
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Criteria<Item>[]
      : T extends object
        ? { readonly [K in keyof T]?: Criteria<T[K]> }
        : T;

/** Decides with the criteria whether an item is found. */
export type Comparator<C, T> = (criteria: C, item: T) => boolean;

/**
 * Makes the test for one item out of what `where` and `find` take. Criteria never throw: an item they cannot be
 * compared with does not match. A predicate or comparator is the caller's own code, what it throws reaches the caller.
 */
export function matcher<T>(criteria: unknown, comparator?: Comparator<never, T>): (item: T) => boolean {
  if (comparator) return (item) => comparator(criteria as never, item);
  if (typeof criteria === 'function') return (item) => (criteria as (item: T) => boolean)(item);
  try {
    if (isPlain(criteria)) return holder(Object.entries(criteria));
  } catch {
    // What cannot be looked into is equal to nothing.
  }
  return (item) => criteria !== undefined && equal(criteria, item, true);
}

/** The test for objects: what it holds is compared key by key, most often with text or a number. */
function holder(wanted: readonly (readonly [key: string, value: unknown])[]): (item: unknown) => boolean {
  return (item) => {
    try {
      for (const [key, value] of wanted) {
        // What is not there may be inherited, and nothing or undefined may be wanted.
        if ((item as Record<string, unknown>)[key] === value && Object.hasOwn(item as object, key)) continue;
        if (!(value === undefined || isObject(value) || value !== value)) return false;
        if (!equal(value, own(item, key), true)) return false;
      }
      return isObject(item) && !Array.isArray(item);
    } catch {
      return false;
    }
  };
}

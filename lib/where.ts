import { equal } from './equal';
import { isObject, isPlain, own } from './objects';

/**
 * What an item must hold to be found: for each key a value, a nested criteria, or a RegExp for text and numbers.
 */
export type Criteria<T> = T extends string | number
  ? T | RegExp
  : T extends bigint | boolean | symbol | null | undefined | Date
    ? T
    : T extends readonly (infer Item)[]
      ? number extends T['length']
        ? readonly Criteria<Item>[]
        : { readonly [Place in keyof T]: Criteria<T[Place]> }
      : T extends object
        ? { readonly [K in keyof T]?: Criteria<T[K]> | undefined }
        : T;

/** Decides with the criteria whether an item is found. */
export type Comparator<C, T> = (criteria: C, item: T) => boolean;

/**
 * Makes the test for one item out of what `where` and `find` take. Criteria never throw: an item they cannot be
 * compared with does not match. A predicate or comparator is the caller's own code, what it throws reaches the caller.
 */
export function matcher<T>(criteria: unknown, comparator?: Comparator<never, T>): (item: T) => boolean {
  // Ignored unless a function: used directly in `map`, this would get the index here.
  if (typeof comparator === 'function') return (item) => comparator(criteria as never, item);
  if (typeof criteria === 'function') return (item) => (criteria as (item: T) => boolean)(item);
  try {
    if (isPlain(criteria)) return holder(Object.entries(criteria));
  } catch {
    // What cannot be looked into is equal to nothing.
  }
  return (item) => criteria !== undefined && equal(criteria, item, true);
}

/** Like `filter`, also if the test writes to the list; takes two thirds of its time. */
export function select<T>(items: readonly T[], test: (item: T) => boolean): T[] {
  const found: T[] = [];
  const { length } = items;
  for (let place = 0; place < length && place < items.length; place += 1) {
    const item = items[place] as T;
    if (test(item)) found.push(item);
  }
  return found;
}

/** The test for objects: what it holds is compared key by key, most often with text or a number. */
function holder(wanted: readonly (readonly [key: string, value: unknown])[]): (item: unknown) => boolean {
  const test = (item: unknown) =>
    isObject(item) &&
    !Array.isArray(item) &&
    wanted.every(([key, value]) => equal(value, own(item, key), true));
  const [first, sought] = wanted[0] ?? [''];
  // Text, numbers and the like are equal to themselves alone.
  const isSlow = sought === undefined || isObject(sought) || sought !== sought;
  return (item) => {
    try {
      // Most items differ in the first key: that alone is looked at within the loop over them.
      return (isSlow || (item as Record<string, unknown>)[first] === sought) && test(item);
    } catch {
      return false;
    }
  };
}

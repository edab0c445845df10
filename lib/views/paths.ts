/** Where a value is in an item: a key, or a dotted path that begins with one. */
export type PathIn<T> = (keyof T & string) | `${keyof T & string}.${string}`;

/** What gives a value of an item: a path, or a function. */
export type Key<T, V = unknown> = PathIn<T> | ((item: T) => V);

/** The type of the value that a key or path leads to, or a function gives. */
export type ValueBy<T, K> = K extends (item: T) => infer V ? V : ValueAt<T, K>;

/** Of each of several shapes. */
type ValueAt<T, K> = T extends unknown
  ? K extends keyof T
    ? T[K]
    : K extends `${infer Head}.${infer Rest}`
      ? Head extends keyof T
        ? ValueAt<NonNullable<T[Head]>, Rest> | (T[Head] extends object ? never : undefined)
        : undefined
      : undefined
  : never;

/** Makes the function that reads a value; where a step of a path is missing, it gives undefined. */
export function reader<T>(key: Key<T>): (item: T) => unknown {
  if (typeof key === 'function') return key;
  const segments = key.split('.');
  // Most keys are one step, and are read from each item of a long list.
  return segments.length > 1 ? (item) => segments.reduce(own, item) : (item) => own(item, key);
}

/** An object's own property, or undefined: inherited names and the parts of arrays are not data. */
const own = (source: unknown, key: string): unknown =>
  typeof source === 'object' && source && !Array.isArray(source) && Object.hasOwn(source, key)
    ? (source as Record<string, unknown>)[key]
    : undefined;

/**
 * Where a value is in an item: a key, or a dotted path through the objects in it. Two steps are checked, and completed by
 * editors: three would cost minutes for items with many objects. Further steps, and any path in items or values of unknown
 * type, are accepted. If the item type is a type parameter, keys only.
 */
export type PathIn<T> = unknown extends T ? string : (keyof T & string) | PathsOf<T>;

/** How a value is read from an item: a path, or a function. */
export type Key<T, V = unknown> = PathIn<T> | ((item: T) => V);

/** The type of the value that a key or path leads to, or a function returns. */
export type ValueBy<T, K> = K extends (item: T) => infer V ? V : ValueIn<T, K>;

/** What no path leads through: it has no keys of its own, or they are not data. */
type Whole =
  | string
  | number
  | bigint
  | boolean
  | symbol
  | null
  | undefined
  | Date
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | readonly unknown[]
  | ((...args: never[]) => unknown);

/** The paths of each member of a union. */
type PathsOf<T> = T extends unknown
  ? { [K in keyof T & string]-?: K | `${K}.${PathsBelow<T[K]>}` }[keyof T & string]
  : never;

type PathsBelow<V> = unknown extends V
  ? string
  : V extends Whole
    ? never
    : { [K in keyof V & string]-?: K | (V[K] extends Whole ? never : `${K}.${string}`) }[keyof V & string];

/** What each member of a union has there; unknown if the path may be any. */
export type ValueIn<T, K> = unknown extends T
  ? unknown
  : T extends Whole
    ? undefined
    : string extends K
      ? unknown
      : K extends keyof T
        ? T[K]
        : K extends `${infer Head}.${infer Rest}`
          ? Head extends keyof T
            ? ValueIn<T[Head], Rest>
            : undefined
          : undefined;

/** Makes the function that reads a value; it returns undefined if a step of the path is missing. */
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

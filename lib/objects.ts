/** Whether a value is an object of any kind; null is not. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Whether a value is a plain object, as of a literal or JSON; of any realm, so its prototype may be a foreign one. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || !Object.getPrototypeOf(prototype ?? Object.prototype);
}

/** Whether data has keys of its own: the elements of an array are none. */
export const isKeyed = (data: unknown): data is object => isObject(data) && !Array.isArray(data);

/** Whether an object has a property of its own: inherited names and array elements are not data. */
export const hasOwn = (source: unknown, key: string | symbol): source is Record<string | symbol, unknown> =>
  isKeyed(source) && Object.hasOwn(source, key);

/** An object's own property, or undefined. */
export const own = (source: unknown, key: string | symbol): unknown =>
  hasOwn(source, key) ? source[key] : undefined;

/** What an object holds under its own keys, as far as that is defined: a key without a value counts as left out. */
export const givenEntries = (source: object): [key: string, value: unknown][] =>
  Object.entries(source).filter(([, value]) => value !== undefined);

/**
 * The prototype of copies. Not null itself: engines store objects without a prototype as tables, slower and three times as
 * large.
 */
const nothing = Object.freeze(Object.create(null) as object);

/** A copy of an object's own properties that inherits nothing, so that reading it never finds an inherited option. */
export const ownCopy = <T extends object>(source: T): T => Object.assign(Object.create(nothing), source) as T;

/** Whether a path is that of a field, whose value counts as a whole. */
export type IsField = (path: string) => boolean;

/** Whether a path is that of another or below it; compared by keys, so `name2` is not below `name`. */
export const isWithin = (path: string, container: string): boolean => `${path}.`.startsWith(`${container}.`);

/** Values by key. */
export type Data = Readonly<Record<string, unknown>>;

/** Whether data is structured: an object literal, or what JSON parses to; of any realm, so its prototype may be foreign. */
export const isPlain = (value: unknown): value is Data =>
  value === Object(value) && !Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype);

/** Data with other values for its keys; as in JSON, a key whose value is undefined is left out. */
export const mapKeys = <T>(
  data: Readonly<Record<string, T>>,
  valueOf: (key: string, value: T) => unknown,
): Data =>
  // Not by assignment: `__proto__` is a key like any other.
  Object.fromEntries(
    Object.entries(data)
      .map(([key, value]) => [key, valueOf(key, value)] as const)
      .filter(([, value]) => value !== undefined),
  );

/** Data laid over other data, field by field. */
export function overlay(below: unknown, above: unknown, isField: IsField, prefix = ''): unknown {
  if (!isPlain(above)) return above;
  const base = isPlain(below) ? below : {};
  // An undefined value hides none below it.
  return mapKeys({ ...base, ...above }, (key, value = base[key]) =>
    isField(prefix + key) ? value : overlay(base[key], value, isField, `${prefix}${key}.`),
  );
}

/** The part of some data that other data has keys for, field by field. */
export function partLike(data: unknown, other: unknown, isField: IsField, prefix = ''): unknown {
  if (!isPlain(data) || !isPlain(other)) return data;
  return mapKeys(data, (key, value) => {
    if (!Object.hasOwn(other, key)) return undefined;
    return isField(prefix + key) ? value : partLike(value, other[key], isField, `${prefix}${key}.`);
  });
}

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

/**
 * Data laid over other data, field by field.
 *
 * @param inPart Whether only keys that both have count. Default false.
 */
export function overlay(
  below: unknown,
  above: unknown,
  isField: IsField,
  inPart = false,
  prefix = '',
): unknown {
  if (!isPlain(above) || (inPart && !isPlain(below))) return above;
  const base = isPlain(below) ? below : {};
  return mapKeys(
    inPart ? above : { ...base, ...above },
    // An undefined value hides none below it.
    (key, value = inPart ? undefined : base[key]) => {
      const path = prefix + key;
      if (inPart && !Object.hasOwn(base, key)) return undefined;
      return isField(path) ? value : overlay(base[key], value, isField, inPart, `${path}.`);
    },
  );
}

/** Whether a path is that of a field, whose value counts as a whole. */
export type IsField = (path: string) => boolean;

/** Data that have a structure: an object literal, or what JSON gives for one; of any realm, so its prototype may be foreign. */
export const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' &&
  value !== null &&
  !Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype);

/** Data laid over other data, field by field; as JSON carries them, so that a key without a value is not there. */
export function overlay(below: unknown, above: unknown, isField: IsField, path = ''): unknown {
  if (!isPlain(above) || isField(path)) return above;
  const base = isPlain(below) ? below : {};
  const laid = Object.entries(above).map(([key, value]) => [
    key,
    overlay(base[key], value, isField, join(path, key)),
  ]);
  // Not by assignment: `__proto__` is a key like any other.
  return Object.fromEntries([...Object.entries(base), ...laid].filter(([, value]) => value !== undefined));
}

/** The part of some data that other data have too, field by field. */
export function pick(data: unknown, of: unknown, isField: IsField, path = ''): unknown {
  if (!isPlain(data) || !isPlain(of) || isField(path)) return data;
  const common = Object.keys(data).filter((key) => Object.hasOwn(of, key));
  return Object.fromEntries(common.map((key) => [key, pick(data[key], of[key], isField, join(path, key))]));
}

/** A path in another; either may be that of the whole. */
export const join = (path: string, below: string): string => [path, below].filter(Boolean).join('.');

/** An object or function, anything that can hold properties; null is not. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** An object literal, or what JSON gives for one; of any realm, so its prototype may be a foreign one. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Whether two values say the same: plain objects and arrays by content, dates by time, all else by identity.
 *
 * Never throws. What cannot be compared (a cycle, nesting deeper than the stack, a getter that throws) counts as
 * different, which at worst writes or announces a value once too often.
 */
export function equal(a: unknown, b: unknown): boolean {
  try {
    return alike(a, b);
  } catch {
    return false;
  }
}

function alike(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isObject(a) || !isObject(b)) return Object.is(a, b); // NaN is NaN
  if (a instanceof Date) return b instanceof Date && alike(a.getTime(), b.getTime());
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && b.every((item, index) => alike(a[index], item));
  }
  if (!isPlain(a) || !isPlain(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && alike(a[key], b[key]))
  );
}

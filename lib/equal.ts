/** An object of any kind; null is none. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** An object literal, or what JSON gives for one; of any realm, so its prototype may be a foreign one. */
export const isPlain = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Object.getPrototypeOf(Object.getPrototypeOf(value) ?? Object.prototype);

/** An object's own property, or undefined: inherited names and the parts of arrays are not data. */
export const own = (source: unknown, key: string): unknown =>
  isObject(source) && !Array.isArray(source) && Object.hasOwn(source, key) ? source[key] : undefined;

/**
 * Whether two values say the same: plain objects and arrays by content, dates by time, all else by identity.
 *
 * In part: of objects only the keys of the first count, and a RegExp in it stands for the text and numbers it finds.
 *
 * Never throws. What cannot be compared (a cycle, nesting deeper than the stack, a getter that throws) counts as
 * different, which at worst writes or announces a value once too often.
 */
export function equal(a: unknown, b: unknown, inPart = false): boolean {
  try {
    return agree(a, b, inPart);
  } catch {
    return false;
  }
}

function agree(a: unknown, b: unknown, inPart: boolean): boolean {
  // `search` begins at the start, whatever `lastIndex` a g or y flag has left behind.
  if (inPart && a instanceof RegExp)
    return ['string', 'number'].includes(typeof b) && String(b).search(a) >= 0;
  if (a === b || !isObject(a) || !isObject(b)) return a === b || Object.is(a, b); // NaN is NaN
  if (a instanceof Date) return b instanceof Date && agree(+a, +b, inPart);
  const isList = Array.isArray(a);
  if (isList !== Array.isArray(b) || !(isList || (isPlain(a) && (inPart || isPlain(b))))) return false;
  const keys = Object.keys(a);
  return (
    ((inPart && !isList) || keys.length === Object.keys(b).length) &&
    (!isList || a.length === b.length) &&
    keys.every(
      (key) =>
        (inPart || Object.hasOwn(b, key)) &&
        agree(a[key], Object.hasOwn(b, key) ? b[key] : undefined, inPart),
    )
  );
}

import { isObject, isPlain } from './objects';

/**
 * Whether two values are equal: plain objects and arrays by content, dates by time, all else by identity.
 *
 * In part: only the keys of the first object count, and a RegExp in it equals the text and numbers that it matches.
 *
 * Never throws. What cannot be compared (a cycle, nesting deeper than the stack, a getter that throws) counts as
 * different, which at worst writes or announces a value once too often.
 *
 * @param inPart Whether to compare in part. Default false.
 */
export function equal(a: unknown, b: unknown, inPart = false): boolean {
  try {
    if (a === b || Object.is(a, b)) return true; // NaN is NaN
    // `search` begins at the start, whatever `lastIndex` a g or y flag has left behind.
    if (inPart && a instanceof RegExp)
      return ['string', 'number'].includes(typeof b) && String(b).search(a) >= 0;
    if (!isObject(a) || !isObject(b)) return false;
    if (a instanceof Date) return b instanceof Date && equal(+a, +b, inPart);
    const isList = Array.isArray(a);
    if (isList !== Array.isArray(b) || !(isList || (isPlain(a) && (inPart || isPlain(b))))) return false;
    if (isList && a.length !== b.length) return false;
    // Lists of objects are compared often: `for…in` makes no list of the keys, and takes a third of the time.
    let count = 0;
    for (const key in a) {
      // What a careless script makes every object inherit is not a criterion.
      if (inPart && !Object.hasOwn(a, key)) continue;
      count += 1;
      const mine = a[key];
      const theirs = b[key];
      // An identical value, unless undefined, is rarely an inherited one; any other is checked closely.
      if (mine === theirs && mine !== undefined && !inPart) continue;
      const isOwn = Object.hasOwn(b, key);
      if (!(isOwn || inPart) || !equal(mine, isOwn ? theirs : undefined, inPart)) return false;
    }
    if (inPart && !isList) return true;
    for (const key in b) if (!inPart || Object.hasOwn(b, key)) count -= 1;
    return !count;
  } catch {
    return false;
  }
}

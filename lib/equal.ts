import { isObject, isPlain, own } from './objects';

/**
 * Whether two values are equal: plain objects and arrays by content, dates by time, all else by identity.
 *
 * In part: only the keys of the first object count, which may be an instance of a class with fields; and a RegExp in it equals
 * the text and numbers that it matches.
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
    if (inPart && a instanceof RegExp) return /string|number/.test(typeof b) && String(b).search(a) >= 0;
    if (!isObject(a) || !isObject(b)) return false;
    if (a instanceof Date) return b instanceof Date && equal(+a, +b, inPart);
    if (Array.isArray(a)) {
      // `findIndex` visits holes, unlike `every`.
      const differs = (item: unknown, place: number) => !equal(item, b[place], inPart);
      return Array.isArray(b) && a.length === b.length && a.findIndex(differs) < 0;
    }
    if (Array.isArray(b)) return false;
    if (!inPart) return isPlain(a) && isPlain(b) && isSame(a, b);
    const keys = Object.keys(a);
    // What has no keys of its own, such as a Map, equals only itself.
    return (!!keys.length || isPlain(a)) && keys.every((key) => equal(a[key], own(b, key), inPart));
  } catch {
    return false;
  }
}

/**
 * Whether two plain objects are equal. Items of long lists are compared often: `for…in` makes no list of the keys, and takes a
 * third of the time. Lists and criteria stay out of this loop: engines that have met them in it need four times as long for
 * all objects.
 */
function isSame(a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  let count = 0;
  for (const key in a) {
    count += 1;
    const mine = a[key];
    const theirs = b[key];
    // An identical value, unless undefined, is rarely an inherited one; any other is checked closely.
    if (mine === theirs && mine !== undefined) continue;
    if (!Object.hasOwn(b, key) || !equal(mine, theirs)) return false;
  }
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- they are only counted
  for (const _ in b) count -= 1;
  return !count;
}

import { hasOwn, isObject, own } from './objects';

/** Whether a key can be one segment of a path. */
export const isName = (key: string): boolean => !/^(__proto__|constructor|prototype|)$|\./.test(key);

/**
 * Splits a dotted path.
 *
 * @throws TypeError for an empty path or segment, and for a segment that would reach a prototype.
 */
export function segmentsOf(path: unknown): readonly string[] {
  const known = splits.get(path);
  if (known) return known;
  const segments = String(path).split('.');
  if (typeof path !== 'string' || !segments.every(isName)) {
    throw new TypeError(`map, idAttribute: "${String(path)}" is not a path: join plain names by dots`);
  }
  // Keys of items come from a server, so there is no end of them.
  if (splits.size > 999) splits.clear();
  splits.set(path, segments);
  return segments;
}

/** The paths that were split last: all records of a class have the same, and share their segments. */
const splits = new Map<unknown, readonly string[]>();

/** Whether one path is the other or lies below it; compared by segments, so `name2` is not below `name`. */
export function isWithin(path: string, container: string): boolean {
  return path.startsWith(container) && (path[container.length] ?? '.') === '.';
}

/** The value a path leads to, or undefined if a step is missing. */
export function readAt(source: unknown, segments: readonly string[]): unknown {
  let value = source;
  for (const segment of segments) value = own(value, segment);
  return value;
}

/** Whether a path leads to a key, whatever its value. */
export function hasAt(source: unknown, segments: readonly string[]): boolean {
  return hasOwn(readAt(source, segments.slice(0, -1)), String(segments.at(-1)));
}

/** Puts a value at the end of a path, creating the objects on the way. */
export function writeAt(target: object, segments: readonly string[], value: unknown): void {
  let node = target as Record<string, unknown>;
  let key = '';
  for (const segment of segments) {
    if (key) {
      node = node[key] = (own(node, key) ?? {}) as Record<string, unknown>;
    }
    key = segment;
  }
  node[key] = value;
}

/** A copy with another value at the end of a path; whatever is not on the way is shared. */
export function withAt(source: unknown, segments: readonly string[], value: unknown): object {
  const [segment, ...rest] = segments as readonly [string, ...string[]];
  const copy = { ...(isObject(source) ? source : {}) };
  // Does not create a key whose value is undefined.
  if (rest.length) copy[segment] = withAt(own(source, segment), rest, value);
  else if (value !== undefined || Object.hasOwn(copy, segment)) copy[segment] = value;
  return copy;
}

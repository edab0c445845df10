import { isObject } from './equal';

/** Segments that would reach a prototype instead of data. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Splits a dotted path.
 *
 * @throws TypeError for an empty path or segment, and for a segment that would reach a prototype.
 */
export function segmentsOf(path: string): readonly string[] {
  const segments = path.split('.');
  for (const segment of segments) {
    if (!segment || forbidden.has(segment)) {
      throw new TypeError(`map: "${path}" cannot be a path; each part between dots must be a plain name`);
    }
  }
  return segments;
}

/** Whether one path is the other or lies below it; compared by segments, so `name2` is not below `name`. */
export function isWithin(path: string, container: string): boolean {
  return path === container || path.startsWith(`${container}.`);
}

/** An object's own property, or undefined: inherited names and the parts of arrays are not data. */
export function own(source: unknown, key: string): unknown {
  return isObject(source) && !Array.isArray(source) && Object.hasOwn(source, key) ? source[key] : undefined;
}

/** The value a path leads to, or undefined where a step is missing. */
export function readAt(source: unknown, segments: readonly string[]): unknown {
  return segments.reduce(own, source);
}

/** Puts a value at the end of a path, making the objects on the way. */
export function writeAt(target: Record<string, unknown>, segments: readonly string[], value: unknown): void {
  const last = segments.length - 1;
  let node = target;
  for (const segment of segments.slice(0, last)) {
    let below = own(node, segment);
    if (!isObject(below)) node[segment] = below = {};
    node = below as Record<string, unknown>;
  }
  node[segments[last] as string] = value;
}

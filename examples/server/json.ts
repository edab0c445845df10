/** Any value that JSON can carry. */
export type Json = string | number | boolean | null | Json[] | JsonObject;

/** A JSON object: the shape of a row, a patch or a problem. */
export interface JsonObject {
  [key: string]: Json;
}

/** Whether a value is a JSON object, neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Applies a JSON Merge Patch (RFC 7396): objects merge key by key at every depth, `null` removes the key,
 * and anything else replaces what was there. Neither argument is changed.
 */
export function mergePatch(target: Json | undefined, patch: Json): Json {
  if (!isObject(patch)) return patch;
  const merged = new Map(Object.entries(isObject(target) ? target : {}));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else merged.set(key, mergePatch(merged.get(key), value));
  }
  return Object.fromEntries(merged);
}

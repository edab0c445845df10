/** A member of anything; undefined if there is none. */
export const member = (source: unknown, name: PropertyKey): unknown =>
  (source as Record<PropertyKey, unknown> | null | undefined)?.[name];

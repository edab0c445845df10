/**
 * The items of a list part by part. One that a later part brings again is left out before: it has moved, or was created here.
 * Within a part, all stay as the server sent them.
 */
export function joined<T>(parts: readonly (readonly T[])[], idAttribute: string): T[] {
  const path = idAttribute.split('.');
  const later = new Set<string>();
  const [first] = parts;
  const kept = [...parts].reverse().map((part) => {
    const items = later.size ? part.filter((item) => !later.has(idOf(item, path))) : part;
    // Nothing comes before the first, usually the whole list so far.
    if (part !== first) for (const item of part) later.add(idOf(item, path));
    later.delete('');
    return items;
  });
  return ([] as T[]).concat(...kept.reverse());
}

/** The id of an item as text; empty if there is none. */
function idOf(item: unknown, path: readonly string[]): string {
  let id = item;
  for (const key of path)
    id = Object.hasOwn(Object(id) as object, key) ? (id as Record<string, unknown>)[key] : '';
  if (typeof id === 'string') return id;
  return (typeof id === 'number' || typeof id === 'bigint') && id ? String(id) : '';
}

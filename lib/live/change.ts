/** A part of an item that has its id, as far as the type says where that is. */
type Part<T> = Partial<T> & Pick<T, Extract<keyof T, 'id'>>;

/** What somebody else has changed in a list. The item has its id in each case. */
export type Change<T> =
  /** The item as it is now: takes the place of the one with its id, or is added at the end. */
  | { readonly kind: 'put'; readonly item: T }
  /** The keys of the item that have changed, with their new values: ignored if the list does not have it. */
  | { readonly kind: 'patch'; readonly item: Part<T> }
  /** The item is gone: its id is enough, and its version if versions are compared. */
  | { readonly kind: 'delete'; readonly item: Part<T> };

/**
 * An item after a change; undefined if the list does not have it. Its id stays as the list spells it.
 *
 * @throws TypeError for what is no change.
 */
export function after<T extends object>(
  { kind, item }: Change<T>,
  now: T | undefined,
  idAttribute: string,
): T | undefined {
  const over = (before: object) => now && (written(before, item, now, idAttribute.split('.')) as T);
  switch (kind) {
    case 'put':
      return over({}) ?? item;
    case 'patch':
      return over(now ?? {});
    case 'delete':
      return undefined;
    default:
      throw new TypeError(`followChanges: a change is a 'put', 'patch' or 'delete', not ${String(kind)}`);
  }
}

/** An item, or part of one, written over what was there; a nested id does not replace what is beside it. */
function written(before: object, item: object, now: object, path: readonly string[]): object {
  const [key, ...below] = path as [string, ...string[]];
  const [old, part, id] = [before, item, now].map((each) => (each as Record<string, unknown>)[key]);
  const inner = () => written(Object(old) as object, Object(part) as object, Object(id) as object, below);
  return { ...before, ...item, [key]: below.length ? inner() : id };
}

/** Reads what is at a (dotted) path of an item; only its own data, as everywhere. */
export function readerOf(path: string): (item: unknown) => unknown {
  const keys = path.split('.');
  const read = (value: unknown, key: string): unknown =>
    Object.hasOwn(Object(value) as object, key) ? (value as Record<string, unknown>)[key] : undefined;
  return (item) => keys.reduce<unknown>(read, item);
}

/**
 * The id of a changed item, as it stands in the item.
 *
 * @throws TypeError if it has none.
 */
export function idOf(change: Change<object> | null, idAttribute: string): string | number | bigint {
  // A feed may announce `null`, such as to stay open.
  const id = readerOf(idAttribute)(change?.item);
  if (id && (typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint')) return id;
  throw new TypeError(
    `followChanges: a change needs an item with its id at "${idAttribute}"; 0 and '' are none`,
  );
}

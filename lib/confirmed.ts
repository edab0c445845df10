import { entryOf } from './entry';
import type { Entry, Given } from './entry';
import { isKeyed, own } from './objects';
import { hasAt, writeAt } from './paths';

/** What the server has confirmed of an item through its live record. */
export interface ItemConfirmation {
  /** What it has answered, including keys that no field is mapped to. */
  readonly answer: object;
  /** The values of some of the fields. */
  readonly values: readonly Given[];
  /** All fields: what an answer leaves out of objects that they are mapped into stays as it is. */
  readonly fields: readonly Entry[];
}

/** A copy of an item with what is confirmed of it; the rest stays as it is. */
export function withConfirmed<T>(item: T, { answer, values, fields }: ItemConfirmation): T {
  const answered = over(answer, item as object, fields);
  const confirmed = {};
  for (const [{ segments }, value] of values)
    if (value !== undefined || hasAt(answered, segments)) writeAt(confirmed, segments, value);
  return over(confirmed, answered, values.map(entryOf)) as T;
}

/**
 * One object put over another. Those inside that fields are mapped into are combined likewise; all else is replaced.
 *
 * @param fields Those that are mapped into the objects, or below.
 * @param depth How many steps of their paths lead to the objects.
 */
function over(above: object, below: object, fields: readonly Entry[], depth = 0): object {
  const copy: Record<string, unknown> = { ...below, ...above };
  const keyOf = ({ segments }: Entry) => String(segments[depth]);
  const nested = fields.filter(({ segments }) => segments.length > depth + 1);
  // Once for each key: for each path, the work would multiply with every level.
  for (const key of new Set(nested.map(keyOf))) {
    const [part, partBelow] = [own(above, key), own(below, key)];
    if (!isKeyed(partBelow)) continue;
    const inside = nested.filter((each) => keyOf(each) === key);
    copy[key] = isKeyed(part) ? over(part, partBelow, inside, depth + 1) : partBelow;
  }
  return copy;
}

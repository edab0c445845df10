import { entryOf } from './entry';
import type { Entry, Given } from './entry';
import { hasAt, readAt, withAt } from './paths';

/** What the server has confirmed of an item through its live record. */
export interface Confirmed {
  /** What it has answered, including keys that no field is mapped to. */
  readonly answer: object;
  /** The values of fields, by path. */
  readonly values: ReadonlyMap<string, Value>;
  /** All fields: what an answer leaves out of those inside objects stays as it is. */
  readonly fields: readonly Entry[];
}

type Value = readonly [segments: Entry['segments'], confirmed: unknown];

/** What is confirmed by an answer: the values of some of the fields, and its other keys. */
export const confirmedOf = (
  given: readonly Given[],
  answer: object,
  fields: readonly Entry[] = given.map(entryOf),
): Confirmed => ({
  answer,
  fields,
  values: new Map(given.map(([{ path, segments }, value]) => [path, [segments, value]])),
});

/** Combines what was confirmed of one item earlier and later; undefined if it was gone at either time. */
export const combine = (
  earlier: Confirmed | undefined,
  later: Confirmed | undefined,
): Confirmed | undefined =>
  earlier &&
  later && {
    ...later,
    answer: { ...earlier.answer, ...later.answer },
    values: new Map([...earlier.values, ...later.values]),
  };

/** A copy of an item with what is confirmed of it; the rest stays as it is. */
export const withConfirmed = <T>(item: T, { answer, values, fields }: Confirmed): T => {
  const kept = fields
    .filter(({ segments }) => segments.length > 1 && hasAt(item, segments))
    .map(({ segments }): Value => [segments, readAt(item, segments)]);
  return [...kept, ...values.values()].reduce<object>(
    (data, [segments, confirmed]) => withAt(data, segments, confirmed),
    { ...(item as object), ...answer },
  ) as T;
};

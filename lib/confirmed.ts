import { match } from './entry';
import type { Entry, Given } from './entry';
import { withAt } from './paths';

/** What the server has confirmed of an item through its live record. */
export interface Confirmed {
  /** What it has answered, including keys that no field is mapped to. */
  readonly answer: object;
  /** The values of some of the fields. */
  readonly values: readonly Given[];
  /** All fields: what an answer leaves out of those inside objects stays as it is. */
  readonly fields: readonly Entry[];
}

/** Combines what was confirmed of one item earlier and later. */
export const combine = (earlier: Confirmed, later: Confirmed): Confirmed => ({
  ...later,
  answer: { ...earlier.answer, ...later.answer },
  // One for each field, however many saves there are until the list has been read.
  values: [...new Map([...earlier.values, ...later.values].map((given) => [given[0].path, given])).values()],
});

/** A copy of an item with what is confirmed of it; the rest stays as it is. */
export const withConfirmed = <T>(item: T, { answer, values, fields }: Confirmed): T => {
  const nested = fields.filter(({ segments }) => segments.length > 1);
  return [...match(nested, item, true), ...values].reduce<object>(
    (data, [{ segments }, value]) => withAt(data, segments, value),
    { ...(item as object), ...answer },
  ) as T;
};

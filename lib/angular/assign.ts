import type { DataModel } from '../index';

import { member } from './problem';

/** Writes data into a record as edits, all as one: nobody sees it half written. Keys whose value is undefined, too. */
export function assign(record: DataModel, data: object): void {
  record.set(data, { keepDirty: true, unset: true });
}

/** Data with another value at a path; what leads there is made where it is missing. */
export const withAt = (data: unknown, [key = '', ...inner]: readonly string[], value: unknown): object => ({
  ...(data as object),
  [key]: inner.length ? withAt(member(data, key), inner, value) : value,
});

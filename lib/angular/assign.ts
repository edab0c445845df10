import type { DataModel, MappedField } from '../index';

import { Field, skip } from './peers';
import { member } from './problem';

/**
 * Writes data into a record as edits, all as one: nobody sees it half written.
 *
 * What `set` skips is written too: keys whose value is undefined, as far as their fields are properties of the record.
 */
export function assign(record: DataModel, data: object): void {
  asOne(() => {
    record.set(data, { keepDirty: true });
    for (const field of Object.values(record)) {
      if (isFieldOf(record, field) && field.value !== undefined && isUnset(data, field.path)) {
        field.next(undefined);
      }
    }
  });
}

/** Makes several writes one: what is written in answer to a value is told when all of it has been written. */
export function asOne(write: () => void): void {
  let isDue = true;
  const once = (): void => {
    if (isDue) write();
    isDue = false;
  };
  const start = new Field(isDue);
  start.pipe(skip(1)).subscribe(once);
  start.next(isDue);
  // Inside of another write nothing has been told yet, and this is part of it.
  once();
}

/** An object with one value, at a dotted path. */
export const nest = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

/** Whether there is a key at a path, with undefined as its value. */
const isUnset = (data: unknown, path: string): boolean =>
  path.split('.').reduce((node, key) => (key in Object(node) ? member(node, key) : null), data) === undefined;

const isFieldOf = (record: DataModel, value: unknown): value is MappedField<unknown, string> =>
  value instanceof Field && record.hasMappedField((value as MappedField<unknown, string>).path);

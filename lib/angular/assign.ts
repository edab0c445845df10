import { skip } from 'rxjs';

import { Field } from '../index';
import type { DataModel } from '../index';

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

/** The value that a dotted path leads to. */
export const valueAt = (data: unknown, path: string): unknown => path.split('.').reduce<unknown>(at, data);

/** An object with one value, at a dotted path. */
export const nest = (path: string, value: unknown): object =>
  path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;

const at = (holder: unknown, key: string): unknown =>
  (holder as Record<string, unknown> | null | undefined)?.[key];

/** Whether there is a key at a path, with undefined as its value. */
function isUnset(data: object, path: string): boolean {
  const key = path.slice(path.lastIndexOf('.') + 1);
  const holder = key === path ? data : valueAt(data, path.slice(0, -key.length - 1));
  return typeof holder === 'object' && holder !== null && key in holder && at(holder, key) === undefined;
}

const isFieldOf = (record: DataModel, value: unknown): value is Field<unknown> & { readonly path: string } =>
  value instanceof Field && 'path' in value && record.hasMappedField(String(value.path));

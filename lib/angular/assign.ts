import type { DataModel } from '../index';

import { Field, skip } from './peers';

/** Writes data into a record as edits, all as one: nobody sees it half written. Keys whose value is undefined, too. */
export function assign(record: DataModel, data: object): void {
  record.set(data, { keepDirty: true, unset: true });
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

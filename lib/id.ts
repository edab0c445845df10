import { isPlain } from './objects';

/** Whether two ids are of one record: compared as a url shows them, so `'7'` is `7`; all falsey ones are a new record's. */
export const isSameId = (a: unknown, b: unknown): boolean => a === b || idText(a) === idText(b);

/** An id as a url shows it, or its JSON, since plain objects all have the same text; empty for a new record. */
export const idText = (id: unknown): string => {
  try {
    return id ? (isPlain(id) ? JSON.stringify(id) : (id as string | number).toString()) : '';
  } catch {
    // An answer may hold anything, such as `[{ "toString": 1 }]`.
    return typeof id;
  }
};

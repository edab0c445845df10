import { member } from './problem';

/** Data with another value at a path; what leads there is made where it is missing. */
export const withAt = (data: unknown, [key = '', ...inner]: readonly string[], value: unknown): object => ({
  ...(data as object),
  [key]: inner.length ? withAt(member(data, key), inner, value) : value,
});

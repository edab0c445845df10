import { member } from './member';

/** Data with another value at a path; missing objects on the way are created. */
export const withAt = (data: unknown, [key, ...inner]: readonly string[], value: unknown): unknown =>
  key === undefined ? value : { ...(data as object), [key]: withAt(member(data, key), inner, value) };

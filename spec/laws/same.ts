import { isDeepStrictEqual } from 'node:util';

import { expect } from 'vitest';

/** Expects two values to be equal, cheaply enough for a law to do so at every step. */
export function same(actual: unknown, expected: unknown, message?: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, message).toStrictEqual(expected);
}

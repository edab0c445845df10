import { describe, expect, it } from 'vitest';

import { SchemaError } from 'rivulet/schema';
import type { SchemaIssue } from 'rivulet/schema';

describe('SchemaError', () => {
  it.each<[string, SchemaIssue[], string]>([
    [
      'the first path',
      [
        { path: 'a.b', message: 'x' },
        { path: 'c', message: 'y' },
      ],
      'refuses the answer at "a.b", see',
    ],
    ['no path for the whole', [{ path: '', message: 'x' }], 'refuses the answer, see'],
    ['no path without an issue', [], 'refuses the answer, see'],
  ])('names %s, and no entered value', (_, issues, part) => {
    const error = new SchemaError('read', 'the answer', issues);
    expect(error.message).toBe(`read: the schema ${part} "issues"`);
    expect(error).toMatchObject({ name: 'SchemaError', action: 'read', issues });
    expect(error).toBeInstanceOf(Error);
  });
});

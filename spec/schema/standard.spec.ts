import { describe, expect, it } from 'vitest';

import { checkBy } from '../../lib/schema/standard';
import { raise } from '../hostile';

import { libraries, schemaOf } from './schemas';

describe('a check', () => {
  it.each(libraries)('by $library returns paths as text, empty for the whole', ({ schema }) => {
    const paths = (value: unknown) => {
      const { issues = [] } = checkBy(schema)(value) as { issues?: { path: string }[] };
      return issues.map(({ path }) => path);
    };
    expect(paths('text')).toStrictEqual(['']);
    expect(paths({ name: 'a', born: new Date(), address: {} })).toStrictEqual(['address.city']);
  });

  it('returns the value, even undefined', () => {
    expect(checkBy(schemaOf(() => ({ value: undefined as never })))(1)).toStrictEqual({ value: undefined });
  });

  it('refuses even if the schema gives no reason', () => {
    expect(checkBy(schemaOf(() => ({ issues: [] })))(1)).toStrictEqual({
      issues: [{ path: '', message: 'refused without a reason' }],
    });
  });

  it.each([[false], [true], [undefined], [{}], [{ issues: 'bad' }]])(
    'fails if the schema returns no valid result: %j',
    async (result) => {
      const failed = { with: new TypeError('schema: "validate" must return { value } or { issues }') };
      expect(checkBy(schemaOf(() => result as never))(1)).toStrictEqual({ failed });
      expect(await checkBy(schemaOf(() => Promise.resolve(result as never)))(1)).toStrictEqual({ failed });
    },
  );

  it('reports what the schema throws, or rejects with', async () => {
    expect(checkBy(schemaOf(() => raise('thrown')))(1)).toStrictEqual({ failed: { with: 'thrown' } });
    const rejecting = schemaOf(() => Promise.reject(new Error('rejected')));
    expect(await checkBy(rejecting)(1)).toStrictEqual({ failed: { with: new Error('rejected') } });
  });

  it('returns a promise if the schema does, or another thenable', async () => {
    const thenable = {
      then: (next: (result: unknown) => void) => {
        next({ value: 1 });
      },
    };
    expect(await checkBy(schemaOf(() => thenable as never))(1)).toMatchObject({ value: 1 });
    expect(await checkBy(schemaOf(() => Promise.resolve({ value: 1 as never })))(1)).toMatchObject({
      value: 1,
    });
  });
});

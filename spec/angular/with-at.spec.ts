import { describe, expect, it } from 'vitest';

import { withAt } from '../../lib/angular/with-at';

describe('withAt', () => {
  it('leaves all else and its input unchanged', () => {
    const data = { id: { key: 7, kind: 'a' }, name: 'Ann' };
    expect(withAt(data, ['id', 'key'], 8)).toStrictEqual({ id: { key: 8, kind: 'a' }, name: 'Ann' });
    expect(data).toStrictEqual({ id: { key: 7, kind: 'a' }, name: 'Ann' });
  });

  it.each([{}, { id: undefined }, { id: null }])('creates missing parents: %o', (data) => {
    expect(withAt(data, ['id', 'key', 'of'], 8)).toStrictEqual({ id: { key: { of: 8 } } });
  });
});

import { describe, expect, it } from 'vitest';

import type { Change } from 'rivulet/live';

import { after, idOf } from '../../lib/live/change';

import { ann, gone, patch, put } from './people';

describe('an item after a change', () => {
  it('is the one put, whatever was there', () => {
    expect([after(put(ann), undefined), after(put(ann), { ...ann, name: 'x' })]).toStrictEqual([ann, ann]);
  });

  it('has the keys of a patch, if it was there', () => {
    expect(after(patch({ id: 1, name: 'Anna' }), ann)).toStrictEqual({ ...ann, name: 'Anna' });
    expect(after(patch({ id: 1, name: 'Anna' }), undefined)).toBeUndefined();
  });

  it('is gone once deleted', () => {
    expect([after(gone({ id: 1 }), ann), after(gone({ id: 1 }), undefined)]).toStrictEqual([
      undefined,
      undefined,
    ]);
  });

  it.each(['update', undefined, 'toString'])('is not known after what is %o', (kind) => {
    expect(() => after({ kind, item: ann } as unknown as Change<object>, undefined)).toThrow(
      new TypeError(`followChanges: a change is a 'put', 'patch' or 'delete', not ${String(kind)}`),
    );
  });
});

describe('the id of a changed item', () => {
  it.each([
    [{ id: 1 }, 'id', 1],
    [{ id: 'x' }, 'id', 'x'],
    [{ id: 2n }, 'id', 2n],
    [{ key: { id: 3 } }, 'key.id', 3],
  ])('in %o at %s is %o', (item, path, id) => {
    expect(idOf({ kind: 'put', item }, path)).toBe(id);
  });

  it.each([{}, { id: 0 }, { id: '' }, { id: null }, { id: {} }, { id: true }, undefined, null, 7])(
    'is missing in %o',
    (item) => {
      expect(() => idOf({ kind: 'put', item } as Change<object>, 'id')).toThrow(
        new TypeError('followChanges: a change needs an item with its id, at "id"'),
      );
    },
  );
});

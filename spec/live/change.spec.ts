import { describe, expect, it } from 'vitest';

import type { Change } from 'rivulet/live';

import { after, idOf } from '../../lib/live/change';

import { ann, gone, patch, put } from './people';

const afterwards = <T extends object>(change: Change<T>, now: T | undefined) => after(change, now, 'id');

describe('an item after a change', () => {
  it('is the one put, whatever was there', () => {
    const longer = { ...ann, city: 'Ulm' };
    expect([afterwards(put(ann), undefined), afterwards(put(ann), longer)]).toStrictEqual([ann, ann]);
  });

  it('has the keys of a patch, if it was there', () => {
    expect(afterwards(patch({ id: 1, name: 'Anna' }), ann)).toStrictEqual({ ...ann, name: 'Anna' });
    expect(afterwards(patch({ id: 1, name: 'Anna' }), undefined)).toBeUndefined();
  });

  it('is gone once deleted', () => {
    expect([afterwards(gone({ id: 1 }), ann), afterwards(gone({ id: 1 }), undefined)]).toStrictEqual([
      undefined,
      undefined,
    ]);
  });

  it('keeps its id as the list spells it', () => {
    const text = { id: '1' as unknown as number, name: 'Anna' };
    expect([afterwards(put(text), ann), afterwards(patch(text), ann)]).toStrictEqual([
      { id: 1, name: 'Anna' },
      { ...ann, name: 'Anna' },
    ]);
  });

  it('keeps what is beside a nested id unless it was put', () => {
    const now = { key: { id: 1, shelf: 'a' }, name: 'x' };
    const item = { key: { id: '1' }, name: 'y' } as unknown as typeof now;
    expect(after({ kind: 'patch', item }, now, 'key.id')).toStrictEqual({
      key: { id: 1, shelf: 'a' },
      name: 'y',
    });
    expect(after({ kind: 'put', item }, now, 'key.id')).toStrictEqual({ key: { id: 1 }, name: 'y' });
  });

  it('is not modified, nor is the change', () => {
    const [now, item] = [Object.freeze({ ...ann }), Object.freeze({ id: 1, name: 'Anna' })];
    afterwards(put(item), now);
    afterwards(patch(item), now);

    expect([now, item]).toStrictEqual([ann, { id: 1, name: 'Anna' }]);
  });

  it.each(['update', undefined, 'toString'])('is not known after what is %o', (kind) => {
    expect(() => afterwards({ kind, item: ann } as unknown as Change<object>, undefined)).toThrow(
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
        new TypeError('followChanges: a change needs an item with its id at "id"; 0 and \'\' are none'),
      );
    },
  );

  it.each([null, undefined, 'ping'])('is missing where %o takes the place of a change', (change) => {
    expect(() => idOf(change as unknown as Change<object>, 'id')).toThrow(
      /^followChanges: a change needs an item/,
    );
  });

  it('is not one that is inherited', () => {
    expect(() => idOf({ kind: 'put', item: Object.create({ id: 1 }) as object }, 'id')).toThrow(TypeError);
  });
});

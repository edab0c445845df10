import { describe, expect, it } from 'vitest';

import { Versions } from '../../lib/live/versions';
import type { Version } from '../../lib/live/versions';

import { ann, bo, gone, patch, put } from './people';
import type { Person } from './people';

const versions = () => new Versions<Person>(({ version }) => version, 'id');
const at = (version?: number) => ({ ...ann, version }) as Person;

describe('versions', () => {
  it.each([
    [1, 2, true],
    [2, 2, false],
    [3, 2, false],
    [undefined, 2, false],
    [1, undefined, false],
  ])('say that %o is older than %o: %o', (version, than, expected) => {
    expect(versions().isOlder(at(version), at(than))).toBe(expected);
  });

  it('admit a change that is not older than the item, of any kind', () => {
    const all = versions();
    expect([put(at(1)), patch(at(1)), gone(at(1))].map((change) => all.admits(change, at(2)))).toStrictEqual([
      false,
      false,
      false,
    ]);
    expect([put(at(2)), patch(at(2)), gone(at(2))].map((change) => all.admits(change, at(2)))).toStrictEqual([
      true,
      true,
      true,
    ]);
  });

  it('remember what was deleted: no older state of it is admitted, a newer one is', () => {
    const all = versions();
    all.admits(gone({ id: '1' as never, version: 5 }), undefined);

    expect([4, 5, 6].map((version) => all.admits(put(at(version)), undefined))).toStrictEqual([
      false,
      false,
      true,
    ]);
    expect([5, 6, undefined].map((version) => all.isGone(at(version)))).toStrictEqual([true, false, false]);
    expect(all.isGone(bo)).toBe(false);
  });

  it('admit the same deletion again, in case an answer has brought the item back', () => {
    const all = versions();
    all.admits(gone(at(5)), undefined);

    expect([all.admits(gone(at(5)), at(3)), all.admits(gone(at(4)), at(3))]).toStrictEqual([true, true]);
    expect(all.isGone(at(5))).toBe(true);
  });

  it('do not remember a deletion that is older than the item, which has been created again', () => {
    const all = versions();
    expect(all.admits(gone(at(5)), at(6))).toBe(false);
    expect(all.isGone(at(1))).toBe(false);
  });

  it('remember no deletion without a version', () => {
    const all = versions();
    all.admits(gone(at(5)), undefined);
    all.admits(gone({ id: 1 }), undefined);

    expect([all.isGone(at(5)), all.isGone(at(6))]).toStrictEqual([true, false]);
  });

  it.each<[string, Version, Version]>([
    ['text', '2026-01-02', '2026-01-10'],
    ['a date', new Date('2026-01-02'), new Date('2026-01-10')],
    ['a bigint', 9n, 10n],
  ])('remember a deletion whose version is %s', (_, before, deletion) => {
    const all = new Versions<{ id: number; version: Version }>(({ version }) => version, 'id');
    all.admits({ kind: 'delete', item: { id: 1, version: deletion } }, undefined);

    expect(all.isGone({ id: 1, version: before })).toBe(true);
  });
});

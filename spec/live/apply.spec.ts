import { describe, expect, it } from 'vitest';

import type { Change } from 'rivulet/live';

import { apply } from '../../lib/live/apply';
import { Versions } from '../../lib/live/versions';
import { valuesOf } from '../watch';

import { ann, bo, eve, gone, listOf, patch, put } from './people';
import type { Person } from './people';

const never = new Versions<Person>(() => undefined, 'id');

describe('changes of a list', () => {
  it.each<[string, Change<Person>[], Person[]]>([
    ['a new item', [put(eve)], [ann, bo, eve]],
    ['a known item', [put({ id: 1, name: 'Anna' })], [{ id: 1, name: 'Anna' }, bo]],
    ['a part of one', [patch({ id: 1, name: 'Anna' })], [{ ...ann, name: 'Anna' }, bo]],
    ['one that is gone', [gone({ id: 1 })], [bo]],
    ['several', [gone({ id: 1 }), put(eve), patch({ id: 2, name: 'Bob' })], [{ ...bo, name: 'Bob' }, eve]],
    [
      'one item twice',
      [patch({ id: 1, name: 'x' }), patch({ id: 1, version: 9 })],
      [{ id: 1, name: 'x', version: 9 }, bo],
    ],
    [
      'one that is gone and comes back',
      [gone({ id: 1 }), put({ ...ann, name: 'x' })],
      [{ ...ann, name: 'x' }, bo],
    ],
    ['one that comes and is gone', [gone({ id: 1 }), put(eve), gone({ id: 3 })], [bo]],
    ['an id as text', [patch({ id: '1' as never, name: 'x' })], [{ ...ann, name: 'x' }, bo]],
  ])('are written in one step: %s', (_, changes, expected) => {
    const { list } = listOf([ann, bo]);
    const lists = valuesOf(list);

    expect(apply(list, changes, never)).toStrictEqual(changes);
    expect(lists.slice(1)).toStrictEqual([expected]);
  });

  it.each<[string, Change<Person>[]]>([
    ['is there already', [put({ ...ann })]],
    ['is a part of what is there', [patch({ id: 1, name: 'Ann' })]],
    ['is a part of what is not there', [patch({ id: 3, name: 'Eve' })]],
    ['deletes what is not there', [gone({ id: 3 })]],
    ['is nothing', []],
  ])('are not written if what they say %s', (_, changes) => {
    const { list } = listOf([ann, bo]);
    const lists = valuesOf(list);

    expect([apply(list, changes, never), lists.length]).toStrictEqual([[], 1]);
  });

  it('are not written if they cancel each other out', () => {
    const { list } = listOf([ann]);
    const lists = valuesOf(list);
    apply(list, [put(eve), gone({ id: 3 })], never);

    expect(lists).toHaveLength(1);
  });

  it('are not written if the last brings back what was there, such as the echoes of two saves', () => {
    const { list } = listOf([ann, bo]);
    const lists = valuesOf(list);

    apply(list, [put({ ...ann, name: 'x' }), put({ ...ann })], never);
    expect(lists).toHaveLength(1);
    expect(list.value[0]).toBe(ann);
  });

  it('find items whose ids are text by a number', () => {
    const { list } = listOf([{ ...ann, id: '1' as never }]);
    apply(list, [gone({ id: 1 })], never);

    expect(list.value).toStrictEqual([]);
  });

  it.each([1, 2])('change the first of several items with one id, among %i changes', (count) => {
    const { list } = listOf([ann, { ...ann, name: 'other' }]);
    const changes = [patch({ id: 1, name: 'Anna' }), put(eve)];
    apply(list, changes.slice(0, count), never);

    expect(list.value.slice(0, 2)).toStrictEqual([
      { ...ann, name: 'Anna' },
      { ...ann, name: 'other' },
    ]);
  });

  it('leave the other items as they are', () => {
    const { list } = listOf([ann, bo, eve]);
    const [first, , third] = list.value;
    apply(list, [put({ ...bo, name: 'x' }), put({ id: 4, name: 'Ida' })], never);

    expect([list.value[0] === first, list.value[2] === third, list.length]).toStrictEqual([true, true, 4]);
  });

  it('leave out what is older, also than a change before it', () => {
    const { list } = listOf([{ ...ann, version: 5 }, bo]);
    const newer = put({ ...ann, name: 'newer', version: 6 });
    const first = put({ ...ann, name: 'old', version: 4 });
    const old: Change<Person>[] = [gone({ id: 1, version: 4 }), patch({ id: 1, name: 'old', version: 5 })];

    expect(
      apply(list, [first, newer, first, ...old], new Versions<Person>(({ version }) => version, 'id')),
    ).toStrictEqual([newer]);
    expect(list.value).toStrictEqual([{ ...ann, name: 'newer', version: 6 }, bo]);
  });

  it('are not applied at all if one of them is none', () => {
    const { list } = listOf([ann]);

    expect(() => apply(list, [put(eve), put({ name: 'x' } as Person)], never)).toThrow(TypeError);
    expect(list.value).toStrictEqual([ann]);
  });
});

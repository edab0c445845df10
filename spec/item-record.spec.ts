import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { ItemRecord } from 'rivulet';

import { ann, bo, eve, withPeople } from './people';
import { watch } from './watch';

describe('a record without a model', () => {
  it('has a field for each key of its item', () => {
    const { people: plain } = withPeople({ config: { data: [ann, bo] } });
    const record = plain.record(2);

    expect(record.get()).toStrictEqual(bo);
    expect([record.name.value, record.tags?.value]).toStrictEqual(['Bo', bo.tags]);
  });

  it('keeps keys that would hide its members in its data only, and drops those that are not paths', () => {
    const text =
      '{ "id": 1, "save": "x", "a.b": 1, "": 2, "constructor": 3, "__proto__": 4, "prototype": 5 }';
    const item = JSON.parse(text) as { id: number; save: string };
    const record = createLib()
      .collection({ data: [item] })
      .record(1);

    expect(record.get()).toStrictEqual({ id: 1, save: 'x' });
    expect(typeof record.save).toBe('function');
  });

  it('has its id at the path of idAttribute, and a field for each key beside it', () => {
    const item = { key: { no: 1, at: { x: 1 } }, name: 'one' };
    const record = createLib()
      .collection({ url: '/things', idAttribute: 'key.no', data: [item] })
      .record(1);

    expect(record.get()).toStrictEqual(item);
    expect(Object.keys(record.dirtyMap())).toStrictEqual(['key.no', 'key.at', 'name']);
    expect(record.isNew$.value).toBe(false);
  });

  it('has a field for its id, so that a new one is added once it has been saved', () => {
    const { people: plain, server } = withPeople({ config: { data: [ann] } });
    const record = plain.record({ name: 'Eve' });

    watch(record.save$());
    server.at(0).ok(eve);
    watch(record.save$());

    expect(plain.value).toStrictEqual([ann, eve]);
    expect(plain.record(3)).toBe(record);
    expect(server.lines).toStrictEqual(['POST /people', 'PUT /people/3']);
  });

  it('has a field for the id even if the item lacks the object around it', () => {
    const list = createLib().collection<{ key?: { no: number } | null; name: string }>({
      idAttribute: 'key.no',
    });

    const items = [{ name: 'x' }, { name: 'x', key: null }];

    expect(items.map((item) => list.record(item).hasMappedField('key.no'))).toStrictEqual([true, true]);
  });

  it('gets the keys that a read of it brings', () => {
    const { people: plain, server } = withPeople();
    const record = plain.record(3);

    watch(record.fetch$());
    server.at(0).ok(eve);

    expect(record.get()).toStrictEqual(eve);
    expect([record.name.value, record.isDirty$.value]).toStrictEqual(['Eve', false]);
  });

  it('gets the keys that a read of the list brings, and keeps its edits', () => {
    const { people: plain, server } = withPeople({ config: { data: [{ id: 1, name: 'Ann' }] } });
    const record = plain.record(1);
    record.name.next('Edit');

    watch(plain.fetch$());
    server.at(0).ok([{ id: 1, name: 'Ann', tags: ['a'] }]);

    expect(record.get()).toStrictEqual({ id: 1, name: 'Edit', tags: ['a'] });
    expect([record.tags?.value, record.tags?.isDirty$.value]).toStrictEqual([['a'], false]);
  });
});

describe('a record without a model that has not been used yet', () => {
  /** A list of one item, and whether that item was read. */
  const withRow = () => {
    let isRead = false;
    const row = {
      id: 1,
      get name() {
        isRead = true;
        return 'Ann';
      },
    };
    return { list: createLib().collection({ data: [row] }), isRead: () => isRead };
  };

  it('is not built', () => {
    const { list, isRead } = withRow();

    const record = list.record(1);
    const again = list.record('1');

    expect([again === record, isRead()]).toStrictEqual([true, false]);
    expect([record.name.value, isRead()]).toStrictEqual(['Ann', true]);
  });

  it.each<[string, (record: ItemRecord<{ id: number; name: string }>) => unknown, unknown]>([
    ['a field', (record) => record.name.value, 'Ann'],
    ['its data', (record) => JSON.stringify(record), '{"id":1,"name":"Ann"}'],
    // eslint-disable-next-line @typescript-eslint/unbound-method -- the form under test
    ['a detached method', ({ get }) => get('name'), 'Ann'],
    ['a state', (record) => record.isNew$.value, false],
  ])('is built on access to %s', (_, ask, answer) => {
    const { list, isRead } = withRow();
    const record = list.record(1);

    expect([ask(record), isRead()]).toStrictEqual([answer, true]);
    expect(Object.keys(record)).toStrictEqual(['id', 'name']);
  });

  it('shows its fields', () => {
    const { list, isRead } = withRow();
    const record = list.record(1);

    expect([Object.keys(record), 'name' in record, isRead()]).toStrictEqual([['id', 'name'], true, false]);
    expect(Object.assign({}, record).name.value).toBe('Ann');
  });

  it('shows its id as one field, even if it is text', () => {
    const list = createLib().collection({ data: [{ id: 'ann', name: 'Ann' }] });

    expect(Object.keys(list.record('ann'))).toStrictEqual(['id', 'name']);
  });

  it('shows a field that the list brings', () => {
    const { people: plain } = withPeople({ config: { data: [ann] } });
    const record = plain.record(1);

    plain.replace([{ ...ann, tags: { x: [1] } }]);

    expect(Object.keys(record)).toStrictEqual(['id', 'name', 'tags']);
    expect(record.tags?.value).toStrictEqual({ x: [1] });
  });

  it('is built even if it is frozen', () => {
    const { list } = withRow();

    expect(Object.freeze(list.record(1)).name.value).toBe('Ann');
  });

  it('holds what its draft was at the call, if that is not in the list', () => {
    const { people: plain, server } = withPeople();
    const draft: { id?: number; name: string } = { name: 'Eve' };
    const record = plain.record(draft);
    draft.id = 3;

    watch(record.save$());

    expect(server.lines).toStrictEqual(['POST /people']);
  });

  it('begins with what the list held last, even if the item is no longer there', () => {
    const { people: plain, server } = withPeople({ config: { data: [ann, bo] } });
    const record = plain.record(2);

    watch(plain.fetch$());
    server.at(0).ok([ann, { id: 2, name: 'Bob' }]);
    plain.pop();

    // Like one that was already in use: a key that the list no longer contains stays.
    expect(record.get()).toStrictEqual({ ...bo, name: 'Bob' });
    expect(record.isDirty$.value).toBe(false);
  });

  it.each(['name', 'note'])('keeps a property assigned to it: %s', (key) => {
    const { list } = withRow();
    const record = list.record(1);
    Reflect.set(record, key, 'mine');

    expect(record.get()).toStrictEqual({ id: 1, name: 'Ann' });
    expect(Object.getOwnPropertyDescriptor(record, key)).toMatchObject({ value: 'mine', enumerable: true });
  });

  it('is not built for an object that inherits from it', () => {
    const { list, isRead } = withRow();
    const heir = Object.create(list.record(1)) as { name: unknown; save: unknown };

    expect([heir.name, typeof heir.save, isRead()]).toStrictEqual([undefined, 'function', false]);
  });
});

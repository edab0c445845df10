import { VirtualTimeScheduler, of, skip, tap } from 'rxjs';
import { beforeEach, describe, expect, it, vi } from 'vitest';

import { DataModel, createLib } from 'rivulet';
import type { Collection, DataModelConfig, ItemRecord, Lib, MappedField } from 'rivulet';

import { ann, bo, eve } from './people';
import type { Item } from './people';
import { StubServer } from './stub';
import type { Held } from './stub';
import { survivors } from './survivors';
import { valuesOf, watch } from './watch';

/** A model that maps only the id and the name. */
class Named extends DataModel {
  readonly id: MappedField<number | undefined, 'id'>;
  readonly name: MappedField<string, 'name'>;

  constructor(root: Lib, config: DataModelConfig = {}) {
    super(config, root);
    this.id = root.observable<number | undefined>(undefined).map('id', this);
    this.name = root.observable('nobody').map('name', this);
  }
}

let server: StubServer;
let root: Lib;
let people: Collection<Item, Named>;

beforeEach(() => {
  server = new StubServer();
  root = createLib({ transport: server.transport });
  people = root.collection<Item, Named>({ url: '/people?sort=name', data: [ann, bo], model: Named });
});

const anna: Item = { id: 1, name: 'Anna' };

/** All emissions of the list from now on. */
const emissionsOf = () => valuesOf(people.pipe(skip(1)));

describe('the record of an item', () => {
  it('has the data of the item as confirmed, and sends nothing', () => {
    const record = people.record(1);

    expect([record.get(), record.isDirty$.value, record.isNew$.value]).toStrictEqual([ann, false, false]);
    expect(server.lines).toStrictEqual([]);
  });

  it.each([
    ['the item', ann],
    ['its id', 1],
    ['its id as text, as in a route', '1'],
    ['a copy of the item, older or newer', { id: 1, name: 'Anna' }],
  ])('is the same for %s', (_, itemOrId) => {
    expect(people.record(itemOrId)).toBe(people.record(1));
    expect(people.record(1).name.value).toBe('Ann');
  });

  it.each(['GET /people', () => 'HEAD /people', { read: 'GET /people', update: 'get /people/:id' }])(
    'is not saved with the method word for reading: %o',
    (url) => {
      const list = root.collection<Item, Named>({ url, data: [ann], model: Named });

      watch(list.record(1).save$());

      expect(server.lines).toStrictEqual(['PUT /people/1']);
    },
  );

  it('is read at the url of the collection, with one url for each action', () => {
    const url = { read: '/people?sort=name', update: 'PATCH /people/:id', delete: '/people/:id' };
    const record = root.collection<Item, Named>({ url, data: [ann], model: Named }).record(1);

    watch(record.fetch$());
    watch(record.save$());
    server.at(1).ok();
    watch(record.destroy$());

    expect(server.lines).toStrictEqual(['GET /people/1?sort=name', 'PATCH /people/1', 'DELETE /people/1']);
  });

  it('is saved at exactly the url for that action', () => {
    const url = { read: '/people', update: '/save' };
    const record = root.collection<Item, Named>({ url, data: [ann], model: Named }).record(1);

    watch(record.save$());

    expect(server.lines).toStrictEqual(['PUT /save']);
  });

  it('is read at the url of its model, with one url for each action', () => {
    class Elsewhere extends Named {
      static readonly url = { read: '/one' };
      constructor(lib: Lib) {
        super(lib, { url: Elsewhere.url });
      }
    }
    const list = root.collection<Item, Elsewhere>({ url: '/people', data: [ann], model: Elsewhere });

    watch(list.record(1).fetch$());

    expect(server.lines).toStrictEqual(['GET /one']);
  });

  it('is read, saved and deleted at the url of the collection', () => {
    const record = people.record(2);
    watch(record.fetch$());
    watch(record.save$());
    server.at(1).ok();
    watch(record.destroy$());

    expect(server.lines).toStrictEqual([
      'GET /people/2?sort=name',
      'PUT /people/2?sort=name',
      'DELETE /people/2?sort=name',
    ]);
  });

  it('is configured like the collection where its model sets nothing, except for parse', () => {
    class Own extends DataModel {
      readonly _id = root.observable<unknown>(undefined).map('_id', this);
      constructor(lib: Lib) {
        super({ url: '/own', timeout: undefined }, lib);
      }
    }
    const list = root.collection({
      url: '/list',
      idAttribute: '_id',
      fetchOptions: { headers: { 'x-of': 'list' } },
      parse: () => [],
      timeout: 1,
      data: [{ _id: 'a' }],
      model: Own,
    });
    const record = list.record('a');
    const scheduler = new VirtualTimeScheduler();
    root.options.scheduler = scheduler;

    watch(record.fetch$());
    server.at(0).ok({ _id: 'b' });
    const late = watch(record.fetch$());
    scheduler.flush();

    expect(server.lines).toStrictEqual(['GET /own/a', 'GET /own/b']);
    expect(server.at(0).request.headers.get('x-of')).toBe('list');
    expect(late.error).toMatchObject({ name: 'TimeoutError' });
  });

  it.each([
    ['a save', (record: Named) => record.save$(), { id: 1, name: 'Anna' }],
    ['a read', (record: Named) => record.fetch$(), { id: 1, name: 'Anna' }],
    ['a save with an empty answer', (record: Named) => record.save$(), undefined],
  ])('writes what %s confirms to the item, in one emission', (_, send, answer) => {
    const record = people.record(1);
    const emitted = emissionsOf();
    if (!answer) record.name.next('Anna');

    watch(send(record));
    expect(emitted).toHaveLength(0);
    server.at(0).ok(answer);

    expect(emitted).toStrictEqual([[{ id: 1, name: 'Anna' }, bo]]);
  });

  it('keeps unmapped data in the item, and adds what else the server answers', () => {
    const record = people.record(2);

    watch(record.save$());
    server.at(0).ok({ id: 2, name: 'Bob', age: 3 });

    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob', age: 3 }]);
    expect(people.at(1)?.tags).toBe(bo.tags);
  });

  it('adds what a read answers even if the record maps nothing of that', () => {
    watch(people.record(1).fetch$());
    server.at(0).ok({ age: 3 });

    expect(people.value).toStrictEqual([{ ...ann, age: 3 }, bo]);
  });

  it('takes no keys from an answer that is a list', () => {
    const list = root.collection<Item>({ url: '/people', data: [ann] });
    const record = list.record(1);

    watch(record.save$());
    server.at(0).ok([{ id: 1, name: 'Anna' }]);

    expect([record.get(), list.value]).toStrictEqual([ann, [ann]]);
  });

  it('writes nothing to the list when a read brings what it has', () => {
    const record = people.record(1);
    const emitted = emissionsOf();

    watch(record.fetch$());
    server.at(0).ok({ ...ann });

    expect(emitted).toStrictEqual([]);
  });

  it('does not show unsaved or refused edits in the list', () => {
    const record = people.record(1);
    const emitted = emissionsOf();

    record.name.next('Anna');
    watch(record.save$());
    server.at(0).refuse(500);
    watch(record.save$());
    server.at(1).fail(new TypeError('offline'));

    expect(emitted).toStrictEqual([]);
  });

  it('shows the edit of a field in the list only once it is confirmed, not with another field', () => {
    const both = root.collection<{ id: number; a: number; b: number }>({
      url: '/x',
      data: [{ id: 1, a: 1, b: 1 }],
    });
    const record = both.record(1);
    record.a.next(2);
    record.b.next(2);

    record.clean('a');

    expect(both.value).toStrictEqual([{ id: 1, a: 2, b: 1 }]);
  });

  it('agrees with the list whenever either emits', () => {
    const record = people.record(1);
    const seen: unknown[] = [];
    record.name.pipe(skip(1)).subscribe((name) => seen.push([name, people.at(0)?.name]));
    people.pipe(skip(1)).subscribe(() => seen.push([record.name.value, people.at(0)?.name]));

    record.set({ name: 'Anna' });
    people.splice(0, 1, { ...ann, name: 'Anne' });

    expect(seen).toStrictEqual([
      ['Anna', 'Anna'],
      ['Anna', 'Anna'],
      ['Anne', 'Anne'],
      ['Anne', 'Anne'],
    ]);
  });

  it('removes its item from the list when it is destroyed', () => {
    const record = people.record(1);
    const emitted = emissionsOf();

    watch(record.destroy$());
    server.at(0).ok();

    expect(emitted).toStrictEqual([[bo]]);
    expect(record.isNew$.value).toBe(true);
  });

  it('removes its item, and is new and clean, when its sync carries out a destroy as an update', () => {
    const record = people.record(1);
    record.sync = (action, concern, options) =>
      root.sync(action === 'delete' ? 'update' : action, concern, options);
    record.name.next('edited');
    watch(record.destroy$());

    server.at(0).ok({ ...ann, deletedAt: '2026-11-25' });

    expect(server.lines).toStrictEqual(['PUT /people/1?sort=name']);
    expect(people.value).toStrictEqual([bo]);
    expect([record.isNew$.value, record.isDirty$.value, record.id.remote$.value]).toStrictEqual([
      true,
      false,
      undefined,
    ]);
  });

  it('becomes an item again when it is saved after that', () => {
    const record = people.record(1);
    watch(record.destroy$());
    server.at(0).ok();

    watch(record.save$());
    server.at(1).ok({ id: 9 });

    expect(people.value).toStrictEqual([bo, { id: 9, name: 'Ann' }]);
    expect(people.record(9)).toBe(record);
  });

  it('follows an id that the server changes', () => {
    const record = people.record(1);
    watch(record.save$());
    server.at(0).ok({ id: 11 });

    expect(people.value).toStrictEqual([{ id: 11, name: 'Ann' }, bo]);
    expect(people.record(11)).toBe(record);
  });

  it('leaves its item unchanged when it is set to another id', () => {
    const record = people.record(1);

    record.set({ id: 2, name: 'Bob' });

    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
    expect(people.record(1)).not.toBe(record);
  });

  it('leaves the item of another id unchanged when it is cleaned under that id', () => {
    const record = people.record(1);
    record.id.next(2);
    record.name.next('Anna');

    record.clean();

    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('leaves other items unchanged while its id is edited', () => {
    const record = people.record(1);
    record.id.next(2);

    record.set({ name: 'Anna' });

    expect(people.value).toStrictEqual([{ id: 1, name: 'Anna' }, bo]);
  });

  it.each([
    ['the list is read', undefined, () => watch(people.fetch$())],
    ['the list is read', 2, () => watch(people.fetch$())],
    ['its item is replaced', 2, () => people.splice(0, 1, anna)],
    ['a row of it is followed', 2, () => people.record(1).follow(of(anna)).subscribe()],
    [
      'a partial row is followed',
      2,
      () =>
        people
          .record(1)
          .follow(of({ name: 'Anna' }))
          .subscribe(),
    ],
  ])('leaves other items unchanged when %s while its id is edited to %s', (_, id, change) => {
    const record = people.record(1);
    record.id.next(id);
    const emitted = emissionsOf();

    change();
    server.held[0]?.ok([anna, bo]);

    expect(emitted).toStrictEqual([[anna, bo]]);
    expect([record.id.value, record.id.remote$.value, record.name.value]).toStrictEqual([id, 1, 'Anna']);
  });

  it.each<[string, (record: Named, row: object) => void]>([
    ['a followed row', (record, row) => record.follow(of(row)).subscribe()],
    [
      'what a "sync" answers with',
      (record, row) => {
        record.sync = () => of(row);
        watch(record.fetch$());
      },
    ],
  ])('keeps its item as it is where %s has no value', (_, bring) => {
    const record = people.record(1);
    bring(record, { id: 1, name: undefined });
    expect([people.byId(1), record.name.value]).toStrictEqual([ann, 'Ann']);
  });

  it('changes the id of its item with a row that has another id', () => {
    people
      .record(1)
      .follow(of({ id: 3, name: 'Anna' }))
      .subscribe();

    expect(people.value).toStrictEqual([{ id: 3, name: 'Anna' }, bo]);
  });

  it('writes a row with the id typed in to the item with that id', () => {
    const record = people.record(1);
    record.id.next(2);
    record.follow(of({ id: 2, name: 'Bob' })).subscribe();

    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
  });

  it('updates the item whose id was requested, even if the answer omits the id', () => {
    const record = people.record(1);
    record.id.next(2);
    watch(record.fetch$());
    server.at(0).ok({ name: 'Bob' });

    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
  });

  it('keeps its item, and that its id, when a save is answered with a null id', () => {
    watch(people.record(1).save$({ patch: true }));
    server.at(0).ok({ id: null, name: 'Anna' });
    expect(people.value).toStrictEqual([{ ...ann, name: 'Anna' }, bo]);
  });

  it('removes its item when a read is answered with a null id: it is then new', () => {
    const record = people.record(1);
    watch(record.fetch$());
    server.at(0).ok({ id: null, name: 'Ann' });

    expect([people.value, record.isNew$.value]).toStrictEqual([[bo], true]);
  });

  it.each([
    ['unchanged in the list', undefined],
    ['that has lost a key since', [ann, bo]],
  ])('of an item %s is added as a copy when it is saved without its id', (_, items) => {
    const list = root.collection<Item, Named>({
      url: '/people',
      data: [{ ...ann, tags: { x: [] } }],
      model: Named,
    });
    const record = list.record(1);
    if (items) list.next(items);
    const before = list.value;
    record.id.next(undefined);
    watch(record.save$());
    server.at(0).ok({ id: 3 });

    expect(list.value).toStrictEqual([...before, { id: 3, name: 'Ann' }]);
  });

  it('of an item is added as a copy without a model, too', () => {
    const list = root.collection<Item>({ url: '/people', data: [ann, bo] });
    const record = list.record(1);
    record.id?.next(undefined);
    watch(record.save$());
    server.at(0).ok({ id: 3 });

    expect(list.value).toStrictEqual([ann, bo, { id: 3, name: 'Ann' }]);
  });

  it('of an item is not touched any more by changes of that item, once it stands for a copy', () => {
    const record = people.record(1);
    record.id.next(undefined);
    watch(record.save$());
    people.replace([anna, bo]);
    server.at(0).ok({ id: 3 });

    expect(people.value).toStrictEqual([anna, bo, { id: 3, name: 'Ann' }]);
    expect(record.get()).toStrictEqual({ id: 3, name: 'Ann' });
  });

  it('lives on after its item has left the list, and a save does not bring it back', () => {
    const record = people.record(1);
    people.remove(ann);

    record.name.next('Anna');
    watch(record.save$());
    server.at(0).ok();

    expect(people.value).toStrictEqual([bo]);
    expect(record.isDirty$.value).toBe(false);
  });

  it('no longer writes to the list once disposed of; the item then gets another record', () => {
    const record = people.record(1);
    record.dispose();

    const other = people.record(1);
    record.set({ name: 'Anna' });

    expect(other).not.toBe(record);
    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('no longer writes to a list that was disposed of, but keeps working', () => {
    const record = people.record(1);
    people.dispose();

    watch(record.save$());
    server.at(0).ok({ name: 'Anna' });

    expect(record.name.value).toBe('Anna');
    expect(people.value).toStrictEqual([ann, bo]);
  });
});

describe('a new record of a list', () => {
  it('has the values of the item, and the defaults of its model for the rest', () => {
    expect(people.record({ name: 'Eve' }).get()).toStrictEqual({ id: undefined, name: 'Eve' });
    expect(people.record({}).get()).toStrictEqual({ id: undefined, name: 'nobody' });
  });

  it.each<[string, (record: Named) => unknown]>([
    ['set()', (record) => record.set({ id: 3 })],
    ['a followed row', (record) => watch(record.follow(of({ id: 3 })) as never)],
  ])('is added in place of its draft once %s gives it an id', (_, give) => {
    const draft = { name: 'Eve' };
    people.unshift(draft);
    const record = people.record(draft);
    const told = emissionsOf();

    give(record);

    expect(told).toStrictEqual([[eve, ann, bo]]);
    expect(people.record(3)).toBe(record);
  });

  it.each<[string, () => unknown]>([
    ['a read of the list', () => watch(people.fetch$())],
    ['a write to it', () => people.push(eve)],
  ])('is the record of its item as long as it has edits, if %s has brought that before', (_, bring) => {
    const draft = { name: 'Eve' };
    people.push(draft);
    const record = people.record(draft);
    watch(record.save$());
    bring();
    server.held[1]?.ok([ann, bo, eve]);
    const other = people.record(3);
    expect(other.name.value).toBe('Eve');
    record.name.next('Eve, typed on');

    server.at(0).ok(eve);

    expect(people.value.filter(({ id }) => id === 3)).toHaveLength(1);
    expect(people.record(3)).toBe(record);
    record.reset();
    expect(people.record(3)).toBe(other);
    other.name.next('typed here');
    expect(people.record(3)).toBe(other);
  });

  it('becomes the record of an item whose id set() gives it', () => {
    const draft = { name: 'Bob' };
    people.unshift(draft);
    const record = people.record(draft);

    record.set({ id: 2 });

    expect(people.value).toStrictEqual([{ id: 2, name: 'Bob' }, ann]);
    expect(people.record(2)).toBe(record);
  });

  it('is not added when it reads an id typed in that no item has', () => {
    const record = people.record({ name: '' });
    record.id.next(3);
    watch(record.fetch$());
    server.at(0).ok(eve);

    expect(people.value).toStrictEqual([ann, bo]);
  });

  it.each<[string, (record: Named) => void]>([
    ['destroyed', (record) => watch(record.destroy$())],
    ['saved', (record) => watch(record.save$())],
    [
      'cleaned, twice',
      (record) => {
        record.clean().clean();
      },
    ],
  ])('is not added when it is %s under an id typed in', (_, use) => {
    const record = people.record({ name: 'Eve' });
    record.id.next(3);

    use(record);
    if (server.held.length) server.at(0).ok();

    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('is the same for its item wherever that is in the list', () => {
    const draft = { name: 'Eve' };
    people.replace([draft, ann]);

    expect(people.record(draft)).toBe(people.record(draft));
  });

  it('keeps its edits as long as its item is in the list', async () => {
    const draft = { name: 'Eve' };
    people.push(draft);
    const edit = () => {
      people.record(draft).name.next('Eva');
    };
    edit();
    await survivors([new WeakRef({})]);

    expect(people.record(draft).name.value).toBe('Eva');
  });

  it('is not added by set() without an id', () => {
    people.record({ name: 'Eve' }).set({ name: 'Eva' });

    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('is a different one each time for an item that is not in the list', () => {
    const blank = { name: '' };

    expect(people.record(blank)).not.toBe(people.record(blank));
  });

  it('is the same each time for an item of the list, also once that has been created', () => {
    const draft = { name: 'Eve' };
    people.push(draft);
    const record = people.record(draft);
    const again = people.record(draft);
    watch(record.save$());
    server.at(0).ok({ id: 3 });

    expect([again, people.record(draft), people.record(3)].map((each) => each === record)).toStrictEqual([
      true,
      true,
      true,
    ]);
  });

  it('is another one for an item of the list once the first was disposed of', () => {
    const draft = { name: 'Eve' };
    people.push(draft);
    const record = people.record(draft);
    record.dispose();

    expect(people.record(draft)).not.toBe(record);
  });

  it('drops its unmapped initial values when it is created again', () => {
    const record = people.record({ name: 'Eve', tags: { x: [] } });
    watch(record.save$());
    server.at(0).ok({ id: 3 });
    const created = people.at(2);
    watch(record.destroy$());
    server.at(1).ok();
    watch(record.save$());
    server.at(2).ok({ id: 4 });

    expect([created, people.at(2)]).toStrictEqual([
      { id: 3, name: 'Eve', tags: { x: [] } },
      { id: 4, name: 'Eve' },
    ]);
  });

  it('changes only what was answered in an item that it reads under an id typed in', () => {
    const record = people.record({ name: '' });
    record.id.next(2);
    watch(record.fetch$());
    server.at(0).ok({ name: 'Bob' });

    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
  });

  it('receives the item that a read has brought in the meantime, which is no older, even if its id is text', () => {
    const record = people.record({ name: 'Eve' });
    watch(record.save$());
    watch(people.fetch$());
    const eva = { ...eve, name: 'Eva' };
    server.at(1).ok([ann, bo, eva]);

    server.at(0).ok({ id: String(eve.id), name: 'Eve' });

    expect(people.value).toStrictEqual([ann, bo, eva]);
    expect([record.name.value, record.isDirty$.value]).toStrictEqual(['Eva', false]);
  });

  it('receives what the record of the item that a read has brought has saved in the meantime', () => {
    const record = people.record({ name: 'Eve' });
    watch(record.save$());
    watch(people.fetch$());
    server.at(1).ok([ann, bo, eve]);
    const other = people.record(3);
    other.name.next('Eva');
    watch(other.save$());
    server.at(2).ok();

    server.at(0).ok(eve);

    expect(people.value).toStrictEqual([ann, bo, { ...eve, name: 'Eva' }]);
    expect([record, other].map(({ name }) => name.value)).toStrictEqual(['Eva', 'Eva']);
  });

  it.each([true, false])(
    'does not bring back an item that a read has brought, and that is gone by then, with a draft in the list: %j',
    (isDraft) => {
      const draft = { name: 'Eve' };
      watch(people.record(draft).save$());
      watch(people.fetch$());
      server.at(1).ok([ann, bo, eve]);
      people.pop();
      if (isDraft) people.push(draft);

      server.at(0).ok(eve);

      expect(people.value).toStrictEqual([ann, bo]);
    },
  );

  it('takes the place of its draft with what a read has brought in the meantime', () => {
    const draft = { name: 'Eve' };
    watch(people.record(draft).save$());
    watch(people.fetch$());
    server.at(1).ok([ann, bo, eve]);
    people.unshift(draft);
    const told = emissionsOf();

    server.at(0).ok({ ...eve, name: 'older' });

    expect(told).toStrictEqual([[eve, ann, bo]]);
  });

  it('replaces the item with its id that was there before it was created', () => {
    watch(people.record({ name: 'Bob' }).save$());

    server.at(0).ok({ ...bo, name: 'Bob' });

    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
  });

  it('is added in one emission when created, and is the record of the item from then on', () => {
    const record = people.record({ name: 'Eve' });
    const emitted = emissionsOf();

    watch(record.save$());
    server.at(0).ok({ id: 3 });

    expect(server.lines).toStrictEqual(['POST /people?sort=name']);
    expect(emitted).toStrictEqual([[ann, bo, eve]]);
    expect(people.record(3)).toBe(record);
  });

  it.each([{}, { writeResponse: false }])(
    'is added as sent if the answer is empty, with the options %o',
    (options) => {
      const record = people.record({ name: 'Eve' });

      watch(record.save$(options));
      server.at(0).ok();

      expect(people.value.map(({ name }) => name)).toStrictEqual(['Ann', 'Bo', 'Eve']);
    },
  );

  it('replaces its item if that is already in the list, in one emission', () => {
    const draft = { name: 'Eve' };
    people.unshift(draft);
    const told = emissionsOf();

    watch(people.record(draft).save$());
    server.at(0).ok({ id: 3 });

    expect(told).toStrictEqual([[eve, ann, bo]]);
  });

  it('replaces its item, and the one with its id that a feed has put into the list before the answer', () => {
    const draft = { name: 'Eve' };
    people.unshift(draft);
    watch(people.record(draft).save$());
    people.push({ ...eve });
    const told = emissionsOf();

    server.at(0).ok({ id: 3 });

    expect(told).toStrictEqual([[eve, ann, bo]]);
  });

  it('without a model replaces its item, and keeps what the answer omits', () => {
    const item = { name: 'Eve' };
    const list = root.collection<{ id?: number; name: string }>({ url: '/people', data: [item] });

    watch(list.record(item).save$());
    server.at(0).ok({ id: 3 });

    expect(list.value).toStrictEqual([{ id: 3, name: 'Eve' }]);
  });

  it('appears once if a read has brought it in the meantime', () => {
    const record = people.record({ name: 'Eve' });
    watch(record.save$());
    watch(people.fetch$());
    server.at(1).ok([ann, bo, eve]);
    server.at(0).ok({ id: 3 });

    expect(people.value).toStrictEqual([ann, bo, eve]);
  });

  it('stays if a read that began before lacks it', () => {
    const record = people.record({ name: 'Eve' });
    watch(people.fetch$());
    watch(record.save$());
    server.at(1).ok({ id: 3 });
    server.at(0).ok([ann, bo]);

    expect(people.value).toStrictEqual([ann, bo, eve]);
  });

  it('for an id that no item has can be read, which adds nothing', () => {
    const record = people.record(7);
    watch(record.fetch$());
    server.at(0).ok({ id: 7, name: 'Kim' });

    expect([record.name.value, people.length]).toStrictEqual(['Kim', 2]);
  });

  it('that is saved under the id of another does not become the record of that id', () => {
    const first = people.record(1);
    const draft = people.record({ name: 'Ann' });

    watch(draft.save$());
    server.at(0).ok({ id: 1, name: 'Ann' });

    expect(people.record(1)).toBe(first);
  });

  it('that is saved under the id of another receives what either, or a read, confirms', () => {
    const form = people.record({ name: 'Eve' });
    watch(form.save$());
    watch(people.fetch$());
    server.at(1).ok([{ id: 3, name: 'Eve' }]);
    const row = people.record(3);
    server.at(0).ok({ id: 3, name: 'Eve' });

    row.name.next('by the row');
    watch(row.save$());
    server.at(2).ok();
    expect([form.name.value, form.isDirty$.value]).toStrictEqual(['by the row', false]);

    form.name.next('by the form');
    watch(form.save$());
    server.at(3).ok();
    expect(row.name.value).toBe('by the form');

    watch(people.fetch$());
    server.at(4).ok([{ id: 3, name: 'by others' }]);
    expect([form.name.value, row.name.value]).toStrictEqual(['by others', 'by others']);
    expect(people.record(3)).toBe(row);
  });
});

describe('a read of the list', () => {
  it('updates a record without edits, and emits a conflict for one with an edit', () => {
    const record = people.record(1);
    const other = people.record(2);
    const conflicts = valuesOf(record.conflicts$);
    record.name.next('Anna');

    watch(people.fetch$());
    server.at(0).ok([
      { id: 1, name: 'Anne' },
      { id: 2, name: 'Bob' },
    ]);

    expect([record.name.value, record.name.remote$.value, other.name.value]).toStrictEqual([
      'Anna',
      'Anne',
      'Bob',
    ]);
    expect(conflicts).toMatchObject([{ path: 'name', mine: 'Anna', theirs: 'Anne' }]);
    expect(people.at(0)).toStrictEqual({ id: 1, name: 'Anne' });
  });

  it('compares nothing for records that are no longer referenced', async () => {
    let looks = 0;
    const rows = () => [
      {
        get id() {
          looks += 1;
          return 1;
        },
      },
    ];
    const list = root.collection({ data: rows() });
    expect(await survivors([new WeakRef<object>(list.record(1))])).toBe(0);
    await vi.waitFor(() => {
      looks = 0;
      list.replace(rows());
      expect(looks).toBe(0);
    });
    const record = list.record(1);
    looks = 0;

    list.replace(rows());

    expect([looks > 0, record.isNew$.value]).toStrictEqual([true, false]);
  });

  it('keeps no replaced item in memory for a record', async () => {
    const list = root.collection({ data: [{ id: 1 }, { id: 2 }] });
    const record = list.record(2);
    const replaced = [new WeakRef<object>(list.at(0) as object)];

    list.replace([{ id: 1, name: 'one' } as { id: number }, { id: 2 }]);

    expect(await survivors(replaced)).toBe(0);
    expect(list.record(2)).toBe(record);
  });

  it('leaves a record that it lacks unchanged', () => {
    const record = people.record(1);
    watch(people.fetch$());
    server.at(0).ok([bo]);

    expect(record.get()).toStrictEqual(ann);
  });

  it('does not overwrite what a record has saved since the read began', () => {
    const record = people.record(1);
    watch(people.fetch$());
    record.name.next('Anna');
    watch(record.save$());
    server.at(1).ok();
    server.at(0).ok([ann, bo, eve]);

    expect(people.value).toStrictEqual([{ id: 1, name: 'Anna' }, bo, eve]);
    expect([record.name.value, record.isDirty$.value]).toStrictEqual(['Anna', false]);
  });

  it('brings an item as a record has saved it since the read began, even if the list lacked it', () => {
    const record = people.record(3);
    record.name.next('Eve');
    watch(people.fetch$());
    watch(record.save$());
    server.at(1).ok();

    server.at(0).ok([ann, { id: 3, name: 'older' }]);

    expect(people.value).toStrictEqual([ann, eve]);
    expect([record.name.value, record.name.remote$.value]).toStrictEqual(['Eve', 'Eve']);
  });

  it('does not bring back an item that a record has deleted since the read began', () => {
    const record = people.record(1);
    watch(people.fetch$());
    watch(record.destroy$());
    server.at(1).ok();
    server.at(0).ok([ann, bo]);

    expect(people.value).toStrictEqual([bo]);
  });

  it.each([
    ['as it was created', undefined, { id: 1, name: 'Anna' }],
    ['as it was saved since', 'Anne', { id: 1, name: 'Anne' }],
  ])('keeps an item that was deleted and created again since the read began, %s', (_, name, expected) => {
    watch(people.fetch$());
    watch(people.record(1).destroy$());
    server.at(1).ok();
    watch(people.create$({ id: 1, name: 'Anna' }));
    server.at(2).ok();
    if (name) people.record(1).set({ name });

    server.at(0).ok([{ ...ann, age: 36 }, bo]);

    expect(people.value).toStrictEqual([expected, bo]);
  });

  it.each([
    ['is dropped if the save succeeds', (place: number) => server.at(place).ok(), 'Anna', false],
    ['is applied if the save is refused', (place: number) => server.at(place).refuse(500), 'Anna', true],
  ] as const)('that arrives during a save %s', (_, end, name, isDirty) => {
    const record = people.record(1);
    record.name.next('Anna');
    watch(record.save$());
    watch(people.fetch$());
    server.at(1).ok([{ id: 1, name: 'Anne' }, bo]);
    end(0);

    expect([record.name.value, record.isDirty$.value]).toStrictEqual([name, isDirty]);
    expect(record.name.remote$.value).toBe(isDirty ? 'Anne' : 'Anna');
  });

  it('does not overwrite what a save has confirmed, even with the very object that another read has brought', () => {
    watch(people.fetch$());
    const record = people.record(1);
    record.name.next('Anna');
    watch(record.save$());
    watch(people.fetch$());
    server.at(0).ok([anna, bo]);
    server.at(1).ok(anna);

    server.at(2).ok([ann, bo]);

    expect(people.value).toStrictEqual([anna, bo]);
  });

  it('overrides a read of the record that was requested before it', () => {
    const record = people.record(1);
    watch(record.fetch$());
    watch(people.fetch$());
    server.at(1).ok([{ id: 1, name: 'list' }, bo]);
    server.at(0).ok({ id: 1, name: 'record' });

    expect([record.name.value, people.at(0)?.name]).toStrictEqual(['list', 'list']);
  });
});

describe('the edited records of a list', () => {
  const edited = () => people.edited$.value;

  it('are those with unsaved edits, the one edited first in front', () => {
    people.record(2).name.next('Bob');
    people.record(1).name.next('Anna');

    expect(edited()).toEqual([people.record(2), people.record(1)]);

    watch(people.record(2).save$());
    expect(edited()).toHaveLength(2);
    server.at(0).ok({ id: 2, name: 'Bob' });
    people.record(1).reset();
    expect(edited()).toEqual([]);
  });

  it('are announced when one is added or ends, not for further edits', () => {
    const emissions = valuesOf(people.edited$);
    const [first, second] = [people.record(1), people.record(2)];

    first.name.next('Anna');
    first.name.next('Anne');
    second.set({ name: 'Bob' }, { keepDirty: true });
    first.name.next('Ann');

    expect(emissions).toEqual([[], [first], [first, second], [second]]);
  });

  it('include those whose items have left the list, as long as they have edits', () => {
    people.record(1).name.next('Anna');
    people.record(2).name.next('Bob');
    people.replace([bo]);
    const gone = edited().filter((record) => !people.byId(record.id.value));
    expect(gone).toEqual([people.record(1)]);

    for (const record of gone) record.reset();
    expect(edited()).toEqual([people.record(2)]);
  });

  it('are not those that are being deleted, unless that fails', () => {
    const emissions = valuesOf(people.edited$);
    const record = people.record(1);
    record.name.next('Anna');
    watch(record.save$());
    watch(record.destroy$());
    expect(edited()).toEqual([]);
    server.at(0).refuse(500);
    server.at(1).refuse(500);

    expect([emissions, record.name.value]).toEqual([[[], [record], [], [record]], 'Anna']);
  });

  it('are known as soon as the edit is notified, and again when it ends', () => {
    const record = people.record(1);
    const seen: unknown[] = [];
    record.name.pipe(skip(1)).subscribe((name) => seen.push([name, edited().length]));

    record.name.next('Anna');
    record.reset();

    expect(seen).toEqual([
      ['Anna', 1],
      ['Ann', 0],
    ]);
  });

  it('are only those that stand for an item, not new ones, which are their creator’s until saved', () => {
    const record = people.record({ name: 'Eve' });
    record.name.next('Eva');
    expect(edited()).toEqual([]);

    watch(record.save$());
    record.name.next('Evi');
    server.at(0).ok({ id: 3, name: 'Eva' });

    expect(edited()).toEqual([record]);
  });

  it.each<[string, (record: Named) => void]>([
    [
      'disposed of',
      (record) => {
        record.dispose();
      },
    ],
    ['confirmed as shown', (record) => record.clean()],
    [
      'found to be what the server has',
      () => {
        people.replace([anna, bo]);
      },
    ],
    ['destroyed', (record) => (watch(record.destroy$()), server.at(0).ok())],
  ])('lack one that is %s', (_, end) => {
    const record = people.record(1);
    record.name.next('Anna');

    end(record);

    expect(edited()).toEqual([]);
  });

  it('include one whose item the list has lost', () => {
    const record = people.record(1);
    record.name.next('Anna');

    people.replace([bo]);

    expect(edited()).toEqual([record]);
    expect(people.record(1)).toBe(record);
  });

  it('can be saved together, and those refused stay', async () => {
    people.record(1).name.next('Anna');
    people.record(2).name.next('Bob');
    const saved = Promise.all(edited().map((record) => record.save()));

    server.at(0).ok(anna);
    server.at(1).refuse(422);
    await saved;

    expect(edited()).toEqual([people.record(2)]);
  });

  it('are no longer announced once the list is disposed of', () => {
    const record = people.record(1);
    const complete = vi.fn();
    const emissions = valuesOf(people.edited$.pipe(tap({ complete })));

    people.dispose();
    record.name.next('Anna');

    expect(emissions).toEqual([[]]);
    expect(complete).toHaveBeenCalledOnce();
  });
});

describe('a wrong model', () => {
  it.each([
    ['no record', Object],
    [
      'a record without its id',
      class extends DataModel {
        constructor(lib: Lib) {
          super({}, lib);
        }
      },
    ],
    [
      'a record of another root',
      class extends DataModel {
        readonly id = createLib().observable(0).map('id', this);
        constructor({ options }: Lib) {
          super({}, createLib(options));
        }
      },
    ],
  ])('is refused if it makes %s', (_, model) => {
    const list = root.collection<Item, object>({ data: [ann], model });
    expect(() => list.record(1)).toThrow(
      new TypeError(
        'record: "model" must make a record that maps "id", its idAttribute, and pass on the root: super({}, root)',
      ),
    );
  });
});

describe('a record that maps more than the rows of the list hold', () => {
  interface Row {
    readonly id: number;
    readonly name: string;
    readonly notes?: string;
  }

  class Detailed extends DataModel {
    readonly id: MappedField<number | undefined, 'id'>;
    readonly name: MappedField<string, 'name'>;
    readonly notes: MappedField<string, 'notes'>;

    constructor(root: Lib) {
      super({}, root);
      this.id = root.observable<number | undefined>(undefined).map('id', this);
      this.name = root.observable('').map('name', this);
      this.notes = root.observable('').map('notes', this);
    }
  }

  /** A list of one row, and its record. */
  function detailed(row: Row) {
    const server = new StubServer();
    const root = createLib({ transport: server.transport });
    const list = root.collection<Row, Detailed>({ url: '/p', data: [row], model: Detailed });
    const record = list.record(7);
    return { server, root, list, record, names: () => [list.value[0]?.name, record.name.value] };
  }

  it('shows the newest read of the list', () => {
    const { server, list, names } = detailed({ id: 7, name: 'a' });
    watch(list.fetch$());
    watch(list.fetch$());
    server.at(0).ok([{ id: 7, name: 'first' }]);
    server.at(1).ok([{ id: 7, name: 'second' }]);
    expect(names()).toStrictEqual(['second', 'second']);
  });

  it.each([
    ['with data', { id: 7, name: 'saved' }],
    ['without', undefined],
  ])(
    'of a disposed list keeps what a save confirms %s, whatever the list has brought before',
    (_, answer) => {
      const { server, list, record } = detailed({ id: 7, name: 'a' });
      record.name.next('saved');
      watch(record.save$({ patch: true }));
      watch(list.fetch$());
      server.at(1).ok([{ id: 7, name: 'a', notes: 'listed' }]);
      list.dispose();
      server.at(0).ok(answer);
      expect([record.name.value, record.name.remote$.value, record.isDirty$.value]).toStrictEqual([
        'saved',
        'saved',
        false,
      ]);
    },
  );

  it('of a list that was disposed of takes nothing from a read that the list had overtaken', () => {
    const { server, list, record } = detailed({ id: 7, name: 'a' });
    watch(record.fetch$());
    record.name.next('saved');
    watch(record.save$({ patch: true }));
    watch(record.save$({ attrs: { notes: 'own' }, writeResponse: false }));
    server.at(0).ok({ id: 7, name: 'a', notes: '' });
    watch(list.fetch$());
    server.at(2).ok([{ id: 7, name: 'a' }]);
    server.at(1).fail(new TypeError('lost'));
    list.dispose();
    server.at(3).ok();
    expect([record.name.value, record.name.remote$.value]).toStrictEqual(['saved', 'a']);
    record.name.next('again');
    watch(record.fetch$());
    server.at(4).ok({ id: 7, name: 'newer' });
    expect(record.name.value).toBe('newer');
  });

  it('of a list that was disposed of takes nothing from what that has brought before it was read', () => {
    const { server, list, record } = detailed({ id: 7, name: 'a' });
    watch(list.fetch$());
    watch(record.fetch$());
    watch(record.save$({ patch: true }));
    server.at(1).ok({ id: 7, name: 'newer' });
    server.at(0).ok([{ id: 7, name: 'older' }]);
    list.dispose();
    server.at(2).fail(new TypeError('lost'));
    expect(record.name.value).toBe('newer');
  });

  it('keeps a key that a receipt has brought over a read that was sent before', () => {
    const { server, list, record } = detailed({ id: 7, name: 'a' });
    record.name.next('b');
    watch(record.fetch$());
    watch(record.save$({ patch: true }));
    server.at(1).ok({ count: 2 });
    server.at(0).ok({ id: 7, name: 'a', count: 1 });
    expect(list.value).toStrictEqual([{ id: 7, name: 'b', count: 2 }]);
  });

  it('causes no further write when the list updates it', () => {
    const { server, list } = detailed({ id: 7, name: 'a' });
    const [told, deltas] = [valuesOf(list.pipe(skip(1))), valuesOf(list.delta$)];
    for (const [place, name] of ['a', 'b', 'b'].entries()) {
      watch(list.fetch$());
      server.at(place).ok([{ id: 7, name }]);
    }
    expect([told.length, deltas.length]).toStrictEqual([3, 1]);
  });

  it('keeps what a save merely confirms over a list requested before it', () => {
    const { server, list, record, names } = detailed({ id: 7, name: 'b', notes: '' });
    watch(list.fetch$());
    watch(record.save$());
    server.at(1).ok({ id: 7, name: 'b', notes: '' });
    server.at(0).ok([{ id: 7, name: 'older', notes: '' }]);
    expect(names()).toStrictEqual(['b', 'b']);
  });

  it('keeps what a read brought against a list requested before it, not after', () => {
    const [before, after] = [detailed({ id: 7, name: 'z' }), detailed({ id: 7, name: 'z' })];
    watch(before.list.fetch$());
    watch(before.record.fetch$());
    before.server.at(1).ok({ id: 7, name: 'newer', notes: '' });
    before.server.at(0).ok([{ id: 7, name: 'older' }]);

    watch(after.record.fetch$());
    watch(after.list.fetch$());
    after.server.at(0).ok({ id: 7, name: 'older', notes: '' });
    after.server.at(1).ok([{ id: 7, name: 'newer' }]);

    expect([before.names(), after.names()]).toStrictEqual([
      ['newer', 'newer'],
      ['newer', 'newer'],
    ]);
  });

  describe('a read of the list', () => {
    it.each([
      ['if it says something else', 'newer'],
      ['even if it says the same', 'same'],
    ])('requested after a read of the record is newer, %s: neither record nor item goes back', (_, name) => {
      const { server, list, record, names } = detailed({ id: 7, name: 'same' });
      watch(record.fetch$());
      watch(list.fetch$());
      server.at(1).ok([{ id: 7, name }]);
      server.at(0).ok({ id: 7, name: 'older' });
      expect([names(), record.isDirty$.value]).toStrictEqual([[name, name], false]);
    });

    it('that says the same leaves the answer to an older read of the record as it is: it counts', () => {
      const { server, root, list, record } = detailed({ id: 7, name: 'a' });
      const told: boolean[] = [];
      root.options.around = (request$, context) => request$.pipe(tap(() => told.push(context.isWritten)));
      watch(record.fetch$());
      watch(list.fetch$());
      server.at(1).ok([{ id: 7, name: 'a' }]);
      server.at(0).ok({ id: 7, name: 'a' });
      expect(told).toStrictEqual([true, true]);
    });

    it('leaves what it lacks to an older read of the record, mapped or not', () => {
      const { server, list, record } = detailed({ id: 7, name: 'a' });
      watch(record.fetch$());
      watch(list.fetch$());
      server.at(1).ok([{ id: 7, name: 'newer', count: 2 }]);
      server.at(0).ok({ id: 7, name: 'older', notes: 'all of it', count: 1, more: true });
      expect(record.get()).toStrictEqual({ id: 7, name: 'newer', notes: 'all of it' });
      expect(list.value).toStrictEqual([{ id: 7, name: 'newer', notes: 'all of it', count: 2, more: true }]);
    });

    it('decides what an older read of the record puts in place of an edit', () => {
      const { server, list, record, names } = detailed({ id: 7, name: 'a' });
      record.name.next('edited');
      watch(record.fetch$());
      watch(list.fetch$());
      server.at(1).ok([{ id: 7, name: 'newer' }]);
      server.at(0).ok({ id: 7, name: 'older' });
      expect([names(), record.isDirty$.value]).toStrictEqual([['newer', 'newer'], false]);
    });

    it('is newer than a read for another id that was typed into the record, which becomes that item', () => {
      const { server, list, record } = detailed({ id: 7, name: 'seven' });
      record.id.next(8);
      watch(record.fetch$());
      watch(list.fetch$());
      const rows = [
        { id: 7, name: 'seven' },
        { id: 8, name: 'eight' },
      ];
      server.at(1).ok(rows);
      server.at(0).ok({ id: 8, name: 'older', notes: '' });
      expect(list.value).toStrictEqual([rows[0], { ...rows[1], notes: '' }]);
      expect([record.get(), record.isDirty$.value]).toStrictEqual([list.value[1], false]);
    });

    it('leaves an older read of the record not written as it was answered', () => {
      const { server, root, list, record } = detailed({ id: 7, name: 'a' });
      const told: boolean[] = [];
      root.options.around = (request$, context) => request$.pipe(tap(() => told.push(context.isWritten)));
      watch(record.fetch$());
      watch(list.fetch$());
      server.at(1).ok([{ id: 7, name: 'newer' }]);
      server.at(0).ok({ id: 7, name: 'older' });
      expect(told).toStrictEqual([true, false]);
    });

    describe('to which "parse" appends a page', () => {
      /** A list of Seven whose pages are appended; one that is already there moves to the end. */
      function paged() {
        const server = new StubServer();
        const list: Collection<Row> = createLib({ transport: server.transport }).collection<Row>({
          url: '/p',
          data: [{ id: 7, name: 'seven' }],
          parse(page) {
            const rows = page as Row[];
            const ids = rows.map(({ id }) => id);
            return [...list.value.filter(({ id }) => !ids.includes(id)), ...rows];
          },
        });
        return { server, list };
      }

      it('is newer than an older read of what the page brings', () => {
        const { server, list } = paged();
        const record = list.record(8);
        watch(record.fetch$());
        watch(list.fetch$());
        server.at(1).ok([{ id: 8, name: 'newer' }]);
        server.at(0).ok({ id: 8, name: 'older', notes: '' });
        expect(list.value).toStrictEqual([
          { id: 7, name: 'seven' },
          { id: 8, name: 'newer', notes: '' },
        ]);
        expect(record.get()).toStrictEqual(list.value[1]);
      });

      it('is no newer than an older read of what was there before, even if its first row has moved', () => {
        const { server, list } = paged();
        list.push({ id: 8, name: 'eight' });
        watch(list.record(8).fetch$());
        watch(list.fetch$());
        server.at(1).ok([{ id: 7, name: 'moved' }]);
        server.at(0).ok({ id: 8, name: 'read' });
        expect(list.value).toStrictEqual([
          { id: 8, name: 'read' },
          { id: 7, name: 'moved' },
        ]);
      });

      it('is no newer than a read of the record that was requested after it', () => {
        const { server, list } = paged();
        watch(list.fetch$());
        watch(list.record(8).fetch$());
        server.at(0).ok([{ id: 8, name: 'older' }]);
        server.at(1).ok({ id: 8, name: 'newer' });
        expect(list.value[1]).toStrictEqual({ id: 8, name: 'newer' });
      });
    });

    it('does not outdate a read of the record once it lacks the item', () => {
      const { server, list, record } = detailed({ id: 7, name: 'a' });
      watch(record.fetch$());
      watch(list.fetch$());
      server.at(1).ok([]);
      server.at(0).ok({ id: 7, name: 'older' });
      expect([record.name.value, list.value]).toStrictEqual(['older', []]);
    });

    it.each<[string, (request: Held) => void]>([
      ['is refused', (request) => request.refuse(500)],
      ['brings no data', (request) => request.ok()],
    ])('does not outdate a read of the record if it %s', (_, answer) => {
      const { server, list, record, names } = detailed({ id: 7, name: 'a' });
      watch(record.fetch$());
      watch(list.fetch$());
      answer(server.at(1));
      server.at(0).ok({ id: 7, name: 'b' });
      expect(names()).toStrictEqual(['b', 'b']);
    });
  });
});

describe('a key that arrives while a record without a model has a pending request', () => {
  it('takes its value from the newest of two reads', () => {
    const record = root.collection<Item>({ url: '/people' }).record(9);
    const conflicts = valuesOf(record.conflicts$);
    watch(record.fetch$());
    watch(record.fetch$());

    server.at(0).ok({ id: 9, name: 'old' });
    server.at(1).ok({ id: 9, name: 'new' });

    expect([record.get(), record.isDirty$.value]).toStrictEqual([{ id: 9, name: 'new' }, false]);
    expect(conflicts).toStrictEqual([]);
  });

  it.each([
    ['save$', 'baker'],
    ['fetch$', 'clerk'],
  ] as const)(
    'in the list, which is read after %s begins, is %s: a save wins, a read is older',
    (method, job) => {
      const list = root.collection<Item & { readonly job?: string }>({ url: '/people', data: [ann] });
      const record = list.record(1);
      watch(record[method]());
      watch(list.fetch$());

      server.at(1).ok([{ ...ann, job: 'clerk' }]);
      server.at(0).ok({ ...ann, job: 'baker' });

      expect([record.get(), record.isDirty$.value]).toStrictEqual([{ ...ann, job }, false]);
      expect(list.value).toStrictEqual([{ ...ann, job }]);
    },
  );

  it('in a followed row is newer than a read', () => {
    const record = root
      .collection<Item & { readonly job?: string }>({ url: '/people', data: [ann] })
      .record(1);
    watch(record.fetch$());
    record.follow(of({ ...ann, job: 'clerk' })).subscribe();

    server.at(0).ok({ ...ann, job: 'baker' });

    expect([record.get(), record.isDirty$.value]).toStrictEqual([{ ...ann, job: 'clerk' }, false]);
  });

  it.each([undefined, ann])('in the list gets a field once the save is answered with %o', (answer) => {
    const list = root.collection<Item & { readonly job?: string }>({ url: '/people', data: [ann] });
    const record = list.record(1);
    watch(record.save$());
    watch(list.fetch$());

    server.at(1).ok([{ ...ann, job: 'clerk' }]);
    server.at(0).ok(answer);
    watch(record.save$());

    expect(list.value).toStrictEqual([{ ...ann, job: 'clerk' }]);
    expect(server.sent[2]?.body).toStrictEqual({ ...ann, job: 'clerk' });
  });
});

describe('a record without a model that has a field inside a key of its item', () => {
  const withCity = () => {
    const list = root.collection({ url: '/people', data: [ann] });
    const record = list.record(1);
    const city = root.observable('').map('address.city', record);
    const moved = { ...ann, address: { city: 'Rome' } };
    return { list, record, city, moved };
  };

  it('receives the answer to a save, as does the list', () => {
    const { list, record, city, moved } = withCity();
    const cities = valuesOf(city);
    const saved = watch(record.save$());

    server.at(0).ok(moved);

    expect([saved.responses.length, saved.error]).toStrictEqual([1, undefined]);
    expect([cities, list.value]).toStrictEqual([['', 'Rome'], [moved]]);
  });

  it('receives what a read of the list brings', () => {
    const { list, record, city, moved } = withCity();
    watch(list.fetch$());

    server.at(0).ok([moved]);

    expect([city.value, record.get(), list.value]).toStrictEqual(['Rome', moved, [moved]]);
  });
});

describe('the fields of a record without a model', () => {
  it('are the same properties for all items of a list, and for no other list', () => {
    const lists = [root.collection([ann, bo]), root.collection([ann])];
    const getters = lists.flatMap((list) =>
      // eslint-disable-next-line @typescript-eslint/unbound-method -- compared, not called
      list.value.map((item) => Object.getOwnPropertyDescriptor(list.record(item), 'name')?.get),
    );

    expect(getters[0]).toBe(getters[1]);
    expect(getters[2]).toBeTypeOf('function');
    expect(getters[2]).not.toBe(getters[0]);
  });
});

describe('items whose ids are objects', () => {
  const [a, b] = [
    { id: { key: 'a' }, name: 'A' },
    { id: { key: 'b' }, name: 'B' },
  ];
  const keyed = () => {
    const list = createLib({ transport: server.transport }).collection({
      url: { read: '/keyed' },
      data: [a, b],
    });
    return { list, ofB: list.record(b) as DataModel };
  };

  it('have a record each', () => {
    const { list, ofB } = keyed();
    expect([list.record(a), ofB].map((record) => record.get())).toStrictEqual([a, b]);
  });

  it('keep what is confirmed of one while the list is read', () => {
    const { list, ofB } = keyed();
    watch(list.fetch$());
    ofB.set({ name: 'Bo' });
    server.at(0).ok(structuredClone([a, b]));
    expect(list.value.map(({ name }) => name)).toStrictEqual(['A', 'Bo']);
  });
});

describe('an item that the server gives another id, made of its title, while the list is read', () => {
  interface Page {
    readonly id?: string;
    readonly title: string;
    readonly note?: number;
  }
  const old: Page = { id: 'a', title: 'A', note: 1 };
  let pages: Collection<Page>;
  let record: ItemRecord<Page>;
  let read: Held;

  /** The request that was made last. */
  const latest = () => server.at(server.held.length - 1);
  const save = (title: string) => {
    record.title.next(title);
    watch(record.save$({ patch: true }));
    latest().ok({ id: title.toLowerCase(), title });
  };

  beforeEach(() => {
    pages = root.collection<Page>({ url: '/pages', data: [old] });
    record = pages.record('a');
    watch(pages.fetch$());
    read = latest();
  });

  it('has that when the list arrives', () => {
    save('B');
    read.ok([old]);
    expect(pages.value).toStrictEqual([{ id: 'b', title: 'B', note: 1 }]);
  });

  it('is there once if it is given yet another', () => {
    save('B');
    save('C');
    read.ok([old]);
    expect(pages.value).toStrictEqual([{ id: 'c', title: 'C', note: 1 }]);
  });

  it('stays away if it is then destroyed', () => {
    save('B');
    watch(record.destroy$());
    latest().ok();
    read.ok([old]);
    expect(pages.value).toStrictEqual([]);
  });

  it('keeps what is saved of it after that, and so does its record', () => {
    save('B');
    record.note?.next(2);
    watch(record.save$({ patch: true }));
    latest().ok({ id: 'b', note: 2 });
    read.ok([old]);
    expect(pages.value).toStrictEqual([{ id: 'b', title: 'B', note: 2 }]);
    expect(record.get()).toStrictEqual(pages.value[0]);
  });

  it('is there once if the answer to its create comes last', () => {
    pages.replace([]);
    watch(pages.create$({ title: 'A' }));
    const created = latest();
    read.ok([{ id: 'a', title: 'A' }]);
    watch(pages.fetch$());
    read = latest();
    record = pages.record('a');
    save('B');
    read.ok([{ id: 'a', title: 'A' }]);
    created.ok({ id: 'a', title: 'A' });
    expect(pages.value.map(({ id }) => id)).toStrictEqual(['b']);
  });
});

describe('an item whose id cannot be converted to text', () => {
  const odd = { id: [{ toString: 1 }], name: 'odd' } as unknown as Item;

  it('arrives with the list as it is, alongside live records', () => {
    const record = people.record(1);
    record.name.next('Anna');
    const lists = valuesOf(people);
    watch(people.fetch$());

    server.at(0).ok([ann, odd]);
    people.push(odd);

    expect(lists.slice(1)).toStrictEqual([
      [ann, odd],
      [ann, odd, odd],
    ]);
    expect(people.record('2').name.value).toBe('nobody');
  });

  it('is created', () => {
    const created = watch(people.create$({ name: 'odd' }));

    server.at(0).ok(odd);

    expect([created.error, people.value]).toStrictEqual([undefined, [ann, bo, odd]]);
  });
});

describe('a list requested before a record confirmed a part of its item', () => {
  interface Todo {
    readonly id: number;
    readonly name?: string;
    readonly done?: boolean;
  }
  const milk: Todo = { id: 7, name: 'milk', done: false };
  const oats: Todo = { id: 7, name: 'oats', done: false };
  const withTodos = (data: readonly Todo[]) => {
    const todos = root.collection<Todo>({ url: '/todos', data });
    const todo = todos.record(7);
    watch(todos.fetch$());
    return { todos, todo };
  };

  it.each<[string, (todo: ItemRecord<Todo>) => unknown, Todo]>([
    ['clean() without edits', (todo) => todo.clean(), oats],
    ['set() of no fields', (todo) => todo.set({}), oats],
    ['an empty row', (todo) => todo.follow(of({})).subscribe(), oats],
    ['set() of a field', (todo) => todo.set({ done: true }), { ...oats, done: true }],
    ['a row with a field', (todo) => todo.follow(of({ done: true })).subscribe(), { ...oats, done: true }],
    [
      'clean() of a field',
      (todo) => {
        todo.done?.next(true);
        todo.clean('done');
      },
      { ...oats, done: true },
    ],
    [
      'two fields, one after the other',
      (todo) => {
        todo.set({ done: true });
        todo.set({ name: 'rye' });
      },
      { id: 7, name: 'rye', done: true },
    ],
    [
      'a patch',
      (todo) => {
        todo.done?.next(true);
        watch(todo.save$({ patch: true }));
        server.at(1).ok();
      },
      { ...oats, done: true },
    ],
  ])('brings the rest after %s', (_, confirm, item) => {
    const { todos, todo } = withTodos([milk]);

    confirm(todo);
    server.at(0).ok([oats]);

    expect([todos.value, todo.get()]).toStrictEqual([[item], item]);
  });

  it('brings the item of a record created by its id alone, not the defaults of its model', () => {
    const list = root.collection<Item, Named>({ url: '/people', model: Named });
    watch(list.fetch$());
    const record = list.record(3);
    record.set({ id: 3 });

    server.at(0).ok([eve]);
    watch(record.save$());

    expect(list.value).toStrictEqual([eve]);
    expect(server.sent[1]?.body).toStrictEqual(eve);
  });

  it('keeps what it brought while the record was being saved, whatever part is set since', () => {
    const { todos, todo } = withTodos([milk]);
    watch(todo.save$());
    server.at(0).ok([oats]);

    todo.set({ done: true });

    expect(todos.value).toStrictEqual([{ ...oats, done: true }]);
  });

  it('does not bring back an item destroyed after a part of it was confirmed', () => {
    const { todos, todo } = withTodos([milk]);
    todo.set({ done: true });
    watch(todo.destroy$());
    server.at(1).ok();

    server.at(0).ok([oats]);

    expect(todos.value).toStrictEqual([]);
  });
});

describe('a record that others write to', () => {
  interface Todo {
    readonly id: number;
    readonly name?: string;
    readonly note?: string;
    readonly done?: boolean;
    readonly address?: { readonly city: string };
  }
  const withTodo = (item: Todo) => {
    const todos = root.collection<Todo>({ url: '/todos', data: [item] });
    return { todos, todo: todos.record(7) };
  };

  it('receives the last of several lists when the save that they waited for is refused', () => {
    const { todos, todo } = withTodo({ id: 7, name: 'milk' });
    const conflicts = valuesOf(todo.conflicts$);
    todo.name?.next('oats');
    watch(todo.save$());
    for (const item of [
      { id: 7, name: 'soy', note: 'gone' },
      { id: 7, name: 'rice' },
    ]) {
      watch(todos.fetch$());
      server.held.at(-1)?.ok([item]);
    }
    const emitted = valuesOf(todos.pipe(skip(1)));

    server.at(0).refuse(500);

    expect([todos.value, emitted]).toStrictEqual([[{ id: 7, name: 'rice' }], []]);
    expect(conflicts).toMatchObject([{ path: 'name', mine: 'oats', theirs: 'rice' }]);
  });

  it.each<[string, (held: Held) => void]>([
    [
      'is answered without data',
      (held) => {
        held.ok();
      },
    ],
    [
      'is refused',
      (held) => {
        held.refuse(503);
      },
    ],
  ])(
    'keeps what it has read since a list was requested, once the save that both wait for %s',
    (_, decide) => {
      const { todos, todo } = withTodo({ id: 7, name: 'milk', note: 'oldest' });
      watch(todos.fetch$());
      todo.name?.next('oats');
      watch(todo.save$({ patch: true }));
      watch(todo.fetch$({ keepEdits: true }));
      server.at(2).ok({ id: 7, name: 'milk', note: 'new' });
      server.at(0).ok([{ id: 7, name: 'milk', note: 'old' }]);

      decide(server.at(1));

      expect([todo.note?.value, todos.value]).toMatchObject(['new', [{ note: 'new' }]]);
    },
  );

  it('receives what a list brings while a part of it is saved', () => {
    const { todos, todo } = withTodo({ id: 7, name: 'milk', note: 'old' });
    todo.name?.next('oats');
    watch(todo.save$({ patch: true }));
    watch(todos.fetch$());
    server.at(1).ok([{ id: 7, name: 'milk', note: 'of a colleague' }]);

    server.at(0).ok();
    watch(todo.save$());

    const both = { id: 7, name: 'oats', note: 'of a colleague' };
    expect([todos.value, todo.get(), server.sent[2]?.body]).toStrictEqual([[both], both, both]);
  });

  it('emits a conflict that a list brings while another part is saved', () => {
    const { todos, todo } = withTodo({ id: 7, name: 'milk', note: 'old' });
    const conflicts = valuesOf(todo.conflicts$);
    todo.name?.next('oats');
    watch(todo.save$({ patch: true }));
    todo.note?.next('mine');
    watch(todos.fetch$());
    server.at(1).ok([{ id: 7, name: 'milk', note: 'theirs' }]);

    server.at(0).ok();

    expect(conflicts).toMatchObject([{ path: 'note', mine: 'mine', theirs: 'theirs' }]);
  });

  it('leaves unmapped fields, and those mapped in their place, unchanged', () => {
    const { todo } = withTodo({ id: 7, name: 'milk', address: { city: 'Bonn' } });
    todo.unmap('name');
    todo.unmap('address');
    const city = root.observable('Bonn').map('address.city', todo);

    todo.set({ done: true });
    const saved = watch(todo.save$());
    server.at(0).ok();

    expect([saved.error, todo.hasMappedField('name'), city.isDirty$.value]).toStrictEqual([
      undefined,
      false,
      false,
    ]);
    expect(server.sent[0]?.body).toStrictEqual({ id: 7, address: { city: 'Bonn' } });
  });

  it.each<[string, (todos: Collection<Todo>) => unknown]>([
    ['by the list', (todos) => watch(todos.create$({ id: 7, name: 'rye', done: false }))],
    ['by a record', (todos) => watch(todos.record({ name: 'rye', done: false }).save$())],
  ])('does not revert to what it was before it was destroyed and recreated %s', (_, create) => {
    const { todos, todo } = withTodo({ id: 7, name: 'milk', note: 'old' });
    watch(todos.fetch$());
    watch(todo.destroy$());
    server.at(1).ok();
    create(todos);
    server.at(2).ok({ id: 7, name: 'rye', done: false });
    const again = todos.record(7);
    again.done?.next(true);
    watch(again.save$({ patch: true }));
    server.at(3).ok();

    server.at(0).ok([{ id: 7, name: 'milk', note: 'old' }]);

    expect(todos.value).toStrictEqual([{ id: 7, name: 'rye', done: true }]);
  });

  it.each([[[]], [[{ id: 8, name: 'rye' }]]])(
    'that was created and destroyed while a list was read is gone: %j',
    (answer) => {
      const { todos, todo } = withTodo({ id: 7, name: 'milk' });
      watch(todos.fetch$());
      const rye = todos.record({ name: 'rye' });
      watch(rye.save$());
      server.at(1).ok({ id: 8, name: 'rye' });
      rye.set({ name: 'rye bread' });
      watch(rye.destroy$());
      server.at(2).ok();

      server.at(0).ok([todo.get(), ...answer]);

      expect(todos.value).toStrictEqual([{ id: 7, name: 'milk' }]);
    },
  );

  it('is in the list as its model shows it, even if the answer has no id', () => {
    const draft = { tags: { x: [] } } as unknown as Item;
    const list = root.collection<Item, Named>({ url: '/people', data: [draft], model: Named });
    watch(list.record(draft).save$({ attrs: { tags: { x: [1] } } }));

    server.at(0).ok({ tags: { x: [1] } });

    expect(list.value).toStrictEqual([{ name: 'nobody', tags: { x: [1] } }]);
  });

  it('is in the list as its model shows it, whatever was sent', () => {
    const list = root.collection<Item, Named>({ url: '/people', model: Named });
    watch(list.record({}).save$({ attrs: { tags: {} } }));

    server.at(0).ok({ id: 9, tags: { x: [1] } });

    expect(list.value).toStrictEqual([{ id: 9, name: 'nobody', tags: { x: [1] } }]);
    expect(list.record(9).hasMappedField('tags')).toBe(false);
  });
});

describe('an answer that omits a part of an object', () => {
  class Placed extends Named {
    readonly city = root.observable('').map('address.city', this);
  }

  it('that is older than the list takes that part from the list', () => {
    const data = [{ id: 1, name: 'Ann', address: { city: 'Rome' } }];
    const list = root.collection<object, Placed>({ url: '/people', model: Placed, data });
    const record = list.record(1);
    watch(record.fetch$());
    watch(list.fetch$());
    server.at(1).ok([{ id: 1, name: 'Ann', address: { city: 'Ulm' } }]);

    server.at(0).ok({ id: 1, name: 'Ann', address: { city: 'Bonn' } });

    expect([record.city.value, list.value]).toStrictEqual([
      'Ulm',
      [{ id: 1, name: 'Ann', address: { city: 'Ulm' } }],
    ]);
  });

  it.each(['fetch$', 'save$'] as const)(
    'brings the other parts to the item, as to the record: %s',
    (method) => {
      const list = root.collection<object, Placed>({
        url: '/people',
        model: Placed,
        data: [{ id: 1, name: 'Ann', address: { city: 'Rome' } }],
      });
      const record = list.record(1);

      watch(record[method]({ patch: true }));
      server.at(0).ok({ address: { city: 'Ulm' } });

      expect([record.city.value, list.value]).toStrictEqual([
        'Ulm',
        [{ id: 1, name: 'Ann', address: { city: 'Ulm' } }],
      ]);
    },
  );

  it.each(['fetch$', 'save$'] as const)(
    'leaves in the item what no field is mapped to, too: %s',
    (method) => {
      const address = { city: 'Rome', zip: '1', geo: { lat: 1 } };
      const data = [{ id: 1, name: 'Ann', address }];
      const list = root.collection<object, Placed>({ url: '/people', model: Placed, data });
      watch(list.record(1)[method]({ patch: true }));

      server.at(0).ok({ address: { city: 'Ulm' } });

      expect(list.value).toStrictEqual([{ ...data[0], address: { ...address, city: 'Ulm' } }]);
    },
  );

  it.each(['fetch$', 'save$'] as const)('leaves that part in the item, as in the record: %s', (method) => {
    const list = root.collection<object, Placed>({
      url: '/people',
      model: Placed,
      data: [{ id: 1, name: 'Ann', address: { city: 'Rome', zip: '1' } }],
    });
    const record = list.record(1);
    for (const address of [{ zip: '2' }, null]) {
      watch(record[method]({ patch: true }));
      server.held.at(-1)?.ok({ id: 1, name: 'Ann', address });
    }

    expect(record.city.value).toBe('Rome');
    expect(list.value).toStrictEqual([{ id: 1, name: 'Ann', address: { city: 'Rome', zip: '2' } }]);
  });
});

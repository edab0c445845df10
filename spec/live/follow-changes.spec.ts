import { BehaviorSubject, NEVER, Subject, from, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { DataModel, equal } from 'rivulet';
import type { Field, Lib } from 'rivulet';
import { etags } from 'rivulet/etag';
import { followChanges } from 'rivulet/live';
import type { Change, FollowOptions } from 'rivulet/live';
import { TestClock } from 'rivulet/testing';

import { valuesOf } from '../watch';

import { ann, bo, eve, gone, listOf, patch, put } from './people';
import type { Person } from './people';

/** A model that does not map the name. */
class Counted extends DataModel {
  readonly id: Field<number>;
  readonly version: Field<number>;

  constructor(root: Lib) {
    super({}, root);
    this.id = root.observable(0).map('id', this);
    this.version = root.observable(0).map('version', this);
  }
}

type Changes = Change<Person> | readonly Change<Person>[];

const versions: FollowOptions<Person> = { version: ({ version }) => version };

/** A list that follows a feed. */
function following(
  items: readonly Person[],
  options?: FollowOptions<Person>,
  ...rest: [config?: object, root?: object]
) {
  const setup = listOf(items, ...rest);
  const feed = new Subject<Changes>();
  const applied: (readonly Change<Person>[])[] = [];
  let end: unknown;
  const subscription = followChanges(setup.list, feed, options).subscribe({
    next: (changes) => applied.push(changes),
    error: (error: unknown) => (end = error),
    complete: () => (end = 'complete'),
  });
  return { ...setup, feed, applied, subscription, end: () => end };
}

describe('a list that follows a feed', () => {
  it('applies each change, and tells when it has', () => {
    const { list, feed, applied } = following([ann]);
    feed.next(put(bo));
    expect([list.value, applied]).toStrictEqual([[ann, bo], [[put(bo)]]]);
    feed.next(gone({ id: 1 }));

    expect([list.value, applied.at(-1)]).toStrictEqual([[bo], [gone({ id: 1 })]]);
  });

  it('applies changes that come together in one write', () => {
    const { list, feed } = following([ann]);
    const deltas = valuesOf(list.delta$);
    feed.next([put(bo), put(eve), gone({ id: 1 })]);

    expect(deltas).toStrictEqual([{ added: [bo, eve], changed: [], removed: [ann] }]);
  });

  it('takes any number at once', () => {
    const { list, feed } = following([]);
    feed.next(Array.from({ length: 200_000 }, (_, place) => put({ id: place + 1, name: 'x' })));

    expect(list).toHaveLength(200_000);
  });

  it('tells nothing of what changes nothing, such as the echo of a save made here', () => {
    const { server, list, feed, applied } = following([ann]);
    const record = list.record(1);
    record.set({ name: 'Anna' }, { keepDirty: true });
    void record.save();
    server.open[0]?.answer({ ...ann, name: 'Anna', version: 2 });
    const lists = valuesOf(list);
    feed.next(put({ ...ann, name: 'Anna', version: 2 }));

    expect([lists.length, applied]).toStrictEqual([1, []]);
  });

  it('leaves the edits of a live record, and tells of the conflict', () => {
    const { list, feed } = following([ann]);
    const record = list.record(1);
    const conflicts = valuesOf(record.conflicts$);
    record.set({ name: 'typed' }, { keepDirty: true });
    feed.next(patch({ id: 1, name: 'Anna' }));

    expect([record.get('name'), record.isDirty$.value]).toStrictEqual(['typed', true]);
    expect(conflicts).toMatchObject([{ path: 'name', mine: 'typed', theirs: 'Anna' }]);
    expect(list.value).toStrictEqual([{ ...ann, name: 'Anna' }]);
  });

  it('has one item of what is created here and announced before the answer', async () => {
    const { server, list, feed } = following([ann]);
    const created = list.create({ name: 'Bo' });
    feed.next(put(bo));
    server.open[0]?.answer(bo);
    await created;

    expect(list.value).toStrictEqual([ann, bo]);
  });

  it('knows ids of any path', () => {
    const { list } = listOf([], { idAttribute: 'key.id' });
    const item = { key: { id: 1 }, name: 'x' } as unknown as Person;
    followChanges(list, of(put(item), gone(item))).subscribe();

    expect(list.value).toStrictEqual([]);
  });

  it.each([
    ['one by one', (changes: readonly Change<Person>[]) => changes],
    ['together', (changes: readonly Change<Person>[]) => [changes]],
  ])('compares ids as text, as they are in a url: %s', (_, emitted) => {
    const spelled = (id: unknown) => ({ ...ann, id }) as Person;
    const { list } = listOf([spelled(7n), spelled(8), spelled('9')]);
    const changes = [put(spelled(7)), gone(spelled('008')), gone(spelled('8')), gone(spelled(9))];
    followChanges(list, from(emitted(changes))).subscribe();

    expect(list.value).toStrictEqual([spelled(7n)]);
  });

  it('finds no item without an id, whatever id a change has', () => {
    const draft = { name: 'draft' } as Person;
    const { list } = listOf([draft]);
    followChanges(list, of([gone({ id: 'undefined' } as never), gone({ id: 5 })])).subscribe();
    expect(list.value).toStrictEqual([draft]);
  });

  it('follows a promise, too', async () => {
    const { list } = listOf([ann]);
    await new Promise((resolve) => {
      followChanges(list, Promise.resolve(put(bo))).subscribe(resolve);
    });

    expect(list.value).toStrictEqual([ann, bo]);
  });
});

describe('an item that leaves the list while its record is read', () => {
  const changed: Person = { ...ann, name: 'Anna' };

  it.each<[string, (setup: ReturnType<typeof following>) => void]>([
    [
      'announced',
      ({ feed }) => {
        feed.next(put(changed));
        feed.next(gone({ id: 1 }));
      },
    ],
    [
      'read',
      ({ list, server }) => {
        list.fetch$().subscribe();
        server.expectOne('GET /people').answer([changed]);
        list.fetch$().subscribe();
        server.expectOne('GET /people').answer([]);
      },
    ],
  ])('leaves the record as it was last %s, if the answer is older', (_, bring) => {
    const setup = following([ann]);
    const record = setup.list.record(1);
    record.fetch$().subscribe();
    const read = setup.server.expectOne('GET /people/1');
    bring(setup);

    read.answer({ ...ann, more: true });

    expect(record.get()).toMatchObject({ ...changed, more: true });
  });
});

describe('an item that is announced before its creation is answered', () => {
  /** Such an item, whose creation is answered later. */
  function announced() {
    const setup = following([ann]);
    setup.list.create$({ name: 'Bo' }).subscribe();
    setup.feed.next(put(bo));
    return { ...setup, creation: setup.server.expectOne('POST /people') };
  }

  it('stays as it was announced', () => {
    const { list, creation } = announced();
    creation.answer({ ...bo, name: 'Bo Peep' });
    expect(list.value).toStrictEqual([ann, bo]);
  });

  it('stays away if a later read lacks it', () => {
    const { list, server, creation } = announced();
    list.fetch$().subscribe();
    server.expectOne('GET /people').answer([ann]);
    creation.answer(bo);
    expect(list.value).toStrictEqual([ann]);
  });

  it('stays where it is, also if a read lacks it that was sent before', () => {
    const { list, server, feed } = following([]);
    void list.fetch();
    const created = list.create({ name: 'Bo' });
    feed.next(put(bo));
    feed.next(put(eve));
    server.expectOne('GET /people').answer([ann]);
    const row = list.byId(2);
    const seen = valuesOf(list);
    server.expectOne('POST /people').answer(bo);
    void created;
    expect(seen).toStrictEqual([[ann, bo, eve]]);
    expect(list.byId(2)).toBe(row);
  });

  it('stays as it was saved since', () => {
    const { list, server, creation } = announced();
    const record = list.record(2);
    record.name.next('Bob');
    record.save$({ patch: true }).subscribe();
    server.expectOne('PATCH /people/2').answer({ ...bo, name: 'Bob' });

    creation.answer(bo);

    expect([list.value, record.get()]).toStrictEqual([[ann, { ...bo, name: 'Bob' }], { ...bo, name: 'Bob' }]);
  });

  it('stays as it was changed since', () => {
    const { list, feed, creation } = announced();
    feed.next(patch({ id: 2, name: 'Bob' }));
    creation.answer(bo);
    expect(list.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
  });

  it('stays away if it was deleted since, here or elsewhere', () => {
    const here = announced();
    here.list.record(2).destroy$().subscribe();
    here.server.expectOne('DELETE /people/2').answer();
    here.creation.answer(bo);
    expect(here.list.value).toStrictEqual([ann]);

    const elsewhere = announced();
    elsewhere.feed.next(gone({ id: 2 }));
    elsewhere.creation.answer(bo);
    expect(elsewhere.list.value).toStrictEqual([ann]);
  });

  it('is added as it was changed before it was announced', () => {
    const { list, server, feed } = following([ann]);
    list.create$({ name: 'Bo' }).subscribe();
    feed.next(patch({ id: 2, name: 'Bob' }));
    server.expectOne('POST /people').answer(bo);
    expect(list.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
  });

  it('is not added if it was deleted before it was announced', () => {
    const { list, server, feed } = following([ann]);
    list.create$({ name: 'Bo' }).subscribe();
    feed.next(gone({ id: 2 }));
    server.expectOne('POST /people').answer(bo);
    expect(list.value).toStrictEqual([ann]);
  });
});

describe('changes during a read of the list', () => {
  it('are applied at once, and to its answer, which may lack them', () => {
    const { server, list, feed, applied } = following([ann]);
    void list.fetch();
    feed.next(put(bo));
    feed.next([gone({ id: 1 }), put({ ...bo, name: 'Bob' })]);
    expect([list.value, applied.length]).toStrictEqual([[{ ...bo, name: 'Bob' }], 2]);
    const deltas = valuesOf(list.delta$);
    server.open[0]?.answer([ann, eve]);

    expect(list.value).toStrictEqual([eve, { ...bo, name: 'Bob' }]);
    expect(deltas).toStrictEqual([{ added: [eve], changed: [], removed: [] }]);
  });

  it('leave what else is new in its answer', () => {
    const { server, list, feed } = following([ann]);
    void list.fetch();
    feed.next(patch({ id: 1, name: 'Anna' }));
    server.open[0]?.answer([{ ...ann, version: 5 }]);

    expect(list.value).toStrictEqual([{ ...ann, name: 'Anna', version: 5 }]);
  });

  it('are applied to rows that only its answer brings', () => {
    const { server, list, feed } = following([]);
    void list.fetch();
    feed.next([patch({ id: 1, name: 'Anna' }), gone({ id: 2 })]);
    server.open[0]?.answer([ann, bo]);

    expect(list.value).toStrictEqual([{ ...ann, name: 'Anna' }]);
  });

  it('change nothing of a row that its answer brings in a newer state', () => {
    const { server, list, feed } = following([], versions);
    void list.fetch();
    feed.next([put({ ...ann, name: 'old', version: 2 }), patch({ id: 2, name: 'old', version: 2 })]);
    const newer = [ann, bo].map((person) => ({ ...person, version: 3 }));
    server.open[0]?.answer(newer);

    expect(list.value).toStrictEqual(newer);
  });

  it('are older than a save that succeeds after them, and than a destroy', () => {
    const { server, list, feed } = following([ann, bo]);
    void list.fetch();
    feed.next([put({ ...ann, name: 'theirs' }), put({ ...bo, name: 'theirs' })]);
    const record = list.record(1);
    record.set({ name: 'mine' }, { keepDirty: true });
    void record.save({ patch: true });
    void list.record(2).destroy();
    server.open[1]?.answer({ ...ann, name: 'mine' });
    server.open[1]?.answer();
    server.open[0]?.answer([ann, bo]);

    expect([list.value, record.get('name'), record.isDirty$.value]).toStrictEqual([
      [{ ...ann, name: 'mine' }],
      'mine',
      false,
    ]);
  });

  it('are newer than a save that succeeded before them', () => {
    const { server, list, feed } = following([ann]);
    void list.fetch();
    const record = list.record(1);
    record.set({ name: 'mine' }, { keepDirty: true });
    void record.save({ patch: true });
    server.open[1]?.answer({ ...ann, name: 'mine' });
    feed.next(put({ ...ann, name: 'theirs' }));
    server.open[0]?.answer([ann]);

    expect([list.value, record.get('name')]).toStrictEqual([[{ ...ann, name: 'theirs' }], 'theirs']);
  });

  it('do not concern a read that is sent after them', () => {
    const { server, list, feed } = following([ann]);
    void list.fetch();
    feed.next(put({ ...ann, name: 'theirs' }));
    void list.fetch();
    server.open[1]?.answer([eve]);

    expect(list.value).toStrictEqual([eve]);
  });

  it('do not bring back a row that was removed here in the meantime', () => {
    const { server, list, feed } = following([ann]);
    void list.fetch();
    feed.next(put(bo));
    list.remove(bo);
    server.open[0]?.answer([ann]);

    expect(list.value).toStrictEqual([ann]);
  });

  it('are newer than the answer to a read of the record, too, as far as they say something', () => {
    const { server, list, feed } = following([ann]);
    const record = list.record(1);
    record.get();
    void list.fetch();
    void record.fetch();
    feed.next(patch({ id: 1, name: 'New' }));
    server.open[1]?.answer({ ...ann, version: 5 });
    server.open[0]?.answer([ann]);

    expect([list.value, record.get()]).toStrictEqual([
      [{ ...ann, name: 'New', version: 5 }],
      { ...ann, name: 'New', version: 5 },
    ]);
  });

  it('are newer than that also for what the model of the record does not map', () => {
    const { server, list, feed } = following([ann], versions, { model: Counted });
    const record = list.record(1);
    void record.fetch();
    feed.next(put({ ...ann, name: 'New', version: 2 }));
    feed.next(patch({ id: 1, version: 3 }));
    server.open[0]?.answer(ann);

    expect([list.value, record.get()]).toStrictEqual([
      [{ ...ann, name: 'New', version: 3 }],
      { id: 1, version: 3 },
    ]);
  });

  it('are newer than that also if a read of other items comes in between', () => {
    const { server, list, feed } = following([ann], versions, { model: Counted });
    void list.record(1).fetch();
    void list.fetch();
    server.open[1]?.answer([bo]);
    feed.next(put({ ...ann, name: 'New', version: 2 }));
    server.open[0]?.answer(ann);

    expect(list.byId(1)).toStrictEqual({ ...ann, name: 'New', version: 2 });
  });

  it('leave the answer to a read of the record whole if they change nothing: it has the version of what is shown', async () => {
    const { server, list, feed } = following([ann], {}, {}, etags());
    const record = list.record(1);
    const read = record.fetch();
    feed.next(put({ ...ann }));
    server.open[0]?.answer({ ...ann, name: 'Read' }, { headers: { etag: '"1"' } });
    await read;
    record.name.next('Mine');
    void record.save();

    expect(server.open[0]?.headers.get('if-match')).toBe('"1"');
  });

  it('take keys out of the item for good, whatever was announced before', () => {
    const { server, list, feed } = following([ann]);
    void list.record(1).fetch();
    feed.next(patch({ id: 1, version: 2 }));
    feed.next(put({ id: 1, name: 'New' }));
    server.open[0]?.answer({ id: 1, name: 'Old' });

    expect(list.value).toStrictEqual([{ id: 1, name: 'New' }]);
  });

  it('leave a read of another id alone, though the record still stands for this one', () => {
    const { server, list, feed } = following([ann, bo], {}, { model: Counted });
    const record = list.record(1);
    record.id.next(2);
    void record.fetch();
    feed.next(patch({ id: 1, name: 'New' }));
    server.open[0]?.answer({ ...bo, name: 'Bob' });

    expect(list.byId(2)).toStrictEqual({ ...bo, name: 'Bob' });
  });

  it('are newer than the answer to a read of the record that a save has held back', () => {
    const { server, list, feed } = following([{ ...ann, version: 0 }]);
    const record = list.record(1);
    record.version?.next(1);
    void record.save({ patch: true });
    void list.fetch();
    void record.fetch({ keepEdits: true });
    server.open[2]?.answer({ ...ann, version: 0 });
    const now = { ...ann, name: 'New', version: 0 };
    feed.next(put(now));
    const lists = valuesOf(list);
    server.open[0]?.answer(undefined, { status: 503 });
    server.open[0]?.answer([now]);

    // On subscription, and once it has been read.
    expect(lists).toStrictEqual([[now], [now]]);
    expect(record.get()).toStrictEqual({ ...now, version: 1 });
  });

  it('do not outdate the answer to a read of the record if they are older than what is there', () => {
    const { server, list, feed } = following([{ ...ann, version: 3 }], versions);
    const record = list.record(1);
    record.get();
    void record.fetch();
    feed.next(put({ ...ann, name: 'old', version: 2 }));
    server.open[0]?.answer({ ...ann, name: 'Anna', version: 4 });

    expect(record.get('name')).toBe('Anna');
  });

  it('are not applied again to what is passed on, as before a page that is appended', () => {
    const list = listOf([ann, eve], { parse: (data) => [...list.list.value, ...(data as Person[])] });
    const feed = new Subject<Changes>();
    followChanges(list.list, feed).subscribe();
    void list.list.fetch();
    feed.next([put({ ...ann, name: 'theirs' }), gone(eve)]);
    list.list.replace([{ ...ann, name: 'mine' }, eve]);
    list.server.open[0]?.answer([bo]);

    expect(list.list.value).toStrictEqual([{ ...ann, name: 'mine' }, eve, bo]);
  });

  it('fail the stream, not the read, if the function for versions throws for what that brings', async () => {
    const failure = new Error('no version');
    const version = ({ name, version: own }: Partial<Person>) => {
      if (name === 'Bad') throw failure;
      return own;
    };
    const { server, list, feed, end } = following([], { version });
    const read = list.fetch();
    feed.next(put({ ...bo, version: 2 }));
    server.open[0]?.answer([{ ...bo, name: 'Bad' }]);

    await expect(read).resolves.toMatchObject({ ok: true });
    expect(end()).toBe(failure);
  });

  it('are not delayed by its lull', () => {
    const clock = new TestClock();
    const { server, list, feed } = following([], undefined, { requestLull: 100 }, { scheduler: clock });
    void list.fetch();
    server.open[0]?.answer([ann]);
    feed.next(put(bo));

    expect([list.value, list.isReading$.value]).toStrictEqual([[ann, bo], true]);
  });

  it('stay when the feed is left', () => {
    const { server, list, feed, subscription } = following([ann]);
    void list.fetch();
    feed.next(put(bo));
    subscription.unsubscribe();
    server.open[0]?.answer([ann]);

    expect([list.value, feed.observed]).toStrictEqual([[ann, bo], false]);
  });
});

describe('with versions', () => {
  it('ignores a change that is older than what is there', () => {
    const { list, feed, applied } = following([{ ...ann, version: 5 }], versions);
    feed.next([put({ ...ann, name: 'old', version: 4 }), gone({ id: 1, version: 4 })]);

    expect([list.value, applied]).toStrictEqual([[{ ...ann, version: 5 }], []]);
  });

  it('keeps what a change has brought when the answer to a save is older', () => {
    const { server, list, feed, applied } = following([ann], versions);
    const record = list.record(1);
    record.set({ name: 'mine' }, { keepDirty: true });
    void record.save();
    // Somebody else has saved after it, and the change has overtaken the answer.
    const theirs = { ...ann, name: 'theirs', version: 3 };
    feed.next(put(theirs));
    const lists = valuesOf(list);
    server.open[0]?.answer({ ...ann, name: 'mine', version: 2 });

    expect(list.value).toStrictEqual([theirs]);
    expect([record.get('name'), record.isDirty$.value]).toStrictEqual(['theirs', false]);
    expect([lists.at(-1), applied]).toStrictEqual([[theirs], [[put(theirs)]]]);
  });

  it('keeps what a change has brought when a list that is read later is older', () => {
    const { server, list, feed } = following([ann, bo], versions);
    feed.next([put({ ...ann, version: 7 }), put({ ...bo, version: 8 })]);
    void list.fetch();
    server.open[0]?.answer([ann, { ...bo, version: 9 }, eve]);

    expect(list.value).toStrictEqual([{ ...ann, version: 7 }, { ...bo, version: 9 }, eve]);
  });

  it('removes what a change has deleted when an answer brings it back', async () => {
    const { server, list, feed } = following([ann], versions);
    const created = list.create({ name: 'Bo' });
    // Somebody else has deleted it already, which has overtaken the answer.
    feed.next(gone({ id: 2, version: 3 }));
    server.open[0]?.answer(bo);
    await created;
    expect(list.value).toStrictEqual([ann]);
    feed.next(put({ ...bo, version: 4 }));

    expect(list.value).toStrictEqual([ann, { ...bo, version: 4 }]);
  });

  it('shows nothing in the record of a deleted item that is older than the deletion', () => {
    const { server, list, feed } = following([ann], versions);
    const record = list.record(1);
    feed.next(put({ ...ann, name: 'now', version: 2 }));
    record.name.next('mine');
    feed.next(gone({ id: 1, version: 3 }));
    record.fetch$({ keepEdits: true }).subscribe();
    server.expectOne('GET /people/1').answer(ann);

    expect([list.value, record.openConflicts$.value, record.version?.value]).toStrictEqual([[], [], 2]);
  });

  it('compares a deleted item that is put back by hand only a few times, and goes on', () => {
    let count = 0;
    const version = (item: Partial<Person>) => ((count += 1), item.version);
    const { server, list, feed, end } = following([ann], { version });
    const record = list.record(1);
    record.name.next('mine');
    record.name.reset();
    feed.next(gone({ id: 1, version: 2 }));
    count = 0;
    // As a delete at once does whose answer was lost.
    list.push(ann);
    feed.next(put({ ...eve, version: 3 }));
    record.fetch$().subscribe();
    server.expectOne('GET /people/1').answer({ ...ann, name: 'read' });

    expect([list.value.map(({ name }) => name), record.name.value, end()]).toStrictEqual([
      ['read', 'Eve'],
      'read',
      undefined,
    ]);
    expect(count).toBeLessThan(30);
  });

  it('forgets what was deleted when it is left', () => {
    const { list, feed, subscription } = following([ann], versions);
    feed.next(gone({ id: 1, version: 3 }));
    subscription.unsubscribe();
    followChanges(list, of(put(ann)), versions).subscribe();

    expect(list.value).toStrictEqual([ann]);
  });

  it('never shows what is older, whichever answer brings it, nor what was deleted', () => {
    const { server, list, feed } = following([ann, bo], versions);
    const now = { ...ann, name: 'now', version: 3 };
    feed.next([put(now), gone({ id: 2, version: 2 })]);
    const lists = valuesOf(list);
    const deltas = valuesOf(list.delta$);
    const record = list.record(1);
    const shown = valuesOf(record.name);
    list.fetch$().subscribe();
    server.expectOne('GET /people').answer([bo, ann]);
    record.fetch$().subscribe();
    server.expectOne('GET /people/1').answer(ann);
    record.follow(of(ann)).subscribe();

    expect(lists.filter((items) => !equal(items, [now]))).toStrictEqual([]);
    expect([deltas, shown, record.get()]).toStrictEqual([[], ['now'], now]);
  });

  it('shows again what is there once something older was set', () => {
    const { list } = following([{ ...ann, version: 3 }], versions);
    const lists = valuesOf(list);
    const record = list.record(1);
    record.set({ ...bo, id: 1 });

    expect([record.get(), record.isDirty$.value]).toStrictEqual([{ ...ann, version: 3 }, false]);
    expect(lists).toStrictEqual([[{ ...ann, version: 3 }]]);
  });

  it('takes no edit for a conflict with what was edited, whatever older answers say', () => {
    const { server, list, feed } = following([ann, bo], versions);
    const record = list.record(1);
    const conflicts = valuesOf(record.conflicts$);
    feed.next(put({ ...ann, name: 'now', version: 2 }));
    record.name.next('mine');
    list.fetch$().subscribe();
    server.expectOne('GET /people').answer([ann, bo]);
    record.fetch$({ keepEdits: true }).subscribe();
    server.expectOne('GET /people/1').answer(ann);

    expect([conflicts, record.openConflicts$.value, record.get('name')]).toStrictEqual([[], [], 'mine']);
  });

  it('discards edits by a read of the record, even if its answer is older', () => {
    const { server, list, feed } = following([ann], versions);
    const record = list.record(1);
    feed.next(put({ ...ann, name: 'now', version: 2 }));
    record.name.next('mine');
    record.fetch$().subscribe();
    server.expectOne('GET /people/1').answer(ann);

    expect([record.get('name'), record.isDirty$.value]).toStrictEqual(['now', false]);
  });

  it('tells of the conflict with what was typed during a save whose answer is older', () => {
    const { server, list, feed } = following([ann], versions);
    const record = list.record(1);
    record.name.next('sent');
    record.save$().subscribe();
    record.name.next('typed');
    feed.next(put({ ...ann, name: 'theirs', version: 3 }));
    server.expectOne('PUT /people/1').answer({ ...ann, name: 'sent', version: 2 });

    expect(record.openConflicts$.value).toMatchObject([{ mine: 'typed', theirs: 'theirs' }]);
    expect(list.value).toStrictEqual([{ ...ann, name: 'theirs', version: 3 }]);
  });

  it('does not count the version of an older answer as that of what is shown', async () => {
    const { server, list, feed } = following([ann], versions, {}, etags());
    const record = list.record(1);
    feed.next(put({ ...ann, name: 'now', version: 2 }));
    const read = record.fetch();
    server.expectOne('GET /people/1').answer(ann, { headers: { etag: '"1"' } });
    await read;
    record.name.next('mine');
    void record.save();

    expect(server.expectOne('PUT /people/1').headers.get('if-match')).not.toBe('"1"');
  });

  it('keeps what a change has brought when the answer to a creation is older', () => {
    const { server, list, feed } = following([ann], versions);
    const draft = { name: 'Bo' } as Person;
    list.push(draft);
    const lists = valuesOf(list);
    const record = list.record(draft);
    record.save$().subscribe();
    const now = { ...bo, name: 'Bob', version: 2 };
    feed.next(put(now));
    server.expectOne('POST /people').answer(bo);

    expect(lists.slice(1)).toStrictEqual([
      [ann, draft, now],
      [ann, now],
    ]);
    expect(record.get()).toStrictEqual(now);
  });

  it('knows what was deleted even if the list did not have it', () => {
    const { list, feed } = following([ann], versions);
    feed.next(gone({ id: 2, version: 5 }));
    feed.next(put(bo));
    expect(list.value).toStrictEqual([ann]);
  });

  it('ignores a deletion that is older than what is there, also of what was deleted before', () => {
    const { list, feed } = following([bo], versions);
    feed.next(gone({ id: 2, version: 3 }));
    const again = { ...bo, version: 5 };
    feed.next(put(again));
    feed.next(gone({ id: 2, version: 2 }));
    expect(list.value).toStrictEqual([again]);
  });

  it('keeps what a read has brought when the answer to a creation with an id of its own is older', () => {
    const { server, list } = following([], versions);
    const now = { ...bo, name: 'Bob', version: 2 };
    list.create$(bo).subscribe();
    list.fetch$().subscribe();
    server.expectOne('GET /people').answer([now]);
    server.expectOne('POST /people').answer(bo);

    expect(list.value).toStrictEqual([now]);
  });

  it('keeps what an answer has brought of a row when an older change, or save, reached it later', () => {
    const { server, list, feed } = following([ann], versions);
    const record = list.record(1);
    const newest = { ...ann, name: 'newest', version: 9 };
    record.fetch$().subscribe();
    feed.next(put({ ...ann, name: 'theirs', version: 2 }));
    server.expectOne('GET /people/1').answer(newest);
    expect([list.value, record.get()]).toStrictEqual([[newest], newest]);

    list.fetch$().subscribe();
    record.save$().subscribe();
    server.expectOne('PUT /people/1').answer({ ...newest, version: 10 });
    server.expectOne('GET /people').answer([{ ...newest, name: 'even newer', version: 11 }]);
    expect(list.value).toStrictEqual([{ ...newest, name: 'even newer', version: 11 }]);
  });

  it('takes an answer with another id for another item, whatever its version', () => {
    const { server, list } = following([{ ...ann, version: 5 }], versions);
    const record = list.record(1);
    record.fetch$().subscribe();
    server.expectOne('GET /people/1').answer(bo);

    expect([list.value, record.get()]).toStrictEqual([[bo], bo]);
  });

  it('heeds each of several feeds, for as long as it is followed', () => {
    const { server, list, subscription } = following([{ ...ann, version: 5 }], versions);
    const other = followChanges(list, NEVER, { version: ({ version }) => -Number(version) }).subscribe();
    const read = (version: number) => {
      list.fetch$().subscribe();
      server.expectOne('GET /people').answer([{ ...ann, version }]);
      return list.byId(1)?.version;
    };
    expect([read(4), read(6)]).toStrictEqual([5, 5]);
    subscription.unsubscribe();
    expect([read(6), read(4)]).toStrictEqual([5, 4]);
    other.unsubscribe();

    expect([read(6), read(4)]).toStrictEqual([6, 4]);
  });

  it('leaves what is written to the list here, such as what is undone', () => {
    const { list } = following([{ ...ann, version: 5 }], versions);
    list.splice(0, 1, ann, bo);
    list.replace([{ ...bo, version: 0 }, ann]);

    expect(list.value).toStrictEqual([{ ...bo, version: 0 }, ann]);
  });

  it.each([
    ['numbers', 9, 10],
    ['bigints', 9n, 10n],
    ['dates', new Date('2026-01-02'), new Date('2026-01-10')],
    ['ISO text', '2026-01-02T00:00:00Z', '2026-01-10T00:00:00Z'],
    ['numbers below zero', -2, 0],
  ])('compares %s', (_, older, newer) => {
    const at = (version: unknown) => ({ id: 1, name: String(version), version: version as number });
    const { list, feed } = following([at(newer)], versions);
    feed.next(put(at(older)));

    expect(list.value).toStrictEqual([at(newer)]);
  });

  it('applies a change of the same version that says something else', () => {
    const { list, feed } = following([ann], versions);
    feed.next(put({ ...ann, name: 'Anna' }));

    expect(list.value).toStrictEqual([{ ...ann, name: 'Anna' }]);
  });

  it.each([undefined, null])('takes %o as not older', (version) => {
    const { list, feed } = following([{ ...ann, version: 5 }], versions);
    const item = { ...ann, name: 'Anna', version: version as unknown as number };
    feed.next(put(item));
    expect(list.value).toStrictEqual([item]);
    feed.next(put({ ...ann, version: 1 }));

    expect(list.value).toStrictEqual([{ ...ann, version: 1 }]);
  });

  it('guards the list, at no cost for its other subscribers, only if there are versions, and while subscribed', () => {
    expect(following([ann]).list).toMatchObject({ _guards: [] });
    const { list, feed } = following([ann], versions);
    const { _deltas: deltas, _guards: guards } = list as unknown as Record<'_deltas' | '_guards', object>;
    expect([guards, deltas]).toMatchObject([{ length: 1 }, { observed: false }]);
    feed.complete();

    expect(list).toMatchObject({ _guards: [] });
  });
});

describe('the stream of what was applied', () => {
  it('is cold, and applies nothing once it is left', () => {
    const { list } = listOf([ann]);
    const feed = new Subject<Changes>();
    const followed$ = followChanges(list, feed);
    expect(feed.observed).toBe(false);
    const subscription = followed$.subscribe();
    subscription.unsubscribe();
    feed.next(put(bo));

    expect(list.value).toStrictEqual([ann]);
  });

  it('completes with the changes', () => {
    const { feed, end } = following([ann], versions);
    feed.complete();

    expect(end()).toBe('complete');
  });

  it('completes when the list is disposed of, during a read too', () => {
    const idle = following([ann], versions);
    idle.list.dispose();
    expect([idle.end(), idle.feed.observed]).toStrictEqual(['complete', false]);

    const reading = following([ann]);
    reading.list.fetch().catch(() => undefined);
    reading.feed.next(put(bo));
    reading.list.dispose();
    expect([reading.end(), reading.feed.observed]).toStrictEqual(['complete', false]);

    const late = valuesOf(followChanges(idle.list, new BehaviorSubject(put(bo))));
    expect(late).toStrictEqual([]);
  });

  it('fails as the changes do', () => {
    const problem = new Error('closed');
    let caught: unknown;
    followChanges(
      listOf([]).list,
      throwError(() => problem),
    ).subscribe({ error: (error: unknown) => (caught = error) });

    expect(caught).toBe(problem);
  });

  it('fails with what is no change, of which nothing is applied', () => {
    const { list, feed, end } = following([ann]);
    feed.next([put(bo), gone({} as Person)]);

    expect(end()).toStrictEqual(
      new TypeError('followChanges: a change needs an item with its id at "id"; 0 and \'\' are none'),
    );
    expect([list.value, feed.observed]).toStrictEqual([[ann], false]);
  });

  it('fails with what the function for versions throws', () => {
    const problem = new Error('no version');
    const { list, feed, end } = following([ann], {
      version: () => {
        throw problem;
      },
    });
    feed.next(put({ ...ann, name: 'x' }));

    expect([end(), list.value]).toStrictEqual([problem, [ann]]);
  });

  it('goes on after the read of a row that is not there is answered without data, which has no version', async () => {
    const { server, list, feed, end } = following([ann], versions);
    const read = list.record(2).fetch();
    server.expectOne('GET /people/2').answer();
    await read;
    feed.next(put({ ...ann, name: 'Anna', version: 2 }));

    expect([end(), list.value]).toStrictEqual([undefined, [{ ...ann, name: 'Anna', version: 2 }]]);
  });

  it('fails with what that throws for an answer, soon after that is written', async () => {
    const problem = new Error('no version');
    const { server, list } = listOf([ann]);
    const version = ({ name }: Partial<Person>) => {
      if (name === 'x') throw problem;
      return 1;
    };
    const ends: unknown[] = [];
    followChanges(list, NEVER, { version }).subscribe({
      error: (error: unknown) => {
        ends.push(error, list.value);
        list.push(eve);
      },
    });
    list.fetch$().subscribe();
    server.expectOne('GET /people').answer([bo, { ...ann, name: 'x' }]);
    await Promise.resolve();
    const answered = [bo, { ...ann, name: 'x' }];

    expect([ends, list.value]).toStrictEqual([
      [problem, answered],
      [...answered, eve],
    ]);
  });
});

import fc from 'fast-check';
import { of } from 'rxjs';
import { describe } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, ItemRecord } from 'rivulet';

import { watch } from '../watch';

import { law } from './law';
import { same } from './same';
import { Wire } from './wire';
import type { Answer } from './wire';

interface Item {
  readonly id?: number;
  readonly name: string;
  readonly note?: string;
}

/** A list of two items, their live records and a new one. */
class World {
  readonly wire = new Wire();
  readonly list: Collection<Item> = createLib({ transport: this.wire.transport }).collection<Item>({
    url: '/list',
    data: [
      { id: 1, name: 'a', note: 'x' },
      { id: 2, name: 'b', note: 'y' },
    ],
  });
  readonly records: ItemRecord<Item>[] = [1, 2].map((id) => this.list.record(id));
  #count = 2;

  constructor() {
    this.records.push(this.list.record({ id: 0, name: 'new', note: '' }));
  }

  fresh(): string {
    return `v${String((this.#count += 1))}`;
  }

  /** Answers the oldest or the newest request with what it sent, with something new, or with part of that. */
  answer(isOldest: boolean, answer: Answer): void {
    const sent = this.wire.open.at(isOldest ? 0 : -1);
    if (!sent) return;
    const { method, request, body } = sent;
    const id = Number(request.url.split('/')[2]) || (this.#count += 1);
    const made = (): Item => ({
      id,
      name: this.fresh(),
      ...(answer === 'part' ? {} : { note: this.fresh() }),
    });
    const list = [1, 2].map((each) => ({ id: each, name: this.fresh(), note: this.fresh() }));
    const item = answer === 'echo' ? { ...body, id } : made();
    sent.respond(answer, method === 'GET' && request.url === '/list' ? list : item);
  }
}

const record = fc.nat(2);
const act = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom('edit', 'note', 'save', 'patch', 'fetch', 'destroy', 'set', 'row', 'clean'),
      record,
    ),
  },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('list', 'pop'), fc.constant(0)) },
);
const answer = fc.tuple(
  fc.boolean(),
  fc.constantFrom<Answer>('new', 'echo', 'part', 'empty', 'refused', 'offline'),
);

function run(world: World, [name, place]: readonly [string, number]): void {
  const each = world.records[place];
  if (name === 'edit') each?.name.next(world.fresh());
  if (name === 'note') each?.note?.next(world.fresh());
  if (name === 'set') each?.set({ name: world.fresh() });
  if (name === 'row') each?.follow(of({ note: world.fresh() })).subscribe();
  if (name === 'clean') each?.clean('note');
  if (name === 'patch') watch(each?.save$({ patch: true }) ?? world.list.fetch$());
  if (name === 'save') watch(each?.save$() ?? world.list.fetch$());
  if (name === 'fetch') watch(each?.fetch$() ?? world.list.fetch$());
  if (name === 'destroy') watch(each?.destroy$() ?? world.list.fetch$());
  if (name === 'list') watch(world.list.fetch$());
  if (name === 'pop') world.list.pop();
}

/**
 * Every item with a live record holds the values that the record has confirmed, and no id occurs twice. Changes that
 * arrive during a write of the record wait for its end. The list knows which of the records are edited.
 */
function look({ list, records }: World): void {
  const edited = records.filter(
    ({ id, isDirty$, isDeleting$ }) => id?.remote$.value && isDirty$.value && !isDeleting$.value,
  );
  same(new Set(list.edited$.value), new Set(edited), 'the edited records');
  const ids = list.value.flatMap(({ id }) => (id ? [id] : []));
  same(new Set(ids).size, ids.length, 'ids that are there twice');
  for (const { id, name, note, isSaving$, isDeleting$ } of records) {
    if (!id || isSaving$.value || isDeleting$.value) continue;
    const item = id.value ? list.byId(id.value) : undefined;
    if (item) same(item, { id: id.remote$.value, name: name.remote$.value, note: note?.remote$.value });
  }
}

describe('a list and its live records', () => {
  law(
    'agree on the confirmed values, whatever happens to either',
    [fc.array(fc.oneof(act, answer), { maxLength: 12 })],
    (steps) => {
      const world = new World();
      let told = 0;
      // Reads that waited for a write are written one by one: in between, list and record need not agree.
      let isWriting = false;
      // RxJS would report what a subscriber throws later, without the steps that led to it.
      const faults: unknown[] = [];
      world.list.subscribe(() => {
        try {
          if (!isWriting) look(world);
        } catch (fault) {
          faults.push(fault);
        }
        told += 1;
      });
      let edited: readonly unknown[] = [];
      world.list.edited$.subscribe((emitted) => {
        edited = emitted;
      });
      for (const step of steps) {
        const before = told;
        isWriting = world.records.some(({ isSaving$, isDeleting$ }) => isSaving$.value || isDeleting$.value);
        if (typeof step[0] === 'string') run(world, step);
        else world.answer(...step);
        look(world);
        same(isWriting || told - before <= 1, true, 'whether it was one emission');
        same(faults, [], 'what a subscriber has found');
        same(edited, world.list.edited$.value, 'the edited records last emitted');
      }
    },
  );
});

describe('a record of a list', () => {
  interface Row {
    id: number;
    a?: number;
    b?: number;
  }
  const row: fc.Arbitrary<Row> = fc.record(
    { id: fc.integer({ min: 1, max: 3 }), a: fc.nat(3), b: fc.nat(3) },
    { requiredKeys: ['id'] },
  );
  const rows = fc.uniqueArray(row, { selector: ({ id }) => id });

  law('is the same whenever it is first read', [rows, fc.array(rows, { maxLength: 6 })], (data, writes) => {
    const [early, late] = [true, false].map((isEarly) => {
      const list = createLib().collection({ data });
      const records = [1, 2, 3].map((id) => list.record(id));
      if (isEarly) for (const each of records) each.get();
      for (const each of writes) list.replace(each);
      return records.map((each) => [each.get(), each.dirtyMap()]);
    });
    same(late, early);
  });
});

describe('reads of a list and of a record in it', () => {
  type Step =
    'list' | 'record' | readonly [place: number, answer: 'new' | 'part' | 'empty' | 'refused' | 'offline'];
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.constantFrom<Step>('list', 'record'),
    fc.tuple(fc.nat(3), fc.constantFrom('new', 'part', 'empty', 'refused', 'offline')),
  );

  law(
    'never show a value that is older than the one before, whichever is answered first',
    [fc.array(step, { maxLength: 12 })],
    (steps) => {
      // The server has a newer version at each request.
      let version = 0;
      const wire = new Wire({ tick: () => (version += 1) });
      const list = createLib({ transport: wire.transport }).collection<{ id: number; a: number; b: number }>({
        url: '/list',
        data: [{ id: 1, a: 0, b: 0 }],
      });
      const record = list.record(1);
      let before = [0, 0];
      for (const each of steps) {
        if (each === 'list') watch(list.fetch$());
        else if (each === 'record') watch(record.fetch$());
        else {
          const [place, answer] = each;
          const sent = wire.open[place];
          const isList = sent?.request.url === '/list';
          // A list has the same keys each time: what an earlier one has brought is known from the latest.
          const isPart = answer === 'part' && !isList;
          const row = sent && { id: 1, a: sent.at, ...(isPart ? {} : { b: sent.at }) };
          sent?.respond(answer, isList ? [row] : row);
        }
        const now = [record.a.value, record.b.value];
        same(
          now.map((value, place) => value >= Number(before[place])),
          [true, true],
          `${String(before)} → ${String(now)}`,
        );
        same(record.isDirty$.value, false);
        before = now;
        same(list.value, [{ id: 1, a: now[0], b: now[1] }], 'the item');
      }
    },
  );
});

describe('a list to which items are added while it is read', () => {
  /** A request, or the answer to the oldest or newest one that is open. `read`: of the record of the newest item. */
  const step = fc.constantFrom('list', 'create', 'draft', 'read', 'oldest', 'newest', 'newest', 'refuse');

  law(
    'loses none of them to an answer that is older, whatever was read of them in between',
    [fc.array(step, { maxLength: 14 })],
    (steps) => {
      // The server handles requests in the order in which they are sent. A create gets the time as its id.
      let time = 0;
      const ids: number[] = [];
      const listed = new Map<number, readonly number[]>();
      const wire = new Wire({
        tick: () => (time += 1),
        sent: ({ at, isWrite }) => {
          if (isWrite) ids.push(at);
          listed.set(at, [...ids]);
        },
      });
      const list = createLib({ transport: wire.transport }).collection<{ id?: number; a: number }>({
        url: '/list',
      });
      const row = (id: number) => ({ id, a: 0 });
      const created = new Set<number>();
      for (const each of steps) {
        const id = list.at(-1)?.id;
        if (each === 'list') watch(list.fetch$());
        else if (each === 'create') watch(list.create$({ a: 0 }));
        else if (each === 'draft') watch(list.record({ a: 0 }).save$());
        else if (each === 'read') watch(id ? list.record(id).fetch$() : list.fetch$());
        else {
          const sent = wire.open.at(each === 'newest' ? -1 : 0);
          if (!sent) continue;
          const { request, isWrite, at } = sent;
          if (isWrite) created.add(at);
          const answer = isWrite ? row(at) : row(Number(request.url.split('/')[2]));
          const isList = !isWrite && request.url === '/list';
          // A create that was carried out is not refused.
          sent.respond(
            each === 'refuse' && !isWrite ? 'refused' : 'new',
            isList ? listed.get(at)?.map(row) : answer,
          );
        }
        const shown = list.value.map((item) => item.id);
        same(shown.length, new Set(shown).size, 'ids that are there twice');
        same(
          [...created].filter((each) => !shown.includes(each)),
          [],
          'items that were lost',
        );
      }
    },
    1000,
  );
});

import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe } from 'vitest';

import { createLib } from 'rivulet';
import { followChanges } from 'rivulet/live';
import type { Change } from 'rivulet/live';
import { TestServer } from 'rivulet/testing';
import type { TestRequest } from 'rivulet/testing';

import { law } from './law';
import { same } from './same';

interface Row {
  readonly id: number;
  readonly name: string;
  readonly version: number;
}

/** A server that tells of each change, and a list that follows it; answers and announcements are late as the law wants. */
class World {
  readonly server = new TestServer();
  readonly list = createLib({ transport: this.server.transport }).collection<Row>({ url: '/rows' });
  readonly rows = new Map<number, Row>();
  readonly feed = new Subject<Change<Row> | readonly Change<Row>[]>();
  readonly untold: Change<Row>[] = [];
  /** What the server has done with a request; the answer is on its way. */
  readonly done = new Map<TestRequest, readonly [data: unknown, status: number]>();
  readonly settled: Promise<unknown>[] = [];
  #version = 0;

  constructor(size: number) {
    for (let id = 1; id <= size; id += 1) this.rows.set(id, { id, name: 'new', version: 0 });
    this.list.replace([...this.rows.values()]);
    followChanges(this.list, this.feed, { version: ({ version }) => version }).subscribe();
  }

  /** Somebody edits a row, or creates it again. */
  edit(id: number, name: string): Row {
    const edited = { id, name, version: (this.#version += 1) };
    this.rows.set(id, edited);
    this.untold.push({ kind: 'put', item: edited });
    return edited;
  }

  remove(id: number): void {
    const row = this.rows.get(id);
    if (!row) return;
    this.rows.delete(id);
    this.untold.push({ kind: 'delete', item: { id, version: (this.#version += 1) } });
  }

  save(id: number, name: string): void {
    if (!this.list.byId(id)) return;
    const record = this.list.record(id);
    record.set({ name }, { keepDirty: true });
    this.settled.push(record.save({ patch: true }));
  }

  /** The server does what is requested. */
  process(request: TestRequest): void {
    if (this.done.has(request)) return;
    if (request.method === 'GET') return void this.done.set(request, [[...this.rows.values()], 200]);
    const { name } = request.body as Partial<Row>;
    const id = Number(request.url.split('/').at(-1));
    const row = name !== undefined && this.rows.has(id) ? this.edit(id, name) : this.rows.get(id);
    this.done.set(request, row ? [row, 200] : [{ title: 'gone' }, 404]);
  }

  answer(request: TestRequest): void {
    this.process(request);
    const [data, status] = this.done.get(request) ?? [];
    request.answer(data, { status: status ?? 500 });
  }

  tell(count: number): void {
    const changes = this.untold.splice(0, count);
    const [only] = changes;
    if (only) this.feed.next(changes.length > 1 ? changes : only);
  }
}

type Step = (world: World) => void;

const ids = fc.integer({ min: 1, max: 2 });
const names = fc.constantFrom('a', 'b', 'c', 'd');

/** A request that waits for an answer, as far as there is one. */
const toOne = (run: (world: World, request: TestRequest) => void) =>
  fc.nat(3).map((place): Step => (world) => {
    const { open } = world.server;
    const request = open[place % (open.length || 1)];
    if (request) run(world, request);
  });

const steps = fc.array(
  fc.oneof(
    fc.tuple(ids, names).map(
      ([id, name]): Step =>
        (world) =>
          world.edit(id, name),
    ),
    ids.map((id): Step => (world) => {
      world.remove(id);
    }),
    {
      arbitrary: fc.tuple(ids, names).map(([id, name]): Step => (world) => {
        world.save(id, name);
      }),
      weight: 2,
    },
    fc.constant<Step>((world) => {
      world.settled.push(world.list.fetch().catch(() => undefined));
    }),
    {
      arbitrary: fc.integer({ min: 1, max: 3 }).map((count): Step => (world) => {
        world.tell(count);
      }),
      weight: 2,
    },
    {
      arbitrary: toOne((world, request) => {
        world.process(request);
      }),
      weight: 2,
    },
    {
      arbitrary: toOne((world, request) => {
        world.answer(request);
      }),
      weight: 2,
    },
    toOne((_, request) => {
      if (request.method === 'GET') request.fail();
    }),
  ),
  { maxLength: 30 },
);

describe('a list that follows a feed by versions', () => {
  law(
    'never goes back, and is that of the server once all is told and answered, however late and in whatever order',
    [fc.integer({ min: 1, max: 2 }), steps],
    async (size, happening) => {
      const world = new World(size);
      for (const step of happening) {
        const before = world.list.value;
        step(world);
        for (const { id, version } of before) {
          const now = world.list.byId(id)?.version ?? version;
          if (now < version) throw new Error(`row ${id} goes back from ${version} to ${now}`);
        }
      }
      for (let [open] = world.server.open; open; [open] = world.server.open) world.answer(open);
      world.tell(Infinity);
      await Promise.all(world.settled);
      const sorted = [...world.list.value].sort((a, b) => a.id - b.id);
      same(
        sorted,
        [...world.rows.values()].sort((a, b) => a.id - b.id),
        'the list',
      );
      same(world.list.requestInProgress$.value, false, 'requestInProgress$');
    },
  );
});

import fc from 'fast-check';
import { skip, take } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe } from 'vitest';

import { createLib } from 'rivulet';
import { PagedCollection } from 'rivulet/paging';
import { TestServer } from 'rivulet/testing';
import type { TestRequest } from 'rivulet/testing';

import { law } from './law';
import { same } from './same';

interface Item {
  readonly id: number;
}

const pageSize = 2;

type Step = (world: World) => void;

/** A list of the server, read page by page, and what happens to it. */
class World {
  readonly server = new TestServer();
  all: readonly Item[];
  readonly items: PagedCollection<Item>;
  readonly settled: Promise<unknown>[] = [];
  readonly left: (() => void)[] = [];

  constructor(size: number) {
    this.all = Array.from({ length: size }, (_, place) => ({ id: place + 1 }));
    this.items = new PagedCollection<Item>(
      {
        url: '/items',
        next: ({ items }) => items.length === pageSize && { after: items.at(-1)?.id },
      },
      createLib({ transport: this.server.transport }),
    );
  }

  read(kind: 'more' | 'fetch' | 'refresh'): void {
    this.settled.push(this.items[kind]().catch(() => undefined));
  }

  leave(kind: 'more$' | 'fetch$' | 'refresh$'): void {
    const subscription = this.items[kind]().subscribe({ error: () => undefined });
    this.left.push(() => {
      subscription.unsubscribe();
    });
  }

  /** Subscribers that act when they are notified, not at once. */
  react(reacting: readonly (readonly [string, Step])[]): void {
    for (const [name, act] of reacting) {
      const source: Observable<unknown> = name === 'items' ? this.items : this.items[name as 'page$'];
      source.pipe(skip(1), take(1)).subscribe(() => {
        act(this);
      });
    }
  }

  /** Answers a request with its page. */
  answer(request: TestRequest): void {
    const after = Number(new URL(request.url, 'http://localhost').searchParams.get('after'));
    request.answer(this.all.filter(({ id }) => id > after).slice(0, pageSize));
  }

  /** The list begins as that of the server, and whether there is more is known. */
  check(): void {
    const { items, all, server } = this;
    same(items.value, all.slice(0, items.length), 'the list');
    const page = items.page$.value;
    same(items.hasMore$.value, !page || page.items.length === pageSize, 'hasMore$');
    same(items.isReading$.value, server.open.length > 0, 'isReading$');
  }
}

/** A request that waits for an answer, as far as there is one. */
const toOne = (run: (world: World, request: TestRequest) => void) =>
  fc.nat(5).map((place): Step => (world) => {
    const { open } = world.server;
    const request = open[place % (open.length || 1)];
    if (request) run(world, request);
  });

const step = fc.oneof(
  fc.constant<Step>((world) => {
    world.read('more');
  }),
  fc.constantFrom<Step>(
    (world) => {
      world.read('fetch');
    },
    (world) => {
      world.read('refresh');
    },
  ),
  fc.constantFrom<Step>(
    (world) => {
      world.leave('more$');
    },
    (world) => {
      world.leave('fetch$');
    },
    (world) => {
      world.leave('refresh$');
    },
  ),
  fc.nat(5).map((place): Step => ({ left }) => {
    left.splice(place % (left.length || 1), 1)[0]?.();
  }),
  {
    arbitrary: toOne((world, request) => {
      world.answer(request);
    }),
    weight: 4,
  },
  toOne((_, request) => {
    request.fail();
  }),
  toOne((_, request) => {
    request.answer({ title: 'busy' }, { status: 503 });
  }),
  toOne((_, request) => {
    request.answer();
  }),
);

const steps = fc.array(step, { maxLength: 25 });

/** What subscribers do, each once: of the list, of its pages, of its flag. */
const reactions = fc.array(fc.tuple(fc.constantFrom('items', 'page$', 'hasMore$', 'isReading$'), step), {
  maxLength: 4,
});

describe('a paged collection', () => {
  law(
    'is always the beginning of the list on the server, whatever happens, and all of it in the end',
    [fc.nat(7), steps],
    async (size, happening) => {
      const world = new World(size);
      for (const step of happening) {
        step(world);
        world.check();
      }
      for (const leave of world.left) leave();
      for (let [open] = world.server.open; open; [open] = world.server.open) world.answer(open);
      await Promise.all(world.settled);
      while (world.items.hasMore$.value) {
        const more = world.items.more();
        world.answer(world.server.expectAll(/GET/)[0]);
        await more;
        world.check();
      }
      same(world.items.value, world.all, 'the whole list');
    },
    500,
  );

  law(
    'is as long as before after a refresh, and as the server is by then',
    [fc.nat(9), fc.nat(4), fc.uniqueArray(fc.integer({ min: 1, max: 12 }))],
    async (size, reads, ids) => {
      const world = new World(size);
      const finish = async (read: Promise<unknown>) => {
        for (let [open] = world.server.open; open; [open] = world.server.open) world.answer(open);
        await read;
      };
      for (let read = 0; read <= reads; read += 1) await finish(world.items.more());
      const pages = (world.items.page$.value?.index ?? 0) + 1;
      world.all = [...ids].sort((a, b) => a - b).map((id) => ({ id }));
      await finish(world.items.refresh());
      world.check();
      same(world.items.length, Math.min(pages * pageSize, ids.length), 'the length');
    },
    300,
  );

  law(
    'settles every promise and lowers every flag, whatever its subscribers do when notified',
    [fc.nat(7), steps, reactions, fc.boolean()],
    async (size, happening, reacting, isDisposed) => {
      const world = new World(size);
      world.react(reacting);
      for (const step of happening) step(world);
      if (isDisposed) world.items.dispose();
      for (const leave of world.left) leave();
      for (let [open] = world.server.open; open; [open] = world.server.open) world.answer(open);
      await Promise.all(world.settled);
      same(world.items.isReading$.value, false, 'isReading$');
      same(world.items.requestInProgress$.value, false, 'requestInProgress$');
      same(world.server.open.length, 0, 'open requests');
    },
  );
});

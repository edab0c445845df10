import { getHeapStatistics } from 'node:v8';

import { NEVER, Subject, VirtualTimeScheduler, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, DataModel, ItemRecord, Lib, LibOptions, RequestOptions } from 'rivulet';
import { autosave } from 'rivulet/autosave';
import { etags } from 'rivulet/etag';
import { followChanges, poll } from 'rivulet/live';
import type { Change } from 'rivulet/live';
import { PagedCollection } from 'rivulet/paging';

import { observed } from './soak/left';

import { countingSignal } from './faults/probes';
import { startFaultServer } from './faults/server';
import type { FaultServer } from './faults/server';
import { Person } from './person';
import { StubServer } from './stub';
import { collector, survivors } from './survivors';
import { advance } from './virtual-time';
import { watch } from './watch';

/** A long-lived root that requests are sent from, whose options and calls share one signal. */
class Stage {
  readonly signal = countingSignal();
  readonly scheduler = new VirtualTimeScheduler();
  readonly server = new StubServer();
  readonly root: Lib;
  readonly person: Person;
  readonly people: Collection<object>;

  constructor() {
    const { scheduler, server, signal } = this;
    const options: LibOptions = { scheduler, transport: server.transport, fetchOptions: { signal } };
    this.root = createLib({ ...options, timeout: 1000 });
    const config = { requestLull: 10 };
    this.person = new Person(this.root, config, {});
    this.people = this.root.collection({ url: '/people', ...config });
  }

  /** Sends a request of the record. */
  send(method: 'save$' | 'fetch$' | 'destroy$', options: RequestOptions = {}) {
    this.person.id.next(7);
    return watch(this.person[method]({ signal: this.signal, ...options }));
  }

  /** Answers the last request, and forgets it. */
  answer(status: number, body?: unknown): void {
    const held = this.server.held.pop();
    if (status < 300) held?.ok(body);
    else held?.refuse(status);
  }

  /** Lets lulls and time limits pass. */
  pass(milliseconds: number): void {
    advance(this.scheduler, this.scheduler.now() + milliseconds);
  }
}

/** A request of each kind, from its start to its end. */
const requests: Readonly<Record<string, (stage: Stage) => void>> = {
  'a read': (stage) => {
    stage.send('fetch$');
    stage.answer(200, { id: 7, name: 'Bo' });
  },
  'a save': (stage) => {
    stage.send('save$');
    stage.answer(200, { name: 'Bo' });
  },
  'a destroy': (stage) => {
    stage.send('destroy$');
    stage.answer(204);
  },
  'a save that is refused': (stage) => {
    stage.send('save$', { rollback: 'both' });
    stage.answer(500);
  },
  'a read that fails': (stage) => {
    stage.send('fetch$');
    stage.server.held.pop()?.fail(new TypeError('network'));
  },
  'a save that cannot be made': (stage) => {
    stage.send('save$', { attrs: 1n });
  },
  'a read that is cancelled': (stage) => {
    stage.send('fetch$').subscription.unsubscribe();
  },
  'a save that is cancelled, and one that waits for it': (stage) => {
    const saves = [stage.send('save$'), stage.send('save$')];
    for (const { subscription } of saves) subscription.unsubscribe();
  },
  'a read that takes too long': (stage) => {
    stage.send('fetch$', { timeout: 1 });
    stage.pass(1);
  },
  'a save that is aborted': (stage) => {
    const controller = new AbortController();
    stage.send('save$', { signal: controller.signal });
    controller.abort();
  },
  'a read of a list': ({ people, signal, ...stage }) => {
    watch(people.fetch$({ signal }));
    stage.server.held.pop()?.ok([{ id: 1 }]);
  },
  'a create of an item': ({ people, signal, ...stage }) => {
    watch(people.create$({ name: 'Eve' }, { signal }));
    stage.server.held.pop()?.ok({ id: 2 });
    people.removeAll();
  },
};

/** What a request may leave behind. */
const left = ({ signal, scheduler, person, people }: Stage) => ({
  listeners: signal.listeners.size,
  timers: scheduler.actions.length,
  observed: observed([person.id, person.name, person.city, people, person.isReading$, people.isReading$]),
});

describe('what is left of 200 requests', () => {
  it.each(Object.entries(requests))('is nothing after %s', (_name, request) => {
    const stage = new Stage();

    for (let count = 0; count < 200; count += 1) request(stage);
    stage.pass(10);

    expect(left(stage)).toStrictEqual({ listeners: 0, timers: 0, observed: 0 });
  });

  it('is seen while one is pending, and while there are subscribers', () => {
    const stage = new Stage();
    stage.send('fetch$');
    stage.person.isSaving$.subscribe();
    stage.person.name.subscribe(() => undefined);

    const { listeners, ...others } = left(stage);

    expect(listeners).toBeGreaterThan(0);
    // A lull and a time limit; a field and the states.
    expect(others).toStrictEqual({ timers: 2, observed: 2 });
  });
});

/** What happens to a record and a collection before they are dropped. */
const lives: Readonly<Record<string, (stage: Stage, person: Person, people: Collection<object>) => void>> = {
  'that sent nothing': () => undefined,
  'that were answered': ({ server, signal }, person, people) => {
    watch(person.save$({ signal }));
    watch(people.fetch$({ signal }));
    server.held.pop()?.ok([{ id: 1 }]);
    server.held.pop()?.ok({ name: 'Bo' });
  },
  'that were watched': (_stage, person, people) => {
    person.data$.subscribe();
    person.isSaving$.subscribe();
    people.where$({}).subscribe();
  },
  'that were disposed of during a request': (_stage, person, people) => {
    watch(person.save$());
    watch(people.fetch$());
    person.dispose();
    people.dispose();
  },
};

describe('100 records and 100 collections that are dropped without dispose', () => {
  it.each(Object.entries(lives))('are collected: those %s', async (_name, live) => {
    const stage = new Stage();
    const make = () => {
      const person = new Person(stage.root, {}, {});
      const people = stage.root.collection<object>({ url: '/people' });
      live(stage, person, people);
      stage.server.held.length = 0;
      return [person, people].map((object) => new WeakRef<object>(object));
    };

    const dropped = Array.from({ length: 100 }, make).flat();
    stage.pass(1000);

    expect(dropped).toHaveLength(200);
    expect(await survivors(dropped)).toBe(0);
    expect(left(stage).listeners).toBe(0);
  });
});

describe('what follows a list', () => {
  it('leaves nothing behind in it: pages, polls, feeds', () => {
    const { scheduler, server, root } = new Stage();
    const people = new PagedCollection<{ id: number }>({ url: '/people', next: () => ({ page: 2 }) }, root);
    const feed = new Subject<Change<{ id: number }>>();
    for (let count = 0; count < 100; count += 1) {
      const following = [
        people.page$.subscribe(),
        people.hasMore$.subscribe(),
        followChanges(people, feed, { version: ({ id }) => id }).subscribe(),
      ];
      people.more$().subscribe();
      people.more$().subscribe().unsubscribe();
      server.held.pop()?.ok([{ id: count }]);
      following.push(poll(people, { every: 5, scheduler }).subscribe());
      advance(scheduler, scheduler.now() + 5);
      feed.next({ kind: 'put', item: { id: count + 1000 } });
      for (const each of following) each.unsubscribe();
    }
    server.held.splice(0);

    expect(observed([people, people.isReading$])).toBe(0);
    expect(feed.observed).toBe(false);
    expect(scheduler.actions).toHaveLength(0);
  });
});

describe('100 items that have left a list', () => {
  it.each([
    ['data', (items: object[]) => createLib().collection({ data: items })],
    [
      'push',
      (items: object[]) => {
        const list = createLib().collection<object>();
        list.push(...items);
        return list;
      },
    ],
  ])('are collected: those added by %s', async (_, make) => {
    const use = () => {
      const items = Array.from({ length: 100 }, (_unused, id) => ({ id }));
      const list = make(items);
      list.subscribe().unsubscribe();
      list.removeAll();
      return { list, dropped: items.map((item) => new WeakRef(item)) };
    };

    const { list, dropped } = use();

    expect(await survivors(dropped)).toBe(0);
    expect(list.length).toBe(0);
  });
});

describe('100 items that were emitted as they left a list', () => {
  it('are collected after the next write, once there are no subscribers', async () => {
    const use = () => {
      const items = Array.from({ length: 100 }, (_unused, id) => ({ id }));
      const list = createLib().collection<object>(items);
      const subscription = list.delta$.subscribe();
      list.removeAll();
      subscription.unsubscribe();
      return { list, dropped: items.map((item) => new WeakRef(item)) };
    };
    const { list, dropped } = use();

    list.push({});

    expect(await survivors(dropped)).toBe(0);
    expect(list.length).toBe(1);
  });
});

describe('100 live records of a list that lives on', () => {
  it('are collected once nothing refers to them, and recreated on request', async () => {
    const stage = new Stage();
    const { people, server } = stage;
    people.replace(Array.from({ length: 100 }, (_, place) => ({ id: place + 1, name: 'Ann' })));
    const use = (id: number) => {
      const record = people.record(id);
      watch(record.save$());
      server.held.pop()?.ok({ name: 'Bo' });
      record.follow(NEVER).subscribe().unsubscribe();
      return new WeakRef(record);
    };

    const dropped = Array.from({ length: 100 }, (_, place) => use(place + 1));
    stage.pass(1000);

    expect(await survivors(dropped)).toBe(0);
    expect(people.record(1).get()).toStrictEqual({ id: 1, name: 'Bo' });
  });
});

describe('a live record', () => {
  type Named = ItemRecord<{ readonly id: number; readonly name: string }>;

  it.each<[string, (record: Named) => Observable<unknown>]>([
    ['data$', (record) => record.data$],
    ['changes$', (record) => record.changes$],
    ['isNew$', (record) => record.isNew$],
    ['isDirty$', (record) => record.isDirty$],
    ['isSaving$', (record) => record.isSaving$],
    ['error$', (record) => record.error$],
    ['conflicts$', (record) => record.conflicts$],
    ['a field', (record) => record.name],
    ['isDirty$ of a field', (record) => record.name.isDirty$],
    ['remote$ of a field', (record) => record.name.remote$],
    ['what it follows', (record) => record.follow(NEVER)],
  ])('is held by the subscription to %s', async (_name, stream$) => {
    const people = createLib().collection({ data: [{ id: 1, name: 'Ann' }] });
    const subscribe = (record: Named) =>
      [new WeakRef(record), stream$(record).subscribe(() => undefined)] as const;

    const [held, subscription] = subscribe(people.record(1));

    expect(await survivors([held])).toBe(1);

    subscription.unsubscribe();
  });
});

describe('a request that is answered again and again', () => {
  it('keeps only the latest answer', async () => {
    const root = createLib();
    const answers$ = new Subject<Response>();
    root.sync = () => answers$;
    const people = root.collection<{ id: number }>({ url: '/people' });
    watch(people.fetch$());
    const answer = (id: number) => {
      const response = Response.json([{ id }]);
      answers$.next(response);
      return new WeakRef(response);
    };
    const given = Array.from({ length: 100 }, (_, id) => answer(id));
    await expect.poll(() => people.value).toStrictEqual([{ id: 99 }]);

    expect(await survivors(given)).toBeLessThan(3);
  });
});

describe('a record', () => {
  it('does not keep what its last write has sent, nor its options', async () => {
    const server = new StubServer();
    const person = new Person(createLib({ transport: server.transport }), {}, {});
    const write = (method: 'save$' | 'destroy$') => {
      const [body, signal] = [new Uint8Array(1000), new AbortController().signal];
      watch(person[method]({ body, signal }));
      server.held.pop()?.ok();
      return [new WeakRef<object>(body), new WeakRef<object>(signal)];
    };

    for (const method of ['save$', 'destroy$'] as const) expect(await survivors(write(method))).toBe(0);
  });
});

describe('100 records that are saved while they are edited', () => {
  it('are dropped with their autosaves, which leave nothing that waits', async () => {
    const { scheduler, server, root } = new Stage();
    const made = Array.from({ length: 100 }, () => {
      const person = new Person(root, {}, {});
      const saving = autosave(person, { scheduler });
      saving.state$.subscribe();
      person.name.next('Bob');
      advance(scheduler, scheduler.now() + 500);
      server.held.pop()?.ok();
      void saving.flush();
      return [new WeakRef<object>(person), new WeakRef<object>(saving)];
    });

    expect(scheduler.actions).toHaveLength(0);
    expect(await survivors(made.flat())).toBeLessThan(3);
  });
});

describe('100 autosaves of one record, one after the other', () => {
  it('are dropped while that goes on', async () => {
    const { scheduler, root } = new Stage();
    const person = new Person(root, {}, {});
    const made = Array.from({ length: 100 }, () => {
      const saving = autosave(person, { scheduler });
      saving.state$.subscribe();
      saving.unsubscribe();
      return new WeakRef<object>(saving);
    });

    expect(await survivors(made)).toBeLessThan(3);
    expect(person.isDirty$.value).toBe(false);
  });
});

describe('a disposed live record', () => {
  it.each<[string, typeof Person | undefined]>([
    ['no model', undefined],
    ['a model', Person],
  ])('does not hold its collection, which has %s', async (_, model) => {
    const dispose = () => {
      const people = createLib().collection<{ id: number }, { id?: unknown } & DataModel>({
        data: [{ id: 1 }],
        model: model as never,
      });
      const record = people.record(1);
      record.dispose();
      return [record, new WeakRef(people)] as const;
    };

    const [record, people] = dispose();

    expect(await survivors([people])).toBe(0);
    expect(record.id).toBeDefined();
  });
});

describe('live records with edits', () => {
  interface Named {
    readonly id?: number;
    readonly name: string;
  }
  const edit = (record: ItemRecord<Named>) => {
    record.name.next('typed');
    return new WeakRef(record);
  };

  it('are kept until those are saved, discarded or disposed of, so that none is lost', async () => {
    const server = new StubServer();
    const people = createLib({ transport: server.transport }).collection<Named>({ url: '/people' });
    const ids = [1, 2, 3, 4];
    people.replace(ids.map((id) => ({ id, name: 'Ann' })));
    const edited = ids.map((id) => edit(people.record(id)));
    await survivors(edited);
    expect(ids.map((id) => people.record(id).name.value)).toStrictEqual(ids.map(() => 'typed'));

    const end = () => {
      watch(people.record(1).save$());
      server.held.pop()?.ok();
      people.record(2).reset();
      people.record(3).dispose();
      people.record(4).clean();
    };
    end();

    expect(await survivors(edited)).toBe(0);
  });

  it('are not kept while they are new: nothing else could request them', async () => {
    const people = createLib().collection<Named>();
    const draft = () => edit(people.record({ name: '' }));

    expect(await survivors([draft()])).toBe(0);
  });
});

describe('a live record that was collected', () => {
  it('does not affect the one that has replaced it since', async () => {
    const people = createLib().collection<{ id: number }>({ data: [{ id: 1 }] });
    const use = () => new WeakRef(people.record(1));
    expect(await survivors([use()])).toBe(0);

    const again = people.record(1);
    // The cleanup after a garbage collection runs in tasks of its own.
    for (let turn = 0; turn < 10; turn += 1) await new Promise(setImmediate);

    expect(people.record(1)).toBe(again);
  });
});

describe.each([
  ['a root', createLib],
  ['a root with etags', (options: LibOptions) => createLib(etags(options))],
])('%s', (_, make) => {
  it.each(['fetch', 'save', 'destroy', 'list', 'create'] as const)(
    'keeps neither the request nor the answer of a %s',
    async (kind) => {
      const kept: WeakRef<object>[] = [];
      const root = make({
        transport: (request) => {
          const data = kind === 'list' ? [{ id: 1 }] : { id: 7, name: 'Bo' };
          const response = Response.json(data, { headers: { etag: '"1"' } });
          kept.push(new WeakRef(response), new WeakRef(request));
          return of({ request, response, body: undefined });
        },
      });
      const person = new Person(root, {}, { id: 7 });
      const people = root.collection<object>({ url: '/people' });
      const send = { list: () => people.fetch(), create: () => people.create({}) };
      const use = async () => {
        const { ok } = await (kind === 'list' || kind === 'create' ? send[kind]() : person[kind]());
        expect(ok).toBe(true);
      };
      await use();

      expect(kept).toHaveLength(2);
      expect(await survivors(kept)).toBe(0);
      // They are still there.
      expect([person.isNew$.value, people.length]).toStrictEqual([
        kind === 'destroy',
        Number(kind === 'list' || kind === 'create'),
      ]);
    },
  );
});

describe('thousands of reads of one record', () => {
  it('leave little that only a full garbage collection frees', () => {
    const collect = collector();
    const response = new Response();
    const root = createLib({
      transport: (request) => of({ request, response, body: { name: String(Math.random()) } }),
    });
    const person = new Person(root, {}, { id: 7 });
    person.isReading$.subscribe();
    const read = (times: number) => {
      for (let count = 0; count < times; count += 1) person.fetch$().subscribe();
      collect({ type: 'minor' });
    };
    // What lives on is in the old generation by the end of this, as in an application.
    for (let round = 0; round < 10; round += 1) read(300);
    collect();

    const before = getHeapStatistics().used_heap_size;
    for (let round = 0; round < 10; round += 1) read(300);
    const left = (getHeapStatistics().used_heap_size - before) / 3000;

    expect(person.name.value).toMatch(/^0\./);
    // Bytes per read. With sets whose members came and went it was 1,600.
    expect(left).toBeLessThan(700);
  });
});

describe('what is told of items while one is created', () => {
  interface File {
    readonly id: string;
    readonly text?: string;
  }
  const long = (place: number) => Buffer.alloc(1e6, `${String(place)},`).toString();

  it.each<[string, (files: Collection<File>, server: StubServer) => void]>([
    [
      'ids by a read',
      (files, server) => {
        watch(files.fetch$());
        server.held.pop()?.ok(Array.from({ length: 50 }, (_, place) => ({ id: long(place) })));
      },
    ],
    [
      'changes by a feed',
      (files) => {
        const changes = Array.from({ length: 50 }, (_, place): Change<File> => {
          const item = { id: String(place), text: long(place) };
          return { kind: 'put', item };
        });
        followChanges(files, of(changes)).subscribe();
      },
    ],
  ])('is not kept once that has ended: %s', (_, tell) => {
    const collect = collector();
    const server = new StubServer();
    const files = createLib({ transport: server.transport }).collection<File>({ url: '/files' });
    const used = () => {
      collect();
      return getHeapStatistics().used_heap_size / 1e6;
    };
    const before = used();
    watch(files.create$({}));
    tell(files, server);
    files.replace([]);
    expect(used() - before).toBeGreaterThan(40);

    server.held.pop()?.refuse(409);

    expect(used() - before).toBeLessThan(10);
  });
});

describe('200 reads of 100 kB, one after the other', () => {
  let server: FaultServer;
  beforeAll(async () => {
    server = await startFaultServer();
  });
  afterAll(() => server.close());

  it('use two connections at most', async () => {
    const person = new Person(createLib(), { url: `${server.origin}/huge?mb=0.1` }, {});

    for (let count = 0; count < 200; count += 1) await person.fetch();

    expect(person.name.value).toHaveLength(Math.trunc(0.1 * 2 ** 20));
    expect(server.log).toHaveLength(200);
    expect(server.connections).toBeLessThanOrEqual(2);
  });
});

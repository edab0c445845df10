import { setImmediate } from 'node:timers/promises';

import {
  BehaviorSubject,
  Observable,
  Subject,
  VirtualTimeScheduler,
  firstValueFrom,
  map,
  of,
  retry,
  throwError,
} from 'rxjs';
import type { Subscriber, Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { Collection, RequestError, createLib, lib } from 'rivulet';
import type {
  CollectionConfig,
  Exchange,
  FetchOptions,
  FetchOptionsSource,
  Lib,
  LibOptions,
  Parse,
  Sync,
  Transport,
  UrlCallback,
  WireRequest,
} from 'rivulet';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('a collection', () => {
  it('is a BehaviorSubject of its items', () => {
    const letters = createLib().collection(['a']);

    expect([letters instanceof BehaviorSubject, letters instanceof Collection]).toStrictEqual([true, true]);
    expect(valuesOf(letters)).toStrictEqual([['a']]);
  });

  it('is empty without items', () => {
    expect(createLib().collection().value).toStrictEqual([]);
  });

  it('is iterable', () => {
    expect([...createLib().collection(['a', 'b'])]).toStrictEqual(['a', 'b']);
  });

  it('is written as its items by JSON.stringify', () => {
    expect(JSON.stringify(createLib().collection([{ id: 1 }]))).toBe('[{"id":1}]');
  });

  it.each<[string, (root: Lib, items: string[]) => Collection<string>]>([
    ['the array it is made of', (root, items) => root.collection(items)],
    ['its data', (root, items) => root.collection({ data: items })],
    ['the array it is replaced by', (root, items) => replaced(root.collection<string>(), items)],
    ['the array passed to next', (root, items) => nexted(root.collection<string>(), items)],
  ])('copies %s', (_name, make) => {
    const items = ['a'];
    const letters = make(createLib(), items);

    items.push('of the caller');
    letters.push('b');

    expect({ letters: letters.value, items }).toStrictEqual({
      letters: ['a', 'b'],
      items: ['a', 'of the caller'],
    });
  });

  it('takes a frozen array', () => {
    const letters = createLib().collection(Object.freeze(['b', 'a']));

    letters.sort();

    expect(letters.value).toStrictEqual(['a', 'b']);
  });

  it.each([[{}], ['text'], [5]])('throws for the data %o, which is no array', (data) => {
    expect(() => createLib().collection({ data: data as never })).toThrow(TypeError);
  });

  it('takes the default for an option that is undefined', () => {
    const { people, server } = setup({
      config: { data: undefined, parse: undefined, idAttribute: undefined },
    });
    watch(people.fetch$());

    server.at(0).ok([ann]);

    expect([people.value, people.byId(1)]).toStrictEqual([[ann], ann]);
  });

  it('tells every subscriber of re-entrant writes in order', () => {
    const letters = createLib().collection(['a']);
    letters.subscribe((all) => {
      if (all.length === 2) letters.push('c');
    });
    const late = valuesOf(letters);

    letters.push('b');

    expect(late).toStrictEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
  });

  it('lets methods be taken off it', () => {
    const { people, server } = setup();
    // Detached on purpose: that they work so is what is tested.
    // eslint-disable-next-line @typescript-eslint/unbound-method
    const { fetch, push, where } = people;

    push(ann);
    void fetch();

    expect([where({ id: 1 }), server.lines]).toStrictEqual([[ann], ['GET /people']]);
  });
});

describe('array methods', () => {
  type List = readonly number[];
  interface Arrays {
    push(...items: number[]): number;
    pop(): number | undefined;
    shift(): number | undefined;
    unshift(...items: number[]): number;
    splice(start: number, deleteCount?: number, ...items: number[]): number[];
    sort(compare?: (a: number, b: number) => number): List;
    reverse(): List;
  }
  const writes: [string, (list: Arrays) => unknown][] = [
    ['push(4)', (list) => list.push(4)],
    ['push(4, 5)', (list) => list.push(4, 5)],
    ['pop()', (list) => list.pop()],
    ['shift()', (list) => list.shift()],
    ['unshift(4)', (list) => list.unshift(4)],
    ['unshift(4, 5)', (list) => list.unshift(4, 5)],
    ['splice(1)', (list) => list.splice(1)],
    ['splice(0)', (list) => list.splice(0)],
    ['splice(-1)', (list) => list.splice(-1)],
    ['splice(1, 1)', (list) => list.splice(1, 1)],
    ['splice(1, 0, 4, 5)', (list) => list.splice(1, 0, 4, 5)],
    ['splice(1, 9, 4)', (list) => list.splice(1, 9, 4)],
    ['splice(1, undefined, 4)', (list) => list.splice(1, undefined, 4)],
    ['sort()', (list) => list.sort()],
    ['sort(descending)', (list) => list.sort((a, b) => b - a)],
    ['reverse()', (list) => list.reverse()],
  ];
  const items = [3, 1, 2];

  it.each(writes)('%s has the result and the effect it has on an array', (_name, write) => {
    const array = [...items];
    const numbers = createLib().collection(items);

    const result = write(numbers);

    expect({ result, value: numbers.value }).toStrictEqual({ result: write(array as Arrays), value: array });
  });

  it.each(writes)('%s emits once, a fresh array', (_name, write) => {
    const numbers = createLib().collection(items);
    const before = numbers.value;
    const seen = valuesOf(numbers);

    write(numbers);

    expect([seen.length, numbers.value === before]).toStrictEqual([2, false]);
    expect(seen[1]).toBe(numbers.value);
  });

  it.each(writes)("%s leaves the caller's array and what was emitted before as they were", (_name, write) => {
    const given = [...items];
    const numbers = createLib().collection(given);
    const [emitted] = valuesOf(numbers);

    write(numbers);

    expect([given, emitted]).toStrictEqual([items, items]);
  });

  it.each<['sort' | 'reverse']>([['sort'], ['reverse']])('%s returns the new array', (method) => {
    const numbers = createLib().collection(items);

    expect(numbers[method]()).toBe(numbers.value);
  });

  it.each<['pop' | 'shift']>([['pop'], ['shift']])('%s of an empty collection gives undefined', (method) => {
    const empty = createLib().collection<number>();

    expect([empty[method](), empty.value]).toStrictEqual([undefined, []]);
  });

  it.each<
    [string, (list: Pick<Collection<number>, 'indexOf' | 'at' | 'slice' | 'length'>) => unknown, unknown]
  >([
    ['indexOf(1)', (list) => list.indexOf(1), 1],
    ['indexOf(9)', (list) => list.indexOf(9), -1],
    ['indexOf(3, 1)', (list) => list.indexOf(3, 1), -1],
    ['at(0)', (list) => list.at(0), 3],
    ['at(-1)', (list) => list.at(-1), 2],
    ['at(9)', (list) => list.at(9), undefined],
    ['slice()', (list) => list.slice(), [3, 1, 2]],
    ['slice(1)', (list) => list.slice(1), [1, 2]],
    ['slice(-2, -1)', (list) => list.slice(-2, -1), [1]],
    ['length', (list) => list.length, 3],
  ])('%s reads without emitting', (_name, read, expected) => {
    const numbers = createLib().collection(items);
    const seen = valuesOf(numbers);

    expect([read(numbers), seen.length]).toStrictEqual([expected, 1]);
  });

  it.each<['slice' | 'toJSON']>([['slice'], ['toJSON']])('%s gives an array of the caller', (method) => {
    const numbers = createLib().collection(items);

    numbers[method]().push(9);

    expect(numbers.value).toStrictEqual(items);
  });

  it('remove of a value gives what it removed and emits once', () => {
    const numbers = createLib().collection([1, 2, 1]);
    const seen = valuesOf(numbers);

    expect(numbers.remove(1)).toStrictEqual([1, 1]);
    expect(seen).toStrictEqual([[1, 2, 1], [2]]);
  });

  it('remove of a predicate gives what it removed and emits once', () => {
    const numbers = createLib().collection([1, 2, 3]);
    const seen = valuesOf(numbers);

    expect(numbers.remove((number) => number > 1)).toStrictEqual([2, 3]);
    expect(seen).toStrictEqual([[1, 2, 3], [1]]);
  });

  it('remove goes by identity, not by content', () => {
    const people = createLib().collection([ann]);

    expect([people.remove({ ...ann }), people.value]).toStrictEqual([[], [ann]]);
  });

  it('remove of what is not there emits nothing', () => {
    const numbers = createLib().collection([1]);
    const seen = valuesOf(numbers);

    expect([numbers.remove(9), numbers.remove(() => false), seen.length]).toStrictEqual([[], [], 1]);
  });

  it('removeAll gives all items and emits once', () => {
    const numbers = createLib().collection([1, 2]);
    const seen = valuesOf(numbers);

    expect(numbers.removeAll()).toStrictEqual([1, 2]);
    expect(seen).toStrictEqual([[1, 2], []]);
  });

  it('removeAll of a list gives those of it that were there and emits once', () => {
    const numbers = createLib().collection([1, 2, 3]);
    const seen = valuesOf(numbers);

    expect(numbers.removeAll([1, 3, 9])).toStrictEqual([1, 3]);
    expect(seen).toStrictEqual([[1, 2, 3], [2]]);
  });

  it('replace puts other items in place of all and emits once', () => {
    const numbers = createLib().collection([1, 2]);
    const seen = valuesOf(numbers);

    numbers.replace([3]);

    expect(seen).toStrictEqual([[1, 2], [3]]);
  });
});

describe('fetch', () => {
  it("gives exactly the server's items in the server's order, with one emission", () => {
    const { people, server } = setup({ config: { data: [ann, bo] } });
    const seen = valuesOf(people);
    watch(people.fetch$());

    server.at(0).ok([eve, ann]);

    expect(seen).toStrictEqual([
      [ann, bo],
      [eve, ann],
    ]);
  });

  it('replaces what was pushed meanwhile', () => {
    const { people, server } = setup();
    watch(people.fetch$());

    people.push(bo);
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([ann]);
  });

  it('resolves with the response, whose body the caller can read', async () => {
    const { people, server } = setup();

    const done = people.fetch();
    server.at(0).respond(Response.json([ann]));

    expect([await (await done).json(), people.value]).toStrictEqual([[ann], [ann]]);
  });

  it('emits the response once, after the items, then completes; then the flag has fallen', () => {
    const { people, server } = setup();
    const log: string[] = [];
    people.isReading$.subscribe((is) => log.push(`isReading ${String(is)}`));
    people.fetch$().subscribe({
      next: ({ status }) => log.push(`${String(status)} with ${String(people.length)} item`),
      complete: () => log.push('completion'),
    });

    server.at(0).ok([ann]);

    expect(log).toStrictEqual([
      'isReading false',
      'isReading true',
      '200 with 1 item',
      'isReading false',
      'completion',
    ]);
  });

  it.each<[string, (held: Held) => void]>([
    [
      'refused',
      (held) => {
        held.refuse(500);
      },
    ],
    [
      'failed',
      (held) => {
        held.fail(new TypeError('network'));
      },
    ],
    [
      'without data',
      (held) => {
        held.ok();
      },
    ],
    [
      'of a wrong shape',
      (held) => {
        held.ok({ items: [bo] });
      },
    ],
  ])('that is %s leaves the items alone and emits nothing', (_name, end) => {
    const { people, server } = setup({ config: { data: [ann] } });
    const before = people.value;
    const seen = valuesOf(people);
    watch(people.fetch$());

    end(server.at(0));

    expect(seen).toHaveLength(1);
    expect(people.value).toBe(before);
  });

  it.each([[{}], [{ length: 1 }], ['text'], [5], [true], [null]])(
    'answered with %o rejects with SHAPE and mentions parse',
    async (data) => {
      const { people, server } = setup();

      const done = people.fetch();
      server.at(0).respond(Response.json(data));

      await expect(done).rejects.toMatchObject({
        name: 'RequestError',
        code: 'SHAPE',
        action: 'read',
        message: expect.stringContaining('parse') as string,
      });
      expect(people.error$.value).toMatchObject({ code: 'SHAPE' });
    },
  );

  it.each([[undefined], [{ items: [] }]])('whose parse gives %o rejects with SHAPE', (data) => {
    const { people, server } = setup({ config: { parse: () => data } });
    const { subscription, ...fetched } = watch(people.fetch$());
    const errors = valuesOf(people.error$);

    server.at(0).ok([ann]);

    expect(subscription.closed).toBe(true);
    expect(fetched.responses).toStrictEqual([]);
    expect(errors.at(-1)).toMatchObject({ code: 'SHAPE' });
  });

  it.each([['text/html'], ['application/json']])(
    'answered with %s that is not JSON rejects with PARSE',
    async (type) => {
      const { people, server } = setup();

      const done = people.fetch();
      server.at(0).respond(new Response('<html>', { headers: { 'content-type': type } }));

      await expect(done).rejects.toMatchObject({ code: 'PARSE', action: 'read' });
    },
  );

  it('keeps the reference of an item that is equal to the one with its id', () => {
    const { people, server } = setup({ config: { data: [ann, bo] } });
    watch(people.fetch$());

    server.at(0).ok([{ id: 2, name: 'Bo', tags: { x: [1] } }, { ...ann }]);

    expect([people.at(0) === bo, people.at(1) === ann]).toStrictEqual([true, true]);
  });

  it('replaces an item that differs from the one with its id', () => {
    const { people, server } = setup({ config: { data: [ann, bo] } });
    watch(people.fetch$());

    server.at(0).ok([
      { ...ann, name: 'Anna' },
      { ...bo, tags: { x: [2] } },
    ]);

    expect(people.value).toStrictEqual([
      { id: 1, name: 'Anna' },
      { id: 2, name: 'Bo', tags: { x: [2] } },
    ]);
  });

  it('goes by the id that idAttribute names, at any depth', () => {
    const items = [
      { key: { no: 1 }, name: 'one' },
      { key: { no: 2 }, name: 'two' },
    ] as const;
    const { root, server } = setup();
    const things = root.collection<{ key: { no: number }; name: string }>({
      url: '/things',
      idAttribute: 'key.no',
      data: items,
    });
    watch(things.fetch$());

    server.at(0).ok([...items].reverse().map((item) => ({ key: { ...item.key }, name: item.name })));

    expect([things.at(0) === items[1], things.at(1) === items[0]]).toStrictEqual([true, true]);
  });

  it('passes the data through parse, with the action and the collection as this', () => {
    const parse = vi.fn<Parse>((response) => (response as { items: unknown }).items);
    const { people, server } = setup({ config: { parse } });
    watch(people.fetch$());

    server.at(0).ok({ items: [ann] });

    expect([parse.mock.calls, people.value]).toStrictEqual([[[{ items: [ann] }, 'read']], [ann]]);
    expect(parse.mock.contexts[0]).toBe(people);
  });

  it('waits for a promise that parse returns', async () => {
    const { people, server } = setup({ config: { parse: () => Promise.resolve([ann]) } });

    const done = people.fetch();
    server.at(0).ok({});
    await done;

    expect(people.value).toStrictEqual([ann]);
  });

  it('rejects with what parse throws', () => {
    const failure = new Error('parse');
    const { people, server } = setup({ config: { parse: () => raise(failure) } });
    const fetched = watch(people.fetch$());

    server.at(0).ok([ann]);

    expect(fetched.error).toBe(failure);
    expect([people.value, people.isReading$.value]).toStrictEqual([[], false]);
  });

  it('does not parse a refused or empty answer', () => {
    const parse = vi.fn<Parse>((response) => response);
    const { people, server } = setup({ config: { parse } });
    watch(people.fetch$());
    watch(people.fetch$());

    server.at(0).refuse(500, { items: [] });
    server.at(1).ok();

    expect(parse).not.toHaveBeenCalled();
  });

  it('ignores an event passed as its options', () => {
    const { root, people } = setup();
    const sync = vi.fn<Sync>(() => undefined);
    root.sync = sync;

    void people.fetch(Object.assign(new Event('submit'), { cache: 'of the event', attrs: 1 }));

    expect(sync.mock.calls.map(([, , options]) => Object.keys(options))).toStrictEqual([['signal']]);
  });
});

describe('url', () => {
  it.each<[title: string, url: CollectionConfig<Item>['url'], line: string]>([
    ['a path', '/people', 'GET /people'],
    ['a path with a query', '/people?x=1#f', 'GET /people?x=1#f'],
    ['a path that ends in a slash', '/people/', 'GET /people/'],
    ['a method word', 'POST /people', 'POST /people'],
    ['a method word in lower case', 'search /people', 'SEARCH /people'],
    ['a URL', new URL('http://a.test:8080/people'), 'GET http://a.test:8080/people'],
    ['a callback', () => '/people', 'GET /people'],
    ['a callback with a method word', () => 'POST /people', 'POST /people'],
    ['an object', { read: '/all', create: '/new' }, 'GET /all'],
    ['an object with a callback', { read: () => 'POST /all' }, 'POST /all'],
    ['a callback that gives an object', () => ({ read: '/all' }), 'GET /all'],
    ['a colon, which is no parameter here', '/people/:kind', 'GET /people/:kind'],
  ])('may be %s', (_title, url, line) => {
    const { people, server } = setup({ config: { url } });

    watch(people.fetch$());

    expect(server.lines).toStrictEqual([line]);
  });

  it("callback receives the caller's options and the action, with the collection as this", () => {
    const url = vi.fn<UrlCallback>(() => '/people');
    const { people } = setup({ config: { url } });
    const options = { cache: 'no-store' } as const;

    watch(people.fetch$(options));
    watch(people.create$(ann));

    expect(url.mock.calls[0]).toStrictEqual([options, 'read']);
    expect(url.mock.calls[1]?.[1]).toBe('create');
    expect(url.mock.contexts).toStrictEqual([people, people]);
  });

  it.each([[undefined], [null], [''], [' '], [() => null], [{ create: '/new' }]])(
    '%o rejects with NO_URL',
    (url) => {
      const { people, server } = setup({ config: { url: url as string } });

      const { error } = watch(people.fetch$());

      expect({ error, sent: server.sent }).toMatchObject({
        error: { code: 'NO_URL', action: 'read' },
        sent: [],
      });
    },
  );
});

describe('options', () => {
  it('of the call override those of the configuration, and those the global ones', () => {
    const { people, server } = setup({
      options: { fetchOptions: { headers: { a: 'global', b: 'global', c: 'global' } } },
      config: { fetchOptions: { headers: { a: 'configuration', b: 'configuration' } } },
    });

    watch(people.fetch$({ headers: { a: 'call' } }));

    expect([...server.at(0).request.headers]).toStrictEqual([
      ['a', 'call'],
      ['b', 'configuration'],
      ['c', 'global'],
    ]);
  });

  it('callback receives the action, the collection and the options, with the collection as this', () => {
    const fetchOptions = vi.fn<Exclude<FetchOptionsSource, FetchOptions>>(() => undefined);
    const { people } = setup({ config: { fetchOptions } });
    const options = { cache: 'no-store' } as const;

    watch(people.fetch$(options));

    const [[action, concern, given] = []] = fetchOptions.mock.calls;
    expect({ action, given }).toStrictEqual({ action: 'read', given: options });
    expect([concern === people, fetchOptions.mock.contexts[0] === people]).toStrictEqual([true, true]);
  });

  it('reach the default lib', () => {
    const { options } = lib;
    const { server } = setup();
    lib.options = { transport: server.transport };
    try {
      watch(lib.collection({ url: '/people' }).fetch$());
    } finally {
      lib.options = options;
    }

    expect(server.lines).toStrictEqual(['GET /people']);
  });

  it('with a timeout fail a request that takes longer', () => {
    const scheduler = new VirtualTimeScheduler();
    const { people, server } = setup({ options: { scheduler }, config: { timeout: 100 } });
    const fetched = watch(people.fetch$());

    advance(scheduler, 99);
    const before = fetched.error;
    advance(scheduler, 100);

    expect([before, (fetched.error as Error | undefined)?.name]).toStrictEqual([undefined, 'TimeoutError']);
    expect([server.at(0).request.signal.aborted, people.isReading$.value]).toStrictEqual([true, false]);
  });

  it('with a signal reject with its reason, and leave error$ as it was', () => {
    const { people, server } = setup();
    const controller = new AbortController();
    const reason = { any: 'thing' };
    const fetched = watch(people.fetch$({ signal: controller.signal }));

    controller.abort(reason);

    expect(fetched.error).toBe(reason);
    expect([server.at(0).request.signal.aborted, people.error$.value]).toStrictEqual([true, null]);
  });
});

describe('overlapping reads', () => {
  it('end on the newest issued, also if it is answered first', () => {
    const { people, server } = setup();
    const older = watch(people.fetch$());
    watch(people.fetch$());

    server.at(1).ok([bo]);
    server.at(0).ok([ann]);

    expect([people.value, older.responses.length]).toStrictEqual([[bo], 1]);
  });

  it('show an older answer that comes while the newer is open', () => {
    const { people, server } = setup();
    const seen = valuesOf(people);
    watch(people.fetch$());
    watch(people.fetch$());

    server.at(0).ok([ann]);
    server.at(1).ok([bo]);

    expect(seen).toStrictEqual([[], [ann], [bo]]);
  });

  it.each<[string, (held: Held, newer: Watched) => void]>([
    [
      'fails',
      (held) => {
        held.fail(new Error('network'));
      },
    ],
    [
      'is refused',
      (held) => {
        held.refuse(500);
      },
    ],
    [
      'has a wrong shape',
      (held) => {
        held.ok({});
      },
    ],
    [
      'is unsubscribed',
      (_held, newer) => {
        newer.subscription.unsubscribe();
      },
    ],
  ])('write the older if the newer %s', (_name, end) => {
    const { people, server } = setup();
    watch(people.fetch$());
    const newer = watch(people.fetch$());

    end(server.at(1), newer);
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([ann]);
  });

  it('drop the older after a newer without data', () => {
    const { people, server } = setup();
    watch(people.fetch$());
    watch(people.fetch$());

    server.at(1).ok();
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([]);
  });

  it('keep isReading$ up until the last has ended', () => {
    const { people, server } = setup();
    const flips = valuesOf(people.isReading$);
    watch(people.fetch$());
    watch(people.fetch$());

    server.at(1).ok([]);
    const between = people.isReading$.value;
    server.at(0).ok([]);

    expect({ between, flips }).toStrictEqual({ between: true, flips: [false, true, false] });
  });
});

describe('create', () => {
  it('sends POST <url> with the item as JSON', () => {
    const { people, server } = setup();

    watch(people.create$(ann));

    expect([server.sent, server.at(0).request.headers.get('content-type')]).toStrictEqual([
      [{ method: 'POST', url: '/people', body: ann }],
      'application/json',
    ]);
  });

  it('adds what the server answered, with one emission', () => {
    const { people, server } = setup({ config: { data: [ann] } });
    const seen = valuesOf(people);
    watch(people.create$({ name: 'Eve' }));

    server.at(0).ok(eve);

    expect(seen).toStrictEqual([[ann], [ann, eve]]);
  });

  it('adds the item itself if the server answered nothing', () => {
    const { people, server } = setup();
    watch(people.create$(ann));

    server.at(0).ok();

    expect(people.at(0)).toBe(ann);
  });

  it('passes the answer through parse with the action create', () => {
    const parse = vi.fn<Parse>((response) => (response as { item: unknown }).item);
    const { people, server } = setup({ config: { parse } });
    watch(people.create$(ann));

    server.at(0).ok({ item: eve });

    expect([parse.mock.calls, people.value]).toStrictEqual([[[{ item: eve }, 'create']], [eve]]);
  });

  it.each<[string, (held: Held) => void]>([
    [
      'is refused',
      (held) => {
        held.refuse(422, eve);
      },
    ],
    [
      'fails',
      (held) => {
        held.fail(new TypeError('network'));
      },
    ],
  ])('adds nothing if it %s', (_name, end) => {
    const { people, server } = setup({ config: { data: [ann] } });
    const seen = valuesOf(people);
    watch(people.create$(bo));

    end(server.at(0));

    expect(seen).toStrictEqual([[ann]]);
  });

  it('resolves with the response after the item was added', async () => {
    const { people, server } = setup();

    const done = people.create(ann);
    server.at(0).respond(Response.json(eve, { status: 201 }));

    expect([(await done).status, people.value]).toStrictEqual([201, [eve]]);
  });

  it('sends nothing before its stream is subscribed, and anew for each subscription', () => {
    const { people, server } = setup();
    const create$ = people.create$(ann);
    const before = server.lines;

    watch(create$);
    watch(create$);

    expect([before, server.lines]).toStrictEqual([[], ['POST /people', 'POST /people']]);
  });

  it('takes options', () => {
    const { people, server } = setup();

    watch(people.create$(ann, { method: 'put', headers: { 'x-a': '1' } }));

    expect([server.lines, server.at(0).request.headers.get('x-a')]).toStrictEqual([['PUT /people'], '1']);
  });

  it('unsubscribed aborts the request and adds nothing', () => {
    const { people, server } = setup();

    watch(people.create$(ann)).subscription.unsubscribe();
    server.at(0).ok(ann);

    expect([server.at(0).request.signal.aborted, people.value, people.isCreating$.value]).toStrictEqual([
      true,
      [],
      false,
    ]);
  });

  it('rejects an item that JSON cannot carry with SERIALIZE, and sends nothing', () => {
    const { root, server } = setup();
    const numbers = root.collection<bigint>({ url: '/numbers' });

    const { error } = watch(numbers.create$(1n));

    expect({ error, sent: server.sent }).toMatchObject({
      error: { code: 'SERIALIZE', action: 'create' },
      sent: [],
    });
  });
});

describe('flags', () => {
  it('tell reading', () => {
    const { people, server } = setup();
    const read = () => [people.isReading$.value, people.isCreating$.value, people.requestInProgress$.value];

    watch(people.fetch$());
    const during = read();
    server.at(0).ok([]);

    expect([during, read()]).toStrictEqual([
      [true, false, true],
      [false, false, false],
    ]);
  });

  it('tell creating', () => {
    const { people, server } = setup();
    const read = () => [people.isReading$.value, people.isCreating$.value, people.requestInProgress$.value];

    watch(people.create$(ann));
    const during = read();
    server.at(0).ok();

    expect([during, read()]).toStrictEqual([
      [false, true, true],
      [false, false, false],
    ]);
  });

  it('isReading is the same object as isReading$', () => {
    const { people } = setup();

    expect(people.isReading).toBe(people.isReading$);
  });

  it.each<[string, (held: Held, fetched: Watched) => void]>([
    [
      'refusal',
      (held) => {
        held.refuse(500);
      },
    ],
    [
      'failure',
      (held) => {
        held.fail(new Error('network'));
      },
    ],
    [
      'wrong shape',
      (held) => {
        held.ok({});
      },
    ],
    [
      'unsubscription',
      (_held, fetched) => {
        fetched.subscription.unsubscribe();
      },
    ],
  ])('fall after a %s', (_name, end) => {
    const { people, server } = setup();
    const flips = valuesOf(people.isReading$);
    const fetched = watch(people.fetch$());

    end(server.at(0), fetched);

    expect(flips).toStrictEqual([false, true, false]);
  });

  it('cannot be written from outside', () => {
    const { people } = setup();

    expect(['next' in people.isReading$, 'next' in people.error$]).toStrictEqual([false, false]);
  });
});

describe('requestLull', () => {
  const lulled = (requestLull: CollectionConfig<Item>['requestLull']) => {
    const scheduler = new VirtualTimeScheduler();
    return { ...setup({ options: { scheduler }, config: { requestLull } }), scheduler };
  };

  it('holds the flag, not the data', () => {
    const { people, server, scheduler } = lulled(500);
    const fetched = watch(people.fetch$());
    server.at(0).ok([ann]);

    advance(scheduler, 499);
    const before = people.isReading$.value;
    advance(scheduler, 500);

    expect([before, people.isReading$.value, people.value, fetched.isComplete]).toStrictEqual([
      true,
      false,
      [ann],
      true,
    ]);
  });

  it('of overlapping requests ends when all have ended and every lull is over', () => {
    const { people, server, scheduler } = lulled(500);
    watch(people.fetch$());
    advance(scheduler, 300);
    watch(people.fetch$());
    server.at(0).ok([]);
    server.at(1).ok([]);

    advance(scheduler, 799);
    const before = people.isReading$.value;
    advance(scheduler, 800);

    expect([before, people.isReading$.value]).toStrictEqual([true, false]);
  });

  it('adds nothing to a request that takes longer', () => {
    const { people, server, scheduler } = lulled(500);
    watch(people.fetch$());

    advance(scheduler, 501);
    const during = people.isReading$.value;
    server.at(0).ok([]);

    expect([during, people.isReading$.value]).toStrictEqual([true, false]);
  });

  it('callback receives the action, with the collection as this, anew for each request', () => {
    const requestLull = vi.fn(() => 0);
    const { people } = lulled(requestLull);

    watch(people.fetch$());
    watch(people.create$(ann));

    expect(requestLull.mock.calls).toStrictEqual([['read'], ['create']]);
    expect(requestLull.mock.contexts).toStrictEqual([people, people]);
  });

  it('keeps at most one timer per flag', () => {
    const { people, server, scheduler } = lulled(500);

    for (let turn = 0; turn < 5; turn += 1) {
      watch(people.fetch$());
      server.at(turn).ok([]);
    }

    expect(scheduler.actions).toHaveLength(1);
  });

  it('lowers the flag in marble time, the data long there', () => {
    const scheduler = new TestScheduler((actual, expected) => {
      expect(actual).toStrictEqual(expected);
    });
    scheduler.run(({ cold, expectObservable }) => {
      const answer = { request: undefined as never, response: Response.json([ann]), body: [ann] };
      const transport = () => cold<Exchange>('-----(a|)', { a: answer });
      const { people } = setup({ options: { scheduler, transport }, config: { requestLull: 20 } });

      expectObservable(people.isReading$).toBe('(ft) 16ms f', { t: true, f: false });
      expectObservable(people.pipe(map(({ length }) => length))).toBe('n----m', { n: 0, m: 1 });
      expectObservable(people.fetch$().pipe(map(({ status }) => status))).toBe('-----(r|)', { r: 200 });
    });
  });
});

describe('delta$', () => {
  const deltasOf = (write: (people: Collection<Item>) => void, data: readonly Item[] = [ann, bo]) => {
    const { people } = setup({ config: { data } });
    const deltas = valuesOf(people.delta$);
    write(people);
    return deltas;
  };

  it('tells nothing at subscription', () => {
    expect(deltasOf(() => undefined)).toStrictEqual([]);
  });

  it.each<[string, (people: Collection<Item>) => void, unknown]>([
    ['what is pushed', (people) => people.push(eve), { added: [eve], changed: [], removed: [] }],
    ['what is put in front', (people) => people.unshift(eve), { added: [eve], changed: [], removed: [] }],
    ['what is removed', (people) => people.remove(ann), { added: [], changed: [], removed: [ann] }],
    ['all that is removed', (people) => people.removeAll(), { added: [], changed: [], removed: [ann, bo] }],
    [
      'what changes in its place',
      (people) => people.splice(0, 1, { ...ann, name: 'Anna' }),
      { added: [], changed: [[ann, { ...ann, name: 'Anna' }]], removed: [] },
    ],
    [
      'what changes and moves',
      (people) => {
        people.replace([bo, { ...ann, name: 'Anna' }]);
      },
      { added: [], changed: [[ann, { ...ann, name: 'Anna' }]], removed: [] },
    ],
    [
      'all three kinds at once',
      (people) => {
        people.replace([eve, { ...bo, name: 'Bob' }]);
      },
      { added: [eve], changed: [[bo, { ...bo, name: 'Bob' }]], removed: [ann] },
    ],
  ])('tells %s', (_name, write, delta) => {
    expect(deltasOf(write)).toStrictEqual([delta]);
  });

  it.each<[string, (people: Collection<Item>) => void]>([
    [
      'a sort',
      (people) => {
        people.sort((a, b) => (b.id ?? 0) - (a.id ?? 0));
      },
    ],
    [
      'a reversal',
      (people) => {
        people.reverse();
      },
    ],
    [
      'equal items',
      (people) => {
        people.replace([{ ...ann }, { ...bo, tags: { x: [1] } }]);
      },
    ],
    [
      'the same items',
      (people) => {
        people.replace(people.value);
      },
    ],
    [
      'no items pushed',
      (people) => {
        people.push();
      },
    ],
  ])('tells nothing of %s', (_name, write) => {
    expect(deltasOf(write)).toStrictEqual([]);
  });

  it('tells what a fetch really changed', () => {
    const { people, server } = setup({ config: { data: [ann, bo] } });
    const deltas = valuesOf(people.delta$);
    watch(people.fetch$());

    server.at(0).ok([{ ...bo }, { ...ann, name: 'Anna' }, eve]);

    expect(deltas).toStrictEqual([{ added: [eve], changed: [[ann, { ...ann, name: 'Anna' }]], removed: [] }]);
  });

  it('tells nothing of a fetch that changes nothing', () => {
    const { people, server } = setup({ config: { data: [ann, bo] } });
    const deltas = valuesOf(people.delta$);
    watch(people.fetch$());

    server.at(0).ok([{ ...ann }, { ...bo }]);

    expect(deltas).toStrictEqual([]);
  });

  it('tells what a create adds', () => {
    const { people, server } = setup({ config: { data: [ann] } });
    const deltas = valuesOf(people.delta$);
    watch(people.create$(bo));

    server.at(0).ok(bo);

    expect(deltas).toStrictEqual([{ added: [bo], changed: [], removed: [] }]);
  });

  it('goes by the items themselves where they have no id', () => {
    const letters = createLib().collection(['a', 'b']);
    const deltas = valuesOf(letters.delta$);

    letters.replace(['b', 'c']);

    expect(deltas).toStrictEqual([{ added: ['c'], changed: [], removed: ['a'] }]);
  });

  it('counts items that occur several times', () => {
    const letters = createLib().collection(['a', 'a', 'b']);
    const deltas = valuesOf(letters.delta$);

    letters.replace(['a', 'b', 'b']);

    expect(deltas).toStrictEqual([{ added: ['b'], changed: [], removed: ['a'] }]);
  });

  it('tells each subscriber', () => {
    const { people } = setup();
    const [one, two] = [valuesOf(people.delta$), valuesOf(people.delta$)];

    people.push(ann);

    expect([one, two]).toStrictEqual([
      [{ added: [ann], changed: [], removed: [] }],
      [{ added: [ann], changed: [], removed: [] }],
    ]);
  });
});

describe('where', () => {
  const day = new Date('2020-01-02');
  const cases: [title: string, criteria: unknown, item: unknown, matches: boolean][] = [
    ['an equal text', { a: 'x' }, { a: 'x' }, true],
    ['another text', { a: 'x' }, { a: 'xy' }, false],
    ['every key', { a: 1, b: 2 }, { a: 1, b: 2, c: 3 }, true],
    ['one key of two', { a: 1, b: 2 }, { a: 1, b: 3 }, false],
    ['a missing key', { a: 1 }, { b: 1 }, false],
    ['a nested object in part', { a: { b: 1 } }, { a: { b: 1, c: 2 } }, true],
    ['another nested object', { a: { b: 1 } }, { a: { b: 2 } }, false],
    ['a nested object that is null', { a: { b: 1 } }, { a: null }, false],
    ['a nested object that is a text', { a: { length: 1 } }, { a: 'x' }, false],
    ['a nested empty object', { a: {} }, { a: { b: 1 } }, true],
    ['a nested empty object and a number', { a: {} }, { a: 1 }, false],
    ['{} and an object', {}, { a: 1 }, true],
    ['{} and an empty object', {}, {}, true],
    ['{} and null', {}, null, false],
    ['{} and undefined', {}, undefined, false],
    ['{} and a text', {}, 'x', false],
    ['{} and a number', {}, 1, false],
    ['0', { a: 0 }, { a: 0 }, true],
    ['0 and false', { a: 0 }, { a: false }, false],
    ['0 and a missing key', { a: 0 }, {}, false],
    ['false', { a: false }, { a: false }, true],
    ['an empty text', { a: '' }, { a: '' }, true],
    ['an empty text and 0', { a: '' }, { a: 0 }, false],
    ['null', { a: null }, { a: null }, true],
    ['null and a missing key', { a: null }, {}, false],
    ['NaN', { a: Number.NaN }, { a: Number.NaN }, true],
    ['a number and its text', { a: 1 }, { a: '1' }, false],
    ['a RegExp and a text', { a: /^x/ }, { a: 'xy' }, true],
    ['a RegExp and another text', { a: /^x/ }, { a: 'yx' }, false],
    ['a RegExp and an empty text', { a: /^$/ }, { a: '' }, true],
    ['a RegExp and a number', { a: /^12/ }, { a: 123 }, true],
    ['a RegExp and another number', { a: /^2/ }, { a: 123 }, false],
    ['a RegExp and 0', { a: /0/ }, { a: 0 }, true],
    ['a RegExp and null', { a: /null/ }, { a: null }, false],
    ['a RegExp and a missing key', { a: /undefined/ }, {}, false],
    ['a RegExp and an object', { a: /object/ }, { a: {} }, false],
    ['a RegExp and an array', { a: /x/ }, { a: ['x'] }, false],
    ['a RegExp and a boolean', { a: /true/ }, { a: true }, false],
    ['a nested RegExp', { a: { b: /x/ } }, { a: { b: 'x' } }, true],
    ['an equal date', { a: day }, { a: new Date(day) }, true],
    ['another date', { a: day }, { a: new Date(0) }, false],
    ['a date and its text', { a: day }, { a: day.toISOString() }, false],
    ['a date and its time', { a: day }, { a: day.getTime() }, false],
    ['an equal array', { a: [1, 2] }, { a: [1, 2] }, true],
    ['a longer array', { a: [1] }, { a: [1, 2] }, false],
    ['a shorter array', { a: [1, 2] }, { a: [1] }, false],
    ['an array in another order', { a: [1, 2] }, { a: [2, 1] }, false],
    ['an empty array', { a: [] }, { a: [] }, true],
    ['an empty array and one that is not', { a: [] }, { a: [1] }, false],
    ['an empty array and an object', { a: [] }, { a: {} }, false],
    ['an array and an object like it', { a: [1] }, { a: { 0: 1, length: 1 } }, false],
    ['an array of objects, item by item', { a: [{ b: 1 }] }, { a: [{ b: 1, c: 2 }] }, true],
    ['an array of RegExps', { a: [/x/] }, { a: ['xy'] }, true],
    ['an inherited key', { constructor: Object }, {}, false],
    ['a key behind __proto__', JSON.parse('{"__proto__":{}}'), {}, false],
    ['a text item', 'x', 'x', true],
    ['another text item', 'x', 'y', false],
    ['a number item', 1, 1, true],
    ['a RegExp and a text item', /x/, 'xy', true],
    ['undefined and an object', undefined, { a: 1 }, false],
    ['undefined and undefined', undefined, undefined, false],
    ['null and an object', null, { a: 1 }, false],
  ];

  it.each(cases)('%s: %o and %o', (_title, criteria, item, matches) => {
    const items = createLib().collection([item]);

    expect(items.where(criteria as never)).toStrictEqual(matches ? [item] : []);
  });

  it.each([[/a/g], [/a/y], [/a/gy]])('takes %s without its state', (pattern) => {
    const items = createLib().collection([{ t: 'a' }, { t: 'a' }, { t: 'a' }]);
    pattern.lastIndex = 1;

    expect([items.where({ t: pattern }).length, items.where({ t: pattern }).length]).toStrictEqual([3, 3]);
  });

  it.each<[string, () => unknown]>([
    [
      'a getter that throws',
      () => ({
        get name(): never {
          return raise(new Error('getter'));
        },
      }),
    ],
    [
      'a proxy that throws',
      () => new Proxy({}, { getOwnPropertyDescriptor: () => raise(new Error('proxy')) }),
    ],
    ['a revoked proxy', () => revoked()],
    ['an object without a prototype', () => Object.create(null) as unknown],
    ['a cycle', () => cycle()],
    ['null', () => null],
    ['undefined', () => undefined],
    ['a symbol', () => Symbol('name')],
    ['a function', () => () => 'name'],
  ])('neither throws for nor finds %s', (_name, make) => {
    const items = createLib().collection<unknown>([make(), { name: 'Ann' }]);

    expect(items.where({ name: 'Ann' } as never)).toStrictEqual([{ name: 'Ann' }]);
  });

  it('does not throw for criteria that contain themselves', () => {
    const items = createLib().collection<unknown>([cycle()]);

    expect(() => items.where(cycle() as never)).not.toThrow();
  });

  it('gives the items themselves in their order, in a new array', () => {
    const people = createLib().collection<Item>([bo, ann, eve]);

    const found = people.where({ name: /^[AB]/ });

    expect([found.length, found[0] === bo, found[1] === ann]).toStrictEqual([2, true, true]);
    found.pop();
    expect(people.where({ name: /^[AB]/ })).toHaveLength(2);
  });

  it('takes a predicate', () => {
    const people = createLib().collection<Item>([ann, bo]);

    expect(people.where(({ name }) => name === 'Bo')).toStrictEqual([bo]);
  });

  it('takes a comparator, called with the criteria and each item', () => {
    const people = createLib().collection<Item>([ann, bo]);
    const comparator = vi.fn((least: number, { id = 0 }: Item) => id >= least);

    expect(people.where(2, comparator)).toStrictEqual([bo]);
    expect(comparator.mock.calls).toStrictEqual([
      [2, ann],
      [2, bo],
    ]);
  });
});

describe('where$', () => {
  it('emits what matches, anew after each write', () => {
    const people = createLib().collection<Item>([ann, bo]);
    const found = valuesOf(people.where$({ name: /^[AE]/ }));

    people.push(eve);
    people.remove(ann);

    expect(found).toStrictEqual([[ann], [ann, eve], [eve]]);
  });

  it('takes a predicate', () => {
    const people = createLib().collection<Item>([ann]);
    const found = valuesOf(people.where$(({ id }) => id === 2));

    people.push(bo);

    expect(found.at(-1)).toStrictEqual([bo]);
  });

  it('takes a comparator', () => {
    const people = createLib().collection<Item>([ann]);
    const found = valuesOf(people.where$(2, (id, item) => item.id === id));

    people.push(bo);

    expect(found.at(-1)).toStrictEqual([bo]);
  });
});

describe('find and find$', () => {
  it('find gives the first item that matches', () => {
    const people = createLib().collection<Item>([ann, bo, eve]);

    expect(people.find({ name: /^[BE]/ })).toBe(bo);
  });

  it('find gives undefined if none matches', () => {
    expect(createLib().collection<Item>([ann]).find({ id: 9 })).toBeUndefined();
  });

  it('find takes a predicate', () => {
    expect(
      createLib()
        .collection<Item>([ann, bo])
        .find(({ id }) => id === 2),
    ).toBe(bo);
  });

  it('find takes a comparator', () => {
    expect(
      createLib()
        .collection<Item>([ann, bo])
        .find(2, (id, item) => item.id === id),
    ).toBe(bo);
  });

  it('find$ emits the first that matches, whenever it becomes another', () => {
    const people = createLib().collection<Item>([ann]);
    const found = valuesOf(people.find$({ name: /^[BE]/ }));

    people.push(eve);
    people.push({ name: 'nobody' });
    people.unshift(bo);

    expect(found).toStrictEqual([undefined, eve, bo]);
  });
});

describe('byId', () => {
  it('gives the item with the id', () => {
    expect(createLib().collection<Item>([ann, bo]).byId(2)).toBe(bo);
  });

  it.each([[9], ['2'], [undefined], [null]])('gives undefined for %o', (id) => {
    expect(createLib().collection<Item>([ann, bo]).byId(id)).toBeUndefined();
  });

  it('goes with every write', () => {
    const people = createLib().collection<Item>([ann]);
    const before = people.byId(2);
    people.push(bo);
    const between = people.byId(2);

    people.splice(1, 1, { ...bo, name: 'Bob' });

    expect([before, between, people.byId(2)]).toStrictEqual([undefined, bo, { ...bo, name: 'Bob' }]);
  });

  it('goes by the path that idAttribute names', () => {
    const things = createLib().collection<{ key: { no: number } }>({
      idAttribute: 'key.no',
      data: [{ key: { no: 5 } }],
    });

    expect(things.byId(5)).toStrictEqual({ key: { no: 5 } });
  });

  it('finds an item whose id is 0', () => {
    expect(
      createLib()
        .collection<Item>([{ id: 0, name: 'zero' }])
        .byId(0),
    ).toStrictEqual({ id: 0, name: 'zero' });
  });

  it.each([[null], [undefined], [5], ['text']])('passes over the item %o', (item) => {
    expect(createLib().collection<unknown>([item, ann]).byId(1)).toBe(ann);
  });
});

describe('error$', () => {
  it('tells a refusal with its response, and null after a success', () => {
    const { people, server } = setup();
    const errors = valuesOf(people.error$);
    const fetched = watch(people.fetch$());

    server.at(0).refuse(503);
    watch(people.fetch$());
    server.at(1).ok([]);

    expect(errors).toMatchObject([null, { name: 'RequestError', code: 'HTTP', action: 'read' }, null]);
    expect((errors[1] as RequestError).response).toBe(fetched.responses[0]);
  });

  it('tells what the network failed with', () => {
    const { people, server } = setup();
    const failure = new TypeError('network');
    watch(people.fetch$());

    server.at(0).fail(failure);

    expect(people.error$.value).toBe(failure);
  });

  it.each<[string, CollectionConfig<Item>]>([
    ['a missing url', { url: undefined }],
    ['a callback that throws', { url: () => raise(new Error('callback')) }],
    ['a bad timeout', { timeout: 0 }],
  ])('tells %s', (_name, config) => {
    const { people } = setup({ config });

    const { error } = watch(people.fetch$());

    expect(error).toBeInstanceOf(Error);
    expect(people.error$.value).toBe(error);
  });

  it('does not tell an unsubscription', () => {
    const { people } = setup();

    watch(people.fetch$()).subscription.unsubscribe();

    expect(people.error$.value).toBeNull();
  });
});

describe('failures', () => {
  const failure = new Error('callback');
  const causes: [string, CollectionConfig<Item>, LibOptions][] = [
    ['no url', { url: undefined }, {}],
    ['a url callback that throws', { url: () => raise(failure) }, {}],
    ['a fetchOptions callback that throws', { fetchOptions: () => raise(failure) }, {}],
    ['a requestLull callback that throws', { requestLull: () => raise(failure) }, {}],
    ['a transport that throws', {}, { transport: () => raise(failure) }],
    ['a transport that fails', {}, { transport: () => throwError(() => failure) }],
    ['an interceptor that throws', {}, { interceptors: [() => raise(failure)] }],
  ];

  for (const method of ['fetch', 'create'] as const) {
    it.each(causes)(`of ${method} are rejections, never thrown: %s`, async (_name, config, options) => {
      const { people, server } = setup({ config, options });
      let done: Promise<Response> | undefined;

      expect(() => {
        done = method === 'fetch' ? people.fetch() : people.create(ann);
      }).not.toThrow();
      await expect(done).rejects.toBeInstanceOf(Error);
      expect([server.sent, people.requestInProgress$.value, people.value]).toStrictEqual([[], false, []]);
    });
  }

  it('that the caller handles cause no unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { people, server } = setup();
    const controller = new AbortController();

    const ends = Promise.allSettled([
      people.fetch(),
      people.fetch(),
      people.fetch({ signal: controller.signal }),
      people.create(ann),
    ]);
    server.at(0).fail(failure);
    server.at(1).ok({ not: 'a list' });
    controller.abort();
    people.dispose();
    await ends;
    await setImmediate();
    process.off('unhandledRejection', unhandled);

    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('streams', () => {
  it('fetch$ sends nothing before it is subscribed, and anew for each subscription', () => {
    const { people, server } = setup();
    const fetch$ = people.fetch$();
    const before = server.lines;

    watch(fetch$);
    watch(fetch$);

    expect([before, server.lines]).toStrictEqual([[], ['GET /people', 'GET /people']]);
  });

  it('callbacks are called anew for a retry', () => {
    const url = vi.fn(() => '/people');
    const { people, server } = setup({ config: { url } });
    watch(people.fetch$().pipe(retry(1)));

    server.at(0).fail(new Error('network'));

    expect([url.mock.calls.length, server.lines.length]).toStrictEqual([2, 2]);
  });

  it('unsubscribed abort the request and write nothing', () => {
    const { people, server } = setup();
    const fetched = watch(people.fetch$());

    fetched.subscription.unsubscribe();
    server.at(0).ok([ann]);

    expect([server.at(0).request.signal.aborted, people.value]).toStrictEqual([true, []]);
  });

  it('unsubscribed by taking the response leave its body readable', async () => {
    const { people, server } = setup();

    const done = firstValueFrom(people.fetch$());
    server.at(0).respond(Response.json([ann]));

    expect([await (await done).json(), server.at(0).request.signal.aborted]).toStrictEqual([[ann], false]);
  });
});

describe('sync', () => {
  it('of lib performs the requests of a collection: it receives action, collection and options', () => {
    const { root, people, server } = setup();
    const sync = vi.fn<Sync>(() => [ann]);
    root.sync = sync;

    watch(people.fetch$({ cache: 'no-store' }));

    const [[action, concern, options] = []] = sync.mock.calls;
    expect({
      action,
      options,
      isPeople: concern === people,
      items: people.value,
      sent: server.sent,
    }).toStrictEqual({
      action: 'read',
      options: { cache: 'no-store', signal: options?.signal },
      isPeople: true,
      items: [ann],
      sent: [],
    });
    expect(options?.signal).toBeInstanceOf(AbortSignal);
  });

  it('of lib.dataModel is not used for collections', () => {
    const { root, people, server } = setup();
    root.dataModel.sync = () => [bo];

    watch(people.fetch$());

    expect(server.lines).toStrictEqual(['GET /people']);
  });

  it('of one collection is used for that collection only', () => {
    const { root, people, server } = setup();
    const others = root.collection<Item>({ url: '/others' });
    people.sync = () => [ann];

    watch(people.fetch$());
    watch(others.fetch$());

    expect([people.value, server.lines]).toStrictEqual([[ann], ['GET /others']]);
  });

  it('by default is that of lib, also when called by hand', () => {
    const { root, people } = setup();
    const sync = vi.fn<Sync>(() => 'result');
    root.sync = sync;
    const options = { signal: new AbortController().signal };

    const result = people.sync('read', people, options);

    expect([result, sync.mock.calls]).toStrictEqual(['result', [['read', people, options]]]);
  });

  it.each<[string, () => unknown]>([
    ['a list', () => [ann]],
    ['a Response', () => Response.json([ann])],
    ['a promise of a list', () => Promise.resolve([ann])],
    ['an Observable of a list', () => of([ann])],
    ['an Observable of a Response', () => of(Response.json([ann]))],
  ])('may return %s', async (_name, answer) => {
    const { root, people } = setup();
    root.sync = answer;

    const response = await people.fetch();

    expect([response.ok, people.value]).toStrictEqual([true, [ann]]);
  });

  it('that returns undefined leaves the items alone', async () => {
    const { root, people } = setup({ config: { data: [ann] } });
    root.sync = () => undefined;

    const response = await people.fetch();

    expect([response.status, people.value]).toStrictEqual([204, [ann]]);
  });

  it('that returns an iterable other than an array is data of a wrong shape', async () => {
    const { root, people } = setup();
    root.sync = () => new Set([ann]);

    await expect(people.fetch()).rejects.toMatchObject({ code: 'SHAPE' });
  });

  it.each<[string, (error: Error) => unknown]>([
    ['throws', (error) => raise(error)],
    ['rejects', (error) => Promise.reject(error)],
    ['fails', (error) => throwError(() => error)],
  ])('that %s fails the request with the same error, and the flag falls', async (_name, answer) => {
    const { root, people } = setup();
    const failure = new Error('storage');
    root.sync = () => answer(failure);

    await expect(people.fetch()).rejects.toBe(failure);

    expect(people.isReading$.value).toBe(false);
  });

  it('that ignores the signal still writes nothing after unsubscribing', () => {
    const { root, people } = setup();
    const answer = new Subject<unknown>();
    root.sync = () => answer;

    watch(people.fetch$()).subscription.unsubscribe();
    answer.next([ann]);

    expect(people.value).toStrictEqual([]);
  });
});

describe('dispose', () => {
  it('rejects what is pending with DISPOSED, aborts it and writes nothing', async () => {
    const { people, server } = setup();

    const done = people.fetch();
    people.dispose();
    server.at(0).ok([ann]);

    await expect(done).rejects.toMatchObject({ name: 'RequestError', code: 'DISPOSED', action: 'read' });
    expect([server.at(0).request.signal.aborted, people.value]).toStrictEqual([true, []]);
  });

  it.each(['fetch', 'create'] as const)('rejects a later %s with DISPOSED', async (method) => {
    const { people, server } = setup();

    people.dispose();

    await expect(method === 'fetch' ? people.fetch() : people.create(ann)).rejects.toMatchObject({
      code: 'DISPOSED',
    });
    expect(server.sent).toStrictEqual([]);
  });

  it('completes all streams of the collection', () => {
    const { people } = setup();
    const ended: string[] = [];
    const streams = {
      items: people,
      delta$: people.delta$,
      where$: people.where$({}),
      find$: people.find$({}),
      isReading$: people.isReading$,
      isCreating$: people.isCreating$,
      requestInProgress$: people.requestInProgress$,
      error$: people.error$,
    };
    for (const [name, stream] of Object.entries<Observable<unknown>>(streams)) {
      stream.subscribe({ complete: () => ended.push(name) });
    }

    people.dispose();

    expect(ended.sort()).toStrictEqual(Object.keys(streams).sort());
  });

  it('leaves the flags down', () => {
    const { people } = setup();
    const flips = valuesOf(people.isReading$);
    watch(people.fetch$());

    people.dispose();

    expect({ flips, value: people.isReading$.value }).toStrictEqual({
      flips: [false, true, false],
      value: false,
    });
  });

  it('cancels the lull', () => {
    const scheduler = new VirtualTimeScheduler();
    const { people, server } = setup({ options: { scheduler }, config: { requestLull: 500 } });
    watch(people.fetch$());
    server.at(0).ok([]);

    people.dispose();

    expect([people.isReading$.value, scheduler.actions.length]).toStrictEqual([false, 0]);
  });

  it('may be called twice', () => {
    const { people } = setup();
    people.dispose();

    expect(() => {
      people.dispose();
    }).not.toThrow();
  });
});

interface Item {
  readonly id?: number;
  readonly name: string;
  readonly tags?: { readonly x: readonly number[] };
}

const ann: Item = { id: 1, name: 'Ann' };
const bo: Item = { id: 2, name: 'Bo', tags: { x: [1] } };
const eve: Item = { id: 3, name: 'Eve' };

interface Setup {
  readonly options?: LibOptions;
  readonly config?: CollectionConfig<Item>;
}

/** A collection of a root of its own, whose requests are held until the spec answers them. */
function setup({ options, config }: Setup = {}): { root: Lib; people: Collection<Item>; server: Server } {
  const server = new Server();
  const root = createLib({ transport: server.transport, ...options });
  return { root, people: root.collection<Item>({ url: '/people', ...config }), server };
}

/** One request that reached the transport. Answers are written at once, except by `respond`, whose body is read first. */
class Held {
  readonly request: WireRequest;
  readonly #subscriber: Subscriber<Exchange>;

  constructor(request: WireRequest, subscriber: Subscriber<Exchange>) {
    this.request = request;
    this.#subscriber = subscriber;
  }

  ok(body?: unknown): void {
    this.#answer(body === undefined ? new Response(null, { status: 204 }) : Response.json(body), body);
  }

  refuse(status: number, body?: unknown): void {
    this.#answer(
      body === undefined ? new Response(null, { status }) : Response.json(body, { status }),
      undefined,
    );
  }

  respond(response: Response): void {
    this.#answer(response, undefined);
  }

  fail(error: Error): void {
    this.#subscriber.error(error);
  }

  #answer(response: Response, body: unknown): void {
    this.#subscriber.next({ request: this.request, response, body });
    this.#subscriber.complete();
  }
}

class Server {
  readonly held: Held[] = [];
  readonly transport: Transport = (request) =>
    new Observable((subscriber) => {
      this.held.push(new Held(request, subscriber));
    });

  at(place: number): Held {
    return this.held[place] ?? raise(new Error(`only ${String(this.held.length)} requests were sent`));
  }

  get sent(): { method: string; url: string; body: unknown }[] {
    return this.held.map(({ request: { method, url, body } }) => ({
      method,
      url,
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body,
    }));
  }

  get lines(): string[] {
    return this.held.map(({ request: { method, url } }) => `${method} ${url}`);
  }
}

/** What a subscription has brought so far. */
interface Watched {
  readonly responses: Response[];
  error: unknown;
  isComplete: boolean;
  subscription: Subscription;
}

function watch(source: Observable<Response>): Watched {
  const watched = { responses: [] as Response[], error: undefined as unknown, isComplete: false };
  const subscription = source.subscribe({
    next: (response) => {
      watched.responses.push(response);
    },
    error: (error: unknown) => {
      watched.error = error;
    },
    complete: () => {
      watched.isComplete = true;
    },
  });
  return Object.assign(watched, { subscription });
}

function valuesOf<T>(source: Observable<T>): T[] {
  const values: T[] = [];
  source.subscribe((value) => {
    values.push(value);
  });
  return values;
}

/** Lets virtual time pass up to a point. */
function advance(scheduler: VirtualTimeScheduler, to: number): void {
  scheduler.schedule(() => undefined, to - scheduler.now());
  scheduler.maxFrames = to;
  scheduler.flush();
}

function raise(error: unknown): never {
  throw error;
}

function replaced(letters: Collection<string>, items: readonly string[]): Collection<string> {
  letters.replace(items);
  return letters;
}

function nexted(letters: Collection<string>, items: readonly string[]): Collection<string> {
  letters.next(items);
  return letters;
}

function cycle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

import {
  NEVER,
  Observable,
  Subject,
  expand,
  first,
  lastValueFrom,
  of,
  retry,
  switchMap,
  takeUntil,
  toArray,
} from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';

import { Collection, createLib, lib } from 'rivulet';
import type { Around, RequestOptions } from 'rivulet';
import { etags } from 'rivulet/etag';
import { PagedCollection, nextLink } from 'rivulet/paging';
import type { PagedConfig } from 'rivulet/paging';
import { listOf } from 'rivulet/schema';
import { TestClock, TestServer } from 'rivulet/testing';
import type { TestRequest } from 'rivulet/testing';
import { view } from 'rivulet/views';

import { valuesOf } from '../watch';

import { ann, bo, eve, ida, paged } from './people';
import type { Person } from './people';

describe('more', () => {
  it('reads the first page, then the next, until there is none', async () => {
    const { server, people, answer } = paged();
    const first = people.more();
    answer([ann], 'x');
    const second = people.more();
    answer([bo]);

    expect([(await first)?.status, (await second)?.status, await people.more()]).toStrictEqual([
      200,
      200,
      undefined,
    ]);
    expect(server.requests.map(String)).toStrictEqual([
      'GET /people?sort=id',
      'GET /people?sort=id&cursor=x',
    ]);
  });

  it('reads the page after a fetch', () => {
    const { server, people, answer } = paged();
    void people.fetch();
    answer([ann], 'x');
    void people.more();

    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=x']);
  });

  it('passes its options on with the request, to callbacks too', () => {
    const given: unknown[] = [];
    const { server, people, answer } = paged({
      fetchOptions: (action, concern, options) => {
        given.push([action, concern === people, options.priority]);
        return {};
      },
    });
    void people.more({ headers: { 'x-page': '1' }, priority: 'high' });
    expect(server.open[0]?.headers.get('x-page')).toBe('1');
    answer([ann], 'x');
    void people.more(Object.freeze({ headers: { 'x-page': '2' }, priority: 'low' } as const));

    expect(server.open[0]?.headers.get('x-page')).toBe('2');
    expect(given).toStrictEqual([
      ['read', true, 'high'],
      ['read', true, 'low'],
    ]);
    expect(Object.keys(server.open[0]?.request ?? {})).not.toContain('page');
  });

  it('ignores what is no options: the event of a click, the entries of an observer', () => {
    const { server, people, answer } = paged();
    const { more } = people;
    for (const given of [
      new Event('click'),
      [{ isIntersecting: true }],
      new (class {
        headers = { a: 'b' };
      })(),
      { preventDefault: () => undefined, headers: { a: 'b' } },
      null,
    ]) {
      void more(given as never);
      expect(Object.keys(server.open[0]?.request ?? {}).sort()).toStrictEqual([
        'headers',
        'method',
        'signal',
        'url',
      ]);
      expect([...(server.open[0]?.headers.keys() ?? [])]).toStrictEqual([]);
      answer([ann], 'x');
    }
    expect(server.requests.map(String)).toStrictEqual([
      'GET /people?sort=id',
      ...Array<string>(4).fill('GET /people?sort=id&cursor=x'),
    ]);
  });

  it('takes options without a prototype', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    void people.more(Object.assign(Object.create(null) as RequestOptions, { headers: { a: 'b' } }));

    expect(server.open[0]?.headers.get('a')).toBe('b');
  });

  it('rejects as the request fails, and reads the same page again', async () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    const failure = people.more();
    server.open[0]?.fail();

    await expect(failure).rejects.toThrow('Failed to fetch');
    expect([people.value, people.error$.value?.message]).toStrictEqual([[ann], 'Failed to fetch']);
    void people.more();
    answer([bo]);
    expect([people.value, people.error$.value]).toStrictEqual([[ann, bo], null]);
  });

  it('raises the flags of a read', () => {
    const { people, answer } = paged();
    const flags = valuesOf(people.isReading$);
    void people.more();
    answer([ann]);

    expect(flags).toStrictEqual([false, true, false]);
  });

  it('never throws, and rejects if a subclass does', async () => {
    const problem = new Error('broken');
    class Broken extends PagedCollection<Person> {
      override fetch$(): Observable<Response> {
        throw problem;
      }
    }
    const people = new Broken({ url: '/people', next: () => null }, createLib());

    await expect(people.more()).rejects.toBe(problem);
  });
});

describe('more while a page is being read', () => {
  it('waits for that page instead of reading it twice', async () => {
    const { server, people, answer } = paged();
    const reads = [people.more(), people.more({ headers: { a: 'b' } })];
    expect(server.open).toHaveLength(1);
    answer([ann], 'x');

    const [one, other] = await Promise.all(reads);
    expect(one).toBe(other);
    expect(server.requests).toHaveLength(1);
  });

  it('is one request, also with one that is repeated after a failure', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    people.more$().pipe(retry(1)).subscribe();
    server.open[0]?.fail();
    void people.more();

    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=x']);
  });

  it('is aborted when the last subscriber leaves, and not before', () => {
    const { server, people, answer } = paged();
    const [one, other] = [people.more$().subscribe(), people.more$().subscribe()];
    const [request] = server.open;
    one.unsubscribe();
    expect(request?.state).toBe('open');
    other.unsubscribe();
    expect([request?.state, people.isReading$.value]).toStrictEqual(['aborted', false]);

    void people.more();
    answer([ann]);
    expect(people.value).toStrictEqual([ann]);
  });

  it('may be subscribed again as soon as it is answered: all pages in a row', async () => {
    const { server, people, answer } = paged();
    const all = lastValueFrom(
      people.more$().pipe(
        expand(() => people.more$()),
        toArray(),
      ),
    );
    answer([ann], 'x');
    const joined = people.more();
    expect(server.open).toHaveLength(1);
    answer([bo], 'y');
    answer([eve]);

    expect((await joined)?.status).toBe(200);
    expect(await all).toHaveLength(3);
    expect(people.value).toStrictEqual([ann, bo, eve]);
  });

  it.each(['items', 'delta$', 'page$', 'hasMore$', 'isReading$'] as const)(
    'may be asked for by a subscriber of %s as soon as the page is there',
    (name) => {
      const { server, people, answer } = paged();
      const source: Observable<unknown> = name === 'items' ? people : people[name];
      source.subscribe(() => {
        if (people.length === 1) void people.more();
      });
      void people.more();
      answer([ann], 'x');

      const lines = server.requests.map(String);
      // `hasMore$` has not changed, so nobody was told.
      expect(lines.slice(1)).toStrictEqual(name === 'hasMore$' ? [] : ['GET /people?sort=id&cursor=x']);
    },
  );

  it('may be asked for again as soon as it is refused', () => {
    const { server, people } = paged();
    people.more$().subscribe(({ ok }) => {
      if (!ok) void people.more();
    });
    server.open[0]?.answer({}, { status: 503 });

    expect(server.requests.map(({ state }) => state)).toStrictEqual(['answered', 'open']);
  });

  it('is not waited for once the list has begun anew: the next page is another', async () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    const slow = people.more();
    const [stale] = server.open;
    void people.fetch();
    server.expectOne('GET /people?sort=id').answer({ items: [eve], next: 'z' });

    const next = people.more();
    expect(server.open.map(String)).toStrictEqual([
      'GET /people?sort=id&cursor=x',
      'GET /people?sort=id&cursor=z',
    ]);
    const joined = people.more();
    server.expectOne(/cursor=z/).answer({ items: [ida] });
    stale?.answer({ items: [bo], next: 'y' });

    const [one, other] = await Promise.all([next, joined, slow]);
    expect([one === other, people.value, people.hasMore$.value]).toStrictEqual([true, [eve, ida], false]);
  });

  it('has the options of whoever asks for it again once it was given up', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    for (const by of ['one', 'other']) people.more$({ headers: { by } }).subscribe().unsubscribe();

    expect(server.requests.slice(1).map(({ headers }) => headers.get('by'))).toStrictEqual(['one', 'other']);
  });

  it('fails with BAD_OPTION for a signal that is none', async () => {
    const { server, people } = paged();

    await expect(people.more({ signal: {} as never })).rejects.toMatchObject({ code: 'BAD_OPTION' });
    expect(server.requests).toStrictEqual([]);
  });

  it('is not waited for once it was given up', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    const subscription = people.more$().subscribe();
    let isTold = false;
    people.isReading$.subscribe((isReading) => {
      if (isReading || isTold) return;
      isTold = true;
      void people.more();
    });
    subscription.unsubscribe();

    expect(server.requests.map(({ state }) => state)).toStrictEqual(['answered', 'aborted', 'open']);
    answer([bo]);
    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('fails for all with the reason of the signal that aborts it', async () => {
    const { people } = paged();
    const controller = new AbortController();
    const reads = [people.more({ signal: controller.signal }), people.more()];
    const reason = new Error('left');
    controller.abort(reason);

    for (const read of reads) await expect(read).rejects.toBe(reason);
    expect(people.error$.value).toBeNull();
  });
});

describe('more while a fetch is under way', () => {
  it('waits, then reads the page after it', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    void people.fetch();
    void people.more();
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id']);
    answer([eve], 'z');

    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=z']);
  });

  it.each([
    ['while it waits', false],
    ['before', true],
  ])('does not wait once its signal is aborted %s', async (_, isBefore) => {
    const { server, people, answer } = paged();
    const controller = new AbortController();
    void people.fetch();
    if (isBefore) controller.abort('enough');
    const more = people.more({ signal: controller.signal });
    controller.abort('enough');

    await expect(more).rejects.toBe('enough');
    answer([ann], 'x');
    expect(people.value).toStrictEqual([ann]);
    expect(server.open).toStrictEqual([]);
  });

  it('does not wait once a signal of another realm is aborted', async () => {
    const { server, people } = paged();
    const own = new EventTarget();
    // No EventTarget of this realm.
    const signal = {
      aborted: false,
      reason: 'enough',
      addEventListener: own.addEventListener.bind(own),
      removeEventListener: own.removeEventListener.bind(own),
    };
    void people.fetch();
    const ended = expect(people.more({ signal: signal as unknown as AbortSignal })).rejects.toBe('enough');
    signal.aborted = true;
    own.dispatchEvent(new Event('abort'));

    await ended;
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id']);
  });

  it('does not wait for one that a "sync" passes on after it was given up', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    const { sync } = people;
    let passOn: (() => unknown) | undefined;
    people.sync = (...args) => {
      passOn = () => sync.call(people, ...args);
      return NEVER;
    };
    people.fetch$().subscribe().unsubscribe();
    passOn?.();
    people.sync = sync;
    void people.more();
    void people.more();
    answer([bo], 'y');

    expect(people.value).toStrictEqual([ann, bo]);
    expect(server.open).toStrictEqual([]);
  });

  it('leaves it to the request to refuse a signal that is none', async () => {
    const { people, answer } = paged();
    void people.fetch();
    const more = people.more({ signal: 'now' as never });
    answer([ann], 'x');
    await expect(more).rejects.toMatchObject({ code: 'BAD_OPTION' });
  });

  it('waits as one with others that wait', async () => {
    const { server, people, answer } = paged();
    void people.fetch();
    const [one, other] = [people.more(), people.more()];
    answer([ann], 'x');
    answer([bo]);

    expect(await one).toBe(await other);
    expect([server.requests.length, people.value]).toStrictEqual([2, [ann, bo]]);
  });

  it('reads the next page of the list that stays if that fails', async () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    const failure = people.fetch();
    void people.more();
    server.open[0]?.fail();

    await expect(failure).rejects.toThrow('Failed to fetch');
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=x']);
  });

  it.each<[string, (world: ReturnType<typeof paged>, leave: Subject<void>) => void, string?]>([
    ['failed', ({ server }) => server.open[0]?.fail()],
    ['was refused', ({ server }) => server.open[0]?.answer(undefined, { status: 500 })],
    [
      'was left',
      (_, leave) => {
        leave.next();
      },
    ],
    ['failed, once there were no more pages', ({ server }) => server.open[0]?.fail(), ''],
  ])('begins anew if that was for another url, and %s', (_, end, cursor = 'x') => {
    let kind = 'a';
    const world = paged({ url: () => `/people?kind=${kind}` });
    const { server, people, answer } = world;
    void people.more();
    answer([ann], cursor);
    const [pages, more] = [valuesOf(people.page$), valuesOf(people.hasMore$)];
    kind = 'b';
    const leave = new Subject<void>();
    people
      .fetch$()
      .pipe(takeUntil(leave))
      .subscribe({ error: () => undefined });
    end(world, leave);

    expect(people.value).toStrictEqual([ann]);
    expect([pages.at(-1), people.page$.value, more.at(-1)]).toStrictEqual([undefined, undefined, true]);
    void people.more();
    expect(server.open.map(String)).toStrictEqual(['GET /people?kind=b']);
    answer([bo], 'y');
    expect([people.value, people.page$.value?.index]).toStrictEqual([[bo], 0]);
  });

  it.each(['', 'y'])(
    'goes on with the list that is there once a version confirms that (next page: "%s")',
    async (next) => {
      let kind = 'a';
      const world = paged({ url: () => `/people?kind=${kind}` }, etags());
      const { server, people } = world;
      void people.more();
      server.open[0]?.answer({ items: [ann], next: 'x' }, { headers: { etag: '"1"' } });
      kind = 'b';
      people.fetch$().subscribe().unsubscribe();
      expect(people.page$.value).toBeUndefined();
      kind = 'a';
      const pages = valuesOf(people.page$);
      const again = people.fetch();
      server.open[0]?.answer(undefined, { status: 304 });
      await again;

      expect([pages.at(-1)?.index, people.page$.value?.index]).toStrictEqual([0, 0]);
      void people.more();
      expect(server.open.map(String)).toStrictEqual(['GET /people?kind=a&cursor=x']);
      server.open[0]?.answer({ items: [bo], next });
      expect([people.value, people.hasMore$.value]).toStrictEqual([[ann, bo], next !== '']);
    },
  );

  it('begins anew even if the list was read as a whole since its pages', () => {
    let kind = 'a';
    const { server, people, answer } = paged({ url: () => `/people?kind=${kind}` });
    void people.more();
    answer([ann]);
    const { sync } = people;
    people.sync = () => ({ items: [ann, bo] });
    void people.fetch();
    expect([people.value, people.hasMore$.value]).toStrictEqual([[ann, bo], false]);
    people.sync = sync;
    kind = 'b';
    people.fetch$().subscribe().unsubscribe();
    void people.more();

    expect(server.open.map(String)).toStrictEqual(['GET /people?kind=b']);
  });

  it('begins anew even if that other url is then answered without data', async () => {
    let kind = 'a';
    const { server, people, answer } = paged({ url: () => `/people?kind=${kind}` });
    void people.more();
    answer([ann], 'x');
    kind = 'b';
    people.fetch$().subscribe().unsubscribe();
    const again = people.fetch();
    server.expectOne('GET /people?kind=b').answer();
    await again;
    void people.more();

    expect([people.page$.value, server.open.map(String)]).toStrictEqual([undefined, ['GET /people?kind=b']]);
  });

  it('goes on with the list that is there if that was for another url, but is older', () => {
    let kind = 'b';
    const { server, people, answer } = paged({ url: () => `/people?kind=${kind}` });
    people.fetch().catch(() => undefined);
    kind = 'a';
    void people.fetch();
    server.open[1]?.answer({ items: [ann], next: 'x' });
    server.open[0]?.fail();
    void people.more();

    expect(server.open.map(String)).toStrictEqual(['GET /people?kind=a&cursor=x']);
    answer([bo]);
    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('does not append a page that was under way when that failed', () => {
    let kind = 'a';
    const { server, people, answer } = paged({ url: () => `/people?kind=${kind}` });
    void people.more();
    answer([ann], 'x');
    void people.more();
    kind = 'b';
    people.fetch().catch(() => undefined);
    server.open[1]?.fail();
    server.open[0]?.answer({ items: [bo], next: 'y' });

    expect(people.value).toStrictEqual([ann]);
  });

  it('reads nothing if that was the last page', async () => {
    const { server, people, answer } = paged();
    void people.fetch();
    const more = people.more();
    answer([ann]);

    expect([await more, server.requests.length]).toStrictEqual([undefined, 1]);
  });

  it('may be left: nothing is sent', () => {
    const { server, people, answer } = paged();
    void people.fetch();
    people.more$().subscribe().unsubscribe();
    answer([ann], 'x');

    expect(server.open).toStrictEqual([]);
  });

  it('does not wait for lulls', () => {
    const clock = new TestClock();
    const { server, people, answer } = paged({ requestLull: 100 }, { scheduler: clock });
    void people.fetch();
    void people.more();
    answer([ann], 'x');
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=x']);
    answer([bo], 'y');
    void people.more();

    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=y']);
    answer([eve]);
    expect([people.value, people.isReading$.value]).toStrictEqual([[ann, bo, eve], true]);
    clock.advance(100);
    expect(people.isReading$.value).toBe(false);
  });

  it.each<[string, (world: ReturnType<typeof paged>, leave: Subject<void>) => void]>([
    ['failed', ({ server }) => server.open[0]?.fail()],
    ['refused', ({ server }) => server.open[0]?.answer(undefined, { status: 500 })],
    [
      'left',
      (_, leave) => {
        leave.next();
      },
    ],
  ])('does not wait for the lull of one that has %s', (_, end) => {
    const world = paged({ requestLull: 100 }, { scheduler: new TestClock() });
    const { server, people, answer } = world;
    void people.fetch();
    answer([ann], 'x');
    const leave = new Subject<void>();
    people
      .fetch$()
      .pipe(takeUntil(leave))
      .subscribe({ error: () => undefined });
    void people.more();
    end(world, leave);

    expect([server.open.map(String), people.isReading$.value]).toStrictEqual([
      ['GET /people?sort=id&cursor=x'],
      true,
    ]);
  });

  it('fails if the list is disposed of meanwhile, and later', async () => {
    const { people, answer } = paged();
    void people.fetch();
    answer([ann], 'x');
    people.fetch().catch(() => undefined);
    const more = people.more();
    people.dispose();

    await expect(more).rejects.toMatchObject({ code: 'DISPOSED' });
    await expect(people.more()).rejects.toMatchObject({ code: 'DISPOSED' });
  });

  it('does not join a page of the list before, which is under way', async () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    void people.more();
    void people.fetch();
    const more = people.more();
    server.open[1]?.answer({ items: [eve], next: 'z' });
    expect(server.open.map(String)).toStrictEqual([
      'GET /people?sort=id&cursor=x',
      'GET /people?sort=id&cursor=z',
    ]);
    server.open[1]?.answer({ items: [ida] });
    await more;

    expect(people.value).toStrictEqual([eve, ida]);
  });

  it('is the one that was under way before, if that has failed', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    void people.more();
    people.fetch().catch(() => undefined);
    server.open[1]?.fail();
    void people.more();

    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=x']);
  });
});

describe('more while a page is under way, after a fetch that has ended', () => {
  /** A page under way that was asked for before the fetch. */
  const begun = () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    void people.more();
    const leave = new Subject<void>();
    people
      .fetch$()
      .pipe(takeUntil(leave))
      .subscribe({ error: () => undefined });
    return { server, people, answer, leave, fetched: server.open[1] };
  };

  it.each<[string, (world: ReturnType<typeof begun>) => void]>([
    ['refused', ({ fetched }) => fetched?.answer(undefined, { status: 500 })],
    ['failed', ({ fetched }) => fetched?.fail()],
    [
      'left',
      ({ leave }) => {
        leave.next();
      },
    ],
    ['answered with what is no list', ({ fetched }) => fetched?.answer({ items: {} })],
  ])('joins it if the fetch was %s', (_, end) => {
    const world = begun();
    end(world);
    void world.people.more();
    world.answer([bo], 'y');

    expect(world.server.open).toStrictEqual([]);
    expect(world.people.value).toStrictEqual([ann, bo]);
  });

  it.each<[string, number, (fetch: TestRequest | undefined) => void]>([
    ['newer, if the older has failed', 1, (fetch) => fetch?.fail()],
    ['older, if the newer has failed', 2, (fetch) => fetch?.fail()],
    ['older, if the newer was refused', 2, (fetch) => fetch?.answer(undefined, { status: 500 })],
  ])('waits for the fetch that is left of two: the %s', (_, place, end) => {
    const { server, people, answer } = begun();
    people.fetch().catch(() => undefined);
    end(server.open[place]);
    void people.more();
    server.open[0]?.answer({ items: [bo], next: 'y' });
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id']);
    answer([eve], 'z');

    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=z']);
  });

  it('joins it if a sync without pages has answered the fetch', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    void people.more();
    const { sync } = people;
    people.sync = () => ({ items: [eve] });
    void people.fetch();
    people.sync = sync;
    void people.more();
    answer([bo], 'y');

    expect(server.open).toStrictEqual([]);
  });
});

describe('the state of pages', () => {
  it('changes with the list, for each of its subscribers', () => {
    const { people, answer } = paged();
    const seen: unknown[] = [];
    people.subscribe((list) =>
      seen.push(['list', list.length, people.hasMore$.value, people.page$.value?.index]),
    );
    people.hasMore$.subscribe((hasMore) => seen.push(['hasMore$', hasMore, people.length]));
    people.page$.subscribe((page) => seen.push(['page$', page?.index, people.length]));
    void people.more();
    answer([ann], 'x');
    void people.more();
    answer([]);

    expect(seen).toStrictEqual([
      ['list', 0, true, undefined],
      ['hasMore$', true, 0],
      ['page$', undefined, 0],
      ['list', 1, true, 0],
      ['page$', 0, 1],
      ['list', 1, false, 1],
      ['hasMore$', false, 1],
      ['page$', 1, 1],
    ]);
  });

  it('is true again once a fetch has found more', () => {
    const { people, answer } = paged();
    const flags = valuesOf(people.hasMore$);
    void people.fetch();
    answer([ann]);
    void people.fetch();
    answer([ann], 'x');

    expect(flags).toStrictEqual([true, false, true]);
  });

  it('is not changed by writes to the list', () => {
    const { people, answer } = paged();
    void people.fetch();
    answer([ann], 'x');
    const pages = valuesOf(people.page$);
    people.replace([eve]);
    people.push(ida);
    people.removeAll();

    expect([pages.length, people.hasMore$.value]).toStrictEqual([1, true]);
  });

  it('cannot be written from outside, and completes with the list', () => {
    const { people } = paged();
    const ends: string[] = [];
    people.page$.subscribe({ complete: () => ends.push('page$') });
    people.hasMore$.subscribe({ complete: () => ends.push('hasMore$') });
    expect(['next' in people.page$, 'next' in people.hasMore$]).toStrictEqual([false, false]);

    people.dispose();
    expect(ends).toStrictEqual(['page$', 'hasMore$']);
  });
});

describe('a paged collection', () => {
  it('belongs to the default root unless told otherwise', () => {
    const transport = vi.fn(() => NEVER);
    lib.options = { transport };
    onTestFinished(() => {
      lib.options = {};
    });
    const people = new PagedCollection<Person>({ url: '/people', next: () => null });
    people.more$().subscribe().unsubscribe();

    expect(transport).toHaveBeenCalledOnce();
    expect(people).toBeInstanceOf(Collection);
  });

  it('begins with the items given, which the first page replaces', () => {
    const { people, answer } = paged({ data: [eve] });
    expect(people.value).toStrictEqual([eve]);
    void people.more();
    answer([ann]);

    expect(people.value).toStrictEqual([ann]);
  });

  it.each([undefined, null, '/people?page=2', {}])(
    'needs a function to find the next page, not %o',
    (next) => {
      const config = { url: '/people', next } as unknown as PagedConfig<Person>;
      expect(() => new PagedCollection(config)).toThrow(
        new TypeError('PagedCollection: needs "next", a function that returns where the next page is'),
      );
    },
  );

  it('reports what is no function in place of parse, as any collection does', async () => {
    const { people } = paged({ parse: 'items' as never });
    await expect(people.more()).rejects.toMatchObject({
      code: 'BAD_OPTION',
      message: 'read: "parse" must be a function',
    });
    const { people: others, server } = paged({ parse: null as never });
    void others.more();
    server.open[0]?.answer([ann]);

    expect(others.value).toStrictEqual([ann]);
  });

  it('needs a configuration, not only items', () => {
    expect(() => new PagedCollection([ann] as unknown as PagedConfig<Person>)).toThrow('needs "next"');
    expect(() => new PagedCollection(undefined as unknown as PagedConfig<Person>)).toThrow('needs "next"');
  });

  it('takes no option from what every object inherits', () => {
    const prototype = Object.prototype as { next?: unknown };
    prototype.next = () => null;
    try {
      expect(() => new PagedCollection({ url: '/people' } as unknown as PagedConfig<Person>)).toThrow(
        'needs "next"',
      );
    } finally {
      delete prototype.next;
    }
  });

  it('may be detached from its methods', async () => {
    const { people, answer } = paged();
    const { more, more$ } = people;
    const { fetch } = people as { readonly fetch: () => Promise<Response> };
    void fetch();
    answer([ann], 'x');
    more$().subscribe();
    answer([bo], 'y');
    void more();
    answer([eve]);

    expect(people.value).toStrictEqual([ann, bo, eve]);
    await Promise.resolve();
  });

  it('fails what is pending when it is disposed of, and what comes later', async () => {
    const { server, people } = paged();
    const pending = people.more();
    const waiting = (() => {
      const { people: others } = paged();
      void others.fetch().catch(() => undefined);
      const more = others.more();
      others.dispose();
      return more;
    })();
    people.dispose();

    for (const read of [pending, waiting, people.more()]) {
      await expect(read).rejects.toMatchObject({ code: 'DISPOSED' });
    }
    expect(server.open).toStrictEqual([]);
  });

  it('can be a class of its own, whose fetch$ is what more uses', () => {
    const sent: unknown[] = [];
    class People extends PagedCollection<Person> {
      override fetch$(options?: RequestOptions): Observable<Response> {
        sent.push(options?.priority);
        return super.fetch$(options);
      }
    }
    const server = new TestServer();
    const people = new People({ url: '/people', next: nextLink }, createLib({ transport: server.transport }));
    void people.fetch({ priority: 'low' });
    server.open[0]?.answer([ann], { headers: { link: '<?page=2>; rel=next' } });
    void people.more({ priority: 'high' });
    server.open[0]?.answer([bo]);

    expect([sent, people.value]).toStrictEqual([
      ['low', 'high'],
      [ann, bo],
    ]);
  });
});

describe('a paged collection with a sync of its own', () => {
  const exchange = (url: string, body: unknown) => ({
    request: { url, method: 'GET', headers: new Headers(), signal: new AbortController().signal },
    response: new Response(),
    body,
  });

  it.each([
    ['an exchange', (given: object) => given],
    ['a promise of one', (given: object) => Promise.resolve(given)],
    ['a stream of one', (given: object) => of(given)],
  ])('takes %s as a page', async (_, wrap) => {
    const { people } = paged({ next: ({ index }) => (index ? null : { page: 2 }) });
    people.sync = (action) => wrap(exchange(action, { items: people.length ? [bo] : [ann] }));
    await people.more();
    await people.more();

    expect([people.value, people.hasMore$.value]).toStrictEqual([[ann, bo], false]);
  });

  it('may pass on to the one before, and see its answers', async () => {
    const { people, answer } = paged();
    const { sync } = people;
    const actions: string[] = [];
    people.sync = (action, concern, options) => {
      actions.push(action);
      return sync.call(concern, action, concern, options);
    };
    const more = people.more();
    answer([ann], 'x');
    await more;

    expect([actions, people.value, people.hasMore$.value]).toStrictEqual([['read'], [ann], true]);
  });

  it('may pass on late: what is older neither replaces the list nor says where its next page is', () => {
    let filter = 'a';
    const { server, people } = paged({ url: () => `/people?filter=${filter}` });
    const { sync } = people;
    const tokens: Subject<unknown>[] = [];
    people.sync = (...args) => {
      const token$ = new Subject();
      tokens.push(token$);
      return token$.pipe(
        first(),
        switchMap(() => sync(...args) as Observable<unknown>),
      );
    };
    void people.fetch();
    filter = 'b';
    void people.fetch();
    tokens[1]?.next(0);
    server.open[0]?.answer({ items: [bo], next: 'y' });
    tokens[0]?.next(0);
    server.open[0]?.answer({ items: [ann], next: 'x' });
    void people.more();
    tokens[2]?.next(0);

    expect([people.value, server.requests.map(String)]).toStrictEqual([
      [bo],
      ['GET /people?filter=b', 'GET /people?filter=b', 'GET /people?filter=b&cursor=y'],
    ]);
  });

  it.each([
    ['data', { items: [ann], next: 'x' }],
    ['a response', Response.json({ items: [ann], next: 'x' })],
    ['data that looks like half an exchange', { items: [ann], request: {} }],
  ])('takes %s alone as the whole list, whose next page nobody names', async (_, given) => {
    const { people } = paged();
    people.sync = () => given;
    await people.fetch();

    expect([people.value, people.page$.value, people.hasMore$.value]).toStrictEqual([
      [ann],
      undefined,
      false,
    ]);
  });

  it('is still whole after a read of its first page has failed, and is not once that is there', async () => {
    const { server, people, answer } = paged();
    const { sync } = people;
    people.sync = () => ({ items: [ann, bo] });
    await people.fetch();
    people.sync = sync;
    const failed = people.fetch();
    server.open[0]?.fail();
    await expect(failed).rejects.toThrow();
    expect([people.value, people.hasMore$.value]).toStrictEqual([[ann, bo], false]);
    void people.fetch();
    answer([ann], 'x');
    expect([people.value, people.hasMore$.value]).toStrictEqual([[ann], true]);
  });

  it('is still whole after an item was created', async () => {
    const { people } = paged({ parse: undefined });
    people.sync = (action) => (action === 'read' ? [ann] : bo);
    await people.fetch();
    await people.create({ name: 'Bo' });

    expect([people.value, people.hasMore$.value]).toStrictEqual([[ann, bo], false]);
  });

  it('takes undefined as no data, and refuses null, as any collection does', async () => {
    const { people } = paged({ data: [eve], parse: undefined });
    people.sync = () => undefined;
    await people.fetch();
    people.sync = () => null;
    await expect(people.fetch()).rejects.toMatchObject({ code: 'SHAPE' });

    expect([people.value, people.hasMore$.value]).toStrictEqual([[eve], true]);
  });

  it('takes each page that is answered twice, from a cache first, once', async () => {
    const { people } = paged();
    people.sync = async function* (_, __, { priority }) {
      const next = priority === 'low' ? undefined : 'x';
      yield exchange('/cache', { items: priority === 'low' ? [bo, eve] : [ann, ida], next: 'old' });
      await Promise.resolve();
      yield exchange('/server', { items: priority === 'low' ? [eve] : [ann], next });
    };
    await people.more();
    expect([people.value, people.page$.value?.index]).toStrictEqual([[ann], 0]);
    await people.more({ priority: 'low' });

    expect([people.value, people.page$.value?.index, people.hasMore$.value]).toStrictEqual([
      [ann, eve],
      1,
      false,
    ]);
  });

  it('replaces a page that is answered twice even if its items have no id', async () => {
    const { people } = paged({ next: ({ index }) => (index ? null : { page: 2 }) });
    const named = (name: string) => exchange('/', { items: [{ name }] });
    people.sync = () => of(named('a'), named('b'));
    await people.more();
    people.sync = () => of(named('c'), named('d'));
    await people.more();

    expect(people.value.map(({ name }) => name)).toStrictEqual(['b', 'd']);
  });

  it('appends a page that is answered without data first', async () => {
    const { people } = paged({ next: ({ index }) => (index ? null : { page: 2 }) });
    people.sync = () => exchange('/server', { items: [ann] });
    await people.more();
    people.sync = () => of(exchange('/cache', undefined), exchange('/server', { items: [bo] }));
    await people.more();

    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('may pass on options of its own, without a signal', () => {
    const { server, people, answer } = paged();
    const { sync } = people;
    people.sync = (action, concern, options) =>
      sync.call(concern, action, concern, { ...options, signal: undefined } as never);
    void people.fetch();
    answer([ann], 'x');
    void people.fetch();
    void people.more();
    answer([eve], 'z');

    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=z']);
  });

  it('can be wrapped again', () => {
    const { people } = paged();

    expect(Object.getOwnPropertyDescriptor(people, 'sync')?.configurable).toBe(true);
  });

  it('fails as that does', async () => {
    const { people } = paged();
    const problem = new Error('full');
    people.sync = () => {
      throw problem;
    };
    await expect(people.more()).rejects.toBe(problem);
    people.sync = () => Promise.reject(problem);
    await expect(people.more()).rejects.toBe(problem);
  });
});

describe('a row that is created while a page is read', () => {
  /** Two rows of which there are more, while a third is being created. */
  const creating = () => {
    const world = paged({ url: '/people', next: ({ index }) => index === 0 && { page: 2 } });
    world.people.fetch$().subscribe();
    world.server.expectOne('GET /people').answer({ items: [ann, bo] });
    world.people.create$({ name: 'Eve' }).subscribe();
    world.people.more$().subscribe();
    return world;
  };

  it('keeps what was saved of it since that page has listed it', () => {
    const { server, people } = creating();
    server.expectOne('GET /people?page=2').answer({ items: [eve] });
    const record = people.record(eve.id);
    record.name.next('Eva');
    record.save$().subscribe();
    people.fetch$().subscribe();
    server.expectOne(`PUT /people/${String(eve.id)}`).answer({ ...eve, name: 'Eva' });
    server.expectOne('GET /people').answer({ items: [ann, bo] });

    server.expectOne('POST /people').answer(eve);

    expect([record.name.value, record.isDirty$.value]).toStrictEqual(['Eva', false]);
    expect(people.value).toStrictEqual([ann, bo, { ...eve, name: 'Eva' }]);
  });

  it('may be one that is listed already, of which the appended page says nothing', () => {
    const { server, people } = creating();
    server.expectOne('GET /people?page=2').answer({ items: [eve] });

    server.expectOne('POST /people').answer({ ...bo, name: 'Bob' });

    expect(people.value).toStrictEqual([ann, eve, { ...bo, name: 'Bob' }]);
  });
});

describe('a paged collection with the other entries', () => {
  const born = z.object({ id: z.number(), born: z.coerce.date() });

  it.each([
    ['a schema', born],
    ['an asynchronous schema', born.refine(() => Promise.resolve(true))],
  ])('checks and converts the items of each page by %s', async (_, schema) => {
    const server = new TestServer();
    const people = new PagedCollection(
      { ...listOf({ url: '/people', schema }), next: nextLink },
      createLib({ transport: server.transport }),
    );
    const first = people.more();
    server.open[0]?.answer([{ id: 1, born: '2001-01-01' }], { headers: { link: '<?page=2>; rel=next' } });
    await first;
    const second = people.more();
    server.open[0]?.answer([{ id: 2, born: '2002-02-02' }]);
    await second;

    expect(people.value.map(({ id, born }) => [id, born.getFullYear()])).toStrictEqual([
      [1, 2001],
      [2, 2002],
    ]);
    const third = people.fetch();
    server.open[0]?.answer([{ id: 'x' }]);
    await expect(third).rejects.toThrow();
    expect([people.length, people.hasMore$.value]).toStrictEqual([2, false]);
  });

  it('is kept when the first page is confirmed by a version', async () => {
    const { server, people } = paged({ next: () => ({ page: 2 }) }, etags());
    void people.fetch();
    server.open[0]?.answer({ items: [ann] }, { headers: { etag: '"1"' } });
    const again = people.fetch();
    expect(server.open[0]?.headers.get('if-none-match')).toBe('"1"');
    server.open[0]?.answer(new Response(null, { status: 304 }));
    await again;
    expect([people.value, people.hasMore$.value]).toStrictEqual([[ann], true]);

    void people.more();
    server.open[0]?.answer({ items: [bo] }, { headers: { etag: '"2"' } });
    void people.fetch();
    // It holds more than the first page now, so that is needed as a whole.
    expect(server.open[0]?.headers.get('if-none-match')).toBeNull();
  });

  it('has no version of a page that came too late to be appended', () => {
    const again$ = new Subject<void>();
    const around: Around = (request$) => request$.pipe(retry({ count: 1, delay: () => again$ }));
    const next: PagedConfig<Person>['next'] = ({ index }) => index === 0 && { page: 2 };
    const { server, people } = paged({ url: '/people', next }, etags({ around }));
    people.fetch$().subscribe();
    server.expectOne('GET /people').answer({ items: [ann] });
    people.more$().subscribe();
    server.expectOne('GET /people?page=2').fail(new TypeError('fetch failed'));
    people.fetch$().subscribe();
    server.expectOne('GET /people').answer({ items: [ann] });
    again$.next();
    server.expectOne('GET /people?page=2').answer({ items: [bo] }, { headers: { etag: '"2"' } });
    expect(people.value).toStrictEqual([ann]);

    people.more$().subscribe();
    expect(server.expectOne('GET /people?page=2').headers.get('if-none-match')).toBeNull();
  });

  it('is sorted and filtered by a view', () => {
    const { people, answer } = paged();
    const names = view(people, { sortBy: 'name', descending: true });
    const seen = valuesOf(names);
    void people.more();
    answer([ann, eve], 'x');
    void people.more();
    answer([bo]);

    expect(seen.at(-1)).toStrictEqual([eve, bo, ann]);
  });
});

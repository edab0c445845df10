import { setTimeout } from 'node:timers/promises';

import { Subject, catchError, of, switchMap, take, timer } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import type { Lib } from 'rivulet';
import { nextLink } from 'rivulet/paging';
import type { NextPage, Page } from 'rivulet/paging';

import { polluted } from '../polluted';
import { survivors } from '../survivors';

import { ann, bo, eve, ida, paged } from './people';
import type { Person } from './people';

const lines = ({ server }: ReturnType<typeof paged>) => server.requests.map(String);

describe('the pages of a list', () => {
  it('are appended in the order of the server, each in one write', () => {
    const { people, answer } = paged();
    const lists: (readonly Person[])[] = [];
    people.subscribe((list) => lists.push(list));

    void people.more();
    answer([bo, ann], 'x');
    void people.more();
    answer([ida, eve]);

    expect(lists).toStrictEqual([[], [bo, ann], [bo, ann, ida, eve]]);
  });

  it('keep the items of earlier pages as they are, of which only the new ones are told', () => {
    const { people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    const [before] = people.value;
    const added: unknown[] = [];
    people.delta$.subscribe((delta) => added.push(delta));

    void people.more();
    answer([bo]);

    expect(people.value[0]).toBe(before);
    expect(added).toStrictEqual([{ added: [bo], changed: [], removed: [] }]);
  });

  it('bring an item again in its new place, as it is now', () => {
    const { people, answer } = paged();
    void people.more();
    answer([ann, bo], 'x');
    void people.more();
    answer([{ ...bo, name: 'Bob' }, eve]);

    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob' }, eve]);
  });

  it('compare ids as text, of any path', () => {
    const item = (id: unknown, text: string) => ({ key: { id }, text });
    const { people, answer } = paged({ idAttribute: 'key.id' });
    void people.more();
    answer([item(1, 'a'), item(2n.toString(), 'b')] as never, 'x');
    void people.more();
    answer([item('1', 'A'), item(2, 'B'), item(3, 'C')] as never);

    expect(people.value).toStrictEqual([item('1', 'A'), item(2, 'B'), item(3, 'C')]);
  });

  it('compare ids that parse has made big', () => {
    const { people, answer } = paged({
      parse: (answer) =>
        (answer as { items: Person[] }).items.map((item) => ({ ...item, id: BigInt(item.id) })),
    });
    void people.more();
    answer([ann, bo], 'x');
    void people.more();
    answer([{ ...ann, name: 'Anna' }]);

    expect(people.value.map(({ name }) => name)).toStrictEqual(['Bo', 'Anna']);
  });

  it('may hold items without an id, and what is no object', () => {
    const { people, answer } = paged();
    void people.more();
    answer([{ name: 'x' }, null, 7, { id: null }, { id: {} }, { id: '' }, { id: 0 }] as never, 'x');
    void people.more();
    answer([{ name: 'x' }, 7, { id: null }, { id: {} }, { id: '' }, { id: 0 }] as never);

    expect(people.value).toStrictEqual([
      { name: 'x' },
      null,
      7,
      { id: null },
      { id: {} },
      { id: '' },
      { id: 0 },
      { name: 'x' },
      7,
      { id: null },
      { id: {} },
      { id: '' },
      { id: 0 },
    ]);
  });

  it('read no id that is inherited', () => {
    const { people, answer } = paged();
    const prototype = Object.prototype as { id?: number };
    void people.more();
    answer([{ name: 'x' }] as never, 'x');
    void people.more();
    prototype.id = 1;
    try {
      answer([{ name: 'y' }] as never);
    } finally {
      delete prototype.id;
    }

    expect(people).toHaveLength(2);
  });

  it('keep what was created here until a page brings it', async () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    const more = people.more();
    const created = people.create({ name: 'Ida' });
    server.expectOne('POST /people?sort=id').answer(ida);
    await created;
    answer([bo], 'y');
    await more;
    expect(people.value).toStrictEqual([ann, ida, bo]);

    void people.more();
    answer([eve, ida]);

    expect(people.value).toStrictEqual([ann, bo, eve, ida]);
  });

  it('do not bring back what was removed while they were read', () => {
    const { people, answer } = paged();
    void people.more();
    answer([ann, bo], 'x');
    void people.more();
    people.remove(({ id }) => id === 1);
    answer([eve]);

    expect(people.value).toStrictEqual([bo, eve]);
  });

  it('are dropped by a fetch, which begins with the first', () => {
    const { people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    void people.more();
    answer([bo], 'y');

    void people.fetch();
    answer([eve], 'z');

    expect([people.value, people.page$.value?.index]).toStrictEqual([[eve], 0]);
  });

  it('leave a live record its edits, and tell it what is new', () => {
    const { people, answer } = paged();
    void people.more();
    answer([ann, bo], 'x');
    const record = people.record(2);
    record.set({ name: 'typed' }, { keepDirty: true });

    void people.more();
    answer([{ ...bo, name: 'Bob' }]);

    expect([record.get('name'), record.isDirty$.value]).toStrictEqual(['typed', true]);
    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
  });

  it('are no newer than the read of a live record that they say nothing about', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    void people.record(1).fetch();
    void people.more();
    server.expectOne(/cursor=x$/).answer({ items: [bo] });

    server.expectOne('GET /people/1?sort=id').answer({ ...ann, name: 'Anna' });

    expect(people.value).toStrictEqual([{ ...ann, name: 'Anna' }, bo]);
  });
});

describe('the next page', () => {
  it('is asked for from each page, with all that is known of it', () => {
    const asked: Page<Person>[] = [];
    const { server, people, answer } = paged({
      next: (page) => {
        asked.push(page);
        return { page: page.index + 2 };
      },
    });
    void people.more();
    answer([ann, bo]);
    void people.more();
    server.expectOne(/page=2/).answer({ items: [bo, eve] }, { headers: { 'x-total-count': '3' } });

    expect(asked).toStrictEqual([
      {
        index: 0,
        items: [ann, bo],
        body: { items: [ann, bo] },
        request: server.requests[0]?.request,
        response: expect.any(Response) as Response,
      },
      {
        index: 1,
        items: [bo, eve],
        body: { items: [bo, eve] },
        request: server.requests[1]?.request,
        response: expect.any(Response) as Response,
      },
    ]);
    expect(asked[1]?.response.headers.get('x-total-count')).toBe('3');
    expect(people.page$.value).toBe(asked[1]);
  });

  it.each([
    ...([null, undefined, '', false, 0] as const),
    ...[{}, { after: undefined }, { after: null, page: undefined }],
  ])('does not exist after %o', async (next) => {
    const { server, people, answer } = paged({ next: () => next });
    void people.more();
    answer([ann]);

    expect([people.hasMore$.value, await people.more(), server.requests.length]).toStrictEqual([
      false,
      undefined,
      1,
    ]);
  });

  it.each([{ page: 0 }, { after: '' }, { all: false }])(
    'exists after a parameter with any value: %o',
    (next) => {
      const { people, answer } = paged({ next: () => next });
      void people.more();
      answer([ann]);

      expect(people.hasMore$.value).toBe(true);
    },
  );

  it('may be a url from a Link header', () => {
    const { server, people } = paged({ parse: undefined, next: nextLink });
    void people.more();
    server
      .expectOne('GET /people?sort=id')
      .answer([ann], { headers: { link: '</people?after=1>; rel="next"' } });
    void people.more();

    expect(server.open.map(String)).toStrictEqual(['GET /people?after=1']);
  });

  it('is read by the method that the url begins with, wherever it is', () => {
    const setup = paged({ url: 'SEARCH /people', next: ({ index }) => (index ? { page: 3 } : '?page=2') });
    for (let count = 0; count < 3; count += 1) {
      void setup.people.more();
      setup.answer([ann]);
    }

    expect(lines(setup)).toStrictEqual(['SEARCH /people', 'SEARCH /people?page=2', 'SEARCH /people?page=3']);
  });

  it('is of the list that is there, even if the url is that of another by now', () => {
    let filter = 'a';
    const given: unknown[] = [];
    const setup = paged({
      url(options, action) {
        given.push(this, options.priority, action);
        return `/people?q=${filter}`;
      },
    });
    const { people, answer } = setup;
    void people.more({ priority: 'low' });
    answer([ann], 'x');
    filter = 'b';
    void people.more();
    expect(lines(setup)).toStrictEqual(['GET /people?q=a', 'GET /people?q=a&cursor=x']);
    answer([bo], 'y');
    void people.more();
    answer([ida], 'y');
    expect(lines(setup)[2]).toBe('GET /people?q=a&cursor=y');
    void people.refresh();
    answer([eve], 'z');

    expect(lines(setup).slice(3)).toStrictEqual(['GET /people?q=b', 'GET /people?q=b&cursor=z']);
    expect(given.slice(0, 3)).toStrictEqual([people, 'low', 'read']);
  });

  it('is read from the url as it is by then, if the first was made later than during the call of sync', async () => {
    let filter = 'a';
    const setup = paged({ url: () => `/people?q=${filter}` });
    const { people, root, server } = setup;
    people.sync = (action, concern, options) =>
      timer(0).pipe(
        switchMap(() => root.sync.call(concern, action, concern, options) as Observable<unknown>),
      );
    const first = people.more();
    (await server.next('GET /people?q=a')).answer({ items: [ann], next: 'x' });
    await first;
    filter = 'b';
    const second = people.more();
    (await server.next('GET /people?q=b&cursor=x')).answer({ items: [bo] });
    await second;

    expect(people.value).toStrictEqual([ann, bo]);
  });

  it.each([
    [
      'a URL',
      new URL('https://api.example/people?sort=id'),
      'GET https://api.example/people?sort=id&cursor=x',
    ],
    ['one by action', { read: '/people' }, 'GET /people?cursor=x'],
    ['a function by action', { read: () => 'SEARCH /people' }, 'SEARCH /people?cursor=x'],
    [
      'a function for one by action',
      () => ({ read: new URL('https://api.example/people') }),
      'GET https://api.example/people?cursor=x',
    ],
  ])('is read from a url that is %s', (_, url, line) => {
    const setup = paged({ url });
    void setup.people.more();
    setup.server.open[0]?.answer({ items: [ann], next: 'x' });
    void setup.people.more();

    expect(lines(setup)[1]).toBe(line);
  });

  it('is not read without a url', async () => {
    await expect(paged({ url: () => undefined }).people.more()).rejects.toMatchObject({ code: 'NO_URL' });
    await expect(paged({ url: undefined }).people.more()).rejects.toMatchObject({ code: 'NO_URL' });
  });

  it('is not read from another origin; everything stays, and may be read again', async () => {
    let next = 'https://evil.example/people';
    const { server, people, answer } = paged({ next: () => next });
    void people.more();
    answer([ann], 'x');

    const failure = people.more();

    await expect(failure).rejects.toMatchObject({ code: 'BAD_OPTION', action: 'read' });
    expect(people.error$.value).toBe(await failure.catch((error: unknown) => error));
    expect([people.value, people.hasMore$.value, server.requests.length]).toStrictEqual([[ann], true, 1]);
    next = '/people?page=2';
    void people.fetch();
    answer([ann]);
    void people.more();
    expect(server.open.map(String)).toStrictEqual(['GET /people?page=2']);
  });

  it.each([
    ['of type Number', 2],
    ['of type Boolean', true],
    ['of type Function', () => null],
    ['of type URLSearchParams', new URLSearchParams('page=2')],
    ['of type Map', new Map([['page', 2]])],
    ['a list', ['/people']],
    ['a promise', Promise.resolve('/people')],
    ['a promise', of('/people')],
  ])('cannot be what is %s, which fails the read', async (kind, next) => {
    const { people, answer } = paged({ next: () => next as NextPage });
    const read = people.fetch();
    answer([ann], 'x');

    await expect(read).rejects.toMatchObject({
      code: 'BAD_OPTION',
      message: expect.stringMatching(`^read: "next" must return a url, .*, not ${kind}$`) as string,
    });
    expect([people.value, people.hasMore$.value]).toStrictEqual([[], true]);
  });

  it('cannot be a promise, whose own failure is not left unhandled', async () => {
    const { people, answer } = paged({ next: () => Promise.reject(new Error('no cursor')) as never });
    const read = people.fetch();
    answer([ann], 'x');

    await expect(read).rejects.toMatchObject({ code: 'BAD_OPTION' });
    // Vitest reports what is unhandled by then.
    await setTimeout();
  });

  it('is asked for again if what says where it is throws, which fails the read', async () => {
    const problem = new Error('no cursor');
    let isBroken = true;
    const { people, answer } = paged({
      next: () => {
        if (isBroken) throw problem;
        return null;
      },
    });
    const read = people.more();
    answer([ann], 'x');
    await expect(read).rejects.toBe(problem);
    expect([people.value, people.page$.value]).toStrictEqual([[], undefined]);

    isBroken = false;
    void people.more();
    answer([ann], 'x');
    expect([people.value, people.hasMore$.value]).toStrictEqual([[ann], false]);
  });
});

describe('an answer that is no page', () => {
  it('without data leaves list and pages as they are', async () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    const read = people.fetch();
    server.expectOne(/GET/).answer();

    expect((await read).status).toBe(204);
    expect([people.value, people.page$.value?.index, people.hasMore$.value]).toStrictEqual([[ann], 0, true]);
  });

  it('without data is newer than an older page', async () => {
    const { server, people } = paged();
    const older = people.fetch();
    const newer = people.fetch();
    server.open[1]?.answer();
    await newer;
    server.open[0]?.answer({ items: [ann], next: 'x' });
    await older;

    expect([people.value, people.page$.value]).toStrictEqual([[], undefined]);
  });

  it('without data that is older than a page does not count', async () => {
    const { server, people } = paged();
    const reads = [people.fetch(), people.fetch(), people.fetch()];
    server.open[2]?.answer({ items: [eve], next: 'new' });
    server.open[0]?.answer();
    server.open[0]?.answer({ items: [ann], next: 'old' });
    await Promise.all(reads);
    void people.more();

    expect(people.value).toStrictEqual([eve]);
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=new']);
  });

  it('refused leaves list and pages as they are', async () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    for (const read of [people.fetch(), people.more()]) {
      server.open[0]?.answer({ items: [bo] }, { status: 503 });
      expect((await read)?.status).toBe(503);
    }
    expect([people.value, people.page$.value?.index]).toStrictEqual([[ann], 0]);
    expect(server.requests.map(String).at(-1)).toBe('GET /people?sort=id&cursor=x');
  });

  it('that is no list fails as for any collection', async () => {
    const { server, people } = paged({ parse: undefined });
    const read = people.more();
    server.open[0]?.answer({ items: [ann] });

    await expect(read).rejects.toMatchObject({ code: 'SHAPE' });
    expect(people.page$.value).toBeUndefined();
  });

  it('to a create, or to a live record, is parsed as configured', async () => {
    const seen: unknown[] = [];
    const { server, people, answer } = paged({
      parse(data, action) {
        seen.push([this === people, data, action]);
        return action === 'read' ? (data as { items: unknown }).items : (data as { item: unknown }).item;
      },
    });
    void people.more();
    answer([ann], 'x');
    const created = people.create({ name: 'Bo' });
    server.expectOne('POST /people?sort=id').answer({ item: bo });
    await created;
    const saved = people.record(1).save();
    server.expectOne('PUT /people/1?sort=id').answer({ ...ann, name: 'Anna' });
    await saved;

    expect(people.value).toStrictEqual([{ ...ann, name: 'Anna' }, bo]);
    expect(seen).toStrictEqual([
      [true, { items: [ann], next: 'x' }, 'read'],
      [true, { item: bo }, 'create'],
    ]);
  });
});

describe('pages that overlap', () => {
  it('are those of the newest read of the list', async () => {
    const { server, people } = paged();
    const reads = [people.fetch(), people.fetch()];
    server.open[1]?.answer({ items: [bo], next: 'new' });
    server.open[0]?.answer({ items: [ann], next: 'old' });
    await Promise.all(reads);
    void people.more();

    expect(people.value).toStrictEqual([bo]);
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=new']);
  });

  it('are those of the older read if the newer one fails', async () => {
    const { server, people } = paged();
    const reads = [people.fetch(), people.fetch()];
    server.open[1]?.answer({ items: 'none' });
    server.open[0]?.answer({ items: [ann], next: 'old' });
    await Promise.allSettled(reads);
    void people.more();

    expect(people.value).toStrictEqual([ann]);
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=old']);
  });

  it('are not mixed: a page is not appended to a list that has begun anew', async () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    const reads = [people.more(), people.fetch()];
    server.open[1]?.answer({ items: [eve], next: 'z' });
    server.open[0]?.answer({ items: [bo], next: 'y' });

    expect((await Promise.all(reads)).map((response) => response?.status)).toStrictEqual([200, 200]);
    expect([people.value, people.page$.value?.index]).toStrictEqual([[eve], 0]);
    void people.more();
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=z']);
  });

  it('are not mixed when a request is sent again late', async () => {
    const again$ = new Subject<void>();
    const { server, people, answer } = paged(
      {},
      {
        around: (request$) =>
          request$.pipe(
            catchError(() =>
              again$.pipe(
                take(1),
                switchMap(() => request$),
              ),
            ),
          ),
      },
    );
    void people.more();
    answer([ann], 'x');
    const more = people.more();
    server.open[0]?.fail();
    void people.fetch();
    answer([eve], 'z');

    again$.next();
    answer([bo], 'y');

    expect((await more)?.status).toBe(200);
    expect(people.value).toStrictEqual([eve]);
    void people.more();
    expect(server.open.map(String)).toStrictEqual(['GET /people?sort=id&cursor=z']);
  });
});

describe('what is sent while a list is being requested', () => {
  const url = { read: '/people', create: '/people/new', update: '/people/:id/edit' };
  /** Lets the `sync` of the root send something else before or after the first request. */
  function during(root: Lib, when: 'before' | 'after', act: () => unknown): void {
    const { sync } = root;
    root.sync = (action, concern, options) => {
      root.sync = sync;
      if (when === 'before') act();
      const answer = sync.call(concern, action, concern, options);
      if (when === 'after') act();
      return answer;
    };
  }

  it('is sent to its own url: a save, a create', () => {
    const { people, root, server } = paged({ url, data: [ann] });
    const record = people.record(1);
    record.name.next('Anna');
    during(root, 'before', () => [record.save(), people.create(bo)]);
    void people.fetch();

    expect(server.requests.map(String)).toStrictEqual([
      'PUT /people/1/edit',
      'POST /people/new',
      'GET /people',
    ]);
  });

  it('does not become the url of the next pages', () => {
    const { people, root, server } = paged({
      url: (_options, action) => (action === 'read' ? '/people' : '/admin/people'),
      data: [ann],
    });
    const record = people.record(1);
    record.name.next('Anna');
    during(root, 'after', () => [record.save(), record.fetch()]);
    void people.fetch();
    server.expectOne('GET /people').answer({ items: [bo], next: 'x' });
    void people.more();

    expect(server.requests.map(String).at(-1)).toBe('GET /people?cursor=x');
  });

  it('is another read of the list, which begins at its own url', () => {
    let filter = 'a';
    const { people, root, server } = paged({ url: () => `/people?q=${filter}` });
    during(root, 'before', () => {
      people.fetch().catch(() => undefined);
      filter = 'b';
    });
    void people.fetch();
    server.expectOne('GET /people?q=a').fail();
    server.expectOne('GET /people?q=b').answer({ items: [bo], next: 'x' });
    filter = 'c';
    void people.more();

    expect(server.requests.map(String).at(-1)).toBe('GET /people?q=b&cursor=x');
  });
});

describe('a url by action', () => {
  it('is not read from a polluted prototype', () => {
    const { people, server } = paged({ url: { create: '/people' } });
    polluted({ read: '/evil' }, () => {
      people.fetch().catch(() => undefined);
    });

    expect([server.requests, people.error$.value]).toMatchObject([[], { code: 'NO_URL' }]);
  });
});

describe('what a list keeps', () => {
  it('is nothing of pages before the last, after a refresh', async () => {
    const { people, server, answer } = paged();
    for (const [item, next] of [[ann, 'x'], [bo, 'y'], [eve]] as const) {
      void people.more();
      answer([item], next);
    }
    const responses: WeakRef<object>[] = [];
    const done = people.refresh();
    for (const [item, next] of [[ann, 'x'], [bo, 'y'], [eve]] as const) {
      const response = Response.json({ items: [item], next });
      responses.push(new WeakRef(response));
      (await server.next(/./)).answer(response);
    }
    await done;

    expect(await survivors(responses.slice(0, 2))).toBe(0);
  });

  it('is nothing of the options of a fetch that was answered', async () => {
    const { people, server } = paged();
    const fetched = async () => {
      const attrs = {};
      const done = people.fetch({ attrs });
      server.expectAll(/./)[0].answer({ items: [ann] });
      await done;
      return new WeakRef(attrs);
    };

    expect(await survivors([await fetched()])).toBe(0);
  });
});

import { of, retry } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import { etags } from 'rivulet/etag';
import { poll } from 'rivulet/live';
import { PagedCollection, nextLink } from 'rivulet/paging';
import { TestClock, TestServer } from 'rivulet/testing';

import { valuesOf } from '../watch';

import { ann, bo, eve, ida, paged } from './people';
import type { Person } from './people';

const anna: Person = { id: 1, name: 'Anna' };
const bob: Person = { id: 2, name: 'Bob' };

/** Two pages that were read, `[ann]` and `[bo]`; a third is at the cursor `y`. */
function twoPages(...given: Parameters<typeof paged>) {
  const all = paged(...given);
  void all.people.more();
  all.answer([ann], 'x');
  void all.people.more();
  all.answer([bo], 'y');
  return all;
}

describe('refresh', () => {
  it('reads all pages that were read, one after the other, and writes them at once', async () => {
    const { server, people, answer } = twoPages();
    const emissions = valuesOf(people);
    const refreshed = people.refresh();
    answer([anna], 'x2');
    expect(emissions).toHaveLength(1);
    answer([bob, eve], 'y2');
    await refreshed;

    expect(emissions).toStrictEqual([
      [ann, bo],
      [anna, bob, eve],
    ]);
    expect(server.requests.slice(2).map(String)).toStrictEqual([
      'GET /people?sort=id',
      'GET /people?sort=id&cursor=x2',
    ]);
  });

  it('is continued by the page after the last', () => {
    const { server, people, answer } = twoPages();
    void people.refresh();
    answer([anna], 'x2');
    answer([bob], 'y2');
    void people.more();

    expect(people.page$.value).toMatchObject({ index: 1, items: [bob] });
    server.expectAll('GET /people?sort=id&cursor=y2')[0].answer({ items: [eve] });
    expect([people.value, people.hasMore$.value]).toStrictEqual([[anna, bob, eve], false]);
  });

  it('keeps what has not changed, and tells only what has', () => {
    const { people, answer } = twoPages();
    const [, before] = people.value;
    const deltas = valuesOf(people.delta$);
    void people.refresh();
    answer([anna], 'x');
    answer([{ ...bo }], 'y');

    expect(people.at(1)).toBe(before);
    expect(deltas).toMatchObject([{ added: [], changed: [[ann, anna]], removed: [] }]);
  });

  it('reads the first page if none was read', async () => {
    const { server, people, answer } = paged({ data: [eve, ida] });
    const refreshed = people.refresh();
    answer([ann], 'x');

    expect((await refreshed).status).toBe(200);
    expect([people.value, people.hasMore$.value]).toStrictEqual([[ann], true]);
    expect(server.open).toHaveLength(0);
  });

  it('ends where the list has become shorter', async () => {
    const { people, answer } = twoPages();
    const refreshed = people.refresh();
    answer([bob]);
    await refreshed;

    expect([people.value, people.hasMore$.value, people.page$.value?.index]).toStrictEqual([[bob], false, 0]);
  });

  it('shows an item once that has moved to a later page meanwhile, and what a page repeats as it is', () => {
    const { people, answer } = twoPages();
    void people.refresh();
    answer([anna, eve, eve], 'x');
    answer([bob, anna], 'y');

    expect(people.value).toStrictEqual([eve, eve, bob, anna]);
  });

  it('reads a page again, too, that was appended in the meantime', () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    void people.more();
    void people.refresh();
    const [more, refresh] = server.expectAll(/cursor/, /GET/);
    more.answer({ items: [bo], next: 'y' });
    refresh.answer({ items: [anna], next: 'x' });
    answer([bob], 'y');

    expect(people.value).toStrictEqual([anna, bob]);
    expect(people.page$.value?.index).toBe(1);
  });

  it('counts the pages, however many, for a next that counts them', () => {
    const next = ({ index }: { index: number }) => ({ page: index + 2 });
    const { server, people, answer } = paged({ next });
    for (const item of [ann, bo, eve, ida]) {
      void people.more();
      answer([item]);
    }
    void people.refresh();
    for (const item of [anna, bob, eve, ida]) answer([item]);

    expect(server.requests.slice(4).map(String)).toStrictEqual([
      'GET /people?sort=id',
      'GET /people?sort=id&page=2',
      'GET /people?sort=id&page=3',
      'GET /people?sort=id&page=4',
    ]);
    expect(people.page$.value?.index).toBe(3);
  });

  it('passes its options on with each request, to callbacks too', () => {
    const seen: unknown[] = [];
    const { server, people, answer } = twoPages({
      fetchOptions: (_action, _concern, options) => {
        seen.push(options.priority);
        return {};
      },
    });
    void people.refresh({ priority: 'low', headers: { a: 'b' } });
    answer([anna], 'x');
    answer([bob], 'y');

    expect(seen.slice(2)).toStrictEqual(['low', 'low']);
    expect(server.requests.slice(2).map(({ headers }) => headers.get('a'))).toStrictEqual(['b', 'b']);
  });

  it('raises the flags until the last page is there, and takes as long as its time limit', async () => {
    const clock = new TestClock();
    const { people, answer } = twoPages({ timeout: 100 }, { scheduler: clock });
    const refreshed = people.refresh();
    clock.advance(60);
    answer([anna], 'x');
    expect(people.isReading$.value).toBe(true);
    clock.advance(60);

    await expect(refreshed).rejects.toMatchObject({ name: 'TimeoutError' });
    expect([people.isReading$.value, people.value]).toStrictEqual([false, [ann, bo]]);
  });

  it('may be left: the page under way is aborted, and no other requested', () => {
    const { server, people, answer } = twoPages();
    const subscription = people.refresh$().subscribe();
    answer([anna], 'x');
    const [request] = server.open;
    subscription.unsubscribe();

    expect([request?.state, people.isReading$.value]).toStrictEqual(['aborted', false]);
    expect([people.value, server.open]).toStrictEqual([[ann, bo], []]);
  });

  it('is sent by each subscription, for the pages read by then', () => {
    const { people, answer } = paged();
    const refresh$ = people.refresh$();
    refresh$.subscribe();
    answer([ann], 'x');
    void people.more();
    answer([bo], 'y');
    refresh$.subscribe();
    answer([anna], 'x');
    answer([bob], 'y');

    expect(people.value).toStrictEqual([anna, bob]);
  });

  it('waits for what parse waits for, page by page', async () => {
    const { server, people } = paged({
      parse: async (answer) => {
        await Promise.resolve();
        return (answer as { items: Person[] }).items;
      },
    });
    const read = async (request: Promise<unknown>, ...pages: (readonly [Person, string])[]) => {
      for (const [item, next] of pages) (await server.next(/GET/)).answer({ items: [item], next });
      await request;
    };
    await read(people.more(), [ann, 'x']);
    await read(people.more(), [bo, 'y']);
    await read(people.refresh(), [anna, 'x'], [bob, 'y']);

    expect(people.value).toStrictEqual([anna, bob]);
  });

  it('that is answered without data keeps the first page, and what was added to that', async () => {
    const { server, people, answer } = paged();
    void people.more();
    answer([ann], 'x');
    people.push(ida);
    const refreshed = people.refresh();
    server.open[0]?.answer();
    await refreshed;

    expect([people.value, people.hasMore$.value]).toStrictEqual([[ann, ida], true]);
  });

  it('ignores an event, and may be detached', () => {
    const { server, people, answer } = twoPages();
    const { refresh } = people;
    void refresh(new Event('click'));
    answer([anna], 'x');
    answer([bob], 'y');

    expect(people.value).toStrictEqual([anna, bob]);
    expect(server.requests.at(-1)?.request).not.toHaveProperty('type');
  });

  it('fails once the list is disposed of, under way or not', async () => {
    const { server, people, answer } = twoPages();
    const pending = people.refresh();
    answer([anna], 'x');
    people.dispose();

    for (const refreshed of [pending, people.refresh()])
      await expect(refreshed).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(server.open).toStrictEqual([]);
  });

  it('never throws, and rejects if a subclass does', async () => {
    class Broken extends PagedCollection<Person> {
      override fetch$(): never {
        throw new RangeError('broken');
      }
    }

    await expect(new Broken({ next: nextLink }).refresh()).rejects.toThrow('broken');
  });
});

describe('a refresh of which a page', () => {
  it('is refused resolves with the refusal, and changes nothing', async () => {
    const { server, people, answer } = twoPages();
    const refreshed = people.refresh();
    answer([anna], 'x2');
    server.expectAll(/x2/)[0].answer({ title: 'busy' }, { status: 503 });

    expect((await refreshed).status).toBe(503);
    expect([people.value, people.page$.value?.index]).toStrictEqual([[ann, bo], 1]);
    void people.more();
    server.expectAll('GET /people?sort=id&cursor=y');
  });

  it('does not arrive rejects, and changes nothing', async () => {
    const { server, people, answer } = twoPages();
    const refreshed = people.refresh();
    answer([anna], 'x2');
    const error = new TypeError('offline');
    server.expectAll(/x2/)[0].fail(error);

    await expect(refreshed).rejects.toBe(error);
    expect([people.value, people.error$.value]).toStrictEqual([[ann, bo], error]);
  });

  it.each([
    ['is no list', { items: 7 }, { code: 'SHAPE', action: 'read' }],
    ['cannot be parsed', null, { name: 'TypeError' }],
    ['names a next one that is none', { items: [anna], next: 7 }, { code: 'BAD_OPTION' }],
    ['names a next one elsewhere', { items: [anna], next: 'https://evil.test/' }, { code: 'BAD_OPTION' }],
  ])('%s rejects, sends nothing more, and changes nothing', async (_, body, error) => {
    const { server, people, answer } = paged({ next: ({ body: given }) => (given as { next: string }).next });
    void people.more();
    answer([ann], '?p=2');
    void people.more();
    answer([bo], '?p=3');
    const refreshed = people.refresh();
    server.expectAll('GET /people?sort=id')[0].answer(body);

    await expect(refreshed).rejects.toMatchObject(error);
    expect([people.value, people.page$.value?.index, server.open]).toStrictEqual([[ann, bo], 1, []]);
  });

  it.each([
    ['first', 0],
    ['last, elsewhere than before,', 1],
  ])('the %s, brings no data changes nothing', async (_, before) => {
    const { server, people, answer } = twoPages();
    const refreshed = people.refresh();
    if (before) answer([anna], 'elsewhere');
    server.expectAll(/GET/)[0].answer();

    expect((await refreshed).status).toBe(204);
    expect([people.value, people.page$.value?.index]).toStrictEqual([[ann, bo], 1]);
    const more = people.more();
    answer([eve]);
    await more;
    expect(people.value).toStrictEqual([ann, bo, eve]);
  });

  it('is confirmed by its version keeps that page, and takes the others', async () => {
    const headers = (etag: string, next: number) => ({
      etag,
      link: `</people?p=${String(next)}>; rel="next"`,
    });
    const server = new TestServer();
    const root = createLib(etags({ transport: server.transport }));
    const people = new PagedCollection<Person>({ url: '/people', next: nextLink }, root);
    void people.more();
    server.expectAll('GET /people')[0].answer([ann], { headers: headers('"1"', 2) });
    void people.more();
    server.expectAll('GET /people?p=2')[0].answer([bo], { headers: headers('"2"', 3) });

    const refreshed = people.refresh();
    const [first] = server.expectAll('GET /people');
    expect(first.headers.has('if-none-match')).toBe(false);
    first.answer([anna], { headers: headers('"3"', 2) });
    const [second] = server.expectAll('GET /people?p=2');
    expect(second.headers.get('if-none-match')).toBe('"2"');
    second.answer(new Response(null, { status: 304 }));
    await refreshed;

    expect([people.value, people.hasMore$.value]).toStrictEqual([[anna, bo], true]);
    expect(people.page$.value).toMatchObject({ index: 1, items: [bo] });
    void people.more();
    server.expectAll('GET /people?p=3');
  });

  it('is confirmed in another place is in that place, and the one after it is read, too', () => {
    const { server, people, answer } = twoPages();
    void people.more();
    answer([eve], 'z');
    void people.refresh();
    // The second page is gone: the first is followed by the third, which is unchanged.
    answer([anna], 'y');
    server.expectAll(/cursor=y$/)[0].answer();
    answer([ida], 'end');

    expect(people.value).toStrictEqual([anna, eve, ida]);
    expect(people.page$.value).toMatchObject({ index: 2, items: [ida] });
  });
});

describe('a refresh beside other reads', () => {
  it('is waited for by more, which reads the page after it', () => {
    const { server, people, answer } = twoPages();
    void people.refresh();
    void people.more();
    answer([anna], 'x2');
    answer([bob], 'y2');
    server.expectAll(/y2$/)[0].answer({ items: [eve] });

    expect(people.value).toStrictEqual([anna, bob, eve]);
  });

  it('drops a page that was requested before', async () => {
    const { server, people, answer } = twoPages();
    const more = people.more();
    const [old] = server.open;
    void people.refresh();
    server.expectOne('GET /people?sort=id').answer({ items: [anna], next: 'x' });
    server.expectOne(/cursor=x$/).answer({ items: [bob], next: 'y' });
    old?.answer({ items: [eve] });
    await more;

    expect([people.value, people.hasMore$.value]).toStrictEqual([[anna, bob], true]);
    void people.more();
    answer([eve]);
    expect(people.value).toStrictEqual([anna, bob, eve]);
  });

  it('reads as many pages as there were, also if an older fetch has left one by then', async () => {
    const { server, people, answer } = twoPages();
    void people.fetch();
    const refreshed = people.refresh();
    server.open[0]?.answer({ items: [ann], next: 'x' });
    answer([anna], 'x2');
    answer([bob], 'y2');
    await refreshed;

    expect(people.value).toStrictEqual([anna, bob]);
  });

  it('is given up once a newer fetch is answered: no other page is requested', async () => {
    const { server, people } = twoPages();
    const refreshed = people.refresh();
    const fetched = people.fetch();
    const [old, young] = server.open;
    young?.answer({ items: [eve], next: 'z' });
    old?.answer({ items: [anna], next: 'x' });
    await Promise.all([refreshed, fetched]);

    expect([people.value, server.open]).toStrictEqual([[eve], []]);
    expect(people.page$.value).toMatchObject({ index: 0, items: [eve] });
  });

  it('keeps what was saved, created and destroyed since it began', async () => {
    const { server, people, answer } = twoPages();
    void people.refresh();
    const saved = people.record(1).save({ attrs: { name: 'Saved' } });
    server.expectOne('PUT /people/1?sort=id').answer({ id: 1, name: 'Saved' });
    answer([anna], 'x');
    const destroyed = people.record(2).destroy();
    server.expectOne('DELETE /people/2?sort=id').answer();
    const created = people.create({ name: 'Ida' });
    server.expectOne('POST /people?sort=id').answer(ida);
    await Promise.all([saved, destroyed, created]);
    answer([bob, eve], 'y');

    expect(people.value).toStrictEqual([{ id: 1, name: 'Saved' }, eve, ida]);
  });

  it('leaves a live record its edits', () => {
    const { people, answer } = twoPages();
    const record = people.record(2);
    record.set({ name: 'typed' }, { keepDirty: true });
    void people.refresh();
    answer([ann], 'x');
    answer([bob], 'y');

    expect([record.get('name'), people.at(1), people.edited$.value]).toStrictEqual(['typed', bob, [record]]);
  });
});

describe('a refresh through other means', () => {
  it('begins with the first page each time it is sent again', async () => {
    class Stubborn extends PagedCollection<Person> {
      override fetch$(...args: Parameters<PagedCollection<Person>['fetch$']>) {
        return super.fetch$(...args).pipe(retry(1));
      }
    }
    const server = new TestServer();
    const next = ({ index }: { index: number }) => ({ p: index + 2 });
    const people = new Stubborn({ url: '/people', next }, createLib({ transport: server.transport }));
    for (const item of [ann, bo]) {
      void people.more();
      server.expectAll(/people/)[0].answer([item]);
    }
    const refreshed = people.refresh();
    server.expectAll('GET /people')[0].answer([anna]);
    server.expectAll('GET /people?p=2')[0].fail();
    server.expectAll('GET /people')[0].answer([anna]);
    server.expectAll('GET /people?p=2')[0].answer([bob]);
    await refreshed;

    expect(people.value).toStrictEqual([anna, bob]);
  });

  it('passes through a sync of its own for each page, which may pass on to the one before', async () => {
    const { people, answer } = twoPages();
    const { sync } = people;
    people.sync = (action, concern, options) => sync.call(concern, action, concern, options);
    const refreshed = people.refresh();
    answer([anna], 'x');
    answer([bob], 'y');
    await refreshed;

    expect(people.value).toStrictEqual([anna, bob]);
  });

  it('takes pages that are answered twice, from a cache first', async () => {
    const { people } = twoPages();
    const exchange = (items: readonly Person[], next: string) => ({
      request: {
        url: '/people',
        method: 'GET',
        headers: new Headers(),
        signal: new AbortController().signal,
      },
      response: new Response(),
      body: { items, next },
    });
    let sent = 0;
    people.sync = () => {
      sent += 1;
      return sent === 1
        ? of(exchange([ann], 'x'), exchange([anna], 'x'))
        : of(exchange([bo], 'y'), exchange([bob], 'y'));
    };
    const emissions = valuesOf(people);
    await people.refresh();

    expect(emissions.slice(1)).toStrictEqual([
      [anna, bo],
      [anna, bob],
    ]);
    expect(sent).toBe(2);
  });

  it('reads any number of pages that are answered at once', async () => {
    let sent = 0;
    const people = new PagedCollection<Person>({
      url: '/people',
      next: ({ index }) => (index < 999 ? { page: index + 1 } : undefined),
    });
    people.sync = () => {
      sent += 1;
      return of({
        request: new Request(`http://localhost/people?page=${sent}`),
        response: new Response('[]'),
        body: [{ id: sent, name: 'Ann' }],
      });
    };
    while (people.hasMore$.value) await people.more();
    sent = 0;
    await people.refresh();

    expect(sent).toBe(1000);
    expect([people.value.length, people.isReading$.value]).toStrictEqual([1000, false]);
  });

  it('is what poll needs to keep all pages', () => {
    const clock = new TestClock();
    const { people, answer } = twoPages();
    const { isReading$, refresh$: fetch$ } = people;
    const polling = poll(
      { fetch$, isReading$ },
      { every: 1000, while$: of(true), scheduler: clock },
    ).subscribe();
    clock.advance(0);
    answer([anna], 'x');
    answer([bob], 'y');
    polling.unsubscribe();

    expect(people.value).toStrictEqual([anna, bob]);
  });
});

describe('a page that is requested late in a refresh', () => {
  /** Two pages during a refresh of which something becomes of the row on the second; the first is answered after that. */
  const during = (become: (world: ReturnType<typeof twoPages>) => void) => {
    const world = twoPages();
    const record = world.people.record(bo.id);
    void world.people.refresh();
    const first = world.server.expectOne('GET /people?sort=id');
    become(world);
    first.answer({ items: [ann], next: 'x' });
    return { ...world, record };
  };

  it.each<[string, (world: ReturnType<typeof twoPages>) => void]>([
    [
      'saved',
      ({ people, server }) => {
        people.record(bo.id).save$().subscribe();
        server.expectOne('PUT /people/2?sort=id').answer({ ...bo, name: 'mine' });
      },
    ],
    [
      'read',
      ({ people, server }) => {
        people.record(bo.id).fetch$().subscribe();
        server.expectOne('GET /people/2?sort=id').answer({ ...bo, name: 'old' });
      },
    ],
    [
      'destroyed, and restored by somebody else',
      ({ people, server }) => {
        people.record(bo.id).destroy$().subscribe();
        server.expectOne('DELETE /people/2?sort=id').answer();
      },
    ],
  ])('brings a row as it is now, which was %s before', (_, become) => {
    const { people, record, answer } = during(become);
    answer([bob], 'y');
    expect([people.value, record.isDirty$.value]).toStrictEqual([[ann, bob], false]);
    expect(people.record(bo.id).get()).toStrictEqual(bob);
  });

  it('gives way to a read of a row that began after it', () => {
    const { people, record, server } = during(() => undefined);
    server.expectOne('GET /people?sort=id&cursor=x');
    record.fetch$().subscribe();
    server.expectOne('GET /people/2?sort=id').answer({ ...bo, name: 'newer' });
    server.expectOne('GET /people?sort=id&cursor=x').answer({ items: [bob], next: 'y' });
    expect(people.byId(bo.id)).toStrictEqual({ ...bo, name: 'newer' });
  });

  it('outdates a read of a row that began before it', () => {
    const { people, record, server } = during((world) => void world.people.record(bo.id).fetch());
    const read = server.expectOne('GET /people/2?sort=id');
    server.expectOne('GET /people?sort=id&cursor=x').answer({ items: [bob], next: 'y' });
    read.answer({ ...bo, name: 'old' });
    expect([people.byId(bo.id), record.get()]).toStrictEqual([bob, bob]);
  });

  it('lacks what was saved since it was requested', () => {
    const { people, record, server } = during(() => undefined);
    record.save$().subscribe();
    server.expectOne('PUT /people/2?sort=id').answer({ ...bo, name: 'mine' });
    server.expectOne('GET /people?sort=id&cursor=x').answer({ items: [bob], next: 'y' });
    expect(people.byId(bo.id)).toStrictEqual({ ...bo, name: 'mine' });
  });
});

import type { Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import { PagedCollection, nextLink } from 'rivulet/paging';
import { TestServer } from 'rivulet/testing';

import { run } from '../markdown';
import { valuesOf, watch } from '../watch';

interface Block {
  readonly groceries: PagedCollection<{ id: number }>;
  readonly count$: PagedCollection<unknown>['hasMore$'];
  readonly readAll: () => Promise<Response>;
}

/** Answers some requests with a page of one row each, which names the next, and refuses those after them. */
function servePages(count: number) {
  const answer = vi.fn(() => {
    const id = answer.mock.calls.length;
    if (id > count) return Promise.resolve(new Response(null, { status: 503 }));
    const headers = { Link: `<?_page=${String(id + 1)}>; rel="next"` };
    return Promise.resolve(Response.json([{ id }], { headers }));
  });
  vi.stubGlobal('fetch', answer);
  return answer;
}

// The first block is run in a browser, in spec/browser/paging.spec.ts.
describe('docs/PAGING.md', () => {
  it('reads all pages at once, and shows the total', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', (url: string) => {
      asked.push(url);
      const headers = { 'X-Total-Count': '2', ...(asked.length < 2 && { Link: '<?_page=2>; rel="next"' }) };
      return Promise.resolve(Response.json([{ id: asked.length }], { headers }));
    });
    const { groceries, count$, readAll } = (await run('readAll', [
      'groceries',
      'count$',
      'readAll',
    ])) as Block;
    const counts = valuesOf(count$);

    await readAll();

    expect(groceries.value).toStrictEqual([{ id: 1 }, { id: 2 }]);
    expect(asked).toStrictEqual(['/api/groceries?_per_page=50', '/api/groceries?_page=2']);
    expect(counts.slice(1)).toStrictEqual([2, 2]);
  });

  it('fails to read all pages at once when one is refused, and keeps those that were read', async () => {
    servePages(1);
    const { groceries, readAll } = (await run('readAll', ['groceries', 'readAll'])) as Block;

    await expect(readAll()).rejects.toMatchObject({ code: 'HTTP' });
    expect([groceries.value, groceries.hasMore$.value]).toStrictEqual([[{ id: 1 }], true]);
  });

  it('searches page by page, and aborts the search for the text before', async () => {
    vi.useFakeTimers();
    const asked: string[] = [];
    const signals: AbortSignal[] = [];
    vi.stubGlobal('fetch', (url: string, { signal }: { readonly signal: AbortSignal }) => {
      const page = Array.from({ length: 50 }, (_, place) => ({ id: 50 * asked.length + place, name: url }));
      asked.push(url);
      signals.push(signal);
      return url.endsWith('=b') ? new Promise(() => undefined) : Promise.resolve(Response.json(page));
    });
    const { text$, found } = (await run('const searching', ['text$', 'found'])) as {
      readonly text$: Subject<string>;
      readonly found: PagedCollection<{ name: string }>;
    };
    text$.next('a');
    await vi.advanceTimersByTimeAsync(300);
    await found.more();
    for (const text of ['b', 'c']) {
      text$.next(text);
      await vi.advanceTimersByTimeAsync(300);
    }

    expect(asked).toStrictEqual(['a', 'a&page=2', 'b', 'c'].map((text) => `/api/people?search=${text}`));
    expect(signals.map(({ aborted }) => aborted)).toStrictEqual([false, false, true, false]);
    expect([found.length, found.at(0)?.name]).toStrictEqual([50, '/api/people?search=c']);
  });

  it('uses each page once in a loop, which ends at the last or at one that is refused', async () => {
    const said = vi.spyOn(console, 'log').mockReturnValue();
    const answer = servePages(2);

    await run('await log.more()', []);

    expect(said.mock.calls).toStrictEqual([[[{ id: 1 }]], [[{ id: 2 }]]]);
    expect(answer).toHaveBeenCalledTimes(3);
  });
});

describe('a fetch and a refresh at the same time', () => {
  /** A list of two pages, each with one person. */
  const twoPages = () => {
    const server = new TestServer();
    const people = new PagedCollection<{ id: number; name: string }>(
      { url: '/people', next: nextLink },
      createLib({ transport: server.transport }),
    );
    const firstPage = (name: string) =>
      [[{ id: 1, name }], { headers: { link: '</people?_page=2>; rel="next"' } }] as const;
    watch(people.fetch$());
    server.expectOne('GET /people').answer(...firstPage('Ann'));
    watch(people.more$());
    server.expectOne('GET /people?_page=2').answer([{ id: 2, name: 'Bo' }]);
    return { server, people, firstPage, names: () => people.value.map(({ name }) => name) };
  };

  it('ends with the first page, if the fetch is the later one', () => {
    const { server, people, firstPage, names } = twoPages();
    watch(people.refresh$());
    server.expectOne('GET /people').answer(...firstPage('Anna'));
    watch(people.fetch$());
    const [second, first] = server.open;
    first?.answer(...firstPage('Anne'));
    second?.answer([{ id: 2, name: 'Bob' }]);
    expect(names()).toStrictEqual(['Anne']);
  });

  it('ends with the pages of the refresh, if that is the later one, though they were read before', () => {
    const { server, people, firstPage, names } = twoPages();
    watch(people.fetch$());
    watch(people.refresh$());
    const [fetch, refresh] = server.open;
    refresh?.answer(...firstPage('Anna'));
    fetch?.answer(...firstPage('Anne'));
    expect(names()).toStrictEqual(['Anne']);
    server.open[0]?.answer([{ id: 2, name: 'Bo' }]);
    expect(names()).toStrictEqual(['Anna', 'Bo']);
  });
});

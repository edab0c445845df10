import { describe, expect, it, vi } from 'vitest';

import type { PagedCollection } from 'rivulet/paging';

import { run } from '../markdown';
import { valuesOf } from '../watch';

interface Block {
  readonly groceries: PagedCollection<{ id: number }>;
  readonly count$: PagedCollection<unknown>['hasMore$'];
  readonly readAll: () => Promise<Response>;
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
    let answers = 0;
    vi.stubGlobal('fetch', () => {
      answers += 1;
      return Promise.resolve(
        answers > 1
          ? new Response(null, { status: 503 })
          : Response.json([{ id: 1 }], { headers: { Link: '<?_page=2>; rel="next"' } }),
      );
    });
    const { groceries, readAll } = (await run('readAll', ['groceries', 'readAll'])) as Block;

    await expect(readAll()).rejects.toMatchObject({ code: 'HTTP' });
    expect([groceries.value, groceries.hasMore$.value]).toStrictEqual([[{ id: 1 }], true]);
  });
});

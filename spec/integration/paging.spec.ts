import { describe, expect, it, onTestFinished } from 'vitest';

import { createLib } from 'rivulet';
import { PagedCollection, nextLink } from 'rivulet/paging';

import { startServer } from '../../examples/server/server.ts';

interface Person {
  readonly id: number;
  readonly name: string;
}

/** All people of the example server, page by page. */
async function open() {
  const server = await startServer();
  onTestFinished(() => server.close());
  const people = new PagedCollection<Person>(
    { url: `${server.url}/api/people?_sort=id&_per_page=90`, next: nextLink },
    createLib(),
  );
  return { server, people };
}

describe('a list of the example server, page by page', () => {
  it('follows the links of its answers until all are there', async () => {
    const { server, people } = await open();
    while (people.hasMore$.value) await people.more();

    expect(people.value.map(({ id }) => id)).toStrictEqual(
      Array.from({ length: 300 }, (_, place) => place + 1),
    );
    expect(people.page$.value?.response.headers.get('X-Total-Count')).toBe('300');
    expect(server.requests.map(({ path }) => path)).toStrictEqual([
      '/api/people?_sort=id&_per_page=90',
      '/api/people?_sort=id&_per_page=90&_page=2',
      '/api/people?_sort=id&_per_page=90&_page=3',
      '/api/people?_sort=id&_per_page=90&_page=4',
    ]);
  });

  it('saves an edit made while a page is read, and shows it once', async () => {
    const { server, people } = await open();
    await people.more();
    const more = people.more();
    const record = people.record(90);
    record.set({ name: 'Renamed' }, { keepDirty: true });
    await Promise.all([more, record.save({ patch: true })]);

    const shown = people.where(({ id }) => id === 90);
    expect(shown.map(({ name }) => name)).toStrictEqual(['Renamed']);
    expect(people).toHaveLength(180);
    expect(server.database.prepare('SELECT name FROM people WHERE id = 90').get()?.name).toBe('Renamed');
  });

  it('shows a person that moves to a later page while it is read, there and once', async () => {
    const { server, people } = await open();
    await people.more();
    // The last of the first page becomes the first of the second.
    server.database.exec('UPDATE people SET id = 0 WHERE id = 300');
    while (people.hasMore$.value) await people.more();

    const ids = people.value.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toStrictEqual(Array.from({ length: 299 }, (_, place) => place + 1));
  });

  it('stays as it is when the server is down', async () => {
    const { server, people } = await open();
    await people.more();
    await server.close();

    await expect(people.more()).rejects.toBeInstanceOf(TypeError);
    expect([people.length, people.hasMore$.value]).toStrictEqual([90, true]);
  });
});

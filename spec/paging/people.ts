import { createLib } from 'rivulet';
import type { LibOptions } from 'rivulet';
import { PagedCollection } from 'rivulet/paging';
import type { PagedConfig } from 'rivulet/paging';
import { TestServer } from 'rivulet/testing';

export interface Person {
  readonly id: number;
  readonly name: string;
}

/** An envelope, with the cursor of the next page. */
export interface Envelope {
  readonly items: readonly Person[];
  readonly next?: string | undefined;
}

export const ann: Person = { id: 1, name: 'Ann' };
export const bo: Person = { id: 2, name: 'Bo' };
export const eve: Person = { id: 3, name: 'Eve' };
export const ida: Person = { id: 4, name: 'Ida' };

/** People read page by page, by a cursor in an envelope, from a server that answers when told to. */
export function paged(config: Partial<PagedConfig<Person>> = {}, options: LibOptions = {}) {
  const server = new TestServer();
  const root = createLib({ transport: server.transport, ...options });
  const people = new PagedCollection<Person>(
    {
      url: '/people?sort=id',
      parse: (answer, action) => (action === 'read' ? (answer as Envelope).items : answer),
      next: ({ body }) => (body as Envelope).next && { cursor: (body as Envelope).next },
      ...config,
    },
    root,
  );
  /** Answers the one request that waits with a page. */
  const answer = (items: readonly Person[], next?: string) => {
    server.expectAll(/./)[0].answer({ items, next } satisfies Envelope);
  };
  return { server, root, people, answer };
}

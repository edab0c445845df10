import { createLib } from 'rivulet';
import type { Collection, CollectionConfig, Lib, LibOptions } from 'rivulet';

import { StubServer } from './stub';

/** An item of the collection of most specs. */
export interface Item {
  readonly id?: number;
  readonly name: string;
  readonly tags?: { readonly x: readonly number[] };
}

export const ann: Item = { id: 1, name: 'Ann' };
export const bo: Item = { id: 2, name: 'Bo', tags: { x: [1] } };
export const eve: Item = { id: 3, name: 'Eve' };

/** How the collection of a test differs from the usual one. */
export interface PeopleSetup {
  readonly options?: LibOptions;
  readonly config?: CollectionConfig<Item>;
}

/** An empty collection at `/people` in a root of its own, whose requests are held until the spec answers them. */
export function withPeople({ options, config }: PeopleSetup = {}): {
  root: Lib;
  people: Collection<Item>;
  server: StubServer;
} {
  const server = new StubServer();
  const root = createLib({ transport: server.transport, ...options });
  return { root, people: root.collection<Item>({ url: '/people', ...config }), server };
}

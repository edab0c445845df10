import { createLib } from 'rivulet';
import type { CollectionConfig, LibOptions } from 'rivulet';
import type { Change } from 'rivulet/live';
import { TestServer } from 'rivulet/testing';

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly version?: number;
}

export const ann: Person = { id: 1, name: 'Ann', version: 1 };
export const bo: Person = { id: 2, name: 'Bo', version: 1 };
export const eve: Person = { id: 3, name: 'Eve', version: 1 };

/** A list of people, on a server that answers when told to. */
export function listOf(
  items: readonly Person[],
  config: CollectionConfig<Person> = {},
  options: LibOptions = {},
) {
  const server = new TestServer();
  const root = createLib({ transport: server.transport, ...options });
  const list = root.collection<Person>({ url: '/people', data: items, ...config });
  return { server, list };
}

export const put = (item: Person): Change<Person> => ({ kind: 'put', item });
export const patch = (item: Partial<Person> & Pick<Person, 'id'>): Change<Person> => ({
  kind: 'patch',
  item,
});
export const gone = (item: Partial<Person> & Pick<Person, 'id'>): Change<Person> => ({
  kind: 'delete',
  item,
});

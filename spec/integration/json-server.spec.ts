import { createApp } from 'json-server/lib/app.js';
import { beforeEach, describe, expect, it } from 'vitest';

import { DataModel, createLib, lib } from 'rivulet';
import type { Collection, CollectionConfig, Lib } from 'rivulet';
import { PagedCollection } from 'rivulet/paging';

import { listen } from './listen';

// The conventions of json-server, https://github.com/typicode/json-server; to be copied.

interface Address {
  readonly street: string;
  readonly city: string;
}

interface Person {
  readonly id: string; // assigned by the server, always text
  readonly name: string;
  readonly address: Address;
}

/** The envelope of a list with `_page`. */
interface Page {
  readonly data: Person[];
  readonly items: number;
  readonly pages: number;
  readonly next: number | null;
}

class PersonRecord extends DataModel {
  readonly id = lib.observable<string | undefined>(undefined).map('id', this);
  readonly name = lib.observable('').map('name', this);
  // A PATCH replaces `address` as a whole there, so it is one field here: 'address.city' would lose the street.
  readonly address = lib.observable<Address>({ street: '', city: '' }).map('address', this);

  constructor(root: Lib) {
    super({}, root);
  }
}

/** One page of people from an endpoint, by name; live records use `/people/<id>`. */
const pageOf = (endpoint: string, page: () => number): CollectionConfig<Person, PersonRecord> => ({
  // A record puts its id before the `?`; json-server then ignores the rest.
  url: () => `${endpoint}?_sort=name&_page=${page()}&_per_page=2`,
  parse: (answer, action) => (action === 'read' ? (answer as Page).data : answer),
  model: PersonRecord,
});

const [ann, bo, eve] = [
  { id: '3', name: 'Ann', address: { street: 'Am Hof', city: 'Bonn' } },
  { id: '1', name: 'Bo', address: { street: 'Ringvej', city: 'Aarhus' } },
  { id: '2', name: 'Eve', address: { street: 'High Street', city: 'York' } },
];

/** The tables of json-server, its log of requests, and a client that shows a page. */
let stored: { people: Person[] };
let lines: string[];
let people: Collection<Person, PersonRecord>;
let page: number;
let endpoint: string;

beforeEach(async () => {
  stored = { people: structuredClone([bo, eve, ann]) };
  const app = createApp({ data: stored, write: () => Promise.resolve() });
  const server = await listen((request, response) => {
    app.handler(request, response);
  });
  lines = server.lines;
  page = 1;
  endpoint = `${server.url}/people`;
  people = createLib().collection(pageOf(endpoint, () => page));
  await people.fetch();
  lines.length = 0;
});

const storedAs = (id: string | undefined) => stored.people.find((person) => person.id === id);

describe('a page of json-server', () => {
  it('is unwrapped, in the order of the server', () => {
    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('is replaced by the next one, and the answer holds the total', async () => {
    page = 2;
    const answer = await people.fetch();

    expect(people.value).toStrictEqual([eve]);
    expect(await answer.json()).toMatchObject({ pages: 2, items: 3 } satisfies Partial<Page>);
    expect(lines).toStrictEqual(['GET /people?_sort=name&_page=2&_per_page=2']);
  });

  it('gains a created item, with the id assigned by the server', async () => {
    const answer = await people.create({ name: 'Ida', address: { street: 'Torv', city: 'Ribe' } });

    const created = people.at(-1);
    expect([answer.status, created?.name]).toStrictEqual([201, 'Ida']);
    expect(created?.id).toMatch(/^.{8,}$/);
    expect(storedAs(created?.id)).toStrictEqual(created);
  });
});

describe('the pages of json-server', () => {
  it('are appended by a paged collection, by the number of the next', async () => {
    const all = new PagedCollection<Person>(
      {
        url: `${endpoint}?_sort=name&_page=1&_per_page=2`,
        parse: (answer, action) => (action === 'read' ? (answer as Page).data : answer),
        next: ({ body }) => (body as Page).next !== null && { _page: (body as Page).next },
      },
      createLib(),
    );
    while (all.hasMore$.value) await all.more();

    expect(all.value).toStrictEqual([ann, bo, eve]);
    expect(lines).toStrictEqual([
      'GET /people?_sort=name&_page=1&_per_page=2',
      'GET /people?_sort=name&_per_page=2&_page=2',
    ]);
  });
});

describe('a live record of json-server', () => {
  it('is read at its own path, and updates its item', async () => {
    stored.people[0] = { ...bo, name: 'Bob' };

    expect((await people.record('1').fetch()).status).toBe(200);

    expect(people.byId('1')).toStrictEqual({ ...bo, name: 'Bob' });
    expect(lines).toStrictEqual(['GET /people/1?_sort=name&_page=1&_per_page=2']);
  });

  it('is updated as a whole by PUT', async () => {
    const person = people.record('1');
    person.name.next('Bob');

    expect((await person.save()).status).toBe(200);

    expect([storedAs('1'), people.byId('1')]).toStrictEqual(Array(2).fill({ ...bo, name: 'Bob' }));
    expect([person.isDirty$.value, lines[0]?.slice(0, 13)]).toStrictEqual([false, 'PUT /people/1']);
  });

  it('is updated in part by PATCH, keeping changes by others', async () => {
    const person = people.record('1');
    stored.people[0] = { ...bo, name: 'Bob' };
    person.address.next({ ...bo.address, city: 'Ribe' });

    expect((await person.save({ patch: true })).status).toBe(200);

    const both = { ...bo, name: 'Bob', address: { street: 'Ringvej', city: 'Ribe' } };
    expect([storedAs('1'), people.byId('1'), person.get()]).toStrictEqual(Array(3).fill(both));
  });

  it('is created by its first save, and is in the list from then on', async () => {
    const person = people.record({ name: 'Ida', address: { street: 'Torv', city: 'Ribe' } });

    expect((await person.save()).status).toBe(201);

    expect(person.id.value).toMatch(/^.{8,}$/);
    expect([storedAs(person.id.value), people.at(-1)]).toStrictEqual(Array(2).fill(person.get()));
    person.name.next('Ina');
    expect((await person.save()).status).toBe(200);
    expect(storedAs(person.id.value)?.name).toBe('Ina');
  });

  it('is deleted together with its item', async () => {
    const person = people.record('1');

    expect((await person.destroy()).status).toBe(200);

    expect([storedAs('1'), people.value, person.isNew$.value]).toStrictEqual([undefined, [ann], true]);
  });

  it('keeps its edits when somebody else has deleted it, and reports the failure', async () => {
    const person = people.record('1');
    person.name.next('Bob');
    stored.people.shift();

    expect((await person.save()).status).toBe(404);

    expect(person.error$.value).toMatchObject({ code: 'HTTP', action: 'update' });
    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Bob', true]);
  });
});

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLib } from 'rivulet';
import type { Collection, CollectionConfig } from 'rivulet';
import { firstValueFrom } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import type { Grocery } from '../../examples/server/schema.ts';
import { startServer } from '../../examples/server/server.ts';
import type { RunningServer } from '../../examples/server/server.ts';

import { atRest, countPeople, flagsOf, personAt, readPerson, stored } from './people';

/** A delay in milliseconds that no request waits out: each ends before. */
const endless = 60_000;

let server: RunningServer;

beforeEach(async () => {
  server = await startServer();
});

afterEach(() => server.close());

describe('a person in a database file', () => {
  it('is created, read after a restart, updated and deleted, nested fields included', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rivulet-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const database = join(folder, 'people.sqlite');
    const reopen = async () => {
      const running = await startServer({ database });
      onTestFinished(() => running.close());
      return running;
    };

    const first = await reopen();
    const ada = personAt(first);
    const data = {
      name: 'Ada Lovelace',
      email: 'ada@example.org',
      address: { street: "12 St James's Square", city: 'London', country: 'England' },
      born: '1815-12-10',
      active: false,
      notes: '“Notes” – ✓',
    };
    ada.set(data, { keepDirty: true });
    expect((await ada.save()).status).toBe(201);
    expect(ada.get()).toEqual({ id: 301, phone: '', role: '', company: '', ...data });
    await first.close();

    const second = await reopen();
    const again = await readPerson(second, 301);
    expect(again.get()).toEqual(ada.get());
    expect(again.isDirty$.value).toBe(false);
    again.city.next('Ockham');
    expect((await again.save()).status).toBe(200);
    await second.close();

    const third = await reopen();
    const last = await readPerson(third, 301);
    expect(last.get()).toEqual({ ...ada.get(), address: { ...data.address, city: 'Ockham' } });
    expect((await last.destroy()).status).toBe(204);
    expect(last.id.value).toBeUndefined();
    expect(last.isNew$.value).toBe(true);
    expect(last.isDirty$.value).toBe(false);
    expect(stored(third, 301, 'name')).toBeUndefined();
    expect(countPeople(third)).toBe(300);
  });
});

describe('a read', () => {
  it('of a missing row resolves with ok false, and sets error$', async () => {
    const person = personAt(server);
    person.set({ id: 999, name: 'Ada' });
    const before = person.get();

    const answer = await person.fetch();

    expect(answer.ok).toBe(false);
    expect(answer.status).toBe(404);
    expect(person.error$.value).toMatchObject({
      name: 'RequestError',
      code: 'HTTP',
      action: 'read',
      response: answer,
    });
    expect(person.get()).toEqual(before);
    expect(flagsOf(person)).toEqual(atRest);
    expect(await answer.json()).toMatchObject({ status: 404 });
  });

  it('clears error$ when it succeeds', async () => {
    const person = personAt(server);
    person.set({ id: 999 });
    await person.fetch();
    expect(person.error$.value).not.toBeNull();

    person.set({ id: 1 });
    await person.fetch();
    expect(person.error$.value).toBeNull();
  });

  it('is answered with 304 while If-None-Match matches the row, and leaves the record unchanged', async () => {
    const person = personAt(server);
    person.set({ id: 1 });
    const tag = (await person.fetch()).headers.get('ETag') ?? '';
    person.name.next('Ada');
    const before = person.get();

    const answer = await person.fetch({ headers: { 'If-None-Match': tag } });

    expect(answer.status).toBe(304);
    expect(server.requests.at(-1)).toMatchObject({ status: 304, headers: { 'if-none-match': tag } });
    expect(person.get()).toEqual(before);
    expect(person.name.isDirty$.value).toBe(true);
    expect(flagsOf(person)).toEqual(atRest);

    await person.save();
    expect((await person.fetch({ headers: { 'If-None-Match': tag } })).status).toBe(200);
  });

  it('that is answered with an HTML page rejects with PARSE', async () => {
    const person = personAt(server, { url: `${server.url}/api/people?_fail=html` });
    person.set({ id: 1, name: 'Ada' });
    const before = person.get();

    const error: unknown = await person.fetch().catch((reason: unknown) => reason);

    expect(error).toMatchObject({ name: 'RequestError', code: 'PARSE', action: 'read' });
    expect((error as { response?: Response }).response?.status).toBe(200);
    expect(person.error$.value).toBe(error);
    expect(person.get()).toEqual(before);
    expect(flagsOf(person)).toEqual(atRest);
  });

  it('leaves the caller a body that can still be read', async () => {
    const person = personAt(server);
    person.set({ id: 1 });
    expect(await (await person.fetch()).json()).toEqual(person.get());
  });
});

describe('save({ patch: true })', () => {
  it('sends only the dirty fields, with PATCH', async () => {
    const person = await readPerson(server, 1);
    person.name.next('Ada');
    person.city.next('London');

    const answer = await person.save({ patch: true });

    expect(answer.status).toBe(200);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'PATCH',
      path: '/api/people/1',
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({ name: 'Ada', address: { city: 'London' } });
    expect(stored(server, 1, 'address.city')).toBe('London');
    expect(stored(server, 1, 'address.street')).toBe(person.street.value);
    expect(person.isDirty$.value).toBe(false);
  });
});

describe('an abandoned request', () => {
  it('is aborted on the server when unsubscribed, and writes nothing on either side', async () => {
    const person = await readPerson(server, 1, { url: slowly() });
    const before = stored(server, 1, 'name');
    person.name.next('Ada');

    const subscription = person.save$().subscribe();
    await server.waitFor(({ method }) => method === 'PUT');
    expect(person.isUpdating$.value).toBe(true);
    subscription.unsubscribe();

    expect(flagsOf(person)).toEqual(atRest);
    const log = await server.waitFor(({ aborted }) => aborted);
    expect(log).toMatchObject({
      method: 'PUT',
      path: `/api/people/1?_delay=${String(endless)}`,
      status: null,
    });
    expect(stored(server, 1, 'name')).toBe(before);
    expect(person.name.value).toBe('Ada');
    expect(person.name.remote$.value).toBe(before);
    expect(person.error$.value).toBeNull();
  });

  it('that reads is aborted on the server when unsubscribed, and writes nothing', async () => {
    const person = personAt(server, { url: slowly(0) });
    person.set({ id: 1, name: 'Ada' });

    const subscription = person.fetch$().subscribe();
    await server.waitFor(({ method }) => method === 'GET');
    subscription.unsubscribe();

    await server.waitFor(({ aborted }) => aborted);
    expect(person.name.value).toBe('Ada');
    expect(flagsOf(person)).toEqual(atRest);
  });

  it('is aborted on the server by its signal, and rejects with the reason of the signal', async () => {
    const person = await readPerson(server, 1, { url: slowly() });
    const abort = new AbortController();
    const reason = new Error('The form is closed');

    const saving = person.save({ signal: abort.signal });
    await server.waitFor(({ method }) => method === 'PUT');
    abort.abort(reason);

    await expect(saving).rejects.toBe(reason);
    await server.waitFor(({ aborted }) => aborted);
    expect(flagsOf(person)).toEqual(atRest);
    expect(person.error$.value).toBeNull();
  });

  it('is aborted on the server by its timeout, and rejects with a TimeoutError', async () => {
    const person = await readPerson(server, 1, { url: slowly() });
    const before = stored(server, 1, 'name');
    person.name.next('Ada');

    // Long enough to reach the server on a busy machine: what is aborted before that, the server never sees.
    const error: unknown = await person.save({ timeout: 500 }).catch((reason: unknown) => reason);

    expect(error).toBeInstanceOf(DOMException);
    expect(error).toMatchObject({ name: 'TimeoutError' });
    expect(person.error$.value).toBe(error);
    expect(flagsOf(person)).toEqual(atRest);
    expect((await server.waitFor(({ aborted }) => aborted)).method).toBe('PUT');
    expect(stored(server, 1, 'name')).toBe(before);
    expect(person.name.isDirty$.value).toBe(true);
  });
});

describe('a broken connection', () => {
  it.each(['fetch', 'save', 'destroy'] as const)(
    'makes %s() reject with the TypeError of the platform, and lowers the flags',
    async (method) => {
      const before = await readPerson(server, 1);
      const person = personAt(server, { url: `${server.url}/api/people?_fail=reset` });
      person.set(before.get());
      person.name.next('Ada');
      const edited = person.get();

      const asked = person[method]();
      expect(person.requestInProgress$.value).toBe(true);
      const error: unknown = await asked.catch((reason: unknown) => reason);

      expect(error).toBeInstanceOf(TypeError);
      expect(person.error$.value).toBe(error);
      expect(flagsOf(person)).toEqual(atRest);
      expect(person.get()).toEqual(edited);
      expect(person.name.isDirty$.value).toBe(true);
      expect(stored(server, 1, 'name')).toBe(before.name.value);
    },
  );

  it('after the write leaves the record dirty, and the next save recovers', async () => {
    const queries = ['?_fail=after', ''];
    const person = personAt(server, { url: () => `${server.url}/api/people${String(queries.shift())}` });
    person.set((await readPerson(server, 1)).get());
    person.name.next('Ada');

    await expect(person.save()).rejects.toBeInstanceOf(TypeError);
    expect(stored(server, 1, 'name')).toBe('Ada');
    expect(person.name.isDirty$.value).toBe(true);

    await person.save();
    expect(person.isDirty$.value).toBe(false);
    expect(person.error$.value).toBeNull();
  });
});

describe('a collection', () => {
  it('holds what the server lists, in its order', async () => {
    const groceries = groceriesOf({ url: `${server.url}/api/groceries?_sort=-name&_per_page=5` });

    const answer = await groceries.fetch();

    const names = server.database
      .prepare('SELECT name FROM groceries ORDER BY name COLLATE NOCASE DESC, id LIMIT 5')
      .all()
      .map(({ name }) => name);
    expect(answer.status).toBe(200);
    expect(groceries.value.map(({ name }) => name)).toEqual(names);
    expect(groceries.isReading$.value).toBe(false);
    expect(groceries.error$.value).toBeNull();
  });

  it('is searched on the server by its url, and locally by where()', async () => {
    let search = 'apple';
    const groceries = groceriesOf({
      url: () => `${server.url}/api/groceries?search=${encodeURIComponent(search)}`,
    });

    await groceries.fetch();
    expect(groceries.length).toBeGreaterThan(0);
    expect(groceries.where({ name: /apple/i })).toEqual([...groceries]);

    search = 'no such thing';
    await groceries.fetch();
    expect([...groceries]).toEqual([]);

    search = '';
    await groceries.fetch();
    const drinks = groceries.where({ category: 'Drinks', done: false });
    const { count } = server.database
      .prepare(`SELECT count(*) AS count FROM groceries WHERE category = 'Drinks' AND done = 0`)
      .get() as { count: number };
    expect(count).toBeGreaterThan(0);
    expect(drinks).toHaveLength(count);
  });

  it('keeps the objects of unchanged items when read again', async () => {
    const groceries = groceriesOf();
    await groceries.fetch();
    const before = [...groceries];
    server.database.prepare(`UPDATE groceries SET unit = 'crate' WHERE id = 3`).run();

    await groceries.fetch();

    const changed = [...groceries].flatMap((item, place) => (item === before[place] ? [] : item));
    expect(changed).toEqual([{ ...before[2], unit: 'crate' }]);
  });

  it('creates an item, and adds it as answered by the server', async () => {
    const groceries = groceriesOf();
    await groceries.fetch();
    const { length } = groceries;

    const answer = await groceries.create({ name: '  Quinces ' });

    const quinces = { id: 41, name: 'Quinces', quantity: 1, unit: 'pcs', category: 'Other', done: false };
    expect(answer.status).toBe(201);
    expect(groceries.length).toBe(length + 1);
    expect(groceries.at(-1)).toEqual(quinces);
    expect(groceries.byId(41)).toBe(groceries.at(-1));
    expect(JSON.parse(server.requests.at(-1)?.body ?? '')).toEqual({ name: '  Quinces ' });
    await groceries.fetch();
    expect(groceries.byId(41)).toEqual(quinces);
  });

  it('adds nothing when the item is refused', async () => {
    const groceries = groceriesOf();
    await groceries.fetch();
    const before = groceries.value;

    const answer = await groceries.create({ name: '' });

    expect(answer.status).toBe(422);
    expect(groceries.value).toBe(before);
    expect(groceries.error$.value).toMatchObject({ code: 'HTTP', action: 'create' });
  });

  it('keeps its items when a read fails', async () => {
    let query = '';
    const groceries = groceriesOf({ url: () => `${server.url}/api/groceries${query}` });
    await groceries.fetch();
    const before = groceries.value;

    query = '?_fail=503';
    expect((await groceries.fetch()).status).toBe(503);
    expect(groceries.value).toBe(before);

    query = '?_fail=reset';
    await expect(groceries.fetch()).rejects.toBeInstanceOf(TypeError);
    expect(groceries.value).toBe(before);
    expect(groceries.isReading$.value).toBe(false);
  });
});

describe('a request stream', () => {
  it('sends nothing before it is subscribed, and a new request for each subscription', async () => {
    const person = await readPerson(server, 1);

    const read$ = person.fetch$();
    await groceriesOf().fetch();
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/groceries']);

    const answers = await Promise.all([firstValueFrom(read$), firstValueFrom(read$)]);
    expect(answers[0]).not.toBe(answers[1]);
    expect(server.requests.slice(1).map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /api/people/1',
      'GET /api/people/1',
    ]);
  });
});

describe('connections', () => {
  it('are reused: many requests in turn need at most two', async () => {
    const people = createLib().collection<unknown>({ url: `${server.url}/api/people` });
    const person = await readPerson(server, 1);

    const used = await connectionsOf(async () => {
      for (let round = 0; round < 4; round += 1) {
        await people.fetch();
        await people.fetch({ writeResponse: false });
        await person.fetch();
        person.name.next(`Ada ${String(round)}`);
        await person.save();
        await person.save({ writeResponse: false });
      }
    });

    expect(server.requests).toHaveLength(20);
    // The platform reports the end of a body just before its connection is free, so it alternates between two.
    expect(used).toBeLessThanOrEqual(2);
  });
});

/** The number of connections used by the requests that some work sends to the server. */
async function connectionsOf(work: () => Promise<void>): Promise<number> {
  const sockets = new Set<unknown>();
  const port = Number(new URL(server.url).port);
  const watch = (message: unknown) => {
    const { socket } = (message as { request: IncomingMessage }).request;
    if (socket.localPort === port) sockets.add(socket);
  };
  subscribe('http.server.request.start', watch);
  try {
    await work();
  } finally {
    unsubscribe('http.server.request.start', watch);
  }
  return sockets.size;
}

/** The groceries of the server, as partial items since a client creates them from a name; in a root of their own. */
function groceriesOf(config: CollectionConfig<Partial<Grocery>> = {}): Collection<Partial<Grocery>> {
  return createLib().collection({ url: `${server.url}/api/groceries`, ...config });
}

/** A url that is answered at once for the first few requests, and then not within the time of a test. */
function slowly(quickOnes = 1): () => string {
  let count = 0;
  return () => `${server.url}/api/people?_delay=${String(count++ < quickOnes ? 0 : endless)}`;
}

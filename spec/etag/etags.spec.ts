import { Subject, identity, map, of } from 'rxjs';
import { beforeEach, describe, expect, it } from 'vitest';

import { Collection, createLib } from 'rivulet';
import type { Lib, LibOptions } from 'rivulet';
import { etags } from 'rivulet/etag';

import type { Item } from '../people';
import { Person } from '../person';
import { StubServer } from '../stub';
import { valuesOf, watch } from '../watch';

let server: StubServer;
let root: Lib;
let person: Person;
let people: Collection<Item>;

beforeEach(() => {
  server = new StubServer();
  use({});
});

/** Makes root, person and people anew, with other options. */
function use(options: LibOptions): void {
  root = createLib(etags({ transport: server.transport, ...options }));
  person = new Person(root, {}, {});
  people = root.collection<Item>({ url: '/people' });
}

/** Answers the last request, with data and a version, or a refusal. */
function answer(data: unknown, tag?: string, status = 200): void {
  const held = server.held.at(-1);
  const headers = new Headers(tag ? { etag: tag } : {});
  const response =
    status === 304 ? new Response(null, { status, headers }) : Response.json(data, { status, headers });
  held?.respond(response);
}

/** Reads, and waits for the answer to be written. */
async function read(concern: Person | Collection<Item>, data: unknown, tag?: string, status?: number) {
  const promise = concern.fetch();
  answer(data, tag, status);
  return promise;
}

/** The conditional headers of the last request. */
function condition(): Record<string, string> {
  const headers = Object.fromEntries(server.held.at(-1)?.request.headers ?? []);
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('if-')));
}

const ann = { id: 7, name: 'Ann', address: { city: 'Bonn' } };

describe('a read of a list', () => {
  it.each<[string, (items: Collection<Item>) => Promise<Response>, () => void]>([
    [
      'one of its records was saved in the meantime',
      (items) => {
        const bo = items.record(8);
        bo.name.next('mine');
        return bo.save();
      },
      () => {
        server.at(0).ok({ id: 8, name: 'mine' });
      },
    ],
    [
      'an item was created in the meantime',
      (items) => items.create({ name: 'Eve' }),
      () => {
        server.at(0).ok({ id: 9, name: 'Eve' });
      },
    ],
  ])('sets no version if %s, since it shows other data then', async (_, write, decide) => {
    people.next([{ id: 8, name: 'Bo' }]);
    const written = write(people);
    const done = people.fetch();
    decide();
    await written;
    answer([{ id: 8, name: 'theirs' }], '"list"');
    await done;

    watch(people.fetch$());

    expect(condition()).toStrictEqual({});
  });
});

describe('a read', () => {
  it('sends no version before one is known', () => {
    watch(person.fetch$());
    expect(condition()).toStrictEqual({});
  });

  it('sends the version that was read, and treats a 304 as a success without data', async () => {
    await read(person, ann, '"1"');
    const told: unknown[] = [];
    person.data$.subscribe((data) => told.push(data));
    person.error$.subscribe((error) => told.push(error));

    const response = await read(person, undefined, '"1"', 304);

    expect(condition()).toStrictEqual({ 'if-none-match': '"1"' });
    expect(server.at(1).request.cache).toBe('no-cache');
    expect([response.ok, response.status]).toStrictEqual([true, 304]);
    expect(told).toHaveLength(2);
    expect([person.isReading$.value, person.error$.value]).toStrictEqual([false, null]);
  });

  it('bypasses caches once a version is known, also while there are edits, which an old answer would outdate', async () => {
    const cacheOf = () => server.held.at(-1)?.request.cache;

    await read(person, ann, '"1"');
    const ofFirst = cacheOf();
    person.name.next('mine');
    watch(person.fetch$({ keepEdits: true }));
    const ofSecond = cacheOf();
    watch(person.fetch$({ keepEdits: true, cache: 'reload' }));

    expect([ofFirst, ofSecond, cacheOf()]).toStrictEqual([undefined, 'no-cache', 'reload']);
  });

  it('has no version if a stand-in for its answer has no usable headers', async () => {
    const reading = person.fetch();
    server.at(0).respond({ ok: true, status: 200, headers: {}, json: () => ann } as never);
    await reading;
    watch(person.fetch$());

    expect([person.name.value, condition()]).toStrictEqual(['Ann', {}]);
  });

  it('treats a 304 that it did not ask for as a refusal', async () => {
    const response = await read(person, undefined, '"1"', 304);
    expect([response.ok, person.error$.value]).toMatchObject([false, { code: 'HTTP' }]);
  });

  it('that sends a version may be refused like any other', async () => {
    await read(person, ann, '"1"');
    const response = await read(person, {}, undefined, 503);
    expect(condition()).toStrictEqual({ 'if-none-match': '"1"' });
    expect([response.ok, person.error$.value]).toMatchObject([false, { code: 'HTTP' }]);
  });

  it('sends the version again after a 304, and the new one after a change', async () => {
    await read(person, ann, '"1"');
    await read(person, undefined, '"1"', 304);
    await read(person, { ...ann, name: 'Anna' }, '"2"');
    expect(condition()).toStrictEqual({ 'if-none-match': '"1"' });

    watch(person.fetch$());

    expect(condition()).toStrictEqual({ 'if-none-match': '"2"' });
    expect(person.name.value).toBe('Anna');
  });

  it.each<[string, (person: Person) => unknown]>([
    [
      'a field is edited',
      ({ name }) => {
        name.next('Edit');
      },
    ],
    ['other data counts as confirmed', (each) => each.set({ name: 'Other' })],
    [
      'the id differs',
      ({ id }) => {
        id.next(8);
      },
    ],
  ])('sends no version while %s, since the answer is to be written', async (_, change) => {
    await read(person, ann, '"1"');
    change(person);
    watch(person.fetch$());
    expect(condition()).toStrictEqual({});
  });

  it('sends the version of data decoded after an interceptor', async () => {
    use({
      interceptors: [
        (request, next) =>
          next(request).pipe(
            map(({ response, body }) => ({
              request,
              response: Response.json((body as { data: unknown }).data, response),
              body: undefined,
            })),
          ),
      ],
    });
    await read(person, { data: ann }, '"1"');
    expect(person.name.value).toBe('Ann');

    watch(person.fetch$());
    expect(condition()).toStrictEqual({ 'if-none-match': '"1"' });
    person.name.next('Edit');
    watch(person.save$());
    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
  });

  it('has no version if a `sync` answers by itself', async () => {
    root.sync = () => ann;
    await person.fetch();
    root.sync = createLib().sync;
    watch(person.fetch$());
    expect([person.name.value, condition()]).toStrictEqual(['Ann', {}]);
  });

  it('still sends the version after a 304 that omits it', async () => {
    await read(person, ann, '"1"');
    await read(person, undefined, undefined, 304);
    watch(person.fetch$());
    expect(condition()).toStrictEqual({ 'if-none-match': '"1"' });
  });

  it('forgets the version on an answer without one', async () => {
    await read(person, ann, '"1"');
    await read(person, ann);
    watch(person.fetch$());
    expect(condition()).toStrictEqual({});
  });

  it('sends the version of a list while that holds what was read', async () => {
    await read(people, [{ id: 1, name: 'Ann' }], 'W/"1"');
    await read(people, undefined, undefined, 304);
    expect(condition()).toStrictEqual({ 'if-none-match': 'W/"1"' });
    expect(people.length).toBe(1);

    people.push({ name: 'Bo' });
    watch(people.fetch$());

    expect(condition()).toStrictEqual({});
  });

  it('sends no version while a conflict is open', async () => {
    await read(person, ann, '"1"');
    person.name.next('Mine');
    person.follow(of({ name: 'Theirs' })).subscribe();
    expect(person.openConflicts$.value).toHaveLength(1);
    watch(person.fetch$());
    expect(condition()).toStrictEqual({});
  });

  it('sends no version of a list read with another query', async () => {
    let search = 'a';
    const found = root.collection<Item>({ url: () => `/people?search=${search}` });
    await read(found, [], '"table"');
    search = 'b';
    watch(found.fetch$());
    expect(condition()).toStrictEqual({});
  });

  it('sends no version with a query in a body, which a server would refuse', async () => {
    const found = root.collection<Item>({ url: 'POST /search', fetchOptions: { body: '{"q":"a"}' } });
    await read(found, [], '"table"');
    watch(found.fetch$());
    expect(condition()).toStrictEqual({});
  });

  it.each(['HEAD', 'POST', 'QUERY'])('sends a version by %s only if a 304 may answer it', async (method) => {
    const found = root.collection<Item>({ url: `${method} /search` });
    await read(found, [], '"table"');
    watch(found.fetch$());
    expect(condition()).toStrictEqual(method === 'HEAD' ? { 'if-none-match': '"table"' } : {});
  });

  it('does not send the version of a created item for its list', async () => {
    await read(people, [], '"list"');
    const created = people.create({ name: 'Ann' });
    answer({ id: 1, name: 'Ann' }, '"item"');
    await created;

    watch(people.fetch$());

    expect(condition()).toStrictEqual({});
  });

  it('still sends the version of a list after a create, if the list holds what was read', async () => {
    await read(people, [], '"list"');
    const created = people.create({ name: 'Ann' });
    answer({ id: 1, name: 'Ann' }, '"item"');
    await created;
    people.removeAll();

    watch(people.fetch$());

    expect(condition()).toStrictEqual({ 'if-none-match': '"list"' });
  });

  it.each([
    ['a create', undefined],
    ['an update', 7],
  ])('sends no version from the answer to %s, whose data may not be shown', async (_, id) => {
    await read(person, ann, '"1"');
    person.id.next(id);
    const saved = person.save();
    answer({ id: 7 }, '"2"');
    await saved;

    watch(person.fetch$());

    expect(condition()).toStrictEqual({});
  });

  it('sends the version of data that JSON cannot hold, while they are as read', async () => {
    const parse = (data: unknown) => ({ ...(data as object), name: new Set([5n]) });
    person = new Person(root, { parse }, {});
    await read(person, ann, '"1"');
    watch(person.fetch$());
    expect(condition()).toStrictEqual({ 'if-none-match': '"1"' });

    person.set({ name: new Set([6n]) as never });
    watch(person.fetch$());

    expect(condition()).toStrictEqual({});
  });

  it('sends no version once a field is added, which is to be read', async () => {
    await read(person, ann, '"1"');
    root.observable(undefined).map('born', person);

    watch(person.fetch$());

    expect(condition()).toStrictEqual({});
  });

  it('sends no version while an edit is shown, which the answer is to replace', async () => {
    const saved = person.save();
    person.name.next('Anna');
    answer(ann, '"1"');
    await saved;

    watch(person.fetch$());

    expect(condition()).toStrictEqual({});
  });

  it('sends no version read beside an edit that counts as confirmed by now', async () => {
    person.name.next('Anna');
    const done = person.fetch({ keepEdits: true });
    answer(ann, '"1"');
    await done;
    person.clean();

    watch(person.fetch$());

    expect(condition()).toStrictEqual({});
  });

  it.each([404, 412, 500])('answered %i stays refused', async (status) => {
    const response = await read(person, {}, '"1"', status);
    expect([response.ok, person.error$.value?.message]).toStrictEqual([
      false,
      expect.stringContaining(String(status)),
    ]);
  });

  it('sends no version if other data were confirmed since, even if edited back', async () => {
    await read(person, ann, '"1"');
    person.set({ name: 'Anna' });
    person.name.next('Ann');

    await read(person, ann, '"1"');
    person.name.next('Anna');

    expect(condition()).toStrictEqual({});
    expect([person.name.remote$.value, person.isDirty$.value]).toStrictEqual(['Ann', true]);
  });

  it('keeps the versions of records and lists apart', async () => {
    await read(person, ann, '"1"');
    watch(new Person(root, {}, {}).fetch$());
    expect(condition()).toStrictEqual({});
    watch(people.fetch$());
    expect(condition()).toStrictEqual({});
  });
});

describe('a write', () => {
  it.each(['save', 'destroy'] as const)('sends by %s the version that it is based on', async (method) => {
    await read(person, ann, '"1"');
    watch(person[`${method}$`]());
    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
  });

  it.each(['keepMine', 'takeTheirs'] as const)(
    'sends a nonexistent version until a conflict is decided: %s',
    async (choice) => {
      await read(person, ann, '"1"');
      const conflicts = valuesOf(person.conflicts$);
      person.name.next('Mine');
      const again = person.fetch({ keepEdits: true });
      answer({ ...ann, name: 'Theirs' }, '"2"');
      await again;
      const refused = person.save();
      expect(condition()).toStrictEqual({ 'if-match': '"undecided"' });
      answer({}, undefined, 412);
      await refused;

      conflicts[0]?.[choice]();
      watch(person.save$());

      expect(condition()).toStrictEqual({ 'if-match': '"2"' });
    },
  );

  it('does so too if no version was known before the conflict', async () => {
    await read(person, ann, '"1"');
    person.name.next('Bo');
    const saved = person.save();
    answer({ ...ann, name: 'Bo' });
    await saved;
    person.name.next('Mine');
    const again = person.fetch({ keepEdits: true });
    answer({ ...ann, name: 'Theirs' }, '"3"');
    await again;

    watch(person.save$());

    expect(condition()).toStrictEqual({ 'if-match': '"undecided"' });
  });

  it.each<[string, (act: () => void) => void]>([
    [
      'a field',
      (act) =>
        person.name.subscribe((name) => {
          if (name === 'Eve') act();
        }),
    ],
    [
      'the data',
      (act) =>
        person.data$.subscribe(({ name }) => {
          if (name === 'Eve') act();
        }),
    ],
  ])('that a subscriber of %s sends when it is told of what was read names that version', async (_, when) => {
    await read(person, ann, '"1"');
    when(() => {
      person.city.next('Ulm');
      watch(person.save$({ patch: true }));
    });
    await read(person, { ...ann, name: 'Eve' }, '"2"');

    expect(condition()).toStrictEqual({ 'if-match': '"2"' });
  });

  it('that decides a conflict when it is told of it names the version that brought it', async () => {
    await read(person, ann, '"1"');
    person.name.next('Mine');
    person.conflicts$.subscribe((conflict) => {
      conflict.keepMine();
      watch(person.save$({ patch: true }));
    });
    const reading = person.fetch({ keepEdits: true });
    answer({ ...ann, name: 'Theirs' }, '"2"');
    await reading;

    expect([server.lines.at(-1), condition()]).toStrictEqual(['PATCH /person/7', { 'if-match': '"2"' }]);
  });

  it('that somebody notified of a contradicting answer sends names no version that the server could accept', async () => {
    await read(person, ann, '"1"');
    person.name.next('Mine');
    person.city.next('Rome');
    const subscription = person.changes$.subscribe(() => {
      watch(person.save$({ patch: true }));
    });
    server.at(1).fail(new TypeError('offline'));
    const reading = person.fetch({ keepEdits: true });
    answer({ ...ann, name: 'Theirs', address: { city: 'Rome' } }, '"2"');
    await reading;
    subscription.unsubscribe();

    expect([server.lines.at(-1), condition()]).toStrictEqual([
      'PATCH /person/7',
      { 'if-match': '"undecided"' },
    ]);
  });

  it('takes an answer of a stand-in without headers for one without a version', async () => {
    use({
      transport: (request) =>
        of({
          request,
          response: { ok: true, status: 200, json: () => ({}) } as unknown as Response,
          body: {},
        }),
    });

    await expect(person.save()).resolves.toMatchObject({ status: 200 });
  });

  it('does not go on watching for conflicts', () => {
    const conflicts$ = new Subject();
    watch(Object.defineProperty(person, 'conflicts$', { value: conflicts$ }).save$());
    expect(conflicts$.observed).toBe(false);
  });

  it.each([
    ['ignores the version of a read that a followed row has overtaken', 'Theirs', '"1"'],
    ['takes the version of one that brings what a followed row has shown already', 'Ann', '"2"'],
  ])('%s', async (_, name, tag) => {
    await read(person, ann, '"1"');
    const overtaken = person.fetch();
    person.follow(of({ name: 'Ann' })).subscribe();
    answer({ ...ann, name }, '"2"');
    await overtaken;

    watch(person.save$());

    expect(condition()).toStrictEqual({ 'if-match': tag });
  });

  it('does not count an edit made in the meantime as part of its version', async () => {
    const saved = person.save();
    person.name.next('Typed');
    answer({}, '"2"');
    await saved;
    person.clean();

    watch(person.fetch$());

    expect(condition()).toStrictEqual({});
  });

  it('does not bypass caches, unlike a read with a version', async () => {
    const cacheOf = () => server.held.at(-1)?.request.cache;

    await read(person, ann, '"1"');
    const ofFirstRead = cacheOf();
    watch(person.fetch$());
    const ofRead = cacheOf();
    watch(person.save$());

    expect([ofFirstRead, ofRead, cacheOf()]).toStrictEqual([undefined, 'no-cache', undefined]);
  });

  it.each([{}, { 'if-none-match': '*' }])(
    'treats a 304 as a refusal, with the headers %o',
    async (headers) => {
      const saved = person.save({ headers });
      answer(undefined, undefined, 304);
      expect((await saved).ok).toBe(false);
    },
  );

  it('of a new item sends no version, not that of the list', async () => {
    await read(people, [], '"list"');
    watch(people.create$({ name: 'Ann' }));
    expect(condition()).toStrictEqual({});
  });

  it('sends the version received by the last create or save', async () => {
    person.id.next(undefined);
    const created = person.save();
    expect(condition()).toStrictEqual({});
    answer(ann, '"1"');
    await created;
    const updated = person.save();
    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
    answer(ann, '"2"');
    await updated;

    watch(person.save$());

    expect(condition()).toStrictEqual({ 'if-match': '"2"' });
  });

  it.each([
    ['a save without one', () => person.save(), 200],
    ['a destroy', () => person.destroy(), 200],
  ])('sends none after %s', async (_, write, status) => {
    await read(person, ann, '"1"');
    const written = write();
    answer(ann, undefined, status);
    await written;
    person.id.next(7);

    watch(person.save$());

    expect(condition()).toStrictEqual({});
  });

  it('still sends the old version after a refused save and a failed read', async () => {
    await read(person, ann, '"1"');
    const saved = person.save();
    answer({}, '"9"', 412);
    await saved;
    const failed = person.fetch({ headers: { 'if-none-match': '*' } });
    server.held.at(-1)?.respond(new Response('<html>', { headers: { etag: '"8"' } }));
    await expect(failed).rejects.toThrow('not JSON');

    watch(person.save$());

    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
  });

  it.each(['W/"1"', 'w/"1"', '*'])('sends no %s, which identifies no version', async (tag) => {
    await read(person, ann, tag);
    watch(person.save$());
    expect(condition()).toStrictEqual({});
  });

  it.each(['"raw/1"', '"*"'])('sends %s, which is strong', async (tag) => {
    await read(person, ann, tag);
    watch(person.save$());
    expect(condition()).toStrictEqual({ 'if-match': tag });
  });

  it.each(['if-match', 'if-none-match'])('keeps the condition that a request has: %s', async (name) => {
    await read(person, ann, '"1"');

    watch(person.save$({ headers: { [name]: '*' } }));
    const ofWrite = condition();
    watch(person.fetch$({ headers: { [name]: '"own"' } }));

    expect([ofWrite, condition()]).toStrictEqual([{ [name]: '*' }, { [name]: '"own"' }]);
  });

  it('sends no version read for another id', async () => {
    await read(person, ann, '"1"');
    person.id.next(8);
    watch(person.save$());
    expect(condition()).toStrictEqual({});
  });

  it('sends no version of another path, even for the same id', async () => {
    const other = new Person(root, { url: { read: '/shown/:id', update: '/stored/:id' } }, {});
    await read(other, ann, '"1"');
    watch(other.save$());
    expect(condition()).toStrictEqual({});
  });

  it.each([
    ['differs', '?for=update'],
    ['has a line break', '?for=\nupdate'],
    ['is missing', ''],
  ])('sends it even if the query of the url %s', async (_, query) => {
    const url = (_options: unknown, action: string) => `/person/7${action === 'read' ? '?for=read' : query}`;
    const other = new Person(root, { url }, {});
    await read(other, ann, '"1"');
    watch(other.save$());
    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
  });
});

describe('a list whose class has a `get` of its own', () => {
  it('creates without a condition', async () => {
    class People extends Collection<Item> {
      get(): readonly Item[] {
        return this.value;
      }
    }
    const list = new People({ url: '/people' }, root);
    await read(list, [{ id: 8, name: 'Bo' }], '"1"');
    const created = watch(list.create$({ name: 'Eve' }));
    expect([created.error, condition()]).toStrictEqual([undefined, {}]);
  });
});

describe('a record whose `toJSON` leaves out the id', () => {
  it('names no version of another one that shows the same', async () => {
    class Nameless extends Person {
      override toJSON(): never {
        return { name: this.name.value } as never;
      }
    }
    const other = new Nameless(root, { url: { read: '/me' } }, {});
    await read(other, ann, '"1"');
    other.set({ id: 8 });
    watch(other.fetch$());
    expect(condition()).toStrictEqual({});
  });
});

describe('a read that was overtaken by the same data without a version', () => {
  it('brings its version', async () => {
    const overtaken = person.fetch();
    const newer = person.fetch();
    server.at(1).respond(Response.json(ann));
    await newer;
    server.at(0).respond(Response.json(ann, { headers: { etag: '"1"' } }));
    await overtaken;
    watch(person.save$());
    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
  });
});

describe('a read that was overtaken, and has what is only an edit here', () => {
  it('sets no version: after a reset, a save would overwrite that unseen', async () => {
    await read(person, ann, '"1"');
    const overtaken = person.fetch();
    person.follow(of(ann)).subscribe();
    person.name.next('Theirs');
    answer({ ...ann, name: 'Theirs' }, '"2"');
    await overtaken;
    person.reset();
    watch(person.save$());
    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
  });
});

describe('an answer that was not written sets no version', () => {
  it.each<[string, () => Promise<Response>]>([
    ['a read for another id', () => person.fetch()],
    ['a save for another id', () => person.save()],
  ])('%s', async (_, ask) => {
    const asked = ask();
    person.id.next(8);
    answer({ ...ann, name: 'Eve' }, '"1"');
    await asked;
    expect(person.name.value).toBe('Ann');
    person.id.next(7);

    watch(person.save$());

    expect(condition()).toStrictEqual({});
  });

  it.each<[string, object]>([
    ['leaves decoding to the core', {}],
    ['returns the data', { body: { ...ann, name: 'Eve' } }],
  ])('a read that was to write nothing, by a transport that %s', async (_, decoded) => {
    const { transport } = server;
    use({
      transport: (request) => transport(request).pipe(map((exchange) => ({ ...exchange, ...decoded }))),
    });
    await read(person, ann, '"1"');
    const asked = person.fetch({ writeResponse: false, headers: { 'if-none-match': '*' } });
    answer({ ...ann, name: 'Eve' }, '"2"');
    await asked;

    watch(person.save$());

    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
  });

  it('a create, after which the id changes', async () => {
    person.id.next(undefined);
    const created = person.save();
    answer(ann, '"1"');
    await created;
    person.id.next(8);

    watch(person.save$());

    expect(condition()).toStrictEqual({});
  });

  it('a read for another id with the same path', async () => {
    const other = new Person(root, { url: () => '/person?id=:id' }, {});
    const asked = other.fetch();
    other.id.next(8);
    answer({ ...ann, name: 'Eve' }, '"1"');
    await asked;

    watch(other.save$());

    expect(condition()).toStrictEqual({});
  });

  it('unless it is the same id as text', async () => {
    await read(person, { ...ann, id: '7' }, '"1"');
    watch(person.save$());
    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
  });
});

describe('of overlapping requests', () => {
  it('an older read that arrives late does not restore its version', async () => {
    const [older, newer] = [person.fetch(), person.fetch()];
    server.at(1).respond(Response.json(ann, { headers: { etag: '"2"' } }));
    await newer;
    server.at(0).respond(Response.json(ann, { headers: { etag: '"1"' } }));
    await older;

    watch(person.save$());

    expect(condition()).toStrictEqual({ 'if-match': '"2"' });
  });

  it('a newer read that arrives after an older one sets its version', async () => {
    const [older, newer] = [person.fetch(), person.fetch()];
    server.at(0).respond(Response.json(ann, { headers: { etag: '"1"' } }));
    await older;
    server.at(1).respond(Response.json(ann, { headers: { etag: '"2"' } }));
    await newer;

    watch(person.save$());

    expect(condition()).toStrictEqual({ 'if-match': '"2"' });
  });

  it('an older read whose data are not written sets no version, also if the list it is of has no items', async () => {
    const list = root.collection<Item>({
      url: '/people',
      parse: (data) => (data as { readonly items: Item[] }).items,
    });
    const empty = list.fetch();
    answer({ items: [] }, '"1"');
    await empty;
    const [older, newer] = [list.fetch(), list.fetch()];
    answer(undefined, '"1"', 304);
    await newer;
    server.at(1).respond(Response.json({ items: [ann] }, { headers: { etag: '"2"' } }));
    await older;
    expect(list.value).toStrictEqual([]);

    watch(list.fetch$());

    expect(condition()).toStrictEqual({ 'if-none-match': '"1"' });
  });

  it.each([
    ['before the save is sent', true],
    ['while the save is under way', false],
  ])('a read begun %s sets no version, since its data is dropped', async (_, isFirst) => {
    await read(person, ann, '"1"');
    const begin = [() => person.fetch(), () => person.save()];
    const ends = (isFirst ? begin : begin.reverse()).map((send) => send());
    const [reading, saving] = isFirst ? [1, 2] : [2, 1];
    server.at(saving).respond(Response.json(ann, { headers: { etag: '"2"' } }));
    await ends[isFirst ? 1 : 0];
    // Somebody else has saved in between.
    server.at(reading).respond(Response.json({ ...ann, name: 'Eve' }, { headers: { etag: '"3"' } }));
    await Promise.all(ends);
    expect(person.name.value).toBe('Ann');

    watch(person.save$());

    expect(condition()).toStrictEqual({ 'if-match': '"2"' });
  });
});

describe('the first read, answered after something newer,', () => {
  const newer: [string, (data: object) => void][] = [
    [
      'a read of its list',
      (data) => {
        watch(people.fetch$());
        server.at(1).ok([data]);
      },
    ],
    [
      'a followed row',
      (data) => {
        person.follow(of(data)).subscribe();
      },
    ],
    [
      'data that were set',
      (data) => {
        person.set(data);
      },
    ],
  ];

  /** A record of a list whose first read is answered after something newer; then the condition of its next save. */
  async function overtaken(bring: (data: object) => void, data: object, answered: object = {}) {
    people.replace([{ id: 7, name: 'Ann' }]);
    person = people.record(7) as never;
    const reading = person.fetch();
    bring(data);
    const body = { id: 7, name: 'Ann', age: 36, ...answered };
    server.at(0).respond(Response.json(body, { headers: { etag: '"1"' } }));
    expect((await reading).ok).toBe(true);
    person.get();
    watch(person.save$());
    return condition();
  }

  it.each(newer)('%s, brings the version of what is shown if that is the same', async (_, bring) => {
    expect(await overtaken(bring, { id: 7, name: 'Ann' })).toStrictEqual({ 'if-match': '"1"' });
  });

  it.each(newer)('%s, brings another version if they differ only inside a value', async (_, bring) => {
    const shown = { id: 7, name: { first: 'Ann' } };
    const answered = { name: { first: 'Ann', last: 'Lee' } };
    expect(await overtaken(bring, shown, answered)).toStrictEqual({ 'if-match': '"undecided"' });
  });

  it.each(newer)(
    '%s, leaves the record without a version that a server could accept if not',
    async (_, bring) => {
      expect(await overtaken(bring, { id: 7, name: 'Theirs' })).toStrictEqual({ 'if-match': '"undecided"' });
      answer({}, undefined, 412);
      await read(person, { id: 7, name: 'Theirs' }, '"2"');
      watch(person.save$());
      expect(condition()).toStrictEqual({ 'if-match': '"2"' });
    },
  );

  it('brings the version of what is shown, also if it has more than the record maps', async () => {
    const reading = person.fetch();
    person.set(ann);
    answer({ ...ann, age: 36 }, '"1"');
    await reading;
    watch(person.save$());
    expect(condition()).toStrictEqual({ 'if-match': '"1"' });
  });

  it('leaves the next read without a condition if that was something else', async () => {
    const reading = person.fetch();
    person.set({ name: 'Set' });
    answer(ann, '"1"');
    await reading;
    watch(person.fetch$());
    expect(condition()).toStrictEqual({});
  });

  it('leaves it without one, too, if it is the first of another id', async () => {
    await read(person, ann, '"1"');
    person.set({ ...ann, id: 8 });
    const reading = person.fetch();
    person.set({ name: 'Set' });
    answer({ ...ann, id: 8 }, '"8"');
    await reading;

    watch(person.save$());

    expect(condition()).toStrictEqual({ 'if-match': '"undecided"' });
  });

  it('does not count if it has failed, or if an answer without a version has come before', async () => {
    const failing = new Person(
      root,
      {
        parse: () => {
          throw new Error('cannot be parsed');
        },
      },
      {},
    );
    const reading = failing.fetch();
    answer(ann, '"1"');
    await expect(reading).rejects.toThrow('cannot be parsed');
    watch(failing.save$());
    expect(condition()).toStrictEqual({});

    const late = person.fetch();
    const place = server.held.length - 1;
    const saved = person.save();
    server.held.at(-1)?.ok();
    await saved;
    server.at(place).respond(Response.json({ ...ann, name: 'Eve' }, { headers: { etag: '"2"' } }));
    await late;
    watch(person.save$());
    expect(condition()).toStrictEqual({});
  });
});

describe('the options', () => {
  it('keep an around that is told of what is written, too', async () => {
    const told: string[] = [];
    use({
      around: (request$, { action, whenWritten }) => {
        whenWritten(() => told.push(action));
        return request$;
      },
    });
    await read(person, ann, '"1"');
    watch(person.save$());

    expect([told, condition()]).toStrictEqual([['read'], { 'if-match': '"1"' }]);
  });

  it('keep those given: around, and interceptors, which see the version', async () => {
    const seen: unknown[] = [];
    use({
      timeout: 5,
      interceptors: [
        (request, next) => {
          seen.push(request.headers.get('if-match'));
          return next(request);
        },
      ],
      around: (request$, { action }) => {
        seen.push(action);
        return identity(request$);
      },
    });
    await read(person, ann, '"1"');
    watch(person.save$());
    watch(people.create$({ name: 'Bo' }));

    expect(root.options.timeout).toBe(5);
    expect(seen).toStrictEqual(['read', null, 'update', '"1"', 'create', null]);
  });

  it('may be omitted', () => {
    expect(Object.keys(etags())).toStrictEqual(['interceptors', 'around']);
  });
});

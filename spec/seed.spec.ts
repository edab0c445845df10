import { HttpResponse } from 'msw';
import { BehaviorSubject, Observable, VirtualTimeScheduler, combineLatest, map, of } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { DataModel, RequestError, createLib, lib } from 'rivulet';
import type {
  Action,
  DataModelConfig,
  FetchOptions,
  FetchOptionsSource,
  Lib,
  MappedField,
  Parse,
  Sync,
  UrlCallback,
} from 'rivulet';

import { gate, mockServer, origin } from './server';
import { advance } from './virtual-time';
import { valuesOf } from './watch';

const server = mockServer();
const url = `${origin}/person`;

describe('1 What the service does', () => {
  it('1 bullet 1: values are observable', () => {
    const value = createLib().observable('a');
    const seen = valuesOf(value);

    value.next('b');

    expect({ isSubject: value instanceof BehaviorSubject, seen }).toStrictEqual({
      isSubject: true,
      seen: ['a', 'b'],
    });
  });

  it('1 bullet 2: a dataModel creates, reads, updates and deletes one record through HTTP requests', async () => {
    server.answer(({ method }) => (method === 'POST' ? { id: 7 } : undefined));
    const person = personOf(createLib());

    await person.save();
    await person.fetch();
    await person.save();
    await person.destroy();

    expect(lines()).toStrictEqual(['POST /person', 'GET /person/7', 'PUT /person/7', 'DELETE /person/7']);
  });

  it('1 bullet 3: a collection is an observable array, subscribed to like one', () => {
    const people = createLib().collection(['a']);
    const seen = valuesOf(people);

    people.push('b');

    expect({ length: people.length, seen }).toStrictEqual({ length: 2, seen: [['a'], ['a', 'b']] });
  });

  it('1 bullet 3: a collection can be filled from an endpoint', async () => {
    server.answer(() => [{ id: 1 }, { id: 2 }]);
    const people = createLib().collection<{ id: number }>({ url });

    await people.fetch();

    expect(people.value).toStrictEqual([{ id: 1 }, { id: 2 }]);
  });

  it('1 bullet 3: a collection can be searched', () => {
    const people = createLib().collection([
      { id: 1, name: 'Ann' },
      { id: 2, name: 'Bo' },
    ]);

    expect(people.where({ name: 'Bo' })).toStrictEqual([{ id: 2, name: 'Bo' }]);
  });

  it('1 bullet 4: requests are made with the fetch function', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch');

    await personOf(createLib(), {}, { id: 7 }).fetch();

    expect(fetch.mock.calls.map(([input, init]) => [input, init?.method])).toStrictEqual([
      [`${url}/7`, 'GET'],
    ]);
  });

  it.each(['save', 'fetch', 'destroy'] as const)(
    '1 bullet 4: %s of a dataModel returns a Promise',
    async (method) => {
      const promise = personOf(createLib(), {}, { id: 7 })[method]();

      expect(promise).toBeInstanceOf(Promise);
      await promise;
    },
  );

  it('1 bullet 4: fetch of a collection returns a Promise', async () => {
    const promise = createLib().collection({ url }).fetch();

    expect(promise).toBeInstanceOf(Promise);
    await promise;
  });

  it('1 bullet 5: response data is written back, and subscriptions and values computed from the fields update', async () => {
    server.answer(() => ({ name: 'Eve' }));
    const person = personOf(createLib(), {}, { id: 7, name: 'Ann' });
    const names = valuesOf(person.name);
    const labels = valuesOf(
      combineLatest([person.id, person.name]).pipe(map(([id, name]) => `${String(id)} ${name}`)),
    );

    await person.fetch();

    expect({ names, labels }).toStrictEqual({ names: ['Ann', 'Eve'], labels: ['7 Ann', '7 Eve'] });
  });

  it('1 bullet 6: a plain observable array needs no collection', () => {
    const values = createLib().observable(['a']);

    values.next([...values.value, 'b']);

    expect(values.value).toStrictEqual(['a', 'b']);
  });
});

describe('2 Resources and their fields', () => {
  describe('2.1 dataModel', () => {
    it('2.1: boot inside a constructor makes the instance a dataModel', async () => {
      const root = createLib();
      class Person {
        readonly name = root.observable('Ann').map('name', this);
        declare readonly save: DataModel['save'];
        constructor() {
          root.dataModel.boot(this, { url });
        }
      }

      await new Person().save();

      expect(requests()).toStrictEqual([{ method: 'POST', url: '/person', body: { name: 'Ann' } }]);
    });

    it('2.1: boot returns the instance it was given', () => {
      const instance = {};

      expect(createLib().dataModel.boot(instance)).toBe(instance);
    });

    it('2.1 row 1: url is the base path of the record endpoint', async () => {
      await personOf(createLib(), { url: `${origin}/other` }, { id: 7 }).fetch();

      expect(lines()).toStrictEqual(['GET /other/7']);
    });

    it('2.1 row 1: url may be a callback', async () => {
      await personOf(createLib(), { url: () => `${origin}/other` }, { id: 7 }).fetch();

      expect(lines()).toStrictEqual(['GET /other/7']);
    });

    it('2.1 row 1: a leading HTTP method word may be prepended to url', async () => {
      await personOf(createLib(), { url: `PATCH ${url}` }, { id: 7, name: 'Ann' }).save();

      expect(requests()).toStrictEqual([{ method: 'PATCH', url: '/person/7', body: { id: 7, name: 'Ann' } }]);
    });

    it.each(['save', 'fetch', 'destroy'] as const)(
      '2.1 row 1: without url %s fails and sends nothing',
      async (method) => {
        await expect(personOf(createLib(), { url: undefined }, { id: 7 })[method]()).rejects.toThrow(/url/);

        expect(requests()).toStrictEqual([]);
      },
    );

    it('2.1 row 2: idAttribute names the mapped field that holds the identifier', async () => {
      const root = createLib();
      const record = root.dataModel.boot({}, { url, idAttribute: 'key' });
      root.observable('k1').map('key', record);

      await record.fetch();

      expect(lines()).toStrictEqual(['GET /person/k1']);
    });

    it('2.1 row 2: idAttribute, default not shown: is "id" by design', async () => {
      const root = createLib();
      const record = root.dataModel.boot({}, { url });
      root.observable('k1').map('id', record);

      await record.fetch();

      expect(lines()).toStrictEqual(['GET /person/k1']);
    });

    it('2.1 row 3: fetchOptions as an object are passed to fetch', async () => {
      await personOf(createLib(), { fetchOptions: { headers: { 'x-level': 'record' } } }, { id: 7 }).fetch();

      expect(header('x-level')).toStrictEqual(['record']);
    });

    it('2.1 row 3: fetchOptions as a callback are passed to fetch', async () => {
      await personOf(
        createLib(),
        { fetchOptions: () => ({ headers: { 'x-level': 'record' } }) },
        { id: 7 },
      ).fetch();

      expect(header('x-level')).toStrictEqual(['record']);
    });

    it('2.1 bullet 1: map makes an observable a mapped field under the name given', async () => {
      const root = createLib();
      const record = root.dataModel.boot({ title: root.observable('Ann') }, { url });
      record.title.map('name', record);
      server.answer(() => ({ name: 'Eve' }));

      await record.save();

      expect({ requests: requests(), value: record.title.value }).toStrictEqual({
        requests: [{ method: 'POST', url: '/person', body: { name: 'Ann' } }],
        value: 'Eve',
      });
    });

    it('2.1 bullet 1: map returns the observable', () => {
      const root = createLib();
      const field = root.observable('Ann');

      expect(field.map('name', root.dataModel.boot({}))).toBe(field);
    });

    it('2.1 bullet 1: an observable that is not mapped is neither sent nor written', async () => {
      const root = createLib();
      const record = root.dataModel.boot({ name: root.observable('Ann') }, { url });
      server.answer(() => ({ name: 'Eve' }));

      await record.save();

      expect({ requests: requests(), value: record.name.value }).toStrictEqual({
        requests: [{ method: 'POST', url: '/person', body: {} }],
        value: 'Ann',
      });
    });

    it('2.1 bullet 2: the mapped observable named by idAttribute receives the identifier', async () => {
      server.answer(() => ({ id: 7 }));
      const person = personOf(createLib());

      await person.save();

      expect(person.id.value).toBe(7);
    });

    it('2.1 bullet 3: other options, not shown: parse prepares the answer by design', async () => {
      server.answer(() => ({ data: { name: 'Eve' } }));
      const parse = vi.fn((response: unknown) => (response as { data: unknown }).data);
      const person = personOf(createLib(), { parse }, { id: 7 });

      await person.fetch();

      expect({ name: person.name.value, calls: parse.mock.calls }).toStrictEqual({
        name: 'Eve',
        calls: [[{ data: { name: 'Eve' } }, 'read']],
      });
    });

    it('2.1 bullet 3: other options, not shown: requestLull holds the flags of a dataModel by design', async () => {
      const scheduler = new VirtualTimeScheduler();
      const person = personOf(createLib({ scheduler }), { requestLull: 500 }, { id: 7 });

      await person.fetch();

      const during = person.isReading.value;
      advance(scheduler, 500);
      expect([during, person.isReading.value]).toStrictEqual([true, false]);
    });

    it('2.1 bullet 4: mapping syntax, not shown: dots map nested data by design', async () => {
      const root = createLib();
      const record = root.dataModel.boot({ city: root.observable('Bonn') }, { url });
      record.city.map('address.city', record);
      server.answer(() => ({ address: { city: 'Köln' } }));

      await record.save();

      expect({ requests: requests(), city: record.city.value }).toStrictEqual({
        requests: [{ method: 'POST', url: '/person', body: { address: { city: 'Bonn' } } }],
        city: 'Köln',
      });
    });
  });

  describe('2.2 collection', () => {
    it('2.2: an array makes a collection of local items', () => {
      expect(createLib().collection([{ id: 1 }]).value).toStrictEqual([{ id: 1 }]);
    });

    it('2.2: a configuration makes a collection', () => {
      expect(createLib().collection({ url }).value).toStrictEqual([]);
    });

    it('2.2 row 1: url as a string is the endpoint', async () => {
      await createLib().collection({ url }).fetch();

      expect(lines()).toStrictEqual(['GET /person']);
    });

    it('2.2 row 1: url as a callback is the endpoint', async () => {
      await createLib()
        .collection({ url: () => url })
        .fetch();

      expect(lines()).toStrictEqual(['GET /person']);
    });

    it('2.2 row 1: url has no default, so that fetch without it fails and sends nothing', async () => {
      await expect(
        createLib()
          .collection([{ id: 1 }])
          .fetch(),
      ).rejects.toThrow(/url/);

      expect(requests()).toStrictEqual([]);
    });

    it('2.2 row 2: data holds the initial items', () => {
      expect(createLib().collection({ url, data: [{ id: 1 }] }).value).toStrictEqual([{ id: 1 }]);
    });

    it('2.2 row 3: parse runs on the answer and returns what is used', async () => {
      server.answer(() => ({ items: [{ id: 1 }] }));
      const parse = vi.fn((response: unknown) => (response as { items: unknown }).items);
      const people = createLib().collection<{ id: number }>({ url, parse });

      await people.fetch();

      expect({ items: people.value, calls: parse.mock.calls }).toStrictEqual({
        items: [{ id: 1 }],
        calls: [[{ items: [{ id: 1 }] }, 'read']],
      });
    });

    it('2.2 row 4: fetchOptions as an object are passed to fetch', async () => {
      await createLib()
        .collection({ url, fetchOptions: { headers: { 'x-level': 'collection' } } })
        .fetch();

      expect(header('x-level')).toStrictEqual(['collection']);
    });

    it('2.2 row 4: fetchOptions as a callback are passed to fetch', async () => {
      await createLib()
        .collection({ url, fetchOptions: () => ({ headers: { 'x-level': 'collection' } }) })
        .fetch();

      expect(header('x-level')).toStrictEqual(['collection']);
    });

    it('2.2 row 5: requestLull as an integer is the minimum time isReading stays flipped', async () => {
      const scheduler = new VirtualTimeScheduler();
      const people = createLib({ scheduler }).collection({ url, requestLull: 500 });
      const flips = valuesOf(people.isReading.pipe(map((is) => [scheduler.now(), is])));

      await people.fetch();
      advance(scheduler, 1000);

      expect(flips).toStrictEqual([
        [0, false],
        [0, true],
        [500, false],
      ]);
    });

    it('2.2 row 5: requestLull as a callback is the minimum time isReading stays flipped', async () => {
      const scheduler = new VirtualTimeScheduler();
      const people = createLib({ scheduler }).collection({ url, requestLull: () => 300 });
      const flips = valuesOf(people.isReading.pipe(map((is) => [scheduler.now(), is])));

      await people.fetch();
      advance(scheduler, 1000);

      expect(flips).toStrictEqual([
        [0, false],
        [0, true],
        [300, false],
      ]);
    });

    it('2.2 row 5: requestLull is 0 by default: isReading flips back as soon as the request has ended', async () => {
      const people = createLib({ scheduler: new VirtualTimeScheduler() }).collection({ url });

      await people.fetch();

      expect(people.isReading.value).toBe(false);
    });

    it('2.2 bullet 1: isReading is an observable that is flipped while a request is in progress', async () => {
      const people = createLib().collection({ url });
      const flips = valuesOf(people.isReading);

      await people.fetch();

      expect({ isObservable: people.isReading instanceof Observable, flips }).toStrictEqual({
        isObservable: true,
        flips: [false, true, false],
      });
    });

    it('2.2 bullet 2: items have the shape the user chooses', async () => {
      const items = [{ any: { thing: [1, 'two', null] } }, { other: true }];
      server.answer(() => items);
      const things = createLib().collection<object>({ url });

      await things.fetch();

      expect(things.value).toStrictEqual(items);
    });
  });

  describe('2.3 Global options', () => {
    it('2.3: lib.options.fetchOptions as an object apply to all dataModels and collections', async () => {
      const root = createLib();
      root.options.fetchOptions = { headers: { 'x-level': 'global' } };

      await personOf(root, {}, { id: 7 }).fetch();
      await personOf(root).save();
      await root.collection({ url }).fetch();

      expect(header('x-level')).toStrictEqual(['global', 'global', 'global']);
    });

    it('2.3: lib.options.fetchOptions as a callback apply to all dataModels and collections', async () => {
      const root = createLib();
      const fetchOptions = vi.fn((action: Action) => ({ headers: { 'x-level': action } }));
      root.options.fetchOptions = fetchOptions;
      const person = personOf(root, {}, { id: 7 });
      const people = root.collection({ url });

      await person.fetch();
      await people.fetch();

      expect({ headers: header('x-level'), concerns: fetchOptions.mock.contexts }).toStrictEqual({
        headers: ['read', 'read'],
        concerns: [person, people],
      });
    });

    it('2.3: the options of the default lib reach its requests', async () => {
      const { options } = lib;
      lib.options = { fetchOptions: { headers: { 'x-level': 'default' } } };
      try {
        await personOf(lib, {}, { id: 7 }).fetch();
      } finally {
        lib.options = options;
      }

      expect(header('x-level')).toStrictEqual(['default']);
    });
  });
});

describe('3 States and transitions', () => {
  it('3 bullet 1: named states, not shown: are boolean streams by design, all false at rest', () => {
    const person = personOf(createLib());

    expect({
      isNew: person.isNew$.value,
      isDirty: person.isDirty$.value,
      isCreating: person.isCreating$.value,
      isReading: person.isReading$.value,
      isUpdating: person.isUpdating$.value,
      isDeleting: person.isDeleting$.value,
      isSaving: person.isSaving$.value,
      requestInProgress: person.requestInProgress$.value,
    }).toStrictEqual({
      isNew: true,
      isDirty: false,
      isCreating: false,
      isReading: false,
      isUpdating: false,
      isDeleting: false,
      isSaving: false,
      requestInProgress: false,
    });
  });

  it.each([[undefined], [null], [''], [0], [false], [Number.NaN]])(
    '3 row 1: save with the falsey identifier %s creates',
    async (id) => {
      const sync = vi.fn<Sync>(() => undefined);
      const root = createLib();
      root.sync = sync;

      await personOf(root, {}, { id }).save();

      expect(sync.mock.calls.map(([action]) => action)).toStrictEqual(['create']);
    },
  );

  it.each([[1], [-1], ['0'], ['abc'], [true]])(
    '3 row 2: save with the non-falsey identifier %s updates',
    async (id) => {
      const sync = vi.fn<Sync>(() => undefined);
      const root = createLib();
      root.sync = sync;

      await personOf(root, {}, { id }).save();

      expect(sync.mock.calls.map(([action]) => action)).toStrictEqual(['update']);
    },
  );

  it('3 bullet 2: isReading of a collection is flipped on during a fetch and flipped back after it', async () => {
    const answer = gate();
    server.answer(() => answer.promise);
    const people = createLib().collection({ url });

    const before = people.isReading.value;
    const done = people.fetch();
    const during = people.isReading.value;
    answer.resolve();
    await done;

    expect([before, during, people.isReading.value]).toStrictEqual([false, true, false]);
  });

  it('3 bullet 2: isReading is flipped back after a failure too', async () => {
    server.answer(() => HttpResponse.error());
    const people = createLib().collection({ url });
    const flips = valuesOf(people.isReading);

    await expect(people.fetch()).rejects.toThrow(TypeError);

    expect(flips).toStrictEqual([false, true, false]);
  });

  it('3 bullet 2: with a requestLull isReading stays flipped at least that many milliseconds', async () => {
    const scheduler = new VirtualTimeScheduler();
    const people = createLib({ scheduler }).collection({ url, requestLull: 250 });

    await people.fetch();
    advance(scheduler, 249);
    const before = people.isReading.value;
    advance(scheduler, 250);

    expect([before, people.isReading.value]).toStrictEqual([true, false]);
  });
});

describe('4 Endpoints', () => {
  describe('4.1 dataModel requests', () => {
    it('4.1 row 1: save with a falsey id sends POST to <url> itself, as there is no id to append', async () => {
      await personOf(createLib(), {}, { name: 'Ann' }).save();

      expect(requests()).toStrictEqual([{ method: 'POST', url: '/person', body: { name: 'Ann' } }]);
    });

    it.each([[null], [''], [0], [false]])(
      '4.1 row 1: save with the id %s leaves it out of the path',
      async (id) => {
        await personOf(createLib(), {}, { id }).save();

        expect(lines()).toStrictEqual(['POST /person']);
      },
    );

    it('4.1 row 1: all mapped data is sent, in the structure the mappings define', async () => {
      const root = createLib();
      const record = root.dataModel.boot({}, { url });
      root.observable('Ann').map('name', record);
      root.observable('Bonn').map('address.city', record);
      root.observable('53111').map('address.code', record);
      root.observable([1, 2]).map('scores', record);
      root.observable(null).map('note', record);

      await record.save();

      expect(requests()).toStrictEqual([
        {
          method: 'POST',
          url: '/person',
          body: { name: 'Ann', address: { city: 'Bonn', code: '53111' }, scores: [1, 2], note: null },
        },
      ]);
    });

    it('4.1 row 1: the response data of a create is written before the promise resolves', async () => {
      server.answer(() => ({ id: 7, name: 'Ann Lee' }));
      const person = personOf(createLib());

      await person.save();

      expect(person.get()).toStrictEqual({ id: 7, name: 'Ann Lee' });
    });

    it('4.1 row 2: fetch with an id sends GET <url>/<id> without a body', async () => {
      await personOf(createLib(), {}, { id: 7 }).fetch();

      expect(requests()).toStrictEqual([{ method: 'GET', url: '/person/7', body: undefined }]);
    });

    it('4.1 row 2: the object in the answer is translated by the mappings and written to the mapped observables', async () => {
      const root = createLib();
      const record = root.dataModel.boot(
        { id: root.observable(7), title: root.observable(''), city: root.observable('') },
        { url },
      );
      record.id.map('id', record);
      record.title.map('name', record);
      record.city.map('address.city', record);
      server.answer(() => ({ id: 7, name: 'Eve', address: { city: 'Bonn', code: 1 }, extra: true }));

      await record.fetch();

      expect([record.id.value, record.title.value, record.city.value]).toStrictEqual([7, 'Eve', 'Bonn']);
    });

    it('4.1 row 3: save with an id sends PUT <url>/<id> with all mapped data', async () => {
      await personOf(createLib(), {}, { id: 7, name: 'Ann' }).save();

      expect(requests()).toStrictEqual([{ method: 'PUT', url: '/person/7', body: { id: 7, name: 'Ann' } }]);
    });

    it('4.1 row 3: the response data of an update is written before the promise resolves', async () => {
      server.answer(() => ({ name: 'ANN' }));
      const person = personOf(createLib(), {}, { id: 7, name: 'Ann' });

      await person.save();

      expect(person.get()).toStrictEqual({ id: 7, name: 'ANN' });
    });

    it('4.1 row 4: destroy with an id sends DELETE <url>/<id> without a body', async () => {
      await personOf(createLib(), {}, { id: 7 }).destroy();

      expect(requests()).toStrictEqual([{ method: 'DELETE', url: '/person/7', body: undefined }]);
    });

    it.each([
      ['save', { name: 'Ann' }],
      ['save', { id: 7, name: 'Ann' }],
      ['fetch', { id: 7, name: 'Ann' }],
      ['destroy', { id: 7, name: 'Ann' }],
    ] as const)('4.1 rows 1 to 4: %s of %o resolves with the response', async (method, values) => {
      server.answer(() => HttpResponse.json({ name: 'Eve' }, { status: 203 }));

      const response = await personOf(createLib(), {}, values)[method]();

      expect({ isResponse: response instanceof Response, status: response.status }).toStrictEqual({
        isResponse: true,
        status: 203,
      });
    });

    it('4.1 rule 1: save resolves url, then the id', async () => {
      const person = personOf(
        createLib(),
        {
          url: () => {
            person.id.next(8);
            return url;
          },
        },
        { id: 7 },
      );

      await person.save();

      expect(lines()).toStrictEqual(['PUT /person/8']);
    });

    it('4.1 rule 1: save collects the data after the url is resolved', async () => {
      const person = personOf(
        createLib(),
        {
          url: () => {
            person.name.next('from the url callback');
            return url;
          },
        },
        { id: 7 },
      );

      await person.save();

      expect(requests()).toStrictEqual([
        { method: 'PUT', url: '/person/7', body: { id: 7, name: 'from the url callback' } },
      ]);
    });

    it('4.1 rule 1: save collects the data after the id is resolved, and then issues the request', async () => {
      const root = createLib();
      const order: string[] = [];
      root.options.transport = (request) => {
        order.push(`request ${request.url}`);
        return of({ request, response: new Response(null, { status: 204 }), body: undefined });
      };
      const person = personOf(
        root,
        {
          url: () => {
            order.push('url');
            return url;
          },
        },
        { id: 7 },
      );
      const late = {
        toJSON: () => {
          order.push('data');
          person.id.next(8);
          return 'late';
        },
      };
      root.observable<unknown>(late).map('late', person);

      await person.save();

      expect(order).toStrictEqual(['url', 'data', `request ${url}/7`]);
    });

    it.each(['fetch', 'destroy'] as const)(
      '4.1 rule 2: %s resolves url, then the id, then issues the request',
      async (method) => {
        const person = personOf(
          createLib(),
          {
            url: () => {
              person.id.next(8);
              return url;
            },
          },
          { id: 7 },
        );

        await person[method]();

        expect(lines()).toStrictEqual([method === 'fetch' ? 'GET /person/8' : 'DELETE /person/8']);
      },
    );

    it('4.1 rule 3: url object, shape not shown: has a url with its method word per action by design', async () => {
      server.answer(({ method }) => (method === 'PUT' ? { id: 7 } : undefined));
      const person = personOf(createLib(), {
        url: {
          create: `PUT ${origin}/new`,
          read: `${origin}/one/:id`,
          update: () => `PATCH ${origin}/change/:id`,
          delete: `POST ${origin}/remove/:id`,
        },
      });

      await person.save();
      await person.fetch();
      await person.save();
      await person.destroy();

      expect(lines()).toStrictEqual(['PUT /new', 'GET /one/7', 'PATCH /change/7', 'POST /remove/7']);
    });

    it('4.1 rule 3: url object, shape not shown: gets no id appended by design', async () => {
      await personOf(createLib(), { url: { read: `${origin}/me` } }, { id: 7 }).fetch();

      expect(lines()).toStrictEqual(['GET /me']);
    });

    it('4.1 rule 3: url object, shape not shown: an action it lacks fails with NO_URL by design', async () => {
      const person = personOf(createLib(), { url: { read: `${origin}/me` } }, { id: 7 });

      await expect(person.save()).rejects.toMatchObject({
        name: 'RequestError',
        code: 'NO_URL',
        action: 'update',
      });
    });

    it.each([
      ['save', 'POST', undefined],
      ['save', 'PUT', 7],
      ['fetch', 'GET', 7],
      ['destroy', 'DELETE', 7],
    ] as const)('4.1 rule 4: the options of %s (%s) are passed to fetch', async (method, verb, id) => {
      const fetch = vi.spyOn(globalThis, 'fetch');

      await personOf(createLib(), {}, { id })[method]({ credentials: 'same-origin', cache: 'no-store' });

      const [, init] = fetch.mock.calls[0] ?? [];
      expect({ method: init?.method, credentials: init?.credentials, cache: init?.cache }).toStrictEqual({
        method: verb,
        credentials: 'same-origin',
        cache: 'no-store',
      });
    });

    it.each([
      ['save', undefined, 'PUT /person'],
      ['save', 7, 'PUT /person/7'],
      ['fetch', 7, 'PUT /person/7'],
      ['destroy', 7, 'PUT /person/7'],
    ] as const)(
      '4.1 rule 4: the method key of %s overrides the HTTP method (id %s)',
      async (method, id, line) => {
        await personOf(createLib(), { url: `OPTIONS ${url}` }, { id })[method]({ method: 'PUT' });

        expect(lines()).toStrictEqual([line]);
      },
    );

    it.each([[undefined], [7]])('4.1 rule 5: save applies the response by default (id %s)', async (id) => {
      server.answer(() => ({ id: 7, name: 'Eve' }));
      const person = personOf(createLib(), {}, { id, name: 'Ann' });

      await person.save();

      expect(person.get()).toStrictEqual({ id: 7, name: 'Eve' });
    });

    it.each([[undefined], [7]])(
      '4.1 rule 5: save with writeResponse true applies the response (id %s)',
      async (id) => {
        server.answer(() => ({ id: 7, name: 'Eve' }));
        const person = personOf(createLib(), {}, { id, name: 'Ann' });

        await person.save({ writeResponse: true });

        expect(person.get()).toStrictEqual({ id: 7, name: 'Eve' });
      },
    );

    it.each([[undefined], [7]])(
      '4.1 rule 5: save with writeResponse false does not apply it (id %s)',
      async (id) => {
        server.answer(() => ({ id: 8, name: 'Eve' }));
        const person = personOf(createLib(), {}, { id, name: 'Ann' });

        await person.save({ writeResponse: false });

        expect(person.get()).toStrictEqual({ id, name: 'Ann' });
      },
    );

    it('4.1 rule 6: body encoding and headers, not shown: JSON with its content type by design', async () => {
      await personOf(createLib(), {}, { name: 'Ann' }).save();

      expect({ requests: requests(), type: header('content-type') }).toStrictEqual({
        requests: [{ method: 'POST', url: '/person', body: { name: 'Ann' } }],
        type: ['application/json'],
      });
    });

    it('4.1 rule 6: body encoding and headers, not shown: a request without a body has no content type by design', async () => {
      const person = personOf(createLib(), {}, { id: 7 });

      await person.fetch();
      await person.destroy();

      expect(header('content-type')).toStrictEqual([null, null]);
    });

    it("4.1 rule 6: body encoding and headers, not shown: the caller's content type is kept by design", async () => {
      await personOf(createLib()).save({ headers: { 'Content-Type': 'application/vnd.api+json' } });

      expect(header('content-type')).toStrictEqual(['application/vnd.api+json']);
    });

    it("4.1 rule 6: body encoding and headers, not shown: the caller's body is sent untouched by design", async () => {
      await personOf(createLib()).save({ body: new URLSearchParams({ a: '1' }) });

      expect({ requests: requests(), type: header('content-type') }).toStrictEqual({
        requests: [{ method: 'POST', url: '/person', body: 'a=1' }],
        type: ['application/x-www-form-urlencoded;charset=UTF-8'],
      });
    });
  });

  describe('4.2 collection requests', () => {
    it('4.2 row 1: fetch sends GET <url>, without a body by design', async () => {
      await createLib()
        .collection({ url, data: [{ id: 1 }] })
        .fetch();

      expect(requests()).toStrictEqual([{ method: 'GET', url: '/person', body: undefined }]);
    });

    it('4.2 row 1: fetch resolves with the response after it was stored', async () => {
      server.answer(() => [{ id: 1 }]);
      const people = createLib().collection<{ id: number }>({ url });

      const response = await people.fetch();

      expect({
        isResponse: response instanceof Response,
        ok: response.ok,
        items: people.value,
      }).toStrictEqual({
        isResponse: true,
        ok: true,
        items: [{ id: 1 }],
      });
    });

    it('4.2 row 1: the response is passed through parse with the request type read and stored', async () => {
      server.answer(() => [1, 2]);
      const people = createLib().collection<string>({
        url,
        parse: (response, requestType) => (response as number[]).map((n) => `${requestType} ${String(n)}`),
      });

      await people.fetch();

      expect(people.value).toStrictEqual(['read 1', 'read 2']);
    });

    it('4.2 rule 1: a string url of the form /path makes a GET to that path', async () => {
      const { root, sent } = recorded();

      await root.collection({ url: '/people' }).fetch();

      expect(sent).toStrictEqual(['GET /people']);
    });

    it.each(['POST', 'OPTIONS', 'search'])(
      '4.2 rule 2: a string url "%s /path" uses that method',
      async (word) => {
        const { root, sent } = recorded();

        await root.collection({ url: `${word} /people` }).fetch();

        expect(sent).toStrictEqual([`${word.toUpperCase()} /people`]);
      },
    );

    it('4.2 rule 3: the method may be set in the options of fetch', async () => {
      await createLib().collection({ url }).fetch({ method: 'POST' });

      expect(lines()).toStrictEqual(['POST /person']);
    });

    it('4.2 rule 3: the method in the options of fetch overrides that of the url', async () => {
      await createLib()
        .collection({ url: `PUT ${url}` })
        .fetch({ method: 'POST' });

      expect(lines()).toStrictEqual(['POST /person']);
    });

    it('4.2 rule 4: a url callback is evaluated for each request', async () => {
      let page = 0;
      const people = createLib().collection({ url: () => `${url}?page=${String((page += 1))}` });

      await people.fetch();
      await people.fetch();

      expect(lines()).toStrictEqual(['GET /person?page=1', 'GET /person?page=2']);
    });

    it('4.2 rule 4: a url callback receives the fetch options', async () => {
      const callback = vi.fn<UrlCallback>(() => url);
      const options = { cache: 'no-store' } as const;

      await createLib().collection({ url: callback }).fetch(options);

      expect(callback.mock.calls.map(([given]) => given)).toStrictEqual([options]);
    });

    it('4.2 rule 5: parse is called with the response and the request type read', async () => {
      server.answer(() => [{ id: 1 }]);
      const parse = vi.fn<Parse>((response) => response);

      await createLib().collection({ url, parse }).fetch();

      expect(parse.mock.calls).toStrictEqual([[[{ id: 1 }], 'read']]);
    });

    it('4.2 rule 5: what parse returns is stored, so that it may unwrap an envelope', async () => {
      server.answer(() => ({ page: 1, items: [{ id: 1 }] }));
      const people = createLib().collection<{ id: number }>({
        url,
        parse: (response) => (response as { items: unknown }).items,
      });

      await people.fetch();

      expect(people.value).toStrictEqual([{ id: 1 }]);
    });

    it('4.2 rule 6: a fetchOptions callback receives the action, the collection and the options', async () => {
      const fetchOptions = vi.fn<Exclude<FetchOptionsSource, FetchOptions>>(() => ({}));
      const people = createLib().collection({ url, fetchOptions });
      const options = { cache: 'no-store' } as const;

      await people.fetch(options);

      const [[action, concern, given] = []] = fetchOptions.mock.calls;
      expect({ count: fetchOptions.mock.calls.length, action, given }).toStrictEqual({
        count: 1,
        action: 'read',
        given: options,
      });
      expect(concern).toBe(people);
    });

    it('4.2 rule 6: a fetchOptions callback is evaluated per request', async () => {
      let count = 0;
      const people = createLib().collection({
        url,
        fetchOptions: () => ({ headers: { 'x-count': String((count += 1)) } }),
      });

      await people.fetch();
      await people.fetch();

      expect(header('x-count')).toStrictEqual(['1', '2']);
    });

    it('4.2 rule 7: requestLull neither delays the request nor the data, only the flag', async () => {
      server.answer(() => [{ id: 1 }]);
      const scheduler = new VirtualTimeScheduler();
      const people = createLib({ scheduler }).collection<{ id: number }>({ url, requestLull: 10_000 });

      await people.fetch();

      expect({
        time: scheduler.now(),
        lines: lines(),
        items: people.value,
        isReading: people.isReading.value,
      }).toStrictEqual({
        time: 0,
        lines: ['GET /person'],
        items: [{ id: 1 }],
        isReading: true,
      });
    });

    it('4.2 rule 7: requestLull does not prevent a further request', async () => {
      const people = createLib({ scheduler: new VirtualTimeScheduler() }).collection({
        url,
        requestLull: 10_000,
      });

      await people.fetch();
      await people.fetch();

      expect(lines()).toStrictEqual(['GET /person', 'GET /person']);
    });

    it('4.2 rule 8: response shape, not shown: is a JSON list by design, anything else fails with SHAPE', async () => {
      server.answer(() => ({ items: [] }));
      const people = createLib().collection({ url, data: [{ id: 1 }] });

      await expect(people.fetch()).rejects.toMatchObject({
        code: 'SHAPE',
        message: expect.stringContaining('parse') as string,
      });

      expect(people.value).toStrictEqual([{ id: 1 }]);
    });

    it('4.2 rule 8: other operations, not shown: create sends POST <url> and adds the answer by design', async () => {
      server.answer(() => ({ id: 2, name: 'Bo' }));
      const people = createLib().collection<{ id?: number; name: string }>({
        url,
        data: [{ id: 1, name: 'Ann' }],
      });

      await people.create({ name: 'Bo' });

      expect({ requests: requests(), items: people.value }).toStrictEqual({
        requests: [{ method: 'POST', url: '/person', body: { name: 'Bo' } }],
        items: [
          { id: 1, name: 'Ann' },
          { id: 2, name: 'Bo' },
        ],
      });
    });
  });

  describe('4.3 Option precedence', () => {
    const levels = (...values: (string | undefined)[]) => {
      const [request, configuration, global] = values.map((value) =>
        value === undefined ? {} : { headers: { 'x-level': value } },
      );
      const root = createLib();
      root.options.fetchOptions = global;
      return { request, configuration, root };
    };

    it.each([
      ['1: options of the request come first', ['request', 'configuration', 'global'], 'request'],
      ['1: options of the request override the global ones', ['request', undefined, 'global'], 'request'],
      [
        '2: the configuration comes before the global options',
        [undefined, 'configuration', 'global'],
        'configuration',
      ],
      ['3: the global options come last', [undefined, undefined, 'global'], 'global'],
    ])('4.3 rule %s (dataModel)', async (_name, values, winner) => {
      const { request, configuration, root } = levels(...values);

      await personOf(root, { fetchOptions: configuration }, { id: 7 }).fetch(request);

      expect(header('x-level')).toStrictEqual([winner]);
    });

    it.each([
      ['1: options of the request come first', ['request', 'configuration', 'global'], 'request'],
      ['1: options of the request override the global ones', ['request', undefined, 'global'], 'request'],
      [
        '2: the configuration comes before the global options',
        [undefined, 'configuration', 'global'],
        'configuration',
      ],
      ['3: the global options come last', [undefined, undefined, 'global'], 'global'],
    ])('4.3 rule %s (collection)', async (_name, values, winner) => {
      const { request, configuration, root } = levels(...values);

      await root.collection({ url, fetchOptions: configuration }).fetch(request);

      expect(header('x-level')).toStrictEqual([winner]);
    });

    it('4.3: options of all levels are mixed when the request is generated', async () => {
      const fetch = vi.spyOn(globalThis, 'fetch');
      const root = createLib({ fetchOptions: { credentials: 'omit', cache: 'reload', mode: 'cors' } });

      await personOf(root, { fetchOptions: { credentials: 'include', cache: 'no-cache' } }, { id: 7 }).fetch({
        credentials: 'same-origin',
      });

      const [, init] = fetch.mock.calls[0] ?? [];
      expect({ credentials: init?.credentials, cache: init?.cache, mode: init?.mode }).toStrictEqual({
        credentials: 'same-origin',
        cache: 'no-cache',
        mode: 'cors',
      });
    });
  });

  describe('4.4 Replacing the storage method', () => {
    it('4.4 bullet 1: dataModel requests go through lib.dataModel.sync', async () => {
      const root = createLib();
      const actions: Action[] = [];
      root.dataModel.sync = (action) => {
        actions.push(action);
        return action === 'create' ? { id: 7 } : undefined;
      };
      const person = personOf(root);

      await person.save();
      await person.fetch();
      await person.save();
      await person.destroy();

      expect({ actions, requests: requests() }).toStrictEqual({
        actions: ['create', 'read', 'update', 'delete'],
        requests: [],
      });
    });

    it('4.4 bullet 1: lib.dataModel.sync is proxied to lib.sync', async () => {
      const root = createLib();
      const actions: Action[] = [];
      root.sync = (action) => {
        actions.push(action);
        return action === 'create' ? { id: 7 } : undefined;
      };
      const person = personOf(root);

      await person.save();
      await person.fetch();
      await person.save();
      await person.destroy();

      expect({ actions, requests: requests() }).toStrictEqual({
        actions: ['create', 'read', 'update', 'delete'],
        requests: [],
      });
    });

    it('4.4 bullet 1: the default lib is replaced the same way', async () => {
      const { sync } = lib;
      lib.sync = () => ({ name: 'Eve' });
      const person = personOf(lib, {}, { id: 7 });
      try {
        await person.fetch();
      } finally {
        lib.sync = sync;
      }

      expect({ name: person.name.value, requests: requests() }).toStrictEqual({ name: 'Eve', requests: [] });
    });

    it('4.4 row 1: a replacement receives the action', async () => {
      const sync = vi.fn<Sync>(() => undefined);
      const root = createLib();
      root.sync = sync;
      const person = personOf(root);

      await person.save();
      person.id.next(7);
      await person.fetch();
      await person.save();
      await person.destroy();

      expect(sync.mock.calls.map(([action]) => action)).toStrictEqual(['create', 'read', 'update', 'delete']);
    });

    it('4.4 row 2: a replacement receives the dataModel instance', async () => {
      const sync = vi.fn<Sync>(() => undefined);
      const root = createLib();
      root.dataModel.sync = sync;
      const person = personOf(root);

      await person.save();

      expect(sync.mock.calls[0]?.[1]).toBe(person);
    });

    it('4.4 row 3: a replacement receives the options of the request, as a copy with a signal by design', async () => {
      const sync = vi.fn<Sync>(() => undefined);
      const root = createLib();
      root.dataModel.sync = sync;

      await personOf(root).save({ cache: 'no-store', writeResponse: false });

      expect(sync.mock.calls.map(([, , options]) => options)).toStrictEqual([
        { cache: 'no-store', writeResponse: false, signal: expect.any(AbortSignal) as AbortSignal },
      ]);
    });

    it('4.4: three arguments, no more', async () => {
      const sync = vi.fn<Sync>(() => undefined);
      const root = createLib();
      root.sync = sync;

      await personOf(root).save();

      expect(sync.mock.calls.map((given) => given.length)).toStrictEqual([3]);
    });

    it.each([
      ['a Response', () => Response.json({ name: 'Eve' })],
      ['a promise of a Response', () => Promise.resolve(Response.json({ name: 'Eve' }))],
      ['an Observable of a Response', () => of(Response.json({ name: 'Eve' }))],
      ['plain data', () => ({ name: 'Eve' })],
      ['a promise of plain data', () => Promise.resolve({ name: 'Eve' })],
      ['an Observable of plain data', () => of({ name: 'Eve' })],
    ])('4.4 bullet 2: return value, not shown: may be %s by design', async (_name, answer) => {
      const root = createLib();
      root.dataModel.sync = answer;
      const person = personOf(root, {}, { id: 7 });

      const response = await person.fetch();

      expect({ ok: response.ok, name: person.name.value }).toStrictEqual({ ok: true, name: 'Eve' });
    });

    it('4.4 bullet 2: return value, not shown: undefined is a success without data by design', async () => {
      const root = createLib();
      root.dataModel.sync = () => undefined;
      const person = personOf(root, {}, { id: 7, name: 'Ann' });

      const response = await person.fetch();

      expect({ status: response.status, name: person.name.value }).toStrictEqual({
        status: 204,
        name: 'Ann',
      });
    });
  });
});

describe('5 Authentication', () => {
  it('5 bullet 1: authentication scheme, not shown: nothing is sent unless the options say so', async () => {
    const fetch = vi.spyOn(globalThis, 'fetch');

    await personOf(createLib(), {}, { id: 7 }).fetch();

    const [, init] = fetch.mock.calls[0] ?? [];
    expect({
      authorization: header('authorization'),
      hasCredentials: 'credentials' in (init ?? {}),
    }).toStrictEqual({
      authorization: [null],
      hasCredentials: false,
    });
  });

  it.each([
    ['the request', 'same-origin', undefined, undefined],
    ['the configuration', undefined, 'same-origin', undefined],
    ['the global options', undefined, undefined, 'same-origin'],
  ] as const)('5 bullet 2: credentials are set by %s', async (_level, request, configuration, global) => {
    const fetch = vi.spyOn(globalThis, 'fetch');
    const root = createLib({ fetchOptions: { credentials: global } });

    await personOf(root, { fetchOptions: { credentials: configuration } }, { id: 7 }).fetch({
      credentials: request,
    });

    expect(fetch.mock.calls.map(([, init]) => init?.credentials)).toStrictEqual(['same-origin']);
  });
});

describe('6 Events', () => {
  it('6 bullet 1: events as named messages, not shown: what happens is reported by streams by design', async () => {
    server.answer(() => new HttpResponse(null, { status: 500 }));
    const person = personOf(createLib(), {}, { id: 7 });
    const errors = valuesOf(person.error$);

    await person.fetch();

    expect(errors.map((error) => (error instanceof RequestError ? error.code : error))).toStrictEqual([
      null,
      'HTTP',
    ]);
  });

  it('6 bullet 2: after a write, subscriptions and values computed from the mapped observables receive updates', async () => {
    server.answer(() => ({ name: 'Eve' }));
    const person = personOf(createLib(), {}, { id: 7, name: 'Ann' });
    const names = valuesOf(person.name);
    const lengths = valuesOf(person.name.pipe(map((name) => name.length * 10)));

    await person.save();

    expect({ names, lengths }).toStrictEqual({ names: ['Ann', 'Eve'], lengths: [30, 30] });
  });

  it('6 bullet 2: isReading of a collection changes when a request starts and when it ends', async () => {
    const people = createLib().collection({ url });
    const flips = valuesOf(people.isReading);

    const done = people.fetch();
    const atStart = [...flips];
    await done;

    expect({ atStart, atEnd: flips }).toStrictEqual({ atStart: [false, true], atEnd: [false, true, false] });
  });
});

describe('7 Errors', () => {
  it.each(['save', 'fetch', 'destroy'] as const)(
    '7 rule 1: %s returns a Promise even when it cannot be sent',
    async (method) => {
      const promise = personOf(createLib(), { url: undefined })[method]();

      expect(promise).toBeInstanceOf(Promise);
      await expect(promise).rejects.toThrow(RequestError);
    },
  );

  it.each(['fetch', 'create'] as const)(
    '7 rule 1: %s of a collection returns a Promise even when it cannot be sent',
    async (method) => {
      const people = createLib().collection([{ id: 1 }]);

      const promise = method === 'fetch' ? people.fetch() : people.create({ id: 2 });

      expect(promise).toBeInstanceOf(Promise);
      await expect(promise).rejects.toThrow(RequestError);
    },
  );

  it.each([
    ['save', undefined],
    ['save', 7],
    ['fetch', 7],
    ['destroy', 7],
  ] as const)(
    '7 rule 2: %s (id %s) resolves when the server refuses; ok and statusText say so',
    async (method, id) => {
      server.answer(() => new HttpResponse(null, { status: 404, statusText: 'No such person' }));

      const response = await personOf(createLib(), {}, { id })[method]();

      expect({ ok: response.ok, status: response.status, statusText: response.statusText }).toStrictEqual({
        ok: false,
        status: 404,
        statusText: 'No such person',
      });
    },
  );

  it('7 rule 2: fetch of a collection resolves when the server refuses', async () => {
    server.answer(() => new HttpResponse(null, { status: 503, statusText: 'Closed' }));
    const people = createLib().collection({ url, data: [{ id: 1 }] });

    const response = await people.fetch();

    expect({ ok: response.ok, statusText: response.statusText, items: people.value }).toStrictEqual({
      ok: false,
      statusText: 'Closed',
      items: [{ id: 1 }],
    });
  });

  it.each([
    ['save', undefined],
    ['save', 7],
    ['fetch', 7],
    ['destroy', 7],
  ] as const)(
    '7 rule 3: %s (id %s) rejects when the network fails, with what fetch rejected with',
    async (method, id) => {
      const failure = new TypeError('network');
      vi.spyOn(globalThis, 'fetch').mockRejectedValue(failure);

      await expect(personOf(createLib(), {}, { id })[method]()).rejects.toBe(failure);
    },
  );

  it('7 rule 3: fetch of a collection rejects when the network fails', async () => {
    server.answer(() => HttpResponse.error());

    await expect(createLib().collection({ url }).fetch()).rejects.toThrow(TypeError);
  });

  it('7 rule 4: error codes and bodies, not shown: the body of a refusal is left to the caller by design', async () => {
    server.answer(() => HttpResponse.json({ name: 'is taken' }, { status: 422 }));
    const person = personOf(createLib(), {}, { id: 7, name: 'Ann' });

    const response = await person.save();

    expect({ status: response.status, body: (await response.json()) as unknown }).toStrictEqual({
      status: 422,
      body: { name: 'is taken' },
    });
  });

  it('7 rule 4: error codes and bodies, not shown: a refusal is neither written nor parsed by design', async () => {
    server.answer(() => HttpResponse.json({ name: 'is taken' }, { status: 422 }));
    const parse = vi.fn((response: unknown) => response);
    const person = personOf(createLib(), { parse }, { id: 7, name: 'Ann' });
    person.name.next('Bo');

    await person.save();

    expect({ data: person.get(), isDirty: person.isDirty$.value, parsed: parse.mock.calls }).toStrictEqual({
      data: { id: 7, name: 'Bo' },
      isDirty: true,
      parsed: [],
    });
  });

  it('7 rule 5: a missing url, not shown: rejects with NO_URL by design', async () => {
    const person = personOf(createLib(), { url: undefined }, { id: 7 });

    await expect(person.save()).rejects.toMatchObject({
      name: 'RequestError',
      code: 'NO_URL',
      action: 'update',
    });
  });

  it.each([
    ['fetch', 'read'],
    ['destroy', 'delete'],
  ] as const)(
    '7 rule 5: %s without an id, not shown: rejects with NO_ID and sends nothing by design',
    async (method, action) => {
      const promise = personOf(createLib())[method]();

      await expect(promise).rejects.toMatchObject({ name: 'RequestError', code: 'NO_ID', action });
      expect(requests()).toStrictEqual([]);
    },
  );

  it.each([['.'], ['..'], [{ a: 1 }]])(
    '7 rule 5: the wrong id %o, not shown: rejects with BAD_ID by design',
    async (id) => {
      const promise = personOf(createLib(), {}, { id }).destroy();

      await expect(promise).rejects.toMatchObject({ name: 'RequestError', code: 'BAD_ID', action: 'delete' });
      expect(requests()).toStrictEqual([]);
    },
  );
});

describe('8 Limits', () => {
  it('8 row 1: requestLull is 0 by default: no lull, and no timer', async () => {
    const scheduler = new VirtualTimeScheduler();
    const people = createLib({ scheduler }).collection({ url });

    await people.fetch();

    expect({ isReading: people.isReading.value, timers: scheduler.actions.length }).toStrictEqual({
      isReading: false,
      timers: 0,
    });
  });

  it('8 row 2: requestLull is in milliseconds', async () => {
    const scheduler = new VirtualTimeScheduler();
    const people = createLib({ scheduler }).collection({ url, requestLull: 1500 });

    await people.fetch();
    advance(scheduler, 1499);
    const before = people.isReading.value;
    advance(scheduler, 1500);

    expect([before, people.isReading.value]).toStrictEqual([true, false]);
  });

  it('8 bullet 1: a request longer than its requestLull flips isReading back when it ends', async () => {
    const scheduler = new VirtualTimeScheduler();
    const answer = gate();
    server.answer(() => answer.promise);
    const people = createLib({ scheduler }).collection({ url, requestLull: 500 });

    const done = people.fetch();
    advance(scheduler, 800);
    const during = people.isReading.value;
    answer.resolve();
    await done;

    expect([during, people.isReading.value]).toStrictEqual([true, false]);
  });

  it('8 bullet 2: time-outs, not shown: none by default by design', async () => {
    const scheduler = new VirtualTimeScheduler();
    const answer = gate();
    server.answer(() => answer.promise);
    const person = personOf(createLib({ scheduler }), {}, { id: 7 });

    const done = person.fetch();
    const timers = scheduler.actions.length;
    answer.resolve();
    await done;

    expect(timers).toBe(0);
  });

  it('8 bullet 2: time-outs, not shown: timeout limits a request in milliseconds by design', async () => {
    const scheduler = new VirtualTimeScheduler();
    const answer = gate();
    server.answer(() => answer.promise);
    const person = personOf(createLib({ scheduler }), { timeout: 100 }, { id: 7 });

    const done = person.fetch();
    advance(scheduler, 100);

    await expect(done).rejects.toMatchObject({ name: 'TimeoutError' });
    answer.resolve();
  });
});

/** A record as the seed writes it: mapped observables, then `boot`. */
class Fields {
  readonly id: MappedField<unknown, 'id'>;
  readonly name: MappedField<string, 'name'>;

  constructor(root: Lib, { id, name = 'Ann' }: Values) {
    this.id = root.observable<unknown>(id).map('id', this);
    this.name = root.observable(name).map('name', this);
  }
}

interface Values {
  readonly id?: unknown;
  readonly name?: string;
}

function personOf(root: Lib, config: DataModelConfig = {}, values: Values = {}): Fields & DataModel {
  return root.dataModel.boot(new Fields(root, values), { url, ...config });
}

/** A root that lists its requests and answers them with nothing: for paths that Node's `fetch` does not accept. */
function recorded(): { readonly root: Lib; readonly sent: string[] } {
  const sent: string[] = [];
  const root = createLib({
    transport: (request) => {
      sent.push(`${request.method} ${request.url}`);
      return of({ request, response: new Response(null, { status: 204 }), body: undefined });
    },
  });
  return { root, sent };
}

/** What the server saw of each request, without the headers. */
function requests(): { method: string; url: string; body: unknown }[] {
  return server.seen.map(({ method, url: path, body }) => ({ method, url: path, body }));
}

/** Method and path of each request. */
function lines(): string[] {
  return server.seen.map(({ method, url: path }) => `${method} ${path}`);
}

/** One header of each request. */
function header(name: string): (string | null)[] {
  return server.seen.map(({ headers }) => headers.get(name));
}

import { combineLatest, map } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { DataModel, createLib, lib } from 'rivulet';
import type { DataModelConfig, LibOptions, Parse, RequestOptions } from 'rivulet';

import { Person, withPerson } from './person';
import { valuesOf, watch } from './watch';

describe('DataModel', () => {
  it('makes an instance of a class that extends DataModel a record of the root it names', () => {
    const { root, server } = withPerson();
    class Dog extends DataModel {
      readonly name = root.observable('Rex').map('name', this);
      constructor() {
        super({ url: '/dog' }, root);
      }
    }

    watch(new Dog().save$());

    expect(server.sent).toStrictEqual([{ method: 'POST', url: '/dog', body: { name: 'Rex' } }]);
  });

  it('gives a class that extends DataModel the default root', () => {
    const { options } = lib;
    const { server } = withPerson();
    lib.options = { transport: server.transport };
    try {
      watch(new DataModel({ url: '/dog' }).save$());
    } finally {
      lib.options = options;
    }

    expect(server.sent).toStrictEqual([{ method: 'POST', url: '/dog', body: {} }]);
  });

  it('is the class of the records that a list makes without a model, too', () => {
    expect(
      createLib()
        .collection([{ id: 1 }])
        .record(1),
    ).toBeInstanceOf(DataModel);
  });
});

describe('boot', () => {
  it('makes an instance of a constructor function a record', () => {
    const { root, server } = withPerson();
    function Person(this: object): void {
      root.dataModel.boot(this, { url: '/person' });
      root.observable('Ann').map('name', this);
    }
    const person = Reflect.construct(Person, []) as DataModel;

    watch(person.save$());

    expect({ isPerson: person instanceof Person, sent: server.sent }).toStrictEqual({
      isPerson: true,
      sent: [{ method: 'POST', url: '/person', body: { name: 'Ann' } }],
    });
  });

  it('makes an instance of a class a record, with fields mapped before it in class fields', () => {
    const { root, server } = withPerson();
    class Person {
      readonly name = root.observable('Ann').map('name', this);
      declare readonly save$: DataModel['save$'];
      constructor() {
        root.dataModel.boot(this, { url: '/person' });
      }
    }
    const person = new Person();

    watch(person.save$());

    expect({ isPerson: person instanceof Person, sent: server.sent }).toStrictEqual({
      isPerson: true,
      sent: [{ method: 'POST', url: '/person', body: { name: 'Ann' } }],
    });
  });

  it('makes an object a record, with fields mapped after it', () => {
    const { root, server } = withPerson();
    const person = root.dataModel.boot({ name: root.observable('Ann') }, { url: '/person' });
    person.name.map('name', person);

    watch(person.save$());

    expect(server.sent).toStrictEqual([{ method: 'POST', url: '/person', body: { name: 'Ann' } }]);
  });

  it('gives all instances of a class the same prototype', () => {
    class Plain {
      readonly kind = 'plain';
    }
    const root = createLib();
    const [one, two] = [root.dataModel.boot(new Plain()), root.dataModel.boot(new Plain())];

    expect(Object.getPrototypeOf(one)).toBe(Object.getPrototypeOf(two));
  });

  it('makes an object without a prototype a record', () => {
    const root = createLib();
    const record = root.dataModel.boot(Object.create(null) as object);
    root.observable('a').map('name', record);

    expect(record.get()).toStrictEqual({ name: 'a' });
  });

  it('needs no configuration for a record that makes no requests', () => {
    const { root } = withPerson();
    const person = root.dataModel.boot({ name: root.observable('Ann') });
    person.name.map('name', person);

    expect(person.get()).toStrictEqual({ name: 'Ann' });
  });

  it('uses the default for an option that is undefined', async () => {
    const { person, server } = withPerson({
      config: { idAttribute: undefined, parse: undefined, fetchOptions: undefined, requestLull: undefined },
    });

    const done = person.fetch();
    server.at(0).ok({ name: 'Eve' });
    await done;

    expect({ sent: server.sent, name: person.name.value }).toStrictEqual({
      sent: [{ method: 'GET', url: '/person/7', body: undefined }],
      name: 'Eve',
    });
  });

  it.each([[undefined], [null], ['text'], [5]])('throws for %o, which is not an instance', (instance) => {
    expect(() => createLib().dataModel.boot(instance as never)).toThrow(
      new TypeError('boot: needs the instance, usually "this", not frozen'),
    );
  });

  it('throws for an instance that is already booted', () => {
    const root = createLib();
    const person = root.dataModel.boot({});

    expect(() => root.dataModel.boot(person)).toThrow(
      new TypeError('boot: this is already a record: boot it only once'),
    );
  });

  it('throws for an instance of a class that extends DataModel', () => {
    const { root, person } = withPerson();

    expect(() => root.dataModel.boot(person)).toThrow(
      new TypeError('boot: this is already a record: boot it only once'),
    );
  });

  it('keeps two instances of one class apart', () => {
    const { root } = withPerson();
    const [ann, bo] = [new Person(root, {}, { name: 'Ann' }), new Person(root, {}, { name: 'Bo' })];

    ann.name.next('Eve');

    expect([ann.name.value, bo.name.value, ann.isDirty$.value, bo.isDirty$.value]).toStrictEqual([
      'Eve',
      'Bo',
      true,
      false,
    ]);
  });
});

describe('get', () => {
  it('returns the data in the mapped structure', () => {
    expect(withPerson().person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });

  it('includes undefined fields as keys', () => {
    const { person } = withPerson({ values: { id: undefined } });

    expect(Object.entries(person.get())).toContainEqual(['id', undefined]);
  });

  it('returns a new object each time', () => {
    const { person } = withPerson();
    person.get().address.city = 'changed by the caller';

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });

  it('returns the value at a path', () => {
    expect(withPerson().person.get('address.city')).toBe('Bonn');
  });

  it('returns the object that holds mapped paths', () => {
    expect(withPerson().person.get('address')).toStrictEqual({ city: 'Bonn' });
  });

  it.each([['unknown'], ['toString'], ['__proto__'], ['constructor'], ['name.length'], ['address.toString']])(
    'returns undefined for "%s", which is not mapped',
    (path) => {
      expect(withPerson().person.get(path as never)).toBeUndefined();
    },
  );

  it('omits paths inside the value of a field, whether passed alone or in a list', () => {
    const root = createLib();
    const record = root.dataModel.boot({});
    root.observable({ city: 'Bonn' }).map('address', record);
    expect(record.get('address.city' as never)).toBeUndefined();
    expect(record.get(['address.city' as never])).toStrictEqual({});
  });

  it('returns the data at a list of paths', () => {
    expect(withPerson().person.get(['name', 'address.city'])).toStrictEqual({
      name: 'Ann',
      address: { city: 'Bonn' },
    });
  });

  it('returns an empty object for no paths', () => {
    expect(withPerson().person.get([])).toStrictEqual({});
  });

  it('returns all data when called with something other than a path, as then does', async () => {
    const { person, server } = withPerson();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- the form under test
    const read = person.fetch().then(person.get);

    server.at(0).ok({ name: 'Bo' });

    await expect(read).resolves.toMatchObject({ id: 7, name: 'Bo' });
  });
});

describe('toJSON', () => {
  it('makes JSON.stringify write the data', () => {
    expect(JSON.stringify(withPerson().person)).toBe('{"id":7,"name":"Ann","address":{"city":"Bonn"}}');
  });
});

describe('set', () => {
  it('writes mapped paths only and returns the record', () => {
    const { person } = withPerson();

    const result = person.set({ name: 'Bo', address: { city: 'Ulm', code: 1 }, extra: true } as object);

    expect(result).toBe(person);
    expect(person.get()).toStrictEqual({ id: 7, name: 'Bo', address: { city: 'Ulm' } });
  });

  it('skips absent and undefined values', () => {
    const { person } = withPerson();

    person.set({ name: undefined });

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });

  it.each([[null], [0], [''], [false]])('writes %o', (id) => {
    const { person } = withPerson();

    person.set({ id });

    expect(person.id.value).toBe(id);
  });

  it('leaves nested fields unchanged when their container is null', () => {
    const { person } = withPerson();

    person.set({ address: null } as object);

    expect(person.city.value).toBe('Bonn');
  });

  it('confirms what it writes, and only that', () => {
    const { person } = withPerson();
    person.name.next('edited');
    person.city.next('edited');

    person.set({ name: 'Bo' });

    expect({ dirty: person.dirtyMap(), remote: person.name.remote$.value }).toStrictEqual({
      dirty: { id: false, name: false, 'address.city': true },
      remote: 'Bo',
    });
  });

  it('reports that the record became clean, even if no value changes', () => {
    const { person } = withPerson();
    person.name.next('Bo');
    const states = valuesOf(person.isDirty$);

    person.set({ name: 'Bo' });

    expect(states).toStrictEqual([true, false]);
  });

  it('with keepDirty leaves the confirmed value unchanged', () => {
    const { person } = withPerson();

    person.set({ name: 'Bo' }, { keepDirty: true });

    expect({
      name: person.name.value,
      isDirty: person.isDirty$.value,
      remote: person.name.remote$.value,
    }).toStrictEqual({
      name: 'Bo',
      isDirty: true,
      remote: 'Ann',
    });
  });

  it('emits data$ once', () => {
    const { person } = withPerson();
    const data = valuesOf(person.data$);

    person.set({ name: 'Bo', address: { city: 'Ulm' } });

    expect(data).toStrictEqual([
      { id: 7, name: 'Ann', address: { city: 'Bonn' } },
      { id: 7, name: 'Bo', address: { city: 'Ulm' } },
    ]);
  });

  it('ignores inherited data', () => {
    const { person } = withPerson();

    person.set(Object.create({ name: 'inherited' }) as object);

    expect(person.name.value).toBe('Ann');
  });

  it.each([['text'], [['a', 'b']]])('does not read a length from %o', (data) => {
    const { root, person } = withPerson();
    const length = root.observable(99).map('length', person);

    person.set(data as object);

    expect(length.value).toBe(99);
  });
});

describe('clean', () => {
  it('cleans everything when used as an event handler', () => {
    const { person } = withPerson();
    person.name.next('Bo');
    const button = new EventTarget();
    // eslint-disable-next-line @typescript-eslint/unbound-method -- the form under test
    button.addEventListener('click', person.clean as () => void);

    button.dispatchEvent(new Event('click'));

    expect(person.isDirty$.value).toBe(false);
  });

  it('confirms all values shown', () => {
    const { person } = withPerson();
    person.name.next('Bo');
    person.city.next('Ulm');

    expect(person.clean()).toBe(person);
    expect({ isDirty: person.isDirty$.value, remote: person.name.remote$.value }).toStrictEqual({
      isDirty: false,
      remote: 'Bo',
    });
  });

  it('confirms the value at a path and no other', () => {
    const { root, person } = withPerson();
    const name2 = root.observable(1).map('name2', person);
    name2.next(2);
    person.name.next('Bo');
    person.city.next('Ulm');

    person.clean('name');

    expect(person.dirtyMap()).toStrictEqual({ id: false, name: false, 'address.city': true, name2: true });
  });

  it('confirms the values below a path', () => {
    const { person } = withPerson();
    person.name.next('Bo');
    person.city.next('Ulm');

    person.clean('address');

    expect(person.dirtyMap()).toStrictEqual({ id: false, name: true, 'address.city': false });
  });

  it('matches the characters of a path literally', () => {
    const { root } = withPerson();
    const record = root.dataModel.boot({ a: root.observable(1), b: root.observable(1) });
    record.a.map('a(', record).next(2);
    record.b.map('b', record).next(2);

    record.clean('a(' as never);

    expect(record.dirtyMap()).toStrictEqual({ 'a(': false, b: true });
  });

  it('notifies subscribers', () => {
    const { person } = withPerson();
    person.name.next('Bo');
    const states = valuesOf(
      combineLatest([person.isDirty$, person.name.isDirty$]).pipe(map((both) => both.join())),
    );

    person.clean();

    expect(states.at(-1)).toBe('false,false');
  });
});

describe('reset', () => {
  it('leaves a field that is clean as it is: what was typed back during a read stays', () => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    watch(person.fetch$());
    person.name.next('Ann');

    person.reset();
    server.at(0).ok({ name: 'Eve' });

    expect([person.name.value, person.name.isDirty$.value]).toStrictEqual(['Ann', true]);
  });

  it('restores all fields before it notifies of any', () => {
    const { person } = withPerson();
    person.set({ name: 'Bo', address: { city: 'Ulm' } }, { keepDirty: true });
    const seen = valuesOf(person.name.pipe(map(() => person.get())));

    person.reset();

    expect(seen.at(-1)).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });

  it('restores the confirmed value of every field', () => {
    const { person } = withPerson();
    person.set({ name: 'Bo' });
    person.name.next('edited');
    person.city.next('edited');

    expect(person.reset()).toBe(person);
    expect({ data: person.get(), isDirty: person.isDirty$.value }).toStrictEqual({
      data: { id: 7, name: 'Bo', address: { city: 'Bonn' } },
      isDirty: false,
    });
  });

  it('of a field restores that field only', () => {
    const { person } = withPerson();
    person.name.next('edited');
    person.city.next('edited');

    person.name.reset();

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'edited' } });
  });
});

describe('dirtyMap and hasMappedField', () => {
  it('dirtyMap is flat, by path', () => {
    const { person } = withPerson();
    person.city.next('Ulm');

    expect(person.dirtyMap()).toStrictEqual({ id: false, name: false, 'address.city': true });
  });

  it.each([
    ['name', true],
    ['address.city', true],
    ['address', false],
    ['nam', false],
    ['constructor', false],
    ['__proto__', false],
    ['toString', false],
  ])('hasMappedField of "%s" is %s', (path, expected) => {
    expect(withPerson().person.hasMappedField(path)).toBe(expected);
  });
});

describe('data$', () => {
  it('emits once per write of several fields, never half old and half new', () => {
    const { person, server } = withPerson();
    const data = valuesOf(person.data$);

    watch(person.fetch$());
    server.at(0).ok({ name: 'Eve', address: { city: 'Ulm' } });

    expect(data).toStrictEqual([
      { id: 7, name: 'Ann', address: { city: 'Bonn' } },
      { id: 7, name: 'Eve', address: { city: 'Ulm' } },
    ]);
  });

  it('emits for the edit of a field', () => {
    const { person } = withPerson();
    const data = valuesOf(person.data$);

    person.name.next('Bo');

    expect(data.map(({ name }) => name)).toStrictEqual(['Ann', 'Bo']);
  });

  it('does not emit for an answer that changes nothing', () => {
    const { person, server } = withPerson();
    const data = valuesOf(person.data$);

    watch(person.fetch$());
    server.at(0).ok({ id: 7, name: 'Ann', address: { city: 'Bonn' } });

    expect(data).toHaveLength(1);
  });

  it('has a value before and without a subscription', () => {
    const { person } = withPerson();

    const before = person.data$.value;
    person.name.next('Bo');

    expect([before.name, person.data$.value.name]).toStrictEqual(['Ann', 'Bo']);
  });

  it('leaves an emitted object unchanged', () => {
    const { person } = withPerson();
    const [first] = valuesOf(person.data$);

    person.name.next('Bo');

    expect(first).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });
});

describe('changes$', () => {
  it('begins with the current patch', () => {
    const { person } = withPerson();
    person.city.next('Ulm');

    expect(valuesOf(person.changes$)).toStrictEqual([{ address: { city: 'Ulm' } }]);
  });

  it('emits the dirty fields, and {} when clean', () => {
    const { person } = withPerson();
    const patches = valuesOf(person.changes$);

    person.name.next('Bo');
    person.city.next('Ulm');
    person.clean();

    expect(patches).toStrictEqual([{}, { name: 'Bo' }, { name: 'Bo', address: { city: 'Ulm' } }, {}]);
  });
});

describe('isNew$ and isDirty$', () => {
  it('isNew$ follows the id and nothing else', () => {
    const { person } = withPerson({ values: { id: undefined } });
    const states = valuesOf(person.isNew$);

    person.name.next('Bo');
    person.id.next(7);
    person.id.next(8);
    person.id.next(0);

    expect(states).toStrictEqual([true, false, true]);
  });

  it.each([
    ['as configured', { idAttribute: 'meta.key' }, 'meta.key'],
    ['id by default', {}, 'id'],
  ])('idAttribute is the path of the id: %s', (_, config, path) => {
    expect(createLib().dataModel.boot({}, config).idAttribute).toBe(path);
  });

  it.each([[['id']], [5], [() => 'id'], ['a..b'], ['']])(
    'idAttribute must be a path, or the record is not booted: %j',
    (idAttribute) => {
      const { dataModel } = createLib();
      const record = {};

      expect(() => dataModel.boot(record, { idAttribute: idAttribute as never })).toThrow(
        new TypeError(`map, idAttribute: "${String(idAttribute)}" is not a path: join plain names by dots`),
      );
      expect(dataModel.boot(record).idAttribute).toBe('id');
    },
  );

  it('isNew$ follows the field that idAttribute names, at any depth', () => {
    const { root } = withPerson();
    const record = root.dataModel.boot({ key: root.observable('') }, { idAttribute: 'meta.key' });
    record.key.map('meta.key', record);
    const states = valuesOf(record.isNew$);

    record.key.next('k');

    expect(states).toStrictEqual([true, false]);
  });

  it('isNew$ is true without a mapped id', () => {
    expect(createLib().dataModel.boot({}).isNew$.value).toBe(true);
  });

  it('a change that is undone is clean', () => {
    const { person } = withPerson();
    const states = valuesOf(person.isDirty$);

    person.name.next('Bo');
    person.name.next('Ann');

    expect(states).toStrictEqual([false, true, false]);
  });

  it.each([
    ['object', { a: { b: [1] } }, { a: { b: [1] } }],
    ['array', [1, { a: 2 }], [1, { a: 2 }]],
    ['date', new Date(5), new Date(5)],
    ['NaN', Number.NaN, Number.NaN],
  ])('an equal %s is clean', (_name, before, after) => {
    const { root, person } = withPerson();
    const field = root.observable<unknown>(before).map('value', person);

    field.next(after);

    expect(field.isDirty$.value).toBe(false);
  });

  it.each([
    ['object', { a: 1 }, { a: 1, b: undefined }],
    ['array', [1], [1, 2]],
    ['date', new Date(5), new Date(6)],
    ['null', null, undefined],
    ['zero', 0, '0'],
  ])('a different %s is dirty', (_name, before, after) => {
    const { root, person } = withPerson();
    const field = root.observable<unknown>(before).map('value', person);

    field.next(after);

    expect(field.isDirty$.value).toBe(true);
  });

  it("a field's isDirty$ and remote$ follow what the server confirmed", () => {
    const { person, server } = withPerson();
    const told = valuesOf(
      combineLatest([person.name.isDirty$, person.name.remote$]).pipe(map((both) => both.join())),
    );

    person.name.next('Bo');
    watch(person.save$());
    server.at(0).ok();

    expect([told[0], told[1], told.at(-1)]).toStrictEqual(['false,Ann', 'true,Ann', 'false,Bo']);
  });
});

describe('fetch', () => {
  it('overwrites edits made before it', () => {
    const { person, server } = withPerson();
    person.name.next('typed');
    watch(person.fetch$());

    server.at(0).ok({ name: 'Eve' });

    expect({ name: person.name.value, isDirty: person.isDirty$.value }).toStrictEqual({
      name: 'Eve',
      isDirty: false,
    });
  });

  it('keeps edits made during it, dirty against the answer', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());

    person.name.next('typed');
    server.at(0).ok({ name: 'Eve' });

    expect({
      name: person.name.value,
      remote: person.name.remote$.value,
      isDirty: person.isDirty$.value,
    }).toStrictEqual({
      name: 'typed',
      remote: 'Eve',
      isDirty: true,
    });
  });

  it('leaves fields missing from the answer unchanged, even dirty ones', () => {
    const { person, server } = withPerson();
    person.city.next('typed');
    watch(person.fetch$());

    server.at(0).ok({ name: 'Eve' });

    expect({ data: person.get(), dirty: person.dirtyMap() }).toStrictEqual({
      data: { id: 7, name: 'Eve', address: { city: 'typed' } },
      dirty: { id: false, name: false, 'address.city': true },
    });
  });

  it.each<[string, LibOptions, DataModelConfig, RequestOptions, string]>([
    ['the request', {}, {}, { keepEdits: true }, 'typed'],
    ['the configuration', {}, { keepEdits: true }, {}, 'typed'],
    ['the root', { keepEdits: true }, {}, {}, 'typed'],
    ['no level', {}, {}, {}, 'Eve'],
    ['the configuration but not the request', {}, { keepEdits: true }, { keepEdits: false }, 'Eve'],
    ['the root but not the configuration', { keepEdits: true }, { keepEdits: false }, {}, 'Eve'],
    ['the request, which is nearer than the root', { keepEdits: false }, {}, { keepEdits: true }, 'typed'],
  ])('with keepEdits of %s', (_name, options, config, request, expected) => {
    const { person, server } = withPerson({ options, config });
    person.name.next('typed');
    watch(person.fetch$(request));

    server.at(0).ok({ name: 'Eve', address: { city: 'Ulm' } });

    expect({ data: person.get(), remote: person.name.remote$.value }).toStrictEqual({
      data: { id: 7, name: expected, address: { city: 'Ulm' } },
      remote: 'Eve',
    });
  });

  it('with keepEdits keeps edits made during it too', () => {
    const { person, server } = withPerson();
    watch(person.fetch$({ keepEdits: true }));

    person.name.next('typed');
    server.at(0).ok({ name: 'Eve' });

    expect([person.name.value, person.name.remote$.value]).toStrictEqual(['typed', 'Eve']);
  });

  it('drops the answer if the id changes during it, and still resolves', () => {
    const { person, server } = withPerson();
    const fetched = watch(person.fetch$());

    person.id.next(8);
    server.at(0).ok({ id: 7, name: 'Eve' });

    expect({ data: person.get(), count: fetched.responses.length }).toStrictEqual({
      data: { id: 8, name: 'Ann', address: { city: 'Bonn' } },
      count: 1,
    });
  });

  it('writes null but no inherited or missing value', () => {
    const { root, person, server } = withPerson();
    const note = root.observable<string | null>('note').map('note', person);
    const text = root.observable('text').map('toString', person);
    watch(person.fetch$());

    server.at(0).ok({ note: null });

    expect([note.value, text.value]).toStrictEqual([null, 'text']);
  });
});

describe('destroy', () => {
  it.each([
    ['200 with data', () => Response.json({ id: 7, name: 'Eve' })],
    ['200 with text', () => new Response('gone')],
    ['200 with broken JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['202', () => new Response(null, { status: 202 })],
    ['204', () => new Response(null, { status: 204 })],
  ])('answered %s clears the id, keeps the rest and leaves the record clean', (_name, answer) => {
    const parse = vi.fn<Parse>((response) => response);
    const { person, server } = withPerson({ config: { parse } });
    person.name.next('edited');
    const destroyed = watch(person.destroy$());

    server.at(0).respond(answer());

    expect({
      data: person.get(),
      isNew: person.isNew$.value,
      isDirty: person.isDirty$.value,
      parsed: parse.mock.calls,
      count: destroyed.responses.length,
    }).toStrictEqual({
      data: { id: undefined, name: 'edited', address: { city: 'Bonn' } },
      isNew: true,
      isDirty: false,
      parsed: [],
      count: 1,
    });
  });

  it('answered with data that is already decoded neither parses nor writes it', () => {
    const parse = vi.fn<Parse>((response) => response);
    const { person, server } = withPerson({ config: { parse } });
    watch(person.destroy$());

    server.at(0).ok({ id: 7, name: 'Eve' });

    expect({ data: person.get(), parsed: parse.mock.calls }).toStrictEqual({
      data: { id: undefined, name: 'Ann', address: { city: 'Bonn' } },
      parsed: [],
    });
  });

  it('accepts an ok answer as soon as its headers arrive', () => {
    const { person, server } = withPerson();
    const destroyed = watch(person.destroy$());

    server.at(0).respond(new Response(new ReadableStream()));

    expect({
      id: person.id.value,
      count: destroyed.responses.length,
      isDeleting: person.isDeleting$.value,
    }).toStrictEqual({
      id: undefined,
      count: 1,
      isDeleting: false,
    });
  });

  it.each([[404], [500]])('answered %s changes nothing', (status) => {
    const { person, server } = withPerson();
    person.name.next('edited');
    const destroyed = watch(person.destroy$());

    server.at(0).refuse(status);

    expect({
      id: person.id.value,
      isDirty: person.isDirty$.value,
      status: destroyed.responses[0]?.status,
    }).toStrictEqual({
      id: 7,
      isDirty: true,
      status,
    });
  });

  it('that fails changes nothing', () => {
    const { person, server } = withPerson();
    person.name.next('edited');
    watch(person.destroy$());

    server.at(0).fail(new TypeError('network'));

    expect({ id: person.id.value, isDirty: person.isDirty$.value }).toStrictEqual({ id: 7, isDirty: true });
  });

  it('of a new record rejects with NO_ID', async () => {
    const { person, server } = withPerson({ values: { id: 0 } });

    await expect(person.destroy()).rejects.toMatchObject({ code: 'NO_ID', action: 'delete' });

    expect(server.sent).toStrictEqual([]);
  });
});

describe('set with unset', () => {
  it('does not treat the index of a list as a key', () => {
    const { root, person } = withPerson();
    const first = root.observable('x').map('tags.0', person);

    person.set({ tags: ['a'] } as never, { unset: true });

    expect(first.value).toBe('x');
  });

  it('also writes undefined values whose key is present', () => {
    const { person } = withPerson();
    person.set({ name: undefined, address: {} }, { unset: true });
    expect(person.get()).toStrictEqual({ id: 7, name: undefined, address: { city: 'Bonn' } });
    expect(person.isDirty$.value).toBe(false);
    person.set({ address: { city: undefined } }, { unset: true, keepDirty: true });
    expect([person.city.value, person.city.isDirty$.value]).toStrictEqual([undefined, true]);
  });

  it.each([undefined, null, 'text', [], { address: null }, Object.create({ name: undefined }) as object])(
    'writes nothing from %o',
    (data) => {
      const { person } = withPerson();
      person.set(data as never, { unset: true });
      expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
    },
  );
});

import { setImmediate } from 'node:timers/promises';

import {
  BehaviorSubject,
  EMPTY,
  NEVER,
  Observable,
  ReplaySubject,
  Subject,
  VirtualTimeScheduler,
  combineLatest,
  config as rxjsConfig,
  defer,
  firstValueFrom,
  lastValueFrom,
  map,
  of,
  retry,
  switchMap,
  takeUntil,
  tap,
  throwError,
} from 'rxjs';
import type { Subscriber, Subscription } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { DataModel, Field, RequestError, createLib, lib, ok, saveLatest } from 'rivulet';
import type {
  Action,
  Concern,
  DataModelConfig,
  Exchange,
  FetchOptions,
  FetchOptionsSource,
  Interceptor,
  Lib,
  LibOptions,
  MappedField,
  Parse,
  RequestOptions,
  StateStream,
  Sync,
  Transport,
  UrlCallback,
  WireRequest,
} from 'rivulet';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('boot', () => {
  it('makes an instance of a constructor function a record', () => {
    const { root, server } = setup();
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
    const { root, server } = setup();
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
    const { root, server } = setup();
    const person = root.dataModel.boot({ name: root.observable('Ann') }, { url: '/person' });
    person.name.map('name', person);

    watch(person.save$());

    expect(server.sent).toStrictEqual([{ method: 'POST', url: '/person', body: { name: 'Ann' } }]);
  });

  it('makes an instance of a class that extends DataModel a record of the root it names', () => {
    const { root, server } = setup();
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
    const { server } = setup();
    lib.options = { transport: server.transport };
    try {
      watch(new DataModel({ url: '/dog' }).save$());
    } finally {
      lib.options = options;
    }

    expect(server.sent).toStrictEqual([{ method: 'POST', url: '/dog', body: {} }]);
  });

  it('needs no configuration for a record that is not requested', () => {
    const { root } = setup();
    const person = root.dataModel.boot({ name: root.observable('Ann') });
    person.name.map('name', person);

    expect(person.get()).toStrictEqual({ name: 'Ann' });
  });

  it('takes the default for an option that is undefined', async () => {
    const { person, server } = setup({
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

  it.each([[undefined], [null], ['text'], [5]])('throws for %o, which is no instance', (instance) => {
    expect(() => createLib().dataModel.boot(instance as never)).toThrow(TypeError);
  });

  it('throws for an instance that is booted already', () => {
    const root = createLib();
    const person = root.dataModel.boot({});

    expect(() => root.dataModel.boot(person)).toThrow(TypeError);
  });

  it('throws for an instance of a class that extends DataModel', () => {
    const { root, person } = setup();

    expect(() => root.dataModel.boot(person)).toThrow(TypeError);
  });

  it('adds no keys to the instance', () => {
    const root = createLib();

    expect(Reflect.ownKeys(root.dataModel.boot({ a: 1 }))).toStrictEqual(['a']);
  });

  it('leaves the class of the instance as it is', () => {
    class Plain {
      greet(): string {
        return 'hello';
      }
    }

    createLib().dataModel.boot(new Plain());

    expect(Reflect.ownKeys(Plain.prototype)).toStrictEqual(['constructor', 'greet']);
    expect('save' in new Plain()).toBe(false);
  });

  it('lets methods of the class win over ours', () => {
    class Person {
      save(): string {
        return 'mine';
      }
    }
    const person = createLib().dataModel.boot(new Person()) as Person;

    expect(person.save()).toBe('mine');
  });

  it('lets accessors of the class win over ours', () => {
    class Person {
      readonly #own = 'mine';
      get data$(): string {
        return this.#own;
      }
    }
    const person = createLib().dataModel.boot(new Person()) as Person;

    expect(person.data$).toBe('mine');
  });

  it('lets members of a base class win over ours', () => {
    class Base {
      destroy(): string {
        return 'mine';
      }
    }
    class Person extends Base {}
    const person = createLib().dataModel.boot(new Person()) as Person;

    expect(person.destroy()).toBe('mine');
  });

  it('lets own properties of the instance win over ours', () => {
    const person = createLib().dataModel.boot({ set: 'mine' }) as { set: string };

    expect(person.set).toBe('mine');
  });

  it('lets a subclass of DataModel override a method and call ours', () => {
    const { root, server } = setup();
    class Dog extends DataModel {
      override save(options?: RequestOptions): Promise<Response> {
        return super.save({ ...options, method: 'PUT' });
      }
    }

    void new Dog({ url: '/dog' }, root).save();

    expect(server.sent).toStrictEqual([{ method: 'PUT', url: '/dog', body: {} }]);
  });

  it('keeps two instances of one class apart', () => {
    const { root } = setup();
    const [ann, bo] = [new Person(root, {}, { name: 'Ann' }), new Person(root, {}, { name: 'Bo' })];

    ann.name.next('Eve');

    expect([ann.name.value, bo.name.value, ann.isDirty$.value, bo.isDirty$.value]).toStrictEqual([
      'Eve',
      'Bo',
      true,
      false,
    ]);
  });

  it('lets methods be taken off the record', async () => {
    const { person, server } = setup();
    // Detached on purpose: that they work so is what is tested.
    // eslint-disable-next-line @typescript-eslint/unbound-method
    const { save, fetch$, get, toJSON, dirtyMap } = person;

    const done = save();
    server.at(0).ok();
    await done;
    watch(fetch$());

    expect({ lines: server.lines, got: get(), json: toJSON(), dirty: dirtyMap() }).toStrictEqual({
      lines: ['PUT /person/7', 'GET /person/7'],
      got: { id: 7, name: 'Ann', address: { city: 'Bonn' } },
      json: { id: 7, name: 'Ann', address: { city: 'Bonn' } },
      dirty: { id: false, name: false, 'address.city': false },
    });
  });

  it.each(['save', 'fetch', 'destroy'] as const)('ignores an event passed as the options of %s', (method) => {
    const { root, person } = setup();
    const sync = vi.fn<Sync>(() => undefined);
    root.sync = sync;

    void person[method](Object.assign(new Event('submit'), { cache: 'of the event', attrs: 1 }));

    expect(sync.mock.calls.map(([, , options]) => Object.keys(options))).toStrictEqual([['signal']]);
  });
});

describe('map', () => {
  it('returns the same field, which tells its path', () => {
    const { root, person } = setup();
    const field = root.observable(1);
    const mapped = field.map('age', person);

    expect({ isSame: mapped === field, path: mapped.path }).toStrictEqual({ isSame: true, path: 'age' });
  });

  it('neither changes the value nor makes the record dirty', () => {
    const { root, person } = setup();
    const values = valuesOf(root.observable(1).map('age', person));

    expect({ values, isDirty: person.isDirty$.value }).toStrictEqual({ values: [1], isDirty: false });
  });

  it('takes what is mapped after boot into account at once', () => {
    const { root, person } = setup();
    const data = valuesOf(person.data$);

    root.observable(1).map('age', person);

    expect(data.at(-1)).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' }, age: 1 });
  });

  it.each([
    [''],
    ['.'],
    ['a..b'],
    ['a.'],
    ['.a'],
    ['__proto__'],
    ['__proto__.x'],
    ['a.__proto__'],
    ['constructor'],
    ['constructor.prototype.x'],
    ['a.prototype'],
  ])('refuses the path "%s"', (path) => {
    const { root, person } = setup();

    expect(() => root.observable(1).map(path, person)).toThrow(TypeError);
    expect(person.hasMappedField(path)).toBe(false);
  });

  it.each([['name.first'], ['address'], ['address.city.part']])(
    'refuses the path "%s", which holds or lies inside a mapped one',
    (path) => {
      const { root, person } = setup();

      expect(() => root.observable(1).map(path, person)).toThrow(TypeError);
      expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
    },
  );

  it('takes a path that only begins with the letters of another', () => {
    const { root, person } = setup();

    root.observable(1).map('name2', person);

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', name2: 1, address: { city: 'Bonn' } });
  });

  it.each([[undefined], [null], ['text']])('throws for %o, which is no record', (record) => {
    expect(() =>
      createLib()
        .observable(1)
        .map('a', record as never),
    ).toThrow(TypeError);
  });

  it('replaces the field that was mapped at the path before', () => {
    const { root, person } = setup();
    root.observable('Bo').map('name', person);

    person.name.next('an edit of the former field');

    expect({ name: person.get('name'), isDirty: person.isDirty$.value }).toStrictEqual({
      name: 'Bo',
      isDirty: false,
    });
  });

  it('lets isNew$ follow an id that is mapped anew', () => {
    const { root, person } = setup();
    const states = valuesOf(person.isNew$);
    const id = root.observable<unknown>(undefined).map('id', person);

    id.next(8);

    expect(states).toStrictEqual([false, true, false]);
  });

  it('dirties both records a field is mapped into', () => {
    const root = createLib();
    const [one, two] = [root.dataModel.boot({}), root.dataModel.boot({})];
    const field = root.observable('a').map('x', one).map('y', two);

    field.next('b');

    expect([one.dirtyMap(), two.dirtyMap()]).toStrictEqual([{ x: true }, { y: true }]);
  });

  it("lets a field's own state speak of its latest mapping", () => {
    const root = createLib();
    const [one, two] = [root.dataModel.boot({}), root.dataModel.boot({})];
    const field = root.observable('a').map('x', one).map('y', two);
    field.next('b');

    one.clean();

    expect({ path: field.path, isDirty: field.isDirty$.value, remote: field.remote$.value }).toStrictEqual({
      path: 'y',
      isDirty: true,
      remote: 'a',
    });
  });
});

describe('unmap', () => {
  it('takes the field out of data, flags and requests', () => {
    const { person, server } = setup();
    person.name.next('Bo');

    const isRemoved = person.unmap('name');
    watch(person.save$());

    expect({
      isRemoved,
      has: person.hasMappedField('name'),
      isDirty: person.isDirty$.value,
      sent: server.sent,
    }).toStrictEqual({
      isRemoved: true,
      has: false,
      isDirty: false,
      sent: [{ method: 'PUT', url: '/person/7', body: { id: 7, address: { city: 'Bonn' } } }],
    });
  });

  it('tells subscribers that the record became clean', () => {
    const { person } = setup();
    person.name.next('Bo');
    const states = valuesOf(person.isDirty$);

    person.unmap('name');

    expect(states).toStrictEqual([true, false]);
  });

  it.each([['unknown'], ['address'], ['constructor'], ['__proto__']])(
    'does nothing for "%s", which is not mapped',
    (path) => {
      const { person } = setup();

      expect(person.unmap(path)).toBe(false);
    },
  );

  it('makes a record without its id new', () => {
    const { person } = setup();
    const states = valuesOf(person.isNew$);

    person.unmap('id');

    expect(states).toStrictEqual([false, true]);
  });

  it('of another field leaves the id followed', () => {
    const { person } = setup();
    const states = valuesOf(person.isNew$);
    person.unmap('name');

    person.id.next(undefined);

    expect(states).toStrictEqual([false, true]);
  });

  it('lets a later edit of the field go unnoticed', () => {
    const { person } = setup();
    person.unmap('name');

    person.name.next('Bo');

    expect([person.isDirty$.value, person.name.isDirty$.value]).toStrictEqual([false, false]);
  });
});

describe('get', () => {
  it('gives the data in the mapped structure', () => {
    expect(setup().person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });

  it('gives fields that are undefined as keys', () => {
    const { person } = setup({ values: { id: undefined } });

    expect(Object.entries(person.get())).toContainEqual(['id', undefined]);
  });

  it('gives a new object each time', () => {
    const { person } = setup();
    person.get().address.city = 'changed by the caller';

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });

  it('gives the value at a path', () => {
    expect(setup().person.get('address.city')).toBe('Bonn');
  });

  it('gives the object that holds mapped paths', () => {
    expect(setup().person.get('address')).toStrictEqual({ city: 'Bonn' });
  });

  it.each([['unknown'], ['toString'], ['__proto__'], ['constructor'], ['name.length'], ['address.toString']])(
    'gives undefined for "%s", which is not mapped',
    (path) => {
      expect(setup().person.get(path as never)).toBeUndefined();
    },
  );

  it('gives the data at some paths', () => {
    expect(setup().person.get(['name', 'address.city'])).toStrictEqual({
      name: 'Ann',
      address: { city: 'Bonn' },
    });
  });

  it('gives an empty object for no paths', () => {
    expect(setup().person.get([])).toStrictEqual({});
  });
});

describe('toJSON', () => {
  it('lets JSON.stringify write the data', () => {
    expect(JSON.stringify(setup().person)).toBe('{"id":7,"name":"Ann","address":{"city":"Bonn"}}');
  });
});

describe('set', () => {
  it('writes mapped paths only and returns the record', () => {
    const { person } = setup();

    const result = person.set({ name: 'Bo', address: { city: 'Ulm', code: 1 }, extra: true } as object);

    expect(result).toBe(person);
    expect(person.get()).toStrictEqual({ id: 7, name: 'Bo', address: { city: 'Ulm' } });
  });

  it('skips what is absent or undefined', () => {
    const { person } = setup();

    person.set({ name: undefined });

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });

  it.each([[null], [0], [''], [false]])('writes %o', (id) => {
    const { person } = setup();

    person.set({ id });

    expect(person.id.value).toBe(id);
  });

  it('leaves nested fields alone when their container is null', () => {
    const { person } = setup();

    person.set({ address: null } as object);

    expect(person.city.value).toBe('Bonn');
  });

  it('confirms what it writes, and only that', () => {
    const { person } = setup();
    person.name.next('edited');
    person.city.next('edited');

    person.set({ name: 'Bo' });

    expect({ dirty: person.dirtyMap(), remote: person.name.remote$.value }).toStrictEqual({
      dirty: { id: false, name: false, 'address.city': true },
      remote: 'Bo',
    });
  });

  it('with keepDirty leaves what is confirmed as it was', () => {
    const { person } = setup();

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
    const { person } = setup();
    const data = valuesOf(person.data$);

    person.set({ name: 'Bo', address: { city: 'Ulm' } });

    expect(data).toStrictEqual([
      { id: 7, name: 'Ann', address: { city: 'Bonn' } },
      { id: 7, name: 'Bo', address: { city: 'Ulm' } },
    ]);
  });

  it('ignores inherited data', () => {
    const { person } = setup();

    person.set(Object.create({ name: 'inherited' }) as object);

    expect(person.name.value).toBe('Ann');
  });

  it.each([['text'], [['a', 'b']]])('takes no length from %o', (data) => {
    const { root, person } = setup();
    const length = root.observable(99).map('length', person);

    person.set(data as object);

    expect(length.value).toBe(99);
  });
});

describe('clean', () => {
  it('confirms all that is shown', () => {
    const { person } = setup();
    person.name.next('Bo');
    person.city.next('Ulm');

    expect(person.clean()).toBe(person);
    expect({ isDirty: person.isDirty$.value, remote: person.name.remote$.value }).toStrictEqual({
      isDirty: false,
      remote: 'Bo',
    });
  });

  it('confirms what is shown at a path and no other', () => {
    const { root, person } = setup();
    const name2 = root.observable(1).map('name2', person);
    name2.next(2);
    person.name.next('Bo');
    person.city.next('Ulm');

    person.clean('name');

    expect(person.dirtyMap()).toStrictEqual({ id: false, name: false, 'address.city': true, name2: true });
  });

  it('confirms what is shown below a path', () => {
    const { person } = setup();
    person.name.next('Bo');
    person.city.next('Ulm');

    person.clean('address');

    expect(person.dirtyMap()).toStrictEqual({ id: false, name: true, 'address.city': false });
  });

  it('takes the characters of a path literally', () => {
    const { root } = setup();
    const record = root.dataModel.boot({ a: root.observable(1), b: root.observable(1) });
    record.a.map('a(', record).next(2);
    record.b.map('b', record).next(2);

    record.clean('a(' as never);

    expect(record.dirtyMap()).toStrictEqual({ 'a(': false, b: true });
  });

  it('tells subscribers', () => {
    const { person } = setup();
    person.name.next('Bo');
    const states = valuesOf(
      combineLatest([person.isDirty$, person.name.isDirty$]).pipe(map((both) => both.join())),
    );

    person.clean();

    expect(states.at(-1)).toBe('false,false');
  });
});

describe('reset', () => {
  it('gives every field its confirmed value back', () => {
    const { person } = setup();
    person.set({ name: 'Bo' });
    person.name.next('edited');
    person.city.next('edited');

    expect(person.reset()).toBe(person);
    expect({ data: person.get(), isDirty: person.isDirty$.value }).toStrictEqual({
      data: { id: 7, name: 'Bo', address: { city: 'Bonn' } },
      isDirty: false,
    });
  });

  it('of a field gives back that field only', () => {
    const { person } = setup();
    person.name.next('edited');
    person.city.next('edited');

    person.name.reset();

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'edited' } });
  });
});

describe('dirtyMap and hasMappedField', () => {
  it('dirtyMap is flat, by path', () => {
    const { person } = setup();
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
    expect(setup().person.hasMappedField(path)).toBe(expected);
  });
});

describe('data$', () => {
  it('emits once per write of several fields, never half old and half new', () => {
    const { person, server } = setup();
    const data = valuesOf(person.data$);

    watch(person.fetch$());
    server.at(0).ok({ name: 'Eve', address: { city: 'Ulm' } });

    expect(data).toStrictEqual([
      { id: 7, name: 'Ann', address: { city: 'Bonn' } },
      { id: 7, name: 'Eve', address: { city: 'Ulm' } },
    ]);
  });

  it('emits for the edit of a field', () => {
    const { person } = setup();
    const data = valuesOf(person.data$);

    person.name.next('Bo');

    expect(data.map(({ name }) => name)).toStrictEqual(['Ann', 'Bo']);
  });

  it('does not emit for an answer that changes nothing', () => {
    const { person, server } = setup();
    const data = valuesOf(person.data$);

    watch(person.fetch$());
    server.at(0).ok({ id: 7, name: 'Ann', address: { city: 'Bonn' } });

    expect(data).toHaveLength(1);
  });

  it('has a value before and without a subscription', () => {
    const { person } = setup();

    const before = person.data$.value;
    person.name.next('Bo');

    expect([before.name, person.data$.value.name]).toStrictEqual(['Ann', 'Bo']);
  });

  it('leaves an emitted object as it was', () => {
    const { person } = setup();
    const [first] = valuesOf(person.data$);

    person.name.next('Bo');

    expect(first).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });
});

describe('changes$', () => {
  it('begins with the present patch', () => {
    const { person } = setup();
    person.city.next('Ulm');

    expect(valuesOf(person.changes$)).toStrictEqual([{ address: { city: 'Ulm' } }]);
  });

  it('emits the dirty fields, and {} when clean', () => {
    const { person } = setup();
    const patches = valuesOf(person.changes$);

    person.name.next('Bo');
    person.city.next('Ulm');
    person.clean();

    expect(patches).toStrictEqual([{}, { name: 'Bo' }, { name: 'Bo', address: { city: 'Ulm' } }, {}]);
  });
});

describe('isNew$ and isDirty$', () => {
  it('isNew$ follows the id and nothing else', () => {
    const { person } = setup({ values: { id: undefined } });
    const states = valuesOf(person.isNew$);

    person.name.next('Bo');
    person.id.next(7);
    person.id.next(8);
    person.id.next(0);

    expect(states).toStrictEqual([true, false, true]);
  });

  it('isNew$ follows the field that idAttribute names, at any depth', () => {
    const { root } = setup();
    const record = root.dataModel.boot({ key: root.observable('') }, { idAttribute: 'meta.key' });
    record.key.map('meta.key', record);
    const states = valuesOf(record.isNew$);

    record.key.next('k');

    expect(states).toStrictEqual([true, false]);
  });

  it('isNew$ is true without a mapped id', () => {
    expect(createLib().dataModel.boot({}).isNew$.value).toBe(true);
  });

  it('a change that is taken back is clean', () => {
    const { person } = setup();
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
    const { root, person } = setup();
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
  ])('another %s is dirty', (_name, before, after) => {
    const { root, person } = setup();
    const field = root.observable<unknown>(before).map('value', person);

    field.next(after);

    expect(field.isDirty$.value).toBe(true);
  });

  it("a field's isDirty$ and remote$ tell what the server confirmed", () => {
    const { person, server } = setup();
    const told = valuesOf(
      combineLatest([person.name.isDirty$, person.name.remote$]).pipe(map((both) => both.join())),
    );

    person.name.next('Bo');
    watch(person.save$());
    server.at(0).ok();

    expect([told[0], told[1], told.at(-1)]).toStrictEqual(['false,Ann', 'true,Ann', 'false,Bo']);
  });

  it.each(['data$', 'isNew$', 'isDirty$', 'isReading$', 'isSaving$', 'error$'] as const)(
    '%s cannot be written from outside',
    (name) => {
      const stream: object = setup().person[name];

      expect('next' in stream).toBe(false);
      expect(
        () => Reflect.set(stream, 'value', 'x') && setup().person[name].value === ('x' as unknown),
      ).not.toThrow();
      expect((stream as StateStream<unknown>).value).not.toBe('x');
    },
  );

  it('isReading is the same object as isReading$', () => {
    const { person } = setup();

    expect(person.isReading).toBe(person.isReading$);
  });
});

describe('fields', () => {
  it('are BehaviorSubjects', () => {
    expect(createLib().observable(1)).toBeInstanceOf(BehaviorSubject);
    expect(createLib().observable(1)).toBeInstanceOf(Field);
  });

  it('outlive a finite source piped into them', () => {
    const { person } = setup();
    of('from a source').subscribe(person.name);
    const values = valuesOf(person.name);

    person.name.next('Bo');

    expect(values).toStrictEqual(['from a source', 'Bo']);
  });

  it('outlive a failing source piped into them', () => {
    const { person } = setup();
    throwError(() => new Error('source')).subscribe(person.name);
    const values = valuesOf(person.name);

    person.name.next('Bo');

    expect({ values, value: person.name.value }).toStrictEqual({ values: ['Ann', 'Bo'], value: 'Bo' });
  });

  it('tell every subscriber of re-entrant writes in order', () => {
    const { person } = setup();
    const early = valuesOf(person.name);
    person.name.subscribe((name) => {
      if (name === 'first') person.name.next('second');
    });
    const late = valuesOf(person.name);

    person.name.next('first');

    expect({ early, late }).toStrictEqual({
      early: ['Ann', 'first', 'second'],
      late: ['Ann', 'first', 'second'],
    });
  });

  it('tell data$ of re-entrant writes in order', () => {
    const { person } = setup();
    person.name.subscribe((name) => {
      if (name === 'first') person.name.next('second');
    });
    const data = valuesOf(person.data$.pipe(map(({ name }) => name)));

    person.name.next('first');

    expect(data.at(-1)).toBe('second');
  });

  it('all have their values before the first subscriber is told of an answer', () => {
    const { person, server } = setup();
    const pairs: string[] = [];
    person.name.subscribe((name) => pairs.push(`name ${name} in ${person.city.value}`));
    person.city.subscribe((city) => pairs.push(`city ${city} of ${person.name.value}`));

    watch(person.fetch$());
    server.at(0).ok({ name: 'Eve', address: { city: 'Ulm' } });

    expect(pairs).toStrictEqual([
      'name Ann in Bonn',
      'city Bonn of Ann',
      'name Eve in Ulm',
      'city Ulm of Eve',
    ]);
  });

  it('keep the edit a subscriber makes in answer to an answer', () => {
    const { person, server } = setup();
    person.name.subscribe((name) => {
      if (name === 'Eve') person.city.next('typed by the subscriber');
    });

    watch(person.fetch$());
    server.at(0).ok({ name: 'Eve', address: { city: 'Ulm' } });

    expect({ city: person.city.value, dirty: person.dirtyMap() }).toStrictEqual({
      city: 'typed by the subscriber',
      dirty: { id: false, name: false, 'address.city': true },
    });
  });

  it('are all written although a subscriber throws, and the other subscribers are told', async () => {
    const { person, server } = setup();
    const failure = new Error('subscriber');
    const reported = new ReplaySubject<unknown>(1);
    const { onUnhandledError } = rxjsConfig;
    rxjsConfig.onUnhandledError = (error) => {
      reported.next(error);
    };
    person.name.subscribe((name) => {
      if (name === 'Eve') throw failure;
    });
    const names = valuesOf(person.name);

    watch(person.fetch$());
    server.at(0).ok({ name: 'Eve', address: { city: 'Ulm' } });
    const error = await firstValueFrom(reported);
    rxjsConfig.onUnhandledError = onUnhandledError;

    expect({ error, names, data: person.get(), isReading: person.isReading.value }).toStrictEqual({
      error: failure,
      names: ['Ann', 'Eve'],
      data: { id: 7, name: 'Eve', address: { city: 'Ulm' } },
      isReading: false,
    });
  });
});

describe('url', () => {
  const values = { id: 3, name: 'Ann' };

  it.each<[title: string, url: DataModelConfig['url'], method: string, url: string]>([
    ['appends the id', '/person', 'GET', '/person/3'],
    ['leaves one slash before the id', '/person/', 'GET', '/person/3'],
    ['leaves one slash before the id where there were two', '/person//', 'GET', '/person/3'],
    ['puts the id before the query', '/person?x=1', 'GET', '/person/3?x=1'],
    ['puts the id before the fragment', '/person#f', 'GET', '/person/3#f'],
    ['puts the id before both', '/person/?x=1#f', 'GET', '/person/3?x=1#f'],
    ['splits at the first question mark only', '/person?x=1?y', 'GET', '/person/3?x=1?y'],
    ['takes a URL', new URL('http://a.test/person?x=1'), 'GET', 'http://a.test/person/3?x=1'],
    ['takes a callback that gives a string', () => 'PATCH /person', 'PATCH', '/person/3'],
    ['takes a callback that gives a URL', () => new URL('http://a.test/p'), 'GET', 'http://a.test/p/3'],
    ['takes a callback that gives an object', () => ({ read: 'POST /p/:id' }), 'POST', '/p/3'],
    ['appends nothing in an object', { read: '/me' }, 'GET', '/me'],
    ['takes callbacks in an object', { read: () => 'POST /me' }, 'POST', '/me'],
    ['leaves a port alone', 'http://a.test:8080/person', 'GET', 'http://a.test:8080/person/3'],
    ['leaves a port without a path alone', 'http://a.test:8080', 'GET', 'http://a.test:8080/3'],
    ['leaves the authority alone', 'http://:name@a.test/person', 'GET', 'http://:name@a.test/person/3'],
    ['takes the root path', '/', 'GET', '/3'],
    ['takes the root path with a query', '/?x=1', 'GET', '/3?x=1'],
    ['puts a value for each parameter', '/:name/:name?a=:name&b=:id', 'GET', '/Ann/Ann?a=Ann&b=3'],
    ['takes a method word', 'PATCH /person', 'PATCH', '/person/3'],
    ['upper-cases a method word', 'patch /person', 'PATCH', '/person/3'],
    ['takes any blanks after a method word', 'PATCH \t /person', 'PATCH', '/person/3'],
    ['takes no method from a path with a blank', '/a b', 'GET', '/a b/3'],
    ['takes no method from a word with other than letters', 'x-1 /p', 'GET', 'x-1 /p/3'],
    ['puts a mapped value for a parameter', '/of/:name', 'GET', '/of/Ann/3'],
    ['puts a value for a dotted parameter', '/in/:address.city', 'GET', '/in/Bonn/3'],
    ['puts a value for a parameter of the query', '/person?n=:name', 'GET', '/person/3?n=Ann'],
    ['appends nothing to a url that names the id', '/person/:id/detail', 'GET', '/person/3/detail'],
    ['keeps what follows a parameter', '/report/:id.json', 'GET', '/report/3.json'],
    ['takes no parameter from a time', '/person?at=12:30', 'GET', '/person/3?at=12:30'],
    ['takes no parameter from inside a segment', '/items:name', 'GET', '/items:name/3'],
  ])('%s: %s', (_title, url, method, expected) => {
    const { person, server } = setup({ config: { url }, values });

    watch(person.fetch$());

    expect(server.sent).toStrictEqual([{ method, url: expected, body: undefined }]);
  });

  it.each([['/person/'], ['/person?x=1'], ['/person//']])('is left as written for a create: %s', (url) => {
    const { person, server } = setup({ config: { url }, values: { id: undefined } });

    watch(person.save$());

    expect(server.lines).toStrictEqual([`POST ${url}`]);
  });

  it.each([
    ['a/b', 'a%2Fb'],
    ['a b', 'a%20b'],
    ['a?b', 'a%3Fb'],
    ['a#b', 'a%23b'],
    ['ä', '%C3%A4'],
    ['%2e', '%252e'],
    [':name', '%3Aname'],
    ['$&', '%24%26'],
    ['...', '...'],
    [-1, '-1'],
    [10n, '10'],
  ])('encodes the id %s', (id, text) => {
    const { person, server } = setup({ values: { id } });

    watch(person.fetch$());

    expect(server.lines).toStrictEqual([`GET /person/${text}`]);
  });

  it('replaces in one pass: a value that looks like a parameter stays', () => {
    const { person, server } = setup({ config: { url: '/of/:name' }, values: { name: ':address.city' } });

    watch(person.fetch$());

    expect(server.lines).toStrictEqual(['GET /of/%3Aaddress.city/7']);
  });

  it('takes the longest mapped path for a parameter', () => {
    const { root, server } = setup();
    const record = root.dataModel.boot({}, { url: { create: '/:name2/:name' } });
    root.observable('short').map('name', record);
    root.observable('long').map('name2', record);

    watch(record.save$());

    expect(server.lines).toStrictEqual(['POST /long/short']);
  });

  it.each([
    [0, '0'],
    ['x', 'x'],
  ])('takes the value %o for a parameter', (value, text) => {
    const { root, person, server } = setup({ config: { url: '/page/:page' } });
    root.observable(value).map('page', person);

    watch(person.fetch$());

    expect(server.lines).toStrictEqual([`GET /page/${text}/7`]);
  });

  it.each([['.'], ['..'], [{ a: 1 }], [[1]], ['\ud800']])(
    'refuses the id %o with BAD_ID and sends nothing',
    (id) => {
      const { person, server } = setup({ values: { id } });

      const { error } = watch(person.fetch$());

      expect({ error, sent: server.sent }).toMatchObject({
        error: { code: 'BAD_ID', action: 'read' },
        sent: [],
      });
    },
  );

  it.each([[undefined], [null], [''], ['.'], ['..'], [{ a: 1 }], ['\ud800']])(
    'refuses the parameter value %o with BAD_OPTION, naming it, and sends nothing',
    (value) => {
      const { root, person, server } = setup({ config: { url: '/page/:page' } });
      root.observable<unknown>(value).map('page', person);

      const { error } = watch(person.fetch$());

      expect({ error, sent: server.sent }).toMatchObject({
        error: { code: 'BAD_OPTION', message: expect.stringContaining('page') as string },
        sent: [],
      });
    },
  );

  it('refuses a parameter that is not mapped with BAD_OPTION, naming it, and sends nothing', () => {
    const { person, server } = setup({ config: { url: '/page/:page' } });

    const { error } = watch(person.fetch$());

    expect({ error, sent: server.sent }).toMatchObject({
      error: { code: 'BAD_OPTION', message: expect.stringContaining('page') as string },
      sent: [],
    });
  });

  it.each([
    [undefined],
    [null],
    [''],
    ['  '],
    [() => null],
    [() => undefined],
    [() => ''],
    [{ create: '/x' }],
  ])('refuses the url %o with NO_URL and sends nothing', (url) => {
    const { person, server } = setup({ config: { url: url as string } });

    const { error } = watch(person.fetch$());

    expect({ error, sent: server.sent }).toMatchObject({
      error: { code: 'NO_URL', action: 'read' },
      sent: [],
    });
  });

  it('names the action that an object lacks', () => {
    const { person } = setup({ config: { url: { read: '/x' } } });

    expect(watch(person.destroy$()).error).toMatchObject({
      message: expect.stringContaining('delete') as string,
    });
  });

  it.each([[5], [true], [() => 5], [() => Promise.resolve('/x')]])(
    'refuses the url %o with BAD_OPTION',
    (url) => {
      const { person, server } = setup({ config: { url: url as never } });

      const { error } = watch(person.fetch$());

      expect({ error, sent: server.sent }).toMatchObject({ error: { code: 'BAD_OPTION' }, sent: [] });
    },
  );

  it("callback receives the caller's options and the action, with the record as this", () => {
    const url = vi.fn<UrlCallback>(() => '/person');
    const { person } = setup({ config: { url } });
    const options = { cache: 'no-store' } as const;

    watch(person.fetch$(options));
    watch(person.save$());

    expect(url.mock.calls).toStrictEqual([
      [options, 'read'],
      [{}, 'update'],
    ]);
    expect(url.mock.contexts[0]).toBe(person);
  });

  it('callback of an object receives the same', () => {
    const url = vi.fn<UrlCallback>(() => '/person');
    const { person } = setup({ config: { url: { read: url } } });

    watch(person.fetch$());

    expect(url.mock.calls).toStrictEqual([[{}, 'read']]);
    expect(url.mock.contexts[0]).toBe(person);
  });

  it('without a mapped id lets save create, and fetch and destroy reject naming idAttribute', () => {
    const { root, server } = setup();
    const record = root.dataModel.boot({}, { url: '/person', idAttribute: 'key' });

    watch(record.save$());
    server.at(0).ok();
    const errors = [watch(record.fetch$()).error, watch(record.destroy$()).error];

    expect(server.lines).toStrictEqual(['POST /person']);
    expect(errors).toMatchObject([
      { code: 'NO_ID', message: expect.stringContaining('idAttribute') as string },
      { code: 'NO_ID', message: expect.stringContaining('idAttribute') as string },
    ]);
  });
});

describe('options', () => {
  it('merge headers of all levels by name, whatever their case and form', () => {
    const { person, server } = setup({
      options: { fetchOptions: { headers: { Authorization: 'global', 'X-A': 'global' } } },
      config: { fetchOptions: { headers: new Headers({ 'x-a': 'record', 'x-b': 'record' }) } },
    });

    watch(person.fetch$({ headers: [['X-B', 'request']] }));

    expect([...server.at(0).request.headers]).toStrictEqual([
      ['authorization', 'global'],
      ['x-a', 'record'],
      ['x-b', 'request'],
    ]);
  });

  it('that are undefined do not override', () => {
    const { person, server } = setup({
      options: { fetchOptions: { credentials: 'include', headers: { 'x-a': 'global' } } },
      config: { fetchOptions: { credentials: undefined } },
    });

    watch(person.save$({ method: undefined, credentials: undefined, headers: { 'x-a': undefined } }));

    const { method, credentials, headers } = server.at(0).request;
    expect({ method, credentials, header: headers.get('x-a') }).toStrictEqual({
      method: 'PUT',
      credentials: 'include',
      header: 'global',
    });
  });

  it('are left as they were, frozen ones too', () => {
    const fetchOptions = Object.freeze({ headers: Object.freeze({ 'x-a': '1' }) });
    const { person, server } = setup({ options: { fetchOptions }, config: { fetchOptions } });

    const { error } = watch(person.save$(fetchOptions));

    expect({ error, fetchOptions, count: server.sent.length }).toStrictEqual({
      error: undefined,
      fetchOptions: { headers: { 'x-a': '1' } },
      count: 1,
    });
  });

  it("do not leave our content type in a caller's headers", () => {
    const headers = new Headers({ 'x-a': '1' });
    const { person } = setup({ options: { fetchOptions: { headers } } });

    watch(person.save$());

    expect([...headers]).toStrictEqual([['x-a', '1']]);
  });

  it('of our own do not reach the transport', () => {
    const { person, server } = setup();

    watch(
      person.save$({
        writeResponse: true,
        attrs: {},
        patch: false,
        timeout: 5,
        keepEdits: true,
        rollback: 'both',
        cache: 'reload',
      }),
    );

    expect(Object.keys(server.at(0).request).sort()).toStrictEqual([
      'body',
      'cache',
      'headers',
      'method',
      'signal',
      'url',
    ]);
  });

  it('are read as own properties', () => {
    const { person, server } = setup();

    watch(person.save$(Object.create({ method: 'DELETE', attrs: { a: 1 } }) as RequestOptions));

    expect(server.sent).toStrictEqual([
      { method: 'PUT', url: '/person/7', body: { id: 7, name: 'Ann', address: { city: 'Bonn' } } },
    ]);
  });

  it('may give the method in any case', () => {
    const { person, server } = setup();

    watch(person.save$({ method: 'patch' }));

    expect(server.lines).toStrictEqual(['PATCH /person/7']);
  });

  it.each(['GET', 'HEAD'])('with the method %s send no body', (method) => {
    const { person, server } = setup();

    watch(person.save$({ method }));

    expect({ sent: server.sent, type: server.at(0).request.headers.get('content-type') }).toStrictEqual({
      sent: [{ method, url: '/person/7', body: undefined }],
      type: null,
    });
  });

  it('may give a body that is sent untouched, without a content type of ours', () => {
    const { person, server } = setup();
    const body = new FormData();

    watch(person.save$({ body }));

    const { request } = server.at(0);
    expect({ isSame: request.body === body, type: request.headers.get('content-type') }).toStrictEqual({
      isSame: true,
      type: null,
    });
  });

  it('callback receives the action, the record and exactly the options of the caller, with the record as this', () => {
    const fetchOptions = vi.fn<Exclude<FetchOptionsSource, FetchOptions>>(() => undefined);
    const { person } = setup({ config: { fetchOptions } });
    const options = { cache: 'no-store', writeResponse: false } as const;

    watch(person.save$(options));

    const [[action, concern, given] = []] = fetchOptions.mock.calls;
    expect({ action, given }).toStrictEqual({ action: 'update', given: options });
    expect([concern === person, fetchOptions.mock.contexts[0] === person]).toStrictEqual([true, true]);
  });

  it('callbacks are called once per subscription, and anew for a retry', () => {
    const fetchOptions = vi.fn(() => ({}));
    const { person, server } = setup({ config: { fetchOptions } });

    watch(person.fetch$().pipe(retry(1)));
    server.at(0).fail(new Error('network'));

    expect([fetchOptions.mock.calls.length, server.lines]).toStrictEqual([
      2,
      ['GET /person/7', 'GET /person/7'],
    ]);
  });

  it('callback that returns a promise is refused with BAD_OPTION, and its rejection goes unreported', async () => {
    const { person, server } = setup({
      config: { fetchOptions: (() => Promise.reject(new Error('unheard'))) as never },
    });

    const { error } = watch(person.fetch$());
    await setImmediate();

    expect({ error, sent: server.sent }).toMatchObject({ error: { code: 'BAD_OPTION' }, sent: [] });
  });

  it('of the root are read anew at each request', () => {
    const { root, person, server } = setup();

    root.options = { ...root.options, fetchOptions: { cache: 'reload' } };
    watch(person.fetch$());
    root.options.fetchOptions = { cache: 'no-cache' };
    watch(person.fetch$());

    expect(server.held.map(({ request }) => request.cache)).toStrictEqual(['reload', 'no-cache']);
  });

  it('of one root do not reach another', () => {
    const one = setup({ options: { fetchOptions: { cache: 'reload' } } });
    const two = setup();
    one.root.sync = () => undefined;

    watch(two.person.fetch$());

    expect(two.server.held.map(({ request }) => request.cache)).toStrictEqual([undefined]);
  });
});

describe('save', () => {
  it('keeps an edit made during it, dirty against what the server confirmed', () => {
    const { person, server } = setup();
    person.name.next('sent');
    watch(person.save$());

    person.name.next('typed');
    server.at(0).ok({ name: 'confirmed' });

    expect({
      name: person.name.value,
      remote: person.name.remote$.value,
      dirty: person.dirtyMap(),
    }).toStrictEqual({
      name: 'typed',
      remote: 'confirmed',
      dirty: { id: false, name: true, 'address.city': false },
    });
  });

  it('writes the answer to the fields that were not edited during it', () => {
    const { person, server } = setup();
    watch(person.save$());

    person.name.next('typed');
    server.at(0).ok({ name: 'confirmed', address: { city: 'Ulm' } });

    expect(person.get()).toStrictEqual({ id: 7, name: 'typed', address: { city: 'Ulm' } });
  });

  it('counts a field that holds again what was sent as unedited', () => {
    const { person, server } = setup();
    person.name.next('sent');
    watch(person.save$());

    person.name.next('typed');
    person.name.next('sent');
    server.at(0).ok({ name: 'confirmed' });

    expect({ name: person.name.value, isDirty: person.isDirty$.value }).toStrictEqual({
      name: 'confirmed',
      isDirty: false,
    });
  });

  it('counts an edit that says what the server confirmed as clean', () => {
    const { person, server } = setup();
    watch(person.save$());

    person.name.next('same');
    server.at(0).ok({ name: 'same' });

    expect({ name: person.name.value, isDirty: person.isDirty$.value }).toStrictEqual({
      name: 'same',
      isDirty: false,
    });
  });

  it.each<[string, unknown]>([
    ['an answer without data', undefined],
    ['an answer with part of the data', { id: 7 }],
    ['an answer that is a text', 'ok'],
    ['an answer that is a list', [{ name: 'Eve' }]],
    ['an answer that is null', null],
    ['an answer that is a number', 5],
  ])('leaves the record clean after %s', (_name, answer) => {
    const { person, server } = setup();
    person.name.next('Bo');
    watch(person.save$());

    server.at(0).ok(answer);

    expect({
      data: person.get(),
      isDirty: person.isDirty$.value,
      remote: person.name.remote$.value,
    }).toStrictEqual({
      data: { id: 7, name: 'Bo', address: { city: 'Bonn' } },
      isDirty: false,
      remote: 'Bo',
    });
  });

  it('keeps an edit made during it when the answer has no data, dirty against what was sent', () => {
    const { person, server } = setup();
    person.name.next('sent');
    watch(person.save$());

    person.name.next('typed');
    server.at(0).ok();

    expect({
      name: person.name.value,
      remote: person.name.remote$.value,
      isDirty: person.isDirty$.value,
    }).toStrictEqual({
      name: 'typed',
      remote: 'sent',
      isDirty: true,
    });
  });

  it('with writeResponse false writes nothing but confirms what was sent', () => {
    const { person, server } = setup();
    person.name.next('sent');
    person.city.next('sent');
    watch(person.save$({ writeResponse: false }));

    person.city.next('typed');
    server.at(0).ok({ name: 'confirmed', address: { city: 'confirmed' } });

    expect({
      data: person.get(),
      remote: [person.name.remote$.value, person.city.remote$.value],
      dirty: person.dirtyMap(),
    }).toStrictEqual({
      data: { id: 7, name: 'sent', address: { city: 'typed' } },
      remote: ['sent', 'sent'],
      dirty: { id: false, name: false, 'address.city': true },
    });
  });

  it('that is refused writes nothing, keeps dirt and id, and sets error$', () => {
    const { person, server } = setup();
    person.name.next('Bo');
    const saved = watch(person.save$());

    server.at(0).refuse(500, { id: 8, name: 'Eve' });

    expect({ data: person.get(), isDirty: person.isDirty$.value, error: person.error$.value }).toMatchObject({
      data: { id: 7, name: 'Bo' },
      isDirty: true,
      error: {
        name: 'RequestError',
        code: 'HTTP',
        action: 'update',
        response: saved.responses[0],
      },
    });
    expect(saved).toMatchObject({ responses: [{ status: 500 }], isComplete: true });
  });

  it('drops the whole answer if the id changed meanwhile', () => {
    const { person, server } = setup();
    person.name.next('sent');
    const saved = watch(person.save$());

    person.id.next(8);
    server.at(0).ok({ id: 7, name: 'confirmed' });

    expect({
      data: person.get(),
      remote: person.name.remote$.value,
      count: saved.responses.length,
    }).toStrictEqual({
      data: { id: 8, name: 'sent', address: { city: 'Bonn' } },
      remote: 'Ann',
      count: 1,
    });
  });

  it('drops the answer of a create if an id was set meanwhile', () => {
    const { person, server } = setup({ values: { id: undefined } });
    watch(person.save$());

    person.id.next(8);
    server.at(0).ok({ id: 9, name: 'confirmed' });

    expect(person.get()).toStrictEqual({ id: 8, name: 'Ann', address: { city: 'Bonn' } });
  });

  it('stays new after a create whose answer has no id', () => {
    const { person, server } = setup({ values: { id: undefined } });
    watch(person.save$());

    server.at(0).ok({ name: 'Ann' });

    expect(person.isNew$.value).toBe(true);
  });

  it('with attrs sends those instead of the data, and leaves other edits dirty', () => {
    const { person, server } = setup();
    person.name.next('Bo');
    person.city.next('Ulm');
    watch(person.save$({ attrs: { name: 'Bo', extra: 1 } }));

    server.at(0).ok();

    expect({ sent: server.sent, dirty: person.dirtyMap() }).toStrictEqual({
      sent: [{ method: 'PUT', url: '/person/7', body: { name: 'Bo', extra: 1 } }],
      dirty: { id: false, name: false, 'address.city': true },
    });
  });

  it.each([[null], [0], [''], [false], [[1]]])('with attrs %o sends just that', (attrs) => {
    const { person, server } = setup();

    watch(person.save$({ attrs }));

    expect(server.sent).toStrictEqual([{ method: 'PUT', url: '/person/7', body: attrs }]);
  });

  it('with patch sends only dirty fields with PATCH', () => {
    const { person, server } = setup();
    person.city.next('Ulm');

    watch(person.save$({ patch: true }));

    expect(server.sent).toStrictEqual([
      { method: 'PATCH', url: '/person/7', body: { address: { city: 'Ulm' } } },
    ]);
  });

  it('with patch sends PATCH whatever method the url names, unless the call names one', () => {
    const { person, server } = setup({ config: { url: 'POST /person' } });

    watch(person.save$({ patch: true }));
    server.at(0).ok();
    watch(person.save$({ patch: true, method: 'PUT' }));

    expect(server.lines).toStrictEqual(['PATCH /person/7', 'PUT /person/7']);
  });

  it('with patch confirms what it carried and keeps what was edited during it', () => {
    const { person, server } = setup();
    person.city.next('Ulm');
    watch(person.save$({ patch: true }));

    person.name.next('typed');
    server.at(0).ok();

    expect(person.dirtyMap()).toStrictEqual({ id: false, name: true, 'address.city': false });
  });

  it('with patch posts a new record whole', () => {
    const { person, server } = setup({ values: { id: undefined } });
    person.name.next('Bo');

    watch(person.save$({ patch: true }));

    expect(server.sent).toStrictEqual([
      { method: 'POST', url: '/person', body: { name: 'Bo', address: { city: 'Bonn' } } },
    ]);
  });

  it('notifies only fields whose value changes', () => {
    const { root, person, server } = setup();
    const tags = root.observable(['a', { b: 1 }]).map('tags', person);
    const [seenTags, seenNames] = [valuesOf(tags), valuesOf(person.name)];
    const before = tags.value;

    watch(person.save$());
    server.at(0).ok({ name: 'Eve', tags: ['a', { b: 1 }] });

    expect([seenTags.length, seenNames]).toStrictEqual([1, ['Ann', 'Eve']]);
    expect(tags.value).toBe(before);
  });

  it.each<[string, unknown]>([
    ['a BigInt', 1n],
    ['a cycle', cycle()],
    ['a toJSON that throws', { toJSON: () => raise(new Error('toJSON')) }],
  ])('rejects %s with SERIALIZE and sends nothing', (_name, value) => {
    const { root, person, server } = setup();
    root.observable(value).map('value', person);

    const { error } = watch(person.save$());

    expect({ error, sent: server.sent }).toMatchObject({
      error: { code: 'SERIALIZE', action: 'update' },
      sent: [],
    });
    expect((error as Error).cause).toBeInstanceOf(Error);
  });
});

describe('rollback', () => {
  const edited = (
    rollback: RequestOptions['rollback'],
    options: RequestOptions = {},
    libOptions: LibOptions = {},
  ) => {
    const all = setup({ options: libOptions });
    all.person.name.next('Bo');
    all.person.city.next('Ulm');
    return { ...all, saved: watch(all.person.save$({ ...options, rollback })) };
  };
  const shown = ({ name, city }: Person) => [name.value, city.value];

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Ann'],
    ['abort', 'Bo'],
    ['both', 'Ann'],
  ])('%s after a refusal shows %s', (rollback, expected) => {
    const { person, server } = edited(rollback);

    server.at(0).refuse(409);

    expect(person.name.value).toBe(expected);
  });

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Ann'],
    ['abort', 'Bo'],
    ['both', 'Ann'],
  ])('%s after a network failure shows %s', (rollback, expected) => {
    const { person, server } = edited(rollback);

    server.at(0).fail(new TypeError('network'));

    expect(person.name.value).toBe(expected);
  });

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Ann'],
    ['abort', 'Bo'],
    ['both', 'Ann'],
  ])('%s after a timeout shows %s', (rollback, expected) => {
    const scheduler = new VirtualTimeScheduler();
    const { person } = edited(rollback, { timeout: 10 }, { scheduler });

    advance(scheduler, 10);

    expect(person.name.value).toBe(expected);
  });

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Bo'],
    ['abort', 'Ann'],
    ['both', 'Ann'],
  ])('%s after unsubscribing shows %s', (rollback, expected) => {
    const { person, saved } = edited(rollback);

    saved.subscription.unsubscribe();

    expect(person.name.value).toBe(expected);
  });

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Bo'],
    ['abort', 'Ann'],
    ['both', 'Ann'],
  ])("%s after the caller's abort shows %s", (rollback, expected) => {
    const controller = new AbortController();
    const { person } = edited(rollback, { signal: controller.signal });

    controller.abort();

    expect(person.name.value).toBe(expected);
  });

  it('gives back only what nobody has changed since', () => {
    const { person, server } = edited('error');

    person.city.next('typed');
    server.at(0).refuse(409);

    expect({ shown: shown(person), dirty: person.dirtyMap() }).toStrictEqual({
      shown: ['Ann', 'typed'],
      dirty: { id: false, name: false, 'address.city': true },
    });
  });

  it('gives back only what the save carried', () => {
    const { person, server } = setup();
    person.name.next('Bo');
    watch(person.save$({ patch: true, rollback: 'error' }));

    person.city.next('typed');
    server.at(0).refuse(409);

    expect(shown(person)).toStrictEqual(['Ann', 'typed']);
  });

  it('does nothing if the id changed meanwhile', () => {
    const { person, server } = edited('error');

    person.id.next(8);
    server.at(0).refuse(409);

    expect(shown(person)).toStrictEqual(['Bo', 'Ulm']);
  });

  it('does nothing after a success', () => {
    const { person, server } = edited('both');

    server.at(0).ok();

    expect(shown(person)).toStrictEqual(['Bo', 'Ulm']);
  });
});

describe('fetch', () => {
  it('overwrites edits made before it', () => {
    const { person, server } = setup();
    person.name.next('typed');
    watch(person.fetch$());

    server.at(0).ok({ name: 'Eve' });

    expect({ name: person.name.value, isDirty: person.isDirty$.value }).toStrictEqual({
      name: 'Eve',
      isDirty: false,
    });
  });

  it('keeps edits made during it, dirty against the answer', () => {
    const { person, server } = setup();
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

  it('leaves fields that the answer lacks alone, dirty ones too', () => {
    const { person, server } = setup();
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
    const { person, server } = setup({ options, config });
    person.name.next('typed');
    watch(person.fetch$(request));

    server.at(0).ok({ name: 'Eve', address: { city: 'Ulm' } });

    expect({ data: person.get(), remote: person.name.remote$.value }).toStrictEqual({
      data: { id: 7, name: expected, address: { city: 'Ulm' } },
      remote: 'Eve',
    });
  });

  it('with keepEdits keeps edits made during it too', () => {
    const { person, server } = setup();
    watch(person.fetch$({ keepEdits: true }));

    person.name.next('typed');
    server.at(0).ok({ name: 'Eve' });

    expect([person.name.value, person.name.remote$.value]).toStrictEqual(['typed', 'Eve']);
  });

  it('drops the answer if the id changed meanwhile, and still resolves', () => {
    const { person, server } = setup();
    const fetched = watch(person.fetch$());

    person.id.next(8);
    server.at(0).ok({ id: 7, name: 'Eve' });

    expect({ data: person.get(), count: fetched.responses.length }).toStrictEqual({
      data: { id: 8, name: 'Ann', address: { city: 'Bonn' } },
      count: 1,
    });
  });

  it('writes null but no inherited or missing value', () => {
    const { root, person, server } = setup();
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
    ['200 with a text', () => new Response('gone')],
    ['200 with broken JSON', () => new Response('{', { headers: { 'content-type': 'application/json' } })],
    ['202', () => new Response(null, { status: 202 })],
    ['204', () => new Response(null, { status: 204 })],
  ])('answered %s clears the id, leaves the rest and a clean record', (_name, answer) => {
    const parse = vi.fn<Parse>((response) => response);
    const { person, server } = setup({ config: { parse } });
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

  it('answered with data that is decoded already parses and writes none of it', () => {
    const parse = vi.fn<Parse>((response) => response);
    const { person, server } = setup({ config: { parse } });
    watch(person.destroy$());

    server.at(0).ok({ id: 7, name: 'Eve' });

    expect({ data: person.get(), parsed: parse.mock.calls }).toStrictEqual({
      data: { id: undefined, name: 'Ann', address: { city: 'Bonn' } },
      parsed: [],
    });
  });

  it('counts an ok answer as soon as its headers are there', () => {
    const { person, server } = setup();
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
    const { person, server } = setup();
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
    const { person, server } = setup();
    person.name.next('edited');
    watch(person.destroy$());

    server.at(0).fail(new TypeError('network'));

    expect({ id: person.id.value, isDirty: person.isDirty$.value }).toStrictEqual({ id: 7, isDirty: true });
  });

  it('of a new record rejects with NO_ID', async () => {
    const { person, server } = setup({ values: { id: 0 } });

    await expect(person.destroy()).rejects.toMatchObject({ code: 'NO_ID', action: 'delete' });

    expect(server.sent).toStrictEqual([]);
  });
});

describe('answers', () => {
  it('are emitted once, after write-back, then the stream completes', () => {
    const { person, server } = setup();
    const log: string[] = [];
    person.fetch$().subscribe({
      next: (response) => log.push(`${String(response.status)} ${person.name.value}`),
      complete: () => log.push('complete'),
    });

    server.at(0).ok({ name: 'Eve' });

    expect(log).toStrictEqual(['200 Eve', 'complete']);
  });

  it('leave their body to the caller', async () => {
    const { person, server } = setup();

    const done = person.fetch();
    server.at(0).respond(Response.json({ name: 'Eve' }));

    expect(await (await done).json()).toStrictEqual({ name: 'Eve' });
  });

  it('that refuse resolve at once, their body unread', async () => {
    const { person, server } = setup();
    const saved = watch(person.save$());

    server.at(0).respond(new Response('no', { status: 422 }));

    expect(saved.responses.map(({ bodyUsed }) => bodyUsed)).toStrictEqual([false]);
    expect(await saved.responses[0]?.text()).toBe('no');
  });

  it.each([
    ['text/plain', '{"name":"Eve"}'],
    ['text/html', ' {"name":"Eve"} '],
    ['application/problem+json', '{"name":"Eve"}'],
    ['application/json', '\ufeff{"name":"Eve"}'],
    ['application/json', ')]}\'\n{"name":"Eve"}'],
    ['application/json', ')]}\',\n{"name":"Eve"}'],
  ])('of type %s are read as JSON: %s', async (type, body) => {
    const { person, server } = setup();

    const done = person.fetch();
    server.at(0).respond(new Response(body, { headers: { 'content-type': type } }));
    await done;

    expect(person.name.value).toBe('Eve');
  });

  it.each([[''], ['  \n']])('that are ok and hold nothing (%o) are a success without data', async (body) => {
    const parse = vi.fn<Parse>((response) => response);
    const { person, server } = setup({ config: { parse } });

    const done = person.fetch();
    server.at(0).respond(new Response(body));

    expect({ status: (await done).status, data: person.get(), parsed: parse.mock.calls }).toStrictEqual({
      status: 200,
      data: { id: 7, name: 'Ann', address: { city: 'Bonn' } },
      parsed: [],
    });
  });

  it.each([['text/html'], ['application/json']])(
    'of type %s to a read that are not JSON reject with PARSE',
    async (type) => {
      const { person, server } = setup();

      const done = person.fetch();
      const response = new Response('<html>', { headers: { 'content-type': type } });
      server.at(0).respond(response);

      await expect(done).rejects.toMatchObject({
        name: 'RequestError',
        code: 'PARSE',
        action: 'read',
        response,
      });
      expect(person.isReading.value).toBe(false);
    },
  );

  it('to a write that are not JSON and do not claim to be are a success without data', async () => {
    const { person, server } = setup();
    person.name.next('Bo');

    const done = person.save();
    server.at(0).respond(new Response('OK', { headers: { 'content-type': 'text/plain' } }));

    expect({ status: (await done).status, isDirty: person.isDirty$.value }).toStrictEqual({
      status: 200,
      isDirty: false,
    });
  });

  it('to a write that claim to be JSON and are not reject with PARSE', async () => {
    const { person, server } = setup();

    const done = person.save();
    server.at(0).respond(new Response('{', { headers: { 'content-type': 'application/json' } }));

    await expect(done).rejects.toMatchObject({ code: 'PARSE', action: 'update' });
  });

  it('are not parsed with writeResponse false', async () => {
    const parse = vi.fn<Parse>((response) => response);
    const { person, server } = setup({ config: { parse } });

    const done = person.save({ writeResponse: false });
    server.at(0).respond(new Response('{', { headers: { 'content-type': 'application/json' } }));

    expect({ status: (await done).status, parsed: parse.mock.calls }).toStrictEqual({
      status: 200,
      parsed: [],
    });
  });

  it('pass through parse, which gets the data and the action, with the record as this', () => {
    const parse = vi.fn<Parse>((response) => (response as { data: unknown }).data);
    const { person, server } = setup({ config: { parse }, values: { id: undefined } });

    watch(person.save$());
    server.at(0).ok({ data: { id: 7 } });
    watch(person.save$());
    server.at(1).ok({ data: { name: 'Bo' } });
    watch(person.fetch$());
    server.at(2).ok({ data: { name: 'Eve' } });

    expect({ calls: parse.mock.calls, data: person.get() }).toStrictEqual({
      calls: [
        [{ data: { id: 7 } }, 'create'],
        [{ data: { name: 'Bo' } }, 'update'],
        [{ data: { name: 'Eve' } }, 'read'],
      ],
      data: { id: 7, name: 'Eve', address: { city: 'Bonn' } },
    });
    expect(parse.mock.contexts.every((context) => context === person)).toBe(true);
  });

  it('wait for a promise that parse returns', async () => {
    const { person, server } = setup({ config: { parse: () => Promise.resolve({ name: 'Eve' }) } });

    const done = person.fetch();
    server.at(0).ok({});
    await done;

    expect(person.name.value).toBe('Eve');
  });

  it('reject with what parse throws, and write nothing', () => {
    const failure = new Error('parse');
    const { person, server } = setup({ config: { parse: () => raise(failure) } });
    const fetched = watch(person.fetch$());

    server.at(0).ok({ name: 'Eve' });

    expect([fetched.error, person.error$.value]).toStrictEqual([failure, failure]);
    expect({ name: person.name.value, isReading: person.isReading.value }).toStrictEqual({
      name: 'Ann',
      isReading: false,
    });
  });

  it('reject with what the promise of parse rejects with', async () => {
    const failure = new Error('parse');
    const { person, server } = setup({ config: { parse: () => Promise.reject(failure) } });

    const done = person.fetch();
    server.at(0).ok({});

    await expect(done).rejects.toBe(failure);
  });

  it('cannot pollute a prototype', () => {
    const { person, server } = setup();

    watch(person.fetch$());
    server
      .at(0)
      .ok(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"name":"Eve"}'));

    expect({ name: person.name.value, polluted: Reflect.get({}, 'polluted') as unknown }).toStrictEqual({
      name: 'Eve',
      polluted: undefined,
    });
  });

  it('give no inherited data to a field', () => {
    const { root, person } = setup();
    root.sync = () => Object.create({ name: 'inherited' }) as unknown;

    watch(person.fetch$());

    expect(person.name.value).toBe('Ann');
  });

  it('that hide data behind __proto__ give none of it to a field', () => {
    const { person, server } = setup();

    watch(person.fetch$());
    server.at(0).ok(JSON.parse('{"__proto__":{"name":"hidden"},"address":{"__proto__":{"city":"hidden"}}}'));

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });
});

describe('flags', () => {
  const flagsOf = (person: Person) => ({
    isCreating: person.isCreating$.value,
    isReading: person.isReading$.value,
    isUpdating: person.isUpdating$.value,
    isDeleting: person.isDeleting$.value,
    isSaving: person.isSaving$.value,
    requestInProgress: person.requestInProgress$.value,
  });
  const down = {
    isCreating: false,
    isReading: false,
    isUpdating: false,
    isDeleting: false,
    isSaving: false,
    requestInProgress: false,
  };
  const during: [string, 'save$' | 'fetch$' | 'destroy$', unknown, Partial<typeof down>][] = [
    ['a create', 'save$', undefined, { isCreating: true, isSaving: true, requestInProgress: true }],
    ['a read', 'fetch$', 7, { isReading: true, requestInProgress: true }],
    ['an update', 'save$', 7, { isUpdating: true, isSaving: true, requestInProgress: true }],
    ['a delete', 'destroy$', 7, { isDeleting: true, requestInProgress: true }],
  ];

  it.each(during)('are up during %s, and no others', (_name, method, id, up) => {
    const { person } = setup({ values: { id } });

    watch(person[method]());

    expect(flagsOf(person)).toStrictEqual({ ...down, ...up });
  });

  it.each(during)('are up when %s reaches the transport', (_name, method, id, up) => {
    const { root, person } = setup({ values: { id } });
    let seen: unknown;
    root.options.transport = () => {
      seen = flagsOf(person);
      return NEVER;
    };

    watch(person[method]());

    expect(seen).toStrictEqual({ ...down, ...up });
  });

  it.each(during)('are down after %s has succeeded', (_name, method, id) => {
    const { person, server } = setup({ values: { id } });
    watch(person[method]());

    server.at(0).ok();

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are down after %s was refused', (_name, method, id) => {
    const { person, server } = setup({ values: { id } });
    watch(person[method]());

    server.at(0).refuse(500);

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are down after %s has failed', (_name, method, id) => {
    const { person, server } = setup({ values: { id } });
    watch(person[method]());

    server.at(0).fail(new Error('network'));

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are down after %s was unsubscribed', (_name, method, id) => {
    const { person } = setup({ values: { id } });

    watch(person[method]()).subscription.unsubscribe();

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are down after %s was aborted', (_name, method, id) => {
    const { person } = setup({ values: { id } });
    const controller = new AbortController();
    watch(person[method]({ signal: controller.signal }));

    controller.abort();

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are down after %s was refused before sending', (_name, method, id) => {
    const { person } = setup({ config: { url: undefined }, values: { id } });

    watch(person[method]());

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it('are up until the last of overlapping requests has ended', () => {
    const { person, server } = setup();
    const states = valuesOf(person.isReading$);
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(1).ok();
    const between = person.isReading$.value;
    server.at(0).ok();

    expect({ between, states }).toStrictEqual({ between: true, states: [false, true, false] });
  });

  it('fall after values, dirt and the emission, and before completion and the promise', async () => {
    const { person, server } = setup();
    person.name.next('Bo');
    const log: string[] = [];
    person.name.subscribe((name) => log.push(`name ${name}`));
    person.isDirty$.subscribe((is) => log.push(`isDirty ${String(is)}`));
    person.isUpdating$.subscribe((is) => log.push(`isUpdating ${String(is)}`));
    const done = lastValueFrom(
      person.save$().pipe(tap({ next: () => log.push('emission'), complete: () => log.push('completion') })),
    ).then(() => log.push('promise'));
    log.length = 0;

    server.at(0).ok({ name: 'Eve' });
    await done;

    expect(log).toStrictEqual([
      'name Eve',
      'isDirty false',
      'emission',
      'isUpdating false',
      'completion',
      'promise',
    ]);
  });

  it('fall before the failure is passed on', () => {
    const { person, server } = setup();
    let atError: boolean | undefined;
    person.fetch$().subscribe({
      error: () => {
        atError = person.isReading$.value;
      },
    });

    server.at(0).fail(new Error('network'));

    expect(atError).toBe(false);
  });

  it('are still up when the response is emitted', () => {
    const { person, server } = setup();
    let atEmission: boolean | undefined;
    person.fetch$().subscribe(() => {
      atEmission = person.isReading$.value;
    });

    server.at(0).ok();

    expect(atEmission).toBe(true);
  });

  it('requestInProgress$ stays up from one kind of request to the next', () => {
    const { person, server } = setup();
    const states = valuesOf(person.requestInProgress$);
    watch(person.fetch$());
    watch(person.save$());

    server.at(0).ok();
    server.at(1).ok();

    expect(states).toStrictEqual([false, true, false]);
  });
});

describe('requestLull', () => {
  const lulled = (requestLull: DataModelConfig['requestLull'], id: unknown = 7) => {
    const scheduler = new VirtualTimeScheduler();
    return { ...setup({ options: { scheduler }, config: { requestLull }, values: { id } }), scheduler };
  };

  it('holds the flag but neither the data nor the end of the stream', () => {
    const { person, server, scheduler } = lulled(500);
    const fetched = watch(person.fetch$());
    server.at(0).ok({ name: 'Eve' });

    advance(scheduler, 499);
    const before = person.isReading$.value;
    advance(scheduler, 500);

    expect({
      before,
      after: person.isReading$.value,
      name: person.name.value,
      isComplete: fetched.isComplete,
    }).toStrictEqual({
      before: true,
      after: false,
      name: 'Eve',
      isComplete: true,
    });
  });

  it('holds every flag of the request', () => {
    const { person, server, scheduler } = lulled(500);
    watch(person.save$());
    server.at(0).ok();
    const read = () => [person.isUpdating$.value, person.isSaving$.value, person.requestInProgress$.value];

    advance(scheduler, 499);
    const before = read();
    advance(scheduler, 500);

    expect([before, read()]).toStrictEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  it('holds the flag of a failed request too', () => {
    const { person, server, scheduler } = lulled(500);
    watch(person.fetch$());
    server.at(0).fail(new Error('network'));

    const before = person.isReading$.value;
    advance(scheduler, 500);

    expect([before, person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('adds nothing to a request that takes longer', () => {
    const { person, server, scheduler } = lulled(500);
    watch(person.fetch$());

    advance(scheduler, 600);
    server.at(0).ok();

    expect(person.isReading$.value).toBe(false);
  });

  it('of overlapping requests ends with the last', () => {
    const { person, server, scheduler } = lulled(500);
    watch(person.fetch$());
    advance(scheduler, 300);
    watch(person.fetch$());
    server.at(0).ok();
    server.at(1).ok();

    advance(scheduler, 799);
    const before = person.isReading$.value;
    advance(scheduler, 800);

    expect([before, person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('of an earlier request is not cut short by a shorter one', () => {
    const lulls = [500, 100];
    const { person, server, scheduler } = lulled(() => lulls.shift());
    watch(person.fetch$());
    watch(person.fetch$());
    server.at(0).ok();
    server.at(1).ok();

    advance(scheduler, 499);
    const before = person.isReading$.value;
    advance(scheduler, 500);

    expect([before, person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('keeps at most one timer per flag', () => {
    const { person, server, scheduler } = lulled(500);

    for (let turn = 0; turn < 5; turn += 1) {
      watch(person.fetch$());
      server.at(turn).ok();
    }

    expect(scheduler.actions).toHaveLength(1);
  });

  it.each([[0], [-5], [Number.NaN], [null], [undefined], [() => 0], [() => undefined], [() => -1]])(
    'of %o is none',
    (requestLull) => {
      const { person, server, scheduler } = lulled(requestLull as number);
      watch(person.fetch$());

      server.at(0).ok();

      expect([person.isReading$.value, scheduler.actions.length]).toStrictEqual([false, 0]);
    },
  );

  it('callback receives the action, with the record as this, before the request is sent', () => {
    const requestLull = vi.fn(() => 100);
    const { root, person } = lulled(requestLull);
    let callsWhenSent = 0;
    root.options.transport = () => {
      callsWhenSent = requestLull.mock.calls.length;
      return NEVER;
    };

    watch(person.fetch$());

    expect({ calls: requestLull.mock.calls, callsWhenSent }).toStrictEqual({
      calls: [['read']],
      callsWhenSent: 1,
    });
    expect(requestLull.mock.contexts[0]).toBe(person);
  });

  it('callback that throws fails the request, and nothing is sent', () => {
    const failure = new Error('lull');
    const { person, server } = lulled(() => raise(failure));

    const { error } = watch(person.fetch$());

    expect(error).toBe(failure);
    expect([server.sent, person.isReading$.value]).toStrictEqual([[], false]);
  });

  it('ends with the record', () => {
    const { person, server, scheduler } = lulled(500);
    const states = valuesOf(person.isReading$);
    watch(person.fetch$());
    server.at(0).ok();

    person.dispose();

    expect({ states, timers: scheduler.actions.length }).toStrictEqual({
      states: [false, true, false],
      timers: 0,
    });
  });
});

describe('streams', () => {
  it.each(['save$', 'fetch$', 'destroy$'] as const)('%s sends nothing before it is subscribed', (method) => {
    const { person, server } = setup();

    person[method]();

    expect([server.sent, person.requestInProgress$.value]).toStrictEqual([[], false]);
  });

  it.each(['save', 'fetch', 'destroy'] as const)('%s sends synchronously', (method) => {
    const { person, server } = setup();

    void person[method]();

    expect(server.sent).toHaveLength(1);
  });

  it('send anew for each subscription', () => {
    const { person, server } = setup();
    const fetch$ = person.fetch$();

    watch(fetch$);
    watch(fetch$);

    expect(server.lines).toStrictEqual(['GET /person/7', 'GET /person/7']);
  });

  it('unsubscribed abort the request and write nothing', () => {
    const { person, server } = setup();
    const fetched = watch(person.fetch$());

    fetched.subscription.unsubscribe();
    server.at(0).ok({ name: 'Eve' });

    const { request, isClosed } = server.at(0);
    expect([request.signal.aborted, isClosed, person.name.value]).toStrictEqual([true, true, 'Ann']);
  });

  it('unsubscribed while the body arrives abort the request', async () => {
    const { person, server } = setup();
    const fetched = watch(person.fetch$());
    server.at(0).respond(new Response(new ReadableStream()));
    await setImmediate();

    fetched.subscription.unsubscribe();

    expect([server.at(0).request.signal.aborted, person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('unsubscribed by taking the response do not abort its body', async () => {
    const { person, server } = setup();

    const done = firstValueFrom(person.fetch$());
    server.at(0).respond(Response.json({ name: 'Eve' }));
    const response = await done;

    expect([server.at(0).request.signal.aborted, await response.json()]).toStrictEqual([
      false,
      { name: 'Eve' },
    ]);
  });

  it.each(['url', 'fetchOptions', 'requestLull'] as const)(
    'unsubscribed inside the %s callback leave no request open',
    (name) => {
      const stop$ = new Subject<void>();
      const callback = () => {
        stop$.next();
        return name === 'url' ? '/person' : undefined;
      };
      const { person, server } = setup({ config: { [name]: callback } });

      const fetched = watch(person.fetch$().pipe(takeUntil(stop$)));

      expect({
        open: server.held.filter(({ request }) => !request.signal.aborted).length,
        count: fetched.responses.length,
        isReading: person.isReading$.value,
      }).toStrictEqual({ open: 0, count: 0, isReading: false });
    },
  );

  it('unsubscribed inside parse write nothing', () => {
    const stop$ = new Subject<void>();
    const parse: Parse = (response) => {
      stop$.next();
      return response;
    };
    const { person, server } = setup({ config: { parse } });
    const fetched = watch(person.fetch$().pipe(takeUntil(stop$)));

    server.at(0).ok({ name: 'Eve' });

    expect([person.name.value, fetched.responses.length, person.isReading$.value]).toStrictEqual([
      'Ann',
      0,
      false,
    ]);
  });

  it('unsubscribed write nothing although a replaced sync ignores the signal', () => {
    const { root, person } = setup();
    const answer = new Subject<unknown>();
    root.sync = () => answer;
    const fetched = watch(person.fetch$());

    fetched.subscription.unsubscribe();
    answer.next({ name: 'Eve' });
    answer.complete();

    expect(person.name.value).toBe('Ann');
  });

  it('unsubscribed write nothing although the promise of a replaced sync goes on', async () => {
    const { root, person } = setup();
    let resolve: (data: unknown) => void = raise;
    root.sync = () => new Promise((resolved) => (resolve = resolved));
    const fetched = watch(person.fetch$());

    fetched.subscription.unsubscribe();
    resolve({ name: 'Eve' });
    await setImmediate();

    expect(person.name.value).toBe('Ann');
  });

  it('ok() turns a refused answer into a failure', () => {
    const { person, server } = setup();
    const saved = watch(person.save$().pipe(ok()));

    server.at(0).refuse(409);

    expect(saved).toMatchObject({
      responses: [],
      error: { name: 'RequestError', code: 'HTTP', response: { status: 409 } },
    });
  });

  it('ok() lets an ok answer pass', () => {
    const { person, server } = setup();
    const saved = watch(person.save$().pipe(ok()));

    server.at(0).ok();

    expect(saved).toMatchObject({ responses: [{ status: 204 }], error: undefined, isComplete: true });
  });
});

describe('writes of one record', () => {
  it('start synchronously when none is open', () => {
    const { person, server } = setup();

    watch(person.save$());

    expect(server.lines).toStrictEqual(['PUT /person/7']);
  });

  it('run one after the other: two saves of a new record are one POST, then one PUT with the new id', () => {
    const { person, server } = setup({ values: { id: undefined } });
    watch(person.save$());
    watch(person.save$());
    const before = server.lines;

    server.at(0).ok({ id: 9 });

    expect([before, server.lines]).toStrictEqual([['POST /person'], ['POST /person', 'PUT /person/9']]);
  });

  it('let a save after a destroy create', () => {
    const { person, server } = setup();
    watch(person.destroy$());
    watch(person.save$());

    server.at(0).ok();

    expect(server.lines).toStrictEqual(['DELETE /person/7', 'POST /person']);
  });

  it('let a second destroy fail with NO_ID', () => {
    const { person, server } = setup();
    watch(person.destroy$());
    const second = watch(person.destroy$());

    server.at(0).ok();

    expect({ lines: server.lines, error: second.error }).toMatchObject({
      lines: ['DELETE /person/7'],
      error: { code: 'NO_ID' },
    });
  });

  it.each<[string, (held: Held) => void]>([
    [
      'was refused',
      (held) => {
        held.refuse(500);
      },
    ],
    [
      'has failed',
      (held) => {
        held.fail(new Error('network'));
      },
    ],
  ])('start when the one before %s', (_name, end) => {
    const { person, server } = setup();
    watch(person.save$());
    watch(person.destroy$());

    end(server.at(0));

    expect(server.lines).toStrictEqual(['PUT /person/7', 'DELETE /person/7']);
  });

  it('start when the one before could not be sent', () => {
    const { person, server } = setup({ config: { url: { delete: '/person/:id' } } });

    watch(person.save$());
    watch(person.destroy$());

    expect(server.lines).toStrictEqual(['DELETE /person/7']);
  });

  it('start when the one before is unsubscribed', () => {
    const { person, server } = setup();
    const first = watch(person.save$());
    watch(person.save$());

    first.subscription.unsubscribe();

    expect(server.lines).toStrictEqual(['PUT /person/7', 'PUT /person/7']);
  });

  it('are made up when their turn comes: url, options and body', () => {
    const url = vi.fn(() => '/person');
    const fetchOptions = vi.fn(() => ({}));
    const { person, server } = setup({ config: { url, fetchOptions } });
    watch(person.save$());
    watch(person.save$());
    const callsBefore = [url.mock.calls.length, fetchOptions.mock.calls.length];

    person.name.next('typed while waiting');
    server.at(0).ok();

    expect({ callsBefore, body: server.sent[1]?.body }).toStrictEqual({
      callsBefore: [1, 1],
      body: { id: 7, name: 'typed while waiting', address: { city: 'Bonn' } },
    });
  });

  it('that wait and are unsubscribed are dropped unsent, and the next does not overtake', () => {
    const { person, server } = setup();
    watch(person.save$());
    const second = watch(person.save$({ method: 'PATCH' }));
    watch(person.destroy$());

    second.subscription.unsubscribe();
    const before = server.lines;
    server.at(0).ok();

    expect([before, server.lines]).toStrictEqual([['PUT /person/7'], ['PUT /person/7', 'DELETE /person/7']]);
  });

  it('that wait and are aborted reject with the reason, unsent', () => {
    const { person, server } = setup();
    const controller = new AbortController();
    const reason = new Error('enough');
    watch(person.save$());
    const second = watch(person.save$({ signal: controller.signal }));

    controller.abort(reason);
    server.at(0).ok();

    expect(second.error).toBe(reason);
    expect(server.lines).toStrictEqual(['PUT /person/7']);
  });

  it('that wait count as in progress', () => {
    const { person, server } = setup();
    watch(person.destroy$());
    watch(person.save$());
    const waiting = [person.isDeleting$.value, person.isSaving$.value, person.requestInProgress$.value];

    server.at(0).ok();
    const running = [person.isDeleting$.value, person.isSaving$.value, person.requestInProgress$.value];
    server.at(1).ok();

    expect([waiting, running, person.requestInProgress$.value]).toStrictEqual([
      [true, true, true],
      [false, true, true],
      false,
    ]);
  });

  it('do not wait for those of another record', () => {
    const { root, person, server } = setup();
    const other = new Person(root, {}, { id: 8 });

    watch(person.save$());
    watch(other.save$());

    expect(server.lines).toStrictEqual(['PUT /person/7', 'PUT /person/8']);
  });

  it('do not wait for reads, nor reads for them', () => {
    const { person, server } = setup();

    watch(person.fetch$());
    watch(person.save$());
    watch(person.fetch$());

    expect(server.lines).toStrictEqual(['GET /person/7', 'PUT /person/7', 'GET /person/7']);
  });

  it('end on the newest value: the second save carries what was typed during the first', () => {
    const { person, server } = setup();
    person.name.next('first');
    watch(person.save$());
    person.name.next('second');
    watch(person.save$());

    server.at(0).ok({ name: 'first' });
    server.at(1).ok({ name: 'second' });

    expect({
      bodies: server.sent.map(({ body }) => body),
      name: person.name.value,
      isDirty: person.isDirty$.value,
    }).toMatchObject({
      bodies: [{ name: 'first' }, { name: 'second' }],
      name: 'second',
      isDirty: false,
    });
  });
});

describe('overlapping reads', () => {
  it('end on the newest issued, also if it is answered first', () => {
    const { person, server } = setup();
    const older = watch(person.fetch$());
    watch(person.fetch$());

    server.at(1).ok({ name: 'newer' });
    server.at(0).ok({ name: 'older' });

    expect({ name: person.name.value, status: older.responses[0]?.status }).toStrictEqual({
      name: 'newer',
      status: 200,
    });
  });

  it('show an older answer that comes while the newer is open', () => {
    const { person, server } = setup();
    watch(person.fetch$());
    watch(person.fetch$());
    const names = valuesOf(person.name);

    server.at(0).ok({ name: 'older' });
    server.at(1).ok({ name: 'newer' });

    expect(names).toStrictEqual(['Ann', 'older', 'newer']);
  });

  it.each<[string, (held: Held, newer: Watched) => void]>([
    [
      'fails',
      (held) => {
        held.fail(new Error('network'));
      },
    ],
    [
      'is refused',
      (held) => {
        held.refuse(500);
      },
    ],
    [
      'is unsubscribed',
      (_held, newer) => {
        newer.subscription.unsubscribe();
      },
    ],
  ])('write the older if the newer %s', (_name, end) => {
    const { person, server } = setup();
    watch(person.fetch$());
    const newer = watch(person.fetch$());

    end(server.at(1), newer);
    server.at(0).ok({ name: 'older' });

    expect(person.name.value).toBe('older');
  });

  it('write the older if the newer could not be sent', () => {
    let count = 0;
    const { person, server } = setup({ config: { url: () => ((count += 1) === 1 ? '/person' : null) } });
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(0).ok({ name: 'older' });

    expect(person.name.value).toBe('older');
  });

  it('write the older if parse fails the newer', () => {
    const parse = (response: unknown) => (response === 'bad' ? raise(new Error('parse')) : response);
    const { person, server } = setup({ config: { parse } });
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(1).ok('bad');
    server.at(0).ok({ name: 'older' });

    expect(person.name.value).toBe('older');
  });

  it('drop the older after a newer without data', () => {
    const { person, server } = setup();
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(1).ok();
    server.at(0).ok({ name: 'older' });

    expect(person.name.value).toBe('Ann');
  });

  it('are judged when they would be written, not when their headers arrive', async () => {
    const { person, server } = setup({ config: { parse: (response) => response } });
    let resolve: (data: unknown) => void = raise;
    const older = person.fetch();
    server.at(0).ok(new Promise((resolved) => (resolve = resolved)));
    watch(person.fetch$());

    server.at(1).ok({ name: 'newer' });
    resolve({ name: 'older' });
    await older;

    expect(person.name.value).toBe('newer');
  });
});

describe('a read that overlaps a write', () => {
  it('is not written if it was sent before and answered after a write that succeeded', () => {
    const { person, server } = setup();
    person.name.next('saved');
    const read = watch(person.fetch$());
    watch(person.save$());

    server.at(1).ok();
    server.at(0).ok({ name: 'before the save' });

    expect({
      name: person.name.value,
      isDirty: person.isDirty$.value,
      count: read.responses.length,
    }).toStrictEqual({
      name: 'saved',
      isDirty: false,
      count: 1,
    });
  });

  it('is written if the write was refused', () => {
    const { person, server } = setup();
    watch(person.fetch$());
    watch(person.save$());

    server.at(1).refuse(500);
    server.at(0).ok({ name: 'Eve' });

    expect(person.name.value).toBe('Eve');
  });

  it.each([['before'], ['after']])('is held while a write is open that was sent %s it', (order) => {
    const { person, server } = setup();
    const isAfter = order === 'after';
    if (!isAfter) watch(person.save$());
    const read = watch(person.fetch$());
    if (isAfter) watch(person.save$());

    server.at(isAfter ? 0 : 1).ok({ name: 'Eve' });

    expect({
      name: person.name.value,
      count: read.responses.length,
      isReading: person.isReading$.value,
    }).toStrictEqual({
      name: 'Ann',
      count: 0,
      isReading: true,
    });
  });

  it.each([['before'], ['after']])(
    'is dropped, and resolves, when a write succeeds that was sent %s it',
    (order) => {
      const { person, server } = setup();
      const isAfter = order === 'after';
      if (!isAfter) watch(person.save$());
      const read = watch(person.fetch$());
      if (isAfter) watch(person.save$());
      server.at(isAfter ? 0 : 1).ok({ name: 'Eve' });

      server.at(isAfter ? 1 : 0).ok();

      expect({
        name: person.name.value,
        count: read.responses.length,
        isReading: person.isReading$.value,
      }).toStrictEqual({
        name: 'Ann',
        count: 1,
        isReading: false,
      });
    },
  );

  it.each<[string, (held: Held, write: Watched) => void]>([
    [
      'is refused',
      (held) => {
        held.refuse(500);
      },
    ],
    [
      'fails',
      (held) => {
        held.fail(new Error('network'));
      },
    ],
    [
      'is unsubscribed',
      (_held, write) => {
        write.subscription.unsubscribe();
      },
    ],
  ])('is written when the write it was held for %s', (_name, end) => {
    const { person, server } = setup();
    const write = watch(person.save$());
    const read = watch(person.fetch$());
    server.at(1).ok({ name: 'Eve' });

    end(server.at(0), write);

    expect({ name: person.name.value, count: read.responses.length }).toStrictEqual({
      name: 'Eve',
      count: 1,
    });
  });

  it('is held until the last waiting write has ended', () => {
    const { person, server } = setup();
    watch(person.save$());
    watch(person.save$());
    const read = watch(person.fetch$());
    server.at(1).ok({ name: 'Eve' });

    server.at(0).refuse(500);
    const between = read.responses.length;
    server.at(2).refuse(500);

    expect([between, read.responses.length, person.name.value]).toStrictEqual([0, 1, 'Eve']);
  });

  it('is held for a waiting write too, although the one under way is for another id', () => {
    const { person, server } = setup();
    watch(person.save$());
    person.id.next(8);
    person.name.next('mine');
    watch(person.save$());
    watch(person.fetch$());

    server.at(1).ok({ id: 8, name: 'Eight' });
    server.at(0).ok();
    server.at(2).ok();

    expect([server.sent[2], person.name.value]).toStrictEqual([
      { method: 'PUT', url: '/person/8', body: { id: 8, name: 'mine', address: { city: 'Bonn' } } },
      'mine',
    ]);
  });

  it('never leaves the fields of an accepted save dirty', () => {
    const { person, server } = setup();
    person.name.next('saved');
    watch(person.save$());
    watch(person.fetch$());

    server.at(1).ok({ name: 'Ann' });
    server.at(0).ok({ name: 'saved' });

    expect({
      name: person.name.value,
      isDirty: person.isDirty$.value,
      remote: person.name.remote$.value,
    }).toStrictEqual({
      name: 'saved',
      isDirty: false,
      remote: 'saved',
    });
  });

  it('is written if it was sent after the write had ended', () => {
    const { person, server } = setup();
    watch(person.save$());
    server.at(0).ok();
    watch(person.fetch$());

    server.at(1).ok({ name: 'Eve' });

    expect(person.name.value).toBe('Eve');
  });

  it('does not bring back a record that was destroyed meanwhile', () => {
    const { person, server } = setup();
    watch(person.fetch$());
    watch(person.destroy$());

    server.at(1).ok();
    server.at(0).ok({ id: 7, name: 'Eve' });

    expect([person.id.value, person.name.value]).toStrictEqual([undefined, 'Ann']);
  });

  it('is written if the write was for another id', () => {
    const { person, server } = setup();
    watch(person.save$());
    person.id.next(8);
    watch(person.fetch$());

    server.at(1).ok({ id: 8, name: 'Eight' });
    server.at(0).ok({ id: 7, name: 'Seven' });

    expect(person.get()).toStrictEqual({ id: 8, name: 'Eight', address: { city: 'Bonn' } });
  });

  it('writes nothing if it is unsubscribed while it is held', () => {
    const { person, server } = setup();
    watch(person.save$());
    const read = watch(person.fetch$());
    server.at(1).ok({ name: 'Eve' });

    read.subscription.unsubscribe();
    server.at(0).refuse(500);

    expect([person.name.value, person.isReading$.value]).toStrictEqual(['Ann', false]);
  });
});

describe('timeout', () => {
  const timed = (timeout?: number, options: LibOptions = {}) => {
    const scheduler = new VirtualTimeScheduler();
    return { ...setup({ options: { scheduler, ...options }, config: { timeout } }), scheduler };
  };

  it('fails a request with a TimeoutError and aborts it', () => {
    const { person, server, scheduler } = timed();
    const fetched = watch(person.fetch$({ timeout: 100 }));

    advance(scheduler, 99);
    const before = fetched.error;
    advance(scheduler, 100);

    expect(before).toBeUndefined();
    expect(fetched.error).toBeInstanceOf(DOMException);
    expect({
      name: (fetched.error as Error).name,
      isAborted: server.at(0).request.signal.aborted,
      isReading: person.isReading$.value,
      isTold: person.error$.value === fetched.error,
    }).toStrictEqual({ name: 'TimeoutError', isAborted: true, isReading: false, isTold: true });
  });

  it.each<[string, number | undefined, number | undefined, number | undefined]>([
    ['the request', 100, 200, 300],
    ['the configuration', undefined, 100, 300],
    ['the root', undefined, undefined, 100],
  ])('of %s is the nearest', (_name, request, configuration, root) => {
    const { person, scheduler } = timed(configuration, { timeout: root });
    const fetched = watch(person.fetch$({ timeout: request }));

    advance(scheduler, 99);
    const before = fetched.error;
    advance(scheduler, 100);

    expect([before, (fetched.error as Error | undefined)?.name]).toStrictEqual([undefined, 'TimeoutError']);
  });

  it('lasts until the end of the body', async () => {
    const { person, server, scheduler } = timed(100);
    const fetched = watch(person.fetch$());
    server.at(0).respond(new Response(new ReadableStream()));
    await setImmediate();

    advance(scheduler, 100);

    expect((fetched.error as Error | undefined)?.name).toBe('TimeoutError');
  });

  it('leaves no timer behind', () => {
    const { person, server, scheduler } = timed(100);
    watch(person.fetch$());

    server.at(0).ok();

    expect(scheduler.actions).toHaveLength(0);
  });

  it('lets the next write start', () => {
    const { person, server, scheduler } = timed();
    watch(person.save$({ timeout: 100 }));
    watch(person.destroy$());

    advance(scheduler, 100);

    expect(server.lines).toStrictEqual(['PUT /person/7', 'DELETE /person/7']);
  });

  it.each([[0], [-1], [1.5], [Number.NaN], [Infinity], [2 ** 31], ['100']])(
    'of %o is refused with BAD_OPTION, and nothing is sent',
    (timeout) => {
      const { person, server } = timed();

      const { error } = watch(person.fetch$({ timeout: timeout as number }));

      expect({ error, sent: server.sent }).toMatchObject({
        error: { code: 'BAD_OPTION', action: 'read' },
        sent: [],
      });
    },
  );

  it('of the longest time a timer can take is taken', () => {
    const { person, server } = timed();

    watch(person.fetch$({ timeout: 2 ** 31 - 1 }));

    expect(server.sent).toHaveLength(1);
  });
});

describe('abort', () => {
  it.each(['save', 'fetch', 'destroy'] as const)(
    'by a signal rejects %s with the identical reason',
    async (method) => {
      const { person, server } = setup();
      const controller = new AbortController();
      const reason = { any: 'thing' };

      const done = person[method]({ signal: controller.signal });
      controller.abort(reason);

      await expect(done).rejects.toBe(reason);
      expect(server.at(0).request.signal).toMatchObject({ aborted: true, reason });
    },
  );

  it("by a signal without a reason rejects with the platform's AbortError", async () => {
    const { person } = setup();
    const controller = new AbortController();

    const done = person.fetch({ signal: controller.signal });
    controller.abort();

    await expect(done).rejects.toBe(controller.signal.reason);
    await expect(done).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('before the call rejects with the reason, and nothing is sent', () => {
    const { person, server } = setup();
    const reason = new Error('too late');

    const { error } = watch(person.fetch$({ signal: AbortSignal.abort(reason) }));

    expect(error).toBe(reason);
    expect(server.sent).toStrictEqual([]);
  });

  it('writes nothing', () => {
    const { person, server } = setup();
    const controller = new AbortController();
    watch(person.fetch$({ signal: controller.signal }));

    controller.abort();
    server.at(0).ok({ name: 'Eve' });

    expect(person.name.value).toBe('Ann');
  });

  it('leaves error$ as it was', () => {
    const { person, server } = setup();
    const controller = new AbortController();
    const failure = new Error('network');
    watch(person.fetch$());
    server.at(0).fail(failure);
    watch(person.fetch$({ signal: controller.signal }));

    controller.abort(new Error('reason'));

    expect(person.error$.value).toBe(failure);
  });

  it('by a signal of the configuration rejects with its reason', () => {
    const controller = new AbortController();
    const { person, server } = setup({ config: { fetchOptions: { signal: controller.signal } } });
    const reason = new Error('enough');
    const fetched = watch(person.fetch$());

    controller.abort(reason);

    expect(fetched.error).toBe(reason);
    expect(server.at(0).request.signal.aborted).toBe(true);
  });

  it('by a signal of the root rejects with its reason, although the call has a signal too', () => {
    const controller = new AbortController();
    const { person } = setup({ options: { fetchOptions: { signal: controller.signal } } });
    const reason = new Error('enough');
    const fetched = watch(person.fetch$({ signal: new AbortController().signal }));

    controller.abort(reason);

    expect(fetched.error).toBe(reason);
  });

  it('listens to a signal only as long as the request is open', () => {
    const { person, server } = setup();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    watch(person.fetch$({ signal }));
    const whileOpen = added.mock.calls.length - removed.mock.calls.length;

    server.at(0).ok();

    expect(whileOpen).toBeGreaterThan(0);
    expect(removed.mock.calls.map(([, listener]) => listener)).toStrictEqual(
      added.mock.calls.map(([, listener]) => listener),
    );
  });
});

describe('dispose', () => {
  it('rejects what is pending with DISPOSED, aborts it and writes nothing', async () => {
    const { person, server } = setup();

    const done = person.fetch();
    person.dispose();
    server.at(0).ok({ name: 'Eve' });

    await expect(done).rejects.toMatchObject({ name: 'RequestError', code: 'DISPOSED', action: 'read' });
    expect([server.at(0).request.signal.aborted, person.name.value]).toStrictEqual([true, 'Ann']);
  });

  it('rejects what waits with DISPOSED, unsent', () => {
    const { person, server } = setup();
    const [first, second] = [watch(person.save$()), watch(person.destroy$())];

    person.dispose();

    expect({ errors: [first.error, second.error], lines: server.lines }).toMatchObject({
      errors: [{ code: 'DISPOSED' }, { code: 'DISPOSED' }],
      lines: ['PUT /person/7'],
    });
  });

  it.each(['save', 'fetch', 'destroy'] as const)('rejects a later %s with DISPOSED', async (method) => {
    const { person, server } = setup();

    person.dispose();

    await expect(person[method]()).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(server.sent).toStrictEqual([]);
  });

  it('completes all streams of the record', () => {
    const { person } = setup();
    const ended: string[] = [];
    const streams = {
      data$: person.data$,
      changes$: person.changes$,
      isNew$: person.isNew$,
      isDirty$: person.isDirty$,
      isCreating$: person.isCreating$,
      isReading$: person.isReading$,
      isUpdating$: person.isUpdating$,
      isDeleting$: person.isDeleting$,
      isSaving$: person.isSaving$,
      requestInProgress$: person.requestInProgress$,
      error$: person.error$,
    };
    for (const [name, stream] of Object.entries<Observable<unknown>>(streams)) {
      stream.subscribe({ complete: () => ended.push(name) });
    }

    person.dispose();

    expect(ended.sort()).toStrictEqual(Object.keys(streams).sort());
  });

  it('leaves the flags down', () => {
    const { person } = setup();
    const states = valuesOf(person.isReading$);
    watch(person.fetch$());

    person.dispose();

    expect({ states, value: person.isReading$.value }).toStrictEqual({
      states: [false, true, false],
      value: false,
    });
  });

  it('may be called twice', () => {
    const { person } = setup();
    person.dispose();

    expect(() => {
      person.dispose();
    }).not.toThrow();
  });

  it('leaves a field alive that another record holds', () => {
    const root = createLib();
    const [one, two] = [root.dataModel.boot({}), root.dataModel.boot({})];
    const field = root.observable('a').map('x', one).map('y', two);
    const values = valuesOf(field);

    one.dispose();
    field.next('b');

    expect({ values, dirty: two.dirtyMap() }).toStrictEqual({ values: ['a', 'b'], dirty: { y: true } });
  });
});

describe('failures', () => {
  const failure = new Error('callback');
  const causes: [string, DataModelConfig, LibOptions, RequestOptions | undefined][] = [
    ['no url', { url: undefined }, {}, undefined],
    ['a url callback that throws', { url: () => raise(failure) }, {}, undefined],
    [
      'a url object callback that throws',
      {
        url: {
          create: () => raise(failure),
          read: () => raise(failure),
          update: () => raise(failure),
          delete: () => raise(failure),
        },
      },
      {},
      undefined,
    ],
    ['a fetchOptions callback that throws', { fetchOptions: () => raise(failure) }, {}, undefined],
    ['a global fetchOptions callback that throws', {}, { fetchOptions: () => raise(failure) }, undefined],
    ['fetchOptions that are no object', { fetchOptions: 'text' as never }, {}, undefined],
    ['a requestLull callback that throws', { requestLull: () => raise(failure) }, {}, undefined],
    ['a bad timeout', {}, {}, { timeout: -1 }],
    ['a header that cannot be sent', {}, {}, { headers: { 'a b': 'c' } }],
    ['a transport that throws', {}, { transport: () => raise(failure) }, undefined],
    ['a transport that fails', {}, { transport: () => throwError(() => failure) }, undefined],
    ['an interceptor that throws', {}, { interceptors: [() => raise(failure)] }, undefined],
    ['an option that throws when read', {}, {}, throwing()],
  ];

  for (const method of ['save', 'fetch', 'destroy'] as const) {
    it.each(causes)(
      `of ${method} are rejections, never thrown: %s`,
      async (_name, config, options, request) => {
        const { person, server } = setup({ config, options });
        let done: Promise<Response> | undefined;

        expect(() => {
          done = person[method](request);
        }).not.toThrow();
        await expect(done).rejects.toBeInstanceOf(Error);
        expect([server.sent, person.requestInProgress$.value]).toStrictEqual([[], false]);
      },
    );
  }

  it.each<[string, DataModelConfig, LibOptions]>([
    ['a url callback', { url: () => raise(failure) }, {}],
    ['a fetchOptions callback', { fetchOptions: () => raise(failure) }, {}],
    ['a transport', {}, { transport: () => raise(failure) }],
    ['an interceptor', {}, { interceptors: [() => raise(failure)] }],
  ])('thrown by %s are passed on as they are', async (_name, config, options) => {
    const { person } = setup({ config, options });

    await expect(person.save()).rejects.toBe(failure);

    expect(person.error$.value).toBe(failure);
  });

  it.each([[null], ['text'], [5], [true]])('are not caused by %o as options', (options) => {
    const { person, server } = setup();

    watch(person.fetch$(options as never));

    expect(server.lines).toStrictEqual(['GET /person/7']);
  });

  it('that the caller handles cause no unhandled rejection', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const { person, server } = setup({
      config: { parse: (response) => (response === 'bad' ? raise(failure) : response) },
    });
    const controller = new AbortController();

    const all = [
      person.fetch(),
      person.fetch(),
      person.fetch({ signal: controller.signal }),
      person.save(),
      person.destroy(),
    ];
    const ends = Promise.allSettled(all);
    server.at(0).fail(failure);
    server.at(1).ok('bad');
    controller.abort();
    server.at(3).refuse(500);
    person.dispose();
    await ends;
    await setImmediate();
    process.off('unhandledRejection', unhandled);

    expect(unhandled).not.toHaveBeenCalled();
  });

  it('are told by error$, and a success takes them back', () => {
    const { person, server } = setup();
    const errors = valuesOf(person.error$);
    const network = new TypeError('network');
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(0).fail(network);
    server.at(1).ok();

    expect(errors).toStrictEqual([null, network, null]);
  });

  it.each<[string, DataModelConfig, unknown, 'save$' | 'fetch$' | 'destroy$', string]>([
    ['a missing url', { url: undefined }, 7, 'fetch$', 'NO_URL'],
    ['a missing id', {}, undefined, 'destroy$', 'NO_ID'],
    ['a bad id', {}, '..', 'save$', 'BAD_ID'],
    ['a bad option', { timeout: 0 }, 7, 'save$', 'BAD_OPTION'],
  ])('before sending are told by error$: %s', (_name, config, id, method, code) => {
    const { person } = setup({ config, values: { id } });

    const { error } = watch(person[method]());

    expect(error).toBeInstanceOf(RequestError);
    expect(person.error$.value).toBe(error);
    expect(person.error$.value).toMatchObject({ code });
  });

  it('of an unsubscribed request are not told by error$', () => {
    const { person } = setup();

    watch(person.fetch$()).subscription.unsubscribe();

    expect(person.error$.value).toBeNull();
  });
});

describe('a replaced sync', () => {
  const eve = { name: 'Eve' };
  const exchange = (): Exchange => ({
    request: { url: '/', method: 'GET', headers: new Headers(), signal: new AbortController().signal },
    response: Response.json({ raw: true }, { status: 201 }),
    body: eve,
  });
  const thenable = (data: unknown) => ({
    then: (resolve: (data: unknown) => void) => {
      resolve(data);
    },
  });

  it.each<[string, () => unknown, { status: number; name: string; body: unknown }]>([
    ['a Response', () => Response.json(eve, { status: 201 }), { status: 201, name: 'Eve', body: eve }],
    [
      'a Response without a body',
      () => new Response(null, { status: 204 }),
      { status: 204, name: 'Ann', body: undefined },
    ],
    [
      'a refused Response',
      () => Response.json(eve, { status: 500 }),
      { status: 500, name: 'Ann', body: eve },
    ],
    ['an Exchange', exchange, { status: 201, name: 'Eve', body: { raw: true } }],
    ['data', () => eve, { status: 200, name: 'Eve', body: eve }],
    ['undefined', () => undefined, { status: 204, name: 'Ann', body: undefined }],
    ['null', () => null, { status: 200, name: 'Ann', body: null }],
    ['a string', () => 'Eve', { status: 200, name: 'Ann', body: 'Eve' }],
    ['a number', () => 5, { status: 200, name: 'Ann', body: 5 }],
    ['false', () => false, { status: 200, name: 'Ann', body: false }],
    ['an array', () => [eve], { status: 200, name: 'Ann', body: [eve] }],
    [
      'a promise of a Response',
      () => Promise.resolve(Response.json(eve)),
      { status: 200, name: 'Eve', body: eve },
    ],
    [
      'a promise of an Exchange',
      () => Promise.resolve(exchange()),
      { status: 201, name: 'Eve', body: { raw: true } },
    ],
    ['a promise of data', () => Promise.resolve(eve), { status: 200, name: 'Eve', body: eve }],
    [
      'a promise of undefined',
      () => Promise.resolve(undefined),
      { status: 204, name: 'Ann', body: undefined },
    ],
    ['a thenable', () => thenable(eve), { status: 200, name: 'Eve', body: eve }],
    ['an Observable', () => of(eve), { status: 200, name: 'Eve', body: eve }],
    ['an Observable of a Response', () => of(Response.json(eve)), { status: 200, name: 'Eve', body: eve }],
    ['an Observable of an Exchange', () => of(exchange()), { status: 201, name: 'Eve', body: { raw: true } }],
    [
      'an asynchronous Observable',
      () => defer(() => Promise.resolve(eve)),
      { status: 200, name: 'Eve', body: eve },
    ],
    ['an empty Observable', () => EMPTY, { status: 204, name: 'Ann', body: undefined }],
  ])('may return %s', async (_name, answer, expected) => {
    const { root, person } = setup();
    root.sync = answer;

    const response = await person.fetch();

    const text = await response.text();
    expect({
      status: response.status,
      name: person.name.value,
      body: text ? (JSON.parse(text) as unknown) : undefined,
    }).toStrictEqual(expected);
  });

  it('that returns a Response has that very Response given to the caller', async () => {
    const { root, person } = setup();
    const response = Response.json(eve);
    root.sync = () => response;

    expect(await person.fetch()).toBe(response);
  });

  it('that answers a save several times leaves the record with the last answer, clean', () => {
    const { root, person } = setup();
    root.sync = () => of({ name: 'first' }, { name: 'last' });

    watch(person.save$());

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['last', false]);
  });

  it('that emits several values counts with the last', async () => {
    const { root, person } = setup();
    root.sync = () => of({ name: 'first' }, { name: 'last' });
    const fetched = watch(person.fetch$());
    await setImmediate();

    expect({
      count: fetched.responses.length,
      name: person.name.value,
      isDirty: person.isDirty$.value,
    }).toStrictEqual({
      count: 1,
      name: 'last',
      isDirty: false,
    });
    expect(await fetched.responses[0]?.json()).toStrictEqual({ name: 'last' });
  });

  it.each<[string, (error: Error) => unknown]>([
    ['throws', (error) => raise(error)],
    ['rejects', (error) => Promise.reject(error)],
    ['fails', (error) => throwError(() => error)],
    [
      'fails after a value',
      (error) =>
        new Observable((subscriber) => {
          subscriber.error(error);
        }),
    ],
  ])('that %s fails the request with the same error, and the flag falls', async (_name, answer) => {
    const { root, person } = setup();
    const failure = new Error('storage');
    root.sync = () => answer(failure);

    await expect(person.fetch()).rejects.toBe(failure);

    expect([person.isReading$.value, person.error$.value === failure]).toStrictEqual([false, true]);
  });

  it('of one record is used for that record only', () => {
    const { root, person, server } = setup();
    const other = new Person(root, {}, { id: 8 });
    person.sync = () => eve;

    watch(person.fetch$());
    watch(other.fetch$());

    expect({ name: person.name.value, lines: server.lines }).toStrictEqual({
      name: 'Eve',
      lines: ['GET /person/8'],
    });
  });

  it('of lib.dataModel is used for records, that of lib for collections', () => {
    const { root, person } = setup();
    const log: string[] = [];
    root.sync = (action) => {
      log.push(`lib ${action}`);
      return [];
    };
    root.dataModel.sync = (action) => {
      log.push(`dataModel ${action}`);
    };

    watch(person.fetch$());
    watch(root.collection({ url: '/people' }).fetch$());

    expect(log).toStrictEqual(['dataModel read', 'lib read']);
  });

  it('is looked up at each request', () => {
    const { root, person, server } = setup();
    const fetch$ = person.fetch$();
    root.sync = () => eve;

    watch(fetch$);

    expect([person.name.value, server.sent]).toStrictEqual(['Eve', []]);
  });

  it("receives a copy of the caller's options with the signal of the request", () => {
    const { root, person } = setup();
    const sync = vi.fn<Sync>(() => NEVER);
    root.sync = sync;
    const options = Object.freeze({ cache: 'no-store' as const });
    const fetched = watch(person.fetch$(options));
    const [[action, concern, given] = []] = sync.mock.calls;
    const wasAborted = given?.signal.aborted;

    fetched.subscription.unsubscribe();

    expect({
      action,
      isPerson: concern === person,
      given,
      wasAborted,
      isAborted: given?.signal.aborted,
    }).toStrictEqual({
      action: 'read',
      isPerson: true,
      given: { cache: 'no-store', signal: given?.signal },
      wasAborted: false,
      isAborted: true,
    });
  });

  it('may hand on to the default one with other options', () => {
    const { root, person, server } = setup();
    const send = root.sync;
    root.sync = (action, concern, options) => send(action, concern, { ...options, headers: { 'x-a': '1' } });

    watch(person.fetch$());
    server.at(0).ok(eve);

    expect([server.at(0).request.headers.get('x-a'), person.name.value]).toStrictEqual(['1', 'Eve']);
  });

  it('is subject to the lane, to overtaking and to parse like the default one', () => {
    const { root, person } = setup({
      config: { parse: (response) => ({ name: `parsed ${(response as typeof eve).name}` }) },
    });
    const answers: Subject<unknown>[] = [];
    root.sync = () => {
      const answer = new Subject<unknown>();
      answers.push(answer);
      return answer.asObservable();
    };
    watch(person.fetch$());
    watch(person.fetch$());

    for (const [place, name] of [
      [1, 'newer'],
      [0, 'older'],
    ] as const) {
      answers[place]?.next({ name });
      answers[place]?.complete();
    }

    expect(person.name.value).toBe('parsed newer');
  });
});

describe('interceptors', () => {
  const header =
    (name: string): Interceptor =>
    (request, next) => {
      const headers = new Headers(request.headers);
      headers.set('x-way', [headers.get('x-way'), name].filter(Boolean).join());
      return next({ ...request, headers });
    };

  it('see the request in their order, the first outermost', () => {
    const { person, server } = setup({ options: { interceptors: [header('one'), header('two')] } });

    watch(person.fetch$());

    expect(server.at(0).request.headers.get('x-way')).toBe('one,two');
  });

  it('see the answer in the opposite order', () => {
    const log: string[] = [];
    const logging =
      (name: string): Interceptor =>
      (request, next) =>
        next(request).pipe(tap(() => log.push(name)));
    const { person, server } = setup({ options: { interceptors: [logging('one'), logging('two')] } });
    watch(person.fetch$());

    server.at(0).ok();

    expect(log).toStrictEqual(['two', 'one']);
  });

  it('receive the action and the record', () => {
    const contexts: { action: Action; concern: Concern }[] = [];
    const { person } = setup({
      options: {
        interceptors: [
          (request, next, context) => {
            contexts.push(context);
            return next(request);
          },
        ],
      },
    });

    watch(person.save$());

    expect(contexts.map(({ action, concern }) => [action, concern === person])).toStrictEqual([
      ['update', true],
    ]);
  });

  it('may answer without sending', () => {
    const { person, server } = setup({
      options: {
        interceptors: [(request) => of({ request, response: Response.json({}), body: { name: 'cached' } })],
      },
    });

    watch(person.fetch$());

    expect([person.name.value, server.sent]).toStrictEqual(['cached', []]);
  });

  it('may change the decoded answer', () => {
    const { person, server } = setup({
      options: {
        interceptors: [
          (request, next) => next(request).pipe(map((given) => ({ ...given, body: { name: 'changed' } }))),
        ],
      },
    });
    watch(person.fetch$());

    server.at(0).ok({ name: 'Eve' });

    expect(person.name.value).toBe('changed');
  });

  it('may send again', () => {
    const { person, server } = setup({
      options: { interceptors: [(request, next) => next(request).pipe(retry(1))] },
    });
    const fetched = watch(person.fetch$());

    server.at(0).fail(new Error('network'));
    server.at(1).ok({ name: 'Eve' });

    expect({ name: person.name.value, lines: server.lines, error: fetched.error }).toStrictEqual({
      name: 'Eve',
      lines: ['GET /person/7', 'GET /person/7'],
      error: undefined,
    });
  });

  it('see the body of the answer decoded', async () => {
    const bodies: unknown[] = [];
    const { person, server } = setup({
      options: {
        interceptors: [(request, next) => next(request).pipe(tap(({ body }) => bodies.push(body)))],
      },
    });

    const done = person.fetch();
    server.at(0).respond(Response.json({ name: 'Eve' }));
    await done;

    expect(bodies).toStrictEqual([{ name: 'Eve' }]);
  });

  it('are read anew at each request', () => {
    const { root, person, server } = setup();
    watch(person.fetch$());

    root.options.interceptors = [header('late')];
    watch(person.fetch$());

    expect(server.held.map(({ request }) => request.headers.get('x-way'))).toStrictEqual([null, 'late']);
  });
});

describe('under marbles', () => {
  const marbles = (
    run: (helpers: Parameters<Parameters<TestScheduler['run']>[0]>[0], scheduler: TestScheduler) => void,
  ) => {
    const scheduler = new TestScheduler((actual, expected) => {
      expect(actual).toStrictEqual(expected);
    });
    scheduler.run((helpers) => {
      run(helpers, scheduler);
    });
  };
  const answered = (name: string): Exchange => ({
    request: undefined as never,
    response: Response.json({ name }),
    body: { name },
  });

  it('a read emits and completes in the frame of its answer, and the flag falls with it', () => {
    marbles(({ cold, expectObservable }, scheduler) => {
      const transport = () => cold('-----(a|)', { a: answered('Eve') });
      const { person } = setup({ options: { scheduler, transport } });

      expectObservable(person.isReading$).toBe('(ft)-f', { t: true, f: false });
      expectObservable(person.name).toBe('a----e', { a: 'Ann', e: 'Eve' });
      expectObservable(person.fetch$().pipe(map(({ status }) => status))).toBe('-----(r|)', { r: 200 });
    });
  });

  it('a search aborts the request that a newer one replaces', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }, scheduler) => {
      const answers = [cold('----(a|)', { a: answered('one') }), cold('----(a|)', { a: answered('two') })];
      const left = [...answers];
      const { person } = setup({ options: { scheduler, transport: () => left.shift() ?? NEVER } });
      const search$ = hot('-a-b|').pipe(switchMap(() => person.fetch$()));

      expectObservable(search$.pipe(map(() => person.name.value))).toBe('-------(n|)', { n: 'two' });
      expectSubscriptions(answers[0]?.subscriptions ?? []).toBe('-^-!');
      expectSubscriptions(answers[1]?.subscriptions ?? []).toBe('---^---!');
    });
  });

  it('a lull and a timeout run on the same clock', () => {
    marbles(({ cold, expectObservable }, scheduler) => {
      const { person } = setup({
        options: { scheduler, transport: () => cold('---') },
        config: { requestLull: 20, timeout: 10 },
      });
      const failed$ = defer(() => person.fetch$().pipe(map(() => 'answered')));

      expectObservable(person.isReading$).toBe('(ft) 16ms f', { t: true, f: false });
      expectObservable(failed$.pipe(tap({ error: () => undefined }), retry(0))).toBe(
        '10ms #',
        undefined,
        timeoutError,
      );
    });
  });

  it('saveLatest saves one at a time, and the latest value that came meanwhile', () => {
    marbles(({ cold, hot, expectObservable }, scheduler) => {
      const { person } = setup({
        options: { scheduler, transport: () => cold('-----(a|)', { a: answered('saved') }) },
      });
      const edits$ = hot('-a-b-c-----|');
      const runs: string[] = [];
      const saved$ = edits$.pipe(
        saveLatest((edit: string) => {
          runs.push(`${String(scheduler.now())} ${edit}`);
          return person.save$();
        }),
      );

      expectObservable(saved$.pipe(map(() => runs.join()))).toBe('------a----(b|)', {
        a: '1 a',
        b: '1 a,6 c',
      });
    });
  });

  it('saveLatest passes over an empty patch', () => {
    marbles(({ hot, cold, expectObservable }) => {
      const edits$ = hot('-a---b---|', { a: {}, b: { name: 'Bo' } });

      expectObservable(edits$.pipe(saveLatest((patch) => cold('--(p|)', { p: patch })))).toBe('-------p-|', {
        p: { name: 'Bo' },
      });
    });
  });

  it('saveLatest lets a failure through', () => {
    const failure = new Error('save');
    marbles(({ hot, expectObservable }) => {
      expectObservable(hot('-a-b').pipe(saveLatest(() => throwError(() => failure)))).toBe(
        '-#',
        undefined,
        failure,
      );
    });
  });

  const timeoutError = new DOMException('read took longer than 10 ms', 'TimeoutError');
});

interface Values {
  readonly id?: unknown;
  readonly name?: string;
  readonly city?: string;
}

class Person extends DataModel {
  readonly id: MappedField<unknown, 'id'>;
  readonly name: MappedField<string, 'name'>;
  readonly city: MappedField<string, 'address.city'>;

  constructor(root: Lib, config: DataModelConfig, values: Values) {
    super({ url: '/person', ...config }, root);
    const { id, name, city } = { id: 7, name: 'Ann', city: 'Bonn', ...values };
    this.id = root.observable<unknown>(id).map('id', this);
    this.name = root.observable(name).map('name', this);
    this.city = root.observable(city).map('address.city', this);
  }
}

interface Setup {
  readonly options?: LibOptions;
  readonly config?: DataModelConfig;
  readonly values?: Values;
}

/** A record of a root of its own, whose requests are held until the spec answers them. */
function setup({ options, config = {}, values = {} }: Setup = {}): {
  root: Lib;
  person: Person;
  server: Server;
} {
  const server = new Server();
  const root = createLib({ transport: server.transport, ...options });
  return { root, person: new Person(root, config, values), server };
}

/** One request that reached the transport. Answers are written at once, except by `respond`, whose body is read first. */
class Held {
  readonly request: WireRequest;
  readonly #subscriber: Subscriber<Exchange>;

  constructor(request: WireRequest, subscriber: Subscriber<Exchange>) {
    this.request = request;
    this.#subscriber = subscriber;
  }

  get isClosed(): boolean {
    return this.#subscriber.closed;
  }

  ok(body?: unknown): void {
    this.#answer(body === undefined ? new Response(null, { status: 204 }) : Response.json(body), body);
  }

  refuse(status: number, body?: unknown): void {
    this.#answer(
      body === undefined ? new Response(null, { status }) : Response.json(body, { status }),
      undefined,
    );
  }

  respond(response: Response): void {
    this.#answer(response, undefined);
  }

  fail(error: Error): void {
    this.#subscriber.error(error);
  }

  #answer(response: Response, body: unknown): void {
    this.#subscriber.next({ request: this.request, response, body });
    this.#subscriber.complete();
  }
}

class Server {
  readonly held: Held[] = [];
  readonly transport: Transport = (request) =>
    new Observable((subscriber) => {
      this.held.push(new Held(request, subscriber));
    });

  at(place: number): Held {
    return this.held[place] ?? raise(new Error(`only ${String(this.held.length)} requests were sent`));
  }

  get sent(): { method: string; url: string; body: unknown }[] {
    return this.held.map(({ request: { method, url, body } }) => ({
      method,
      url,
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body,
    }));
  }

  get lines(): string[] {
    return this.held.map(({ request: { method, url } }) => `${method} ${url}`);
  }
}

/** What a subscription has brought so far. */
interface Watched {
  readonly responses: Response[];
  error: unknown;
  isComplete: boolean;
  subscription: Subscription;
}

function watch(source: Observable<Response>): Watched {
  const watched = { responses: [] as Response[], error: undefined as unknown, isComplete: false };
  const subscription = source.subscribe({
    next: (response) => {
      watched.responses.push(response);
    },
    error: (error: unknown) => {
      watched.error = error;
    },
    complete: () => {
      watched.isComplete = true;
    },
  });
  return Object.assign(watched, { subscription });
}

function valuesOf<T>(source: Observable<T>): T[] {
  const values: T[] = [];
  source.subscribe((value) => {
    values.push(value);
  });
  return values;
}

/** Lets virtual time pass up to a point. */
function advance(scheduler: VirtualTimeScheduler, to: number): void {
  scheduler.schedule(() => undefined, to - scheduler.now());
  scheduler.maxFrames = to;
  scheduler.flush();
}

function raise(error: unknown): never {
  throw error;
}

function cycle(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

function throwing(): RequestOptions {
  return {
    get cache(): never {
      return raise(new Error('getter'));
    },
  };
}

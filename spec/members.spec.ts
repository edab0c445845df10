import { of } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { Collection, DataModel, createLib } from 'rivulet';
import type { RequestOptions, StateStream, Sync } from 'rivulet';

import { ann, withPeople } from './people';
import { Person, withPerson } from './person';
import { StubServer } from './stub';
import { watch } from './watch';

describe('members of a record', () => {
  it('add no keys to the instance', () => {
    const root = createLib();

    expect(Reflect.ownKeys(root.dataModel.boot({ a: 1 }))).toStrictEqual(['a']);
  });

  it('leave the class of the instance unchanged', () => {
    class Plain {
      greet(): string {
        return 'hello';
      }
    }

    createLib().dataModel.boot(new Plain());

    expect(Reflect.ownKeys(Plain.prototype)).toStrictEqual(['constructor', 'greet']);
    expect('save' in new Plain()).toBe(false);
  });

  it('do not throw if a stream of its class does: the promise rejects', async () => {
    const { root } = withPeople();
    class Checked extends DataModel {
      override save$(): never {
        throw new Error('check it first');
      }
    }

    await expect(new Checked({ url: '/people' }, root).save()).rejects.toThrow('check it first');
  });

  it('give way to methods of its class', () => {
    class Person {
      save(): string {
        return 'mine';
      }
    }
    const person = createLib().dataModel.boot(new Person()) as Person;

    expect(person.save()).toBe('mine');
  });

  it('give way to accessors of its class', () => {
    class Person {
      readonly #own = 'mine';
      get data$(): string {
        return this.#own;
      }
    }
    const person = createLib().dataModel.boot(new Person()) as Person;

    expect(person.data$).toBe('mine');
  });

  it('give way to members of a base class', () => {
    class Base {
      destroy(): string {
        return 'mine';
      }
    }
    class Person extends Base {}
    const person = createLib().dataModel.boot(new Person()) as Person;

    expect(person.destroy()).toBe('mine');
  });

  it('give way to own properties of the instance', () => {
    const person = createLib().dataModel.boot({ set: 'mine' }) as { set: string };

    expect(person.set).toBe('mine');
  });

  it('may be overridden by a subclass, which can call the original', () => {
    const { root, server } = withPerson();
    class Dog extends DataModel {
      override save(options?: RequestOptions): Promise<Response> {
        return super.save({ ...options, method: 'PUT' });
      }
    }

    void new Dog({ url: '/dog' }, root).save();

    expect(server.sent).toStrictEqual([{ method: 'PUT', url: '/dog', body: {} }]);
  });

  it('say what they need if an override that calls the original is detached', () => {
    class Dog extends DataModel {
      override save$(options?: RequestOptions): Observable<Response> {
        return super.save$(options);
      }
    }
    // eslint-disable-next-line @typescript-eslint/unbound-method -- the detached form is under test
    const { save$ } = new Dog();

    expect(() => save$()).toThrow(new TypeError('save$: call it on a record or collection'));
  });

  it('may be detached from the record', async () => {
    const { person, server } = withPerson();
    // Detached on purpose: that they still work is under test.
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

  it.each(['save', 'fetch', 'destroy'] as const)('ignore an event passed as the options of %s', (method) => {
    const { root, person } = withPerson();
    const sync = vi.fn<Sync>(() => undefined);
    root.sync = sync;

    void person[method](Object.assign(new Event('submit'), { cache: 'of the event', attrs: 1 }));

    expect(sync.mock.calls.map(([, , options]) => Object.keys(options))).toStrictEqual([['signal']]);
  });

  it.each(['data$', 'isNew$', 'isDirty$', 'isReading$', 'isSaving$', 'error$'] as const)(
    'cannot be written from outside: %s',
    (name) => {
      const stream: object = withPerson().person[name];

      expect('next' in stream).toBe(false);
      expect(
        () => Reflect.set(stream, 'value', 'x') && withPerson().person[name].value === ('x' as unknown),
      ).not.toThrow();
      expect((stream as StateStream<unknown>).value).not.toBe('x');
    },
  );

  it('isReading and isReading$ are the same object', () => {
    const { person } = withPerson();

    expect(person.isReading).toBe(person.isReading$);
  });
});

describe('a member', () => {
  it.each(['save', 'data$', 'isSaving$', 'error$', 'dispose'] as const)(
    'is the same on every access: %s',
    (name) => {
      const { person } = withPerson();
      const first: unknown = Reflect.get(person, name);

      expect(Reflect.get(person, name)).toBe(first);
    },
  );

  it('belongs to its own record, not to another', () => {
    const [one, two] = [withPerson(), withPerson()];

    expect(one.person.isReading$).not.toBe(two.person.isReading$);
    watch(one.person.fetch$());
    expect([one.person.isReading$.value, two.person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('may be replaced by assignment, and the promise then follows the replaced stream', async () => {
    const { person, server } = withPerson();
    const response = new Response();

    person.save$ = () => of(response);

    expect(await person.save()).toBe(response);
    expect(server.sent).toStrictEqual([]);
  });
});

describe('a member that was replaced', () => {
  it('may be replaced again, and is the original again when that is deleted', () => {
    const { person } = withPerson();
    const first: unknown = Reflect.get(person, 'save$');

    person.save$ = () => of(new Response());
    person.save$ = () => of(Response.error());
    Reflect.deleteProperty(person, 'save$');

    expect(Reflect.get(person, 'save$')).toBe(first);
  });
});

describe('members of a collection', () => {
  it('may be mocked for all collections, on the prototype', () => {
    const { isReading$ } = withPeople().people;
    const getter = vi.spyOn(Collection.prototype, 'isReading$', 'get').mockReturnValue(isReading$);

    const mocked = withPeople().people.isReading$;
    getter.mockRestore();

    expect([mocked === isReading$, withPeople().people.isReading$ === isReading$]).toStrictEqual([
      true,
      false,
    ]);
  });

  it('may be detached from it', () => {
    const { people, server } = withPeople();
    // Detached on purpose: that they still work is under test.
    // eslint-disable-next-line @typescript-eslint/unbound-method
    const { fetch, push, where } = people;

    push(ann);
    void fetch();

    expect([where({ id: 1 }), server.lines]).toStrictEqual([[ann], ['GET /people']]);
  });

  it('ignore an event passed as the options of fetch', () => {
    const { root, people } = withPeople();
    const sync = vi.fn<Sync>(() => undefined);
    root.sync = sync;

    void people.fetch(Object.assign(new Event('submit'), { cache: 'of the event', attrs: 1 }));

    expect(sync.mock.calls.map(([, , options]) => Object.keys(options))).toStrictEqual([['signal']]);
  });

  it('isReading and isReading$ are the same object', () => {
    const { people } = withPeople();

    expect(people.isReading).toBe(people.isReading$);
  });

  it('that are streams cannot be written from outside', () => {
    const { people } = withPeople();
    const { isReading$, error$, delta$ } = people;

    expect([isReading$, error$, delta$].filter((stream) => 'next' in stream)).toStrictEqual([]);
  });
});

describe('boot of what cannot become a record', () => {
  it.each<[string, object]>([
    ['a frozen object', Object.freeze({})],
    ['nothing', undefined as never],
  ])('throws for %s, saying what it needs', (_name, instance) => {
    expect(() => createLib().dataModel.boot(instance)).toThrow(/^boot: needs the instance/);
  });
});

describe('a method of the prototype', () => {
  it('can be called for a record', () => {
    const { person, server } = withPerson();

    const save$: (this: Person) => Observable<Response> = Reflect.get(DataModel.prototype, 'save$');
    watch(save$.call(person));

    expect(server.lines).toStrictEqual(['PUT /person/7']);
  });
});

describe('sync of one record', () => {
  it('has the record as this, and can delegate to the one it replaces', () => {
    const seen: unknown[] = [];
    const server = new StubServer();
    const person = new Person(createLib({ transport: server.transport }), {}, {});
    const { sync } = person;
    person.sync = function (this: unknown, ...args) {
      seen.push(this);
      return sync(...args);
    };

    watch(person.fetch$());

    expect([seen, server.lines]).toStrictEqual([[person], ['GET /person/7']]);
  });
});

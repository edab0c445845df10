import { BehaviorSubject, NEVER, concatWith, filter, map, of, tap, throwError } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { Field, createLib } from 'rivulet';
import type { DataModel, Lib } from 'rivulet';

import { withPerson } from './person';
import { unhandledOf } from './unhandled';
import { valuesOf, watch } from './watch';

describe('fields', () => {
  it('are BehaviorSubjects', () => {
    expect(createLib().observable(1)).toBeInstanceOf(BehaviorSubject);
    expect(createLib().observable(1)).toBeInstanceOf(Field);
  });

  it('outlive a finite source piped into them', () => {
    const { person } = withPerson();
    of('from a source').subscribe(person.name);
    const values = valuesOf(person.name);

    person.name.next('Bo');

    expect(values).toStrictEqual(['from a source', 'Bo']);
  });

  it('that are part of no record have neither path nor state, and nothing to reset', () => {
    const field: object = createLib().observable('a');
    const values = valuesOf(field as Field<string>);

    (field as Field<string>).reset();

    expect(values).toStrictEqual(['a']);
    expect(['path', 'isDirty$', 'remote$'].map((name): unknown => Reflect.get(field, name))).toStrictEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('outlive a failing source piped into them', () => {
    const { person } = withPerson();
    throwError(() => new Error('source')).subscribe(person.name);
    const values = valuesOf(person.name);

    person.name.next('Bo');

    expect({ values, value: person.name.value }).toStrictEqual({ values: ['Ann', 'Bo'], value: 'Bo' });
  });

  it('emit re-entrant writes in order to every subscriber', () => {
    const { person } = withPerson();
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

  it('leave data$ at the last of re-entrant writes', () => {
    const { person } = withPerson();
    person.name.subscribe((name) => {
      if (name === 'first') person.name.next('second');
    });
    const data = valuesOf(person.data$.pipe(map(({ name }) => name)));

    person.name.next('first');

    expect(data.at(-1)).toBe('second');
  });

  it('all have their values before the first subscriber is notified of an answer', () => {
    const { person, server } = withPerson();
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

  it('keep the edit a subscriber makes in response to an answer', () => {
    const { person, server } = withPerson();
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

  it('are all written even if a subscriber throws, and the other subscribers are notified', () => {
    const { person, server } = withPerson();
    const failure = new Error('subscriber');
    person.name.subscribe((name) => {
      if (name === 'Eve') throw failure;
    });
    const names = valuesOf(person.name);

    const unhandled = unhandledOf(() => {
      watch(person.fetch$());
      server.at(0).ok({ name: 'Eve', address: { city: 'Ulm' } });
    });

    expect({ unhandled, names, data: person.get(), isReading: person.isReading.value }).toStrictEqual({
      unhandled: [failure],
      names: ['Ann', 'Eve'],
      data: { id: 7, name: 'Eve', address: { city: 'Ulm' } },
      isReading: false,
    });
  });
});

describe('map', () => {
  it('returns the same field, which exposes its path', () => {
    const { root, person } = withPerson();
    const field = root.observable(1);
    const mapped = field.map('age', person);

    expect({ isSame: mapped === field, path: mapped.path }).toStrictEqual({ isSame: true, path: 'age' });
  });

  it('neither changes the value nor makes the record dirty', () => {
    const { root, person } = withPerson();
    const values = valuesOf(root.observable(1).map('age', person));

    expect({ values, isDirty: person.isDirty$.value }).toStrictEqual({ values: [1], isDirty: false });
  });

  it('takes fields mapped after boot into account at once', () => {
    const { root, person } = withPerson();
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
    [undefined],
    [7],
  ])('refuses the path "%s"', (given) => {
    const { root, person } = withPerson();
    // As passed without TypeScript.
    const path = given as string;

    expect(() => root.observable(1).map(path, person)).toThrow(
      new TypeError(`map, idAttribute: "${path}" is not a path: join plain names by dots`),
    );
    expect(person.hasMappedField(path)).toBe(false);
  });

  it.each([
    ['name.first', 'name'],
    ['address', 'address.city'],
    ['address.city.part', 'address.city'],
  ])('refuses the path "%s", which contains or lies inside the mapped "%s"', (path, mapped) => {
    const { root, person } = withPerson();

    expect(() => root.observable(1).map(path, person)).toThrow(
      new TypeError(`map: "${path}" and "${mapped}" overlap: map only one`),
    );
    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });

  it('accepts a path that merely begins with the letters of another', () => {
    const { root, person } = withPerson();

    root.observable(1).map('name2', person);

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', name2: 1, address: { city: 'Bonn' } });
  });

  it.each([[undefined], [null], ['text']])('throws for %o, which is not a record', (record) => {
    expect(() =>
      createLib()
        .observable(1)
        .map('a', record as never),
    ).toThrow(new TypeError('map: "a" needs its record, usually "this"'));
  });

  it('replaces the field previously mapped at the path', () => {
    const { root, person } = withPerson();
    root.observable('Bo').map('name', person);

    person.name.next('an edit of the former field');

    expect({ name: person.get('name'), isDirty: person.isDirty$.value }).toStrictEqual({
      name: 'Bo',
      isDirty: false,
    });
  });

  it('makes isNew$ follow a newly mapped id', () => {
    const { root, person } = withPerson();
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

  it("makes a field's own state reflect its latest mapping", () => {
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

describe('a record of another copy of the package', () => {
  const load = async () => {
    vi.resetModules();
    return import('rivulet');
  };

  it.each<[string, (here: typeof import('rivulet'), there: typeof import('rivulet')) => unknown]>([
    ['cannot be given a field', (here, there) => here.lib.observable('').map('name', new there.DataModel())],
    [
      'that was booted cannot be given a field',
      (here, there) => here.lib.observable('').map('name', there.lib.dataModel.boot({})),
    ],
    ['cannot be booted', (here, there) => here.lib.dataModel.boot(new there.DataModel())],
    [
      'that is a collection cannot be given a field',
      (here, there) => here.lib.observable(0).map('size', there.lib.collection()),
    ],
  ])('%s', async (_, act) => {
    const [here, there] = [await load(), await load()];

    expect(() => act(here, there)).toThrow(
      new TypeError('map: this is of another copy of rivulet: load it only once'),
    );
  });

  it('fails its requests if its root is of the other copy', async () => {
    const [here, there] = [await load(), await load()];
    class Person extends there.DataModel {
      readonly id = there.lib.observable(7).map('id', this);
      constructor() {
        super({ url: '/person' }, here.createLib());
      }
    }

    await expect(new Person().fetch()).rejects.toThrow('of this copy of rivulet');
  });
});

describe('unmap', () => {
  it('removes the field from data, flags and requests', () => {
    const { person, server } = withPerson();
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

  it('notifies subscribers that the record became clean', () => {
    const { person } = withPerson();
    person.name.next('Bo');
    const states = valuesOf(person.isDirty$);

    person.unmap('name');

    expect(states).toStrictEqual([true, false]);
  });

  it.each([['unknown'], ['address'], ['constructor'], ['__proto__']])(
    'does nothing for "%s", which is not mapped',
    (path) => {
      const { person } = withPerson();

      expect(person.unmap(path)).toBe(false);
    },
  );

  it('makes a record without its id new', () => {
    const { person } = withPerson();
    const states = valuesOf(person.isNew$);

    person.unmap('id');

    expect(states).toStrictEqual([false, true]);
  });

  it('of another field leaves isNew$ following the id', () => {
    const { person } = withPerson();
    const states = valuesOf(person.isNew$);
    person.unmap('name');

    person.id.next(undefined);

    expect(states).toStrictEqual([false, true]);
  });

  it('ignores later edits of the field', () => {
    const { person } = withPerson();
    person.unmap('name');

    person.name.next('Bo');

    expect([person.isDirty$.value, person.name.isDirty$.value]).toStrictEqual([false, false]);
  });
});

describe('dispose', () => {
  it('keeps a field alive that another record holds', () => {
    const root = createLib();
    const [one, two] = [root.dataModel.boot({}), root.dataModel.boot({})];
    const field = root.observable('a').map('x', one).map('y', two);
    const values = valuesOf(field);

    one.dispose();
    field.next('b');

    expect({ values, dirty: two.dirtyMap() }).toStrictEqual({ values: ['a', 'b'], dirty: { y: true } });
  });
});

describe('dispose of the last record that holds a field', () => {
  it.each<[how: string, letGo: (record: object & DataModel, root: Lib) => void]>([
    ['unmapped it', (record) => record.unmap('x')],
    ['mapped another in its place', (record, root) => root.observable('b').map('x', record)],
    [
      'was disposed of',
      (record) => {
        record.dispose();
      },
    ],
  ])('completes it, when the other %s', (_how, letGo) => {
    const root = createLib();
    const [one, two] = [root.dataModel.boot({}), root.dataModel.boot({})];
    const field = root.observable('a').map('x', one).map('y', two);
    let isComplete = false;
    field.subscribe({ complete: () => (isComplete = true) });

    letGo(one, root);
    const before = isComplete;
    two.dispose();

    expect([before, isComplete]).toStrictEqual([false, true]);
  });
});

describe('two fields piped into each other', () => {
  const bound = (isPresent: boolean) => {
    const root = createLib();
    const record = root.dataModel.boot({}, {});
    const one = root.observable('').map('one', record);
    const other = root.observable('').map('other', record);
    const passOn = (from: Field<string>, to: Field<string>) => {
      from.pipe(filter((value) => value !== to.value && (!isPresent || value === from.value))).subscribe(to);
    };
    passOn(one, other);
    passOn(other, one);
    const setBoth = () => {
      record.set({ one: 'A', other: 'B' });
    };
    return { root, one, other, setBoth };
  };

  it('with values that may be outdated: an endless write fails, and the next one is emitted', () => {
    const { root, setBoth } = bound(false);
    const after = root.observable('');
    const seen = valuesOf(after);

    expect(setBoth).toThrow(RangeError);

    after.next('told');
    expect(seen).toStrictEqual(['', 'told']);
  });

  it('with current values only: end up equal', () => {
    const { one, other, setBoth } = bound(true);

    setBoth();

    expect(one.value).toBe(other.value);
  });
});

describe('a field passed to tap', () => {
  it('has no subscribers because of it', () => {
    const field = createLib().observable('');

    for (const value of ['a', 'b']) of(value).pipe(tap(field)).subscribe();

    expect([field.value, field.observed]).toStrictEqual(['b', false]);
  });

  it('stays alive when the stream is unsubscribed', () => {
    const field = createLib().observable('');
    const values = valuesOf(field);
    of('a').pipe(concatWith(NEVER), tap(field)).subscribe().unsubscribe();

    field.next('b');

    expect(values).toStrictEqual(['', 'a', 'b']);
  });
});

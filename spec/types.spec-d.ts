import { Collection, DataModel, Field, RequestError, createLib, lib, matcher, ok, saveLatest } from 'rivulet';
import type {
  Action,
  Comparator,
  Concern,
  Criteria,
  DataOf,
  Delta,
  Exchange,
  FetchOptions,
  Interceptor,
  ItemRecord,
  Lib,
  LibOptions,
  MappedField,
  MappedPath,
  PartOf,
  PatchOf,
  RequestErrorCode,
  ReceivedOptions,
  RequestOptions,
  Root,
  StateStream,
  Sync,
  Transport,
  WireRequest,
} from 'rivulet';
import { BehaviorSubject, Observable, debounceTime, of, switchMap } from 'rxjs';
import type { SchedulerLike } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';

class Person extends DataModel {
  readonly id = lib.observable<number>().map('id', this);
  readonly name = lib.observable('').map('name', this);
  readonly born = lib.observable<Date | null>(null).map('born', this);
  readonly tags = lib.observable<string[]>([]).map('tags', this);
  readonly city = lib.observable('').map('address.city', this);
  readonly zip = lib.observable<number | null>(null).map('address.zip', this);
  readonly shown = lib.observable(false);
  readonly title = 'not a field';

  constructor() {
    super({ url: '/person' });
  }

  greet(): string {
    return `Hello ${this.name.value}`;
  }
}

class Employee extends Person {
  readonly salary = lib.observable(0).map('job.salary', this);
}

interface PersonData {
  id: number | undefined;
  name: string;
  born: Date | null;
  tags: string[];
  address: { city: string; zip: number | null };
}

interface PersonPatch {
  id?: number | undefined;
  name?: string | undefined;
  born?: Date | null | undefined;
  tags?: string[] | undefined;
  address?: { city?: string | undefined; zip?: number | null | undefined } | undefined;
}

type Branded = string & { readonly brand: 'id' };

interface Grocery {
  id: number;
  name: string;
  done: boolean;
  bought: Date | null;
  origin: { country: string; km: number };
  labels: string[];
}

/** Never executed: these lines are only compiled. */
declare const person: Person;
declare const employee: Employee;
declare const groceries: Collection<Grocery>;
declare const event: Event;

describe('the data of a record', () => {
  it('follows from the mapped paths, nested ones too', () => {
    // "branded" takes { city } & { zip } and { city, zip } as the same, which they are when reading the data.
    expectTypeOf(person.get()).branded.toEqualTypeOf<PersonData>();
    expectTypeOf(person.toJSON()).branded.toEqualTypeOf<PersonData>();
    expectTypeOf<DataOf<Person>>().branded.toEqualTypeOf<PersonData>();
    expectTypeOf<MappedPath<Person>>().toEqualTypeOf<
      'id' | 'name' | 'born' | 'tags' | 'address.city' | 'address.zip'
    >();
  });

  it('is wider in a subclass', () => {
    expectTypeOf(employee.get()).branded.toEqualTypeOf<PersonData & { job: { salary: number } }>();
    expectTypeOf(employee.get().job.salary).toEqualTypeOf<number>();
    expectTypeOf(employee.get().address.city).toEqualTypeOf<string>();
    expectTypeOf(employee.get('job.salary')).toEqualTypeOf<number>();
    expectTypeOf<Employee>().toExtend<Person>();
    expectTypeOf<Person>().toExtend<DataModel>();
  });

  it('may lack the value of a field that may be missing', () => {
    class Draft extends DataModel {
      readonly id = lib.observable(0).map('id', this);
      note?: MappedField<string, 'note'>;
    }
    expectTypeOf(new Draft().get()).toEqualTypeOf<{ id: number; note: string | undefined }>();
  });

  it('leaves out a field at a path that the types do not know', () => {
    class Titled extends DataModel {
      readonly id = lib.observable(0).map('id', this);
      readonly title: MappedField<string> = lib.observable('').map('title', this);
    }
    expectTypeOf(new Titled().get()).toEqualTypeOf<{ id: number }>();
  });

  it('is empty without a mapped field', () => {
    const data = new DataModel().get();
    expectTypeOf<keyof typeof data>().toBeNever();
    expectTypeOf(data).not.toBeAny();
  });

  it('is typed at a path: a field, and an object that holds fields', () => {
    expectTypeOf(person.get('id')).toEqualTypeOf<number | undefined>();
    expectTypeOf(person.get('born')).toEqualTypeOf<Date | null>();
    expectTypeOf(person.get('address.city')).toEqualTypeOf<string>();
    expectTypeOf(person.get('address')).branded.toEqualTypeOf<{ city: string; zip: number | null }>();
    // @ts-expect-error -- no such path
    person.get('adress');
    // @ts-expect-error -- no field at the end of the path
    person.get('address.street');
    // @ts-expect-error -- a member that is not mapped
    person.get('shown');
  });

  it('is exactly that part for several paths', () => {
    const either = 'name' as 'id' | 'name';
    const isBoth = Boolean(person.id.value);
    const part = person.get(['name', 'address.city']);
    expectTypeOf(part).branded.toEqualTypeOf<{ name: string; address: { city: string } }>();
    expectTypeOf(person.get(['address', 'address.city']).address.zip).toEqualTypeOf<number | null>();
    expectTypeOf(person.get(['name'] as ('id' | 'name')[])).toEqualTypeOf<PersonPatch>();
    expectTypeOf(person.get([either])).toEqualTypeOf<PersonPatch>();
    const some = person.get(isBoth ? ['id', 'name'] : ['name']);
    expectTypeOf(some.name).toEqualTypeOf<string>();
    expectTypeOf<keyof typeof some>().toEqualTypeOf<'name'>();
    // @ts-expect-error -- no such path
    person.get(['name', 'adress']);
  });

  it('is set in part, by its keys and types only', () => {
    expectTypeOf(person.set({ name: 'Ada' })).toEqualTypeOf<Person>();
    person.set({ address: { city: 'London' } }, { keepDirty: true });
    person.set({ born: null, tags: ['a'], id: undefined });
    person.set({});
    // @ts-expect-error -- no such key
    person.set({ nmae: 'Ada' });
    // @ts-expect-error -- no such key in a nested object
    person.set({ address: { town: 'London' } });
    // @ts-expect-error -- a number for text
    person.set({ name: 1 });
    // @ts-expect-error -- null for text
    person.set({ name: null });
    // @ts-expect-error -- a nested number for text
    person.set({ address: { city: 1 } });
    // @ts-expect-error -- a path is not a key
    person.set({ 'address.city': 'London' });
    // @ts-expect-error -- a member that is not mapped
    person.set({ shown: true });
    // @ts-expect-error -- arrays are replaced whole
    person.set({ tags: [1] });
    // @ts-expect-error -- no such option
    person.set({ name: 'Ada' }, { keepDrity: true });
  });

  it('is set in whole fields, even if they hold objects', () => {
    const order = lib.dataModel.boot({
      ...{ size: lib.observable({ width: 1, height: 1 }).map('size', {}) },
      ...{ at: lib.observable(new Map<string, number>()).map('place.at', {}) },
    });
    order.set({ size: { width: 2, height: 1 } });
    order.set({ place: {} });
    // @ts-expect-error -- it would be written without its height, and saved
    order.set({ size: { width: 2 } });
    // @ts-expect-error -- an object that is not a map
    order.set({ place: { at: {} } });
    const rows = lib.collection<{ id: number; origin: { country: string; km: number } }>();
    // @ts-expect-error -- a field for each key of the item holds the whole of it
    rows.record(1).set({ origin: { country: 'x' } });
    expectTypeOf(order.changes$).toEqualTypeOf<Observable<PartOf<typeof order>>>();
  });

  it('contains what is mapped, whatever other members there are', () => {
    class Chart extends DataModel {
      readonly name = lib.observable('').map('name', this);
      // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as untyped code would have it
      readonly chart: any = null;
      readonly none = undefined as never;
    }
    const chart = new Chart();
    expectTypeOf<MappedPath<Chart>>().toEqualTypeOf<'name'>();
    expectTypeOf(chart.get()).toEqualTypeOf<{ name: string }>();
    // @ts-expect-error -- no such key
    chart.set({ nmae: 'x' });
    // @ts-expect-error -- no such path
    chart.get('nmae');
  });

  it('has a stream of the whole, and one of what is dirty', () => {
    expectTypeOf(person.data$).toEqualTypeOf<StateStream<DataOf<Person>>>();
    expectTypeOf(person.data$.value).branded.toEqualTypeOf<PersonData>();
    expectTypeOf(person.data$.value.address.city).toEqualTypeOf<string>();
    expectTypeOf(person.changes$).toEqualTypeOf<Observable<PersonPatch>>();
    expectTypeOf<PatchOf<PersonData>>().toEqualTypeOf<PersonPatch>();
    expectTypeOf<PatchOf<{ id: Branded; seen: Map<string, { n: number }> }>>().toEqualTypeOf<{
      id?: Branded | undefined;
      seen?: Map<string, { n: number }> | undefined;
    }>();
    expectTypeOf(employee.data$.value.job).toEqualTypeOf<{ salary: number }>();
  });

  it('is addressed by paths in clean(), dirtyMap() and the like', () => {
    expectTypeOf(person.clean('address')).toEqualTypeOf<Person>();
    expectTypeOf(person.clean()).toEqualTypeOf<Person>();
    expectTypeOf(person.reset()).toEqualTypeOf<Person>();
    expectTypeOf(person.dirtyMap()).toEqualTypeOf<Record<string, boolean>>();
    expectTypeOf(person.hasMappedField('name')).toEqualTypeOf<boolean>();
    expectTypeOf(person.unmap('name')).toEqualTypeOf<boolean>();
    // @ts-expect-error -- no such path
    person.clean('adress');
  });
});

describe('a field', () => {
  it('is a BehaviorSubject of its value', () => {
    expectTypeOf(lib.observable('')).toEqualTypeOf<Field<string>>();
    expectTypeOf(lib.observable<number>()).toEqualTypeOf<Field<number | undefined>>();
    expectTypeOf(lib.observable<string | null>(null)).toEqualTypeOf<Field<string | null>>();
    expectTypeOf<Field<string>>().toExtend<BehaviorSubject<string>>();
    expectTypeOf(lib.observable(1).value).toEqualTypeOf<number>();
    // @ts-expect-error -- text for a number
    lib.observable(1).next('1');
  });

  it('knows its path and its confirmed value once it is mapped', () => {
    expectTypeOf(person.city).toEqualTypeOf<MappedField<string, 'address.city'>>();
    expectTypeOf(person.city.path).toEqualTypeOf<'address.city'>();
    expectTypeOf(person.city.isDirty$).toEqualTypeOf<StateStream<boolean>>();
    expectTypeOf(person.zip.remote$).toEqualTypeOf<StateStream<number | null>>();
    expectTypeOf<MappedField<string, 'name'>['reset']>().toEqualTypeOf<() => void>();
    expectTypeOf(person.city).toExtend<Field<string>>();
    expectTypeOf(person.city).toExtend<MappedField<string>>();
    // @ts-expect-error -- null for text
    person.city.next(null);
    // @ts-expect-error -- a path is for reading
    person.city.path = 'address.city';
    // @ts-expect-error -- a field needs the record that it is mapped into
    lib.observable('').map('name');
  });
});

describe('lib.dataModel.boot()', () => {
  it('makes a record of any object, as the same object with the members of one', () => {
    class Fields {
      readonly id = lib.observable<number>().map('id', this);
      readonly city = lib.observable('').map('address.city', this);
    }
    const booted = lib.dataModel.boot(new Fields(), { url: '/person' });
    expectTypeOf(booted).toEqualTypeOf<Fields & DataModel>();
    expectTypeOf(booted.get()).toEqualTypeOf<{ id: number | undefined; address: { city: string } }>();
    expectTypeOf(booted.get('address.city')).toEqualTypeOf<string>();
    expectTypeOf(booted.data$.value.address.city).toEqualTypeOf<string>();
    expectTypeOf(booted.save()).toEqualTypeOf<Promise<Response>>();
    booted.set({ address: { city: 'London' } });
    // @ts-expect-error -- no such key
    booted.set({ city: 'London' });
  });

  it('is called in a constructor, on this', () => {
    class Booted {
      readonly name = lib.observable('').map('name', this);

      constructor() {
        const record = lib.dataModel.boot(this, { url: '/person', idAttribute: 'name' });
        expectTypeOf(record.save()).toEqualTypeOf<Promise<Response>>();
        expectTypeOf(record.name).toEqualTypeOf<MappedField<string, 'name'>>();
        expectTypeOf(record.isReading$).toEqualTypeOf<StateStream<boolean>>();
      }
    }
    expectTypeOf<Booted>().toHaveProperty('name');
  });

  it('gives a class its members through an interface of the same name', () => {
    /* eslint-disable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type -- the form under test */
    class Merged {
      readonly name = lib.observable('').map('name', this);

      constructor() {
        lib.dataModel.boot(this, { url: '/person' });
      }
    }
    interface Merged extends DataModel {}
    /* eslint-enable @typescript-eslint/no-unsafe-declaration-merging, @typescript-eslint/no-empty-object-type */
    expectTypeOf(new Merged().get()).toEqualTypeOf<{ name: string }>();
    expectTypeOf(new Merged().save()).toEqualTypeOf<Promise<Response>>();
  });

  it('makes records in a factory, typed I & DataModel', () => {
    function personOf(name: string) {
      const fields = { name: lib.observable(name), shown: true };
      fields.name.map('name', fields);
      return lib.dataModel.boot(fields, { url: '/person' });
    }
    expectTypeOf(personOf).returns.toEqualTypeOf<{ name: Field<string>; shown: boolean } & DataModel>();
    expectTypeOf(personOf('Ada').save$()).toEqualTypeOf<Observable<Response>>();
  });

  it('accepts the configuration of a record, and nothing else', () => {
    lib.dataModel.boot({});
    // @ts-expect-error -- no such option
    lib.dataModel.boot({}, { ulr: '/person' });
    // @ts-expect-error -- a number is not a url
    lib.dataModel.boot({}, { url: 1 });
    // @ts-expect-error -- text cannot become a record
    lib.dataModel.boot('person', { url: '/person' });
  });
});

describe('requests', () => {
  it('are promises, and streams under the name with $', () => {
    expectTypeOf<Person['fetch']>().returns.toEqualTypeOf<Promise<Response>>();
    expectTypeOf<Person['save']>().returns.toEqualTypeOf<Promise<Response>>();
    expectTypeOf<Person['destroy']>().returns.toEqualTypeOf<Promise<Response>>();
    expectTypeOf<Person['fetch$']>().returns.toEqualTypeOf<Observable<Response>>();
    expectTypeOf<Person['save$']>().returns.toEqualTypeOf<Observable<Response>>();
    expectTypeOf<Person['destroy$']>().returns.toEqualTypeOf<Observable<Response>>();
    expectTypeOf<Collection<Grocery>['fetch']>().returns.toEqualTypeOf<Promise<Response>>();
    expectTypeOf<Collection<Grocery>['fetch$']>().returns.toEqualTypeOf<Observable<Response>>();
    expectTypeOf<Collection<Grocery>['create']>().returns.toEqualTypeOf<Promise<Response>>();
    expectTypeOf<Collection<Grocery>['create$']>().returns.toEqualTypeOf<Observable<Response>>();
  });

  it('accept an event, so that they can be event handlers', () => {
    void person.save(event);
    void person.fetch(event);
    void person.destroy(event);
    void groceries.fetch(event);
    const button = document.createElement('button');
    /* eslint-disable @typescript-eslint/no-misused-promises, @typescript-eslint/unbound-method -- the form under test */
    button.addEventListener('click', person.save);
    button.addEventListener('click', person.fetch);
    button.addEventListener('click', person.destroy);
    button.addEventListener('click', groceries.fetch);
    button.onclick = person.save;
    /* eslint-enable @typescript-eslint/no-misused-promises, @typescript-eslint/unbound-method */
    new Observable<PointerEvent>().pipe(switchMap((click) => person.save$(click)));
    // @ts-expect-error -- a member of events is not an option
    void person.save({ patch: true, composed: true });
  });

  it('accept the options of fetch and their own, and nothing else', () => {
    const signal = new AbortController().signal;
    void person.save({
      method: 'PATCH',
      headers: { accept: 'text/plain' },
      credentials: 'same-origin',
      signal,
    });
    void person.save({
      patch: true,
      attrs: { name: 'Ada' },
      writeResponse: false,
      timeout: 10,
      rollback: 'both',
    });
    void person.fetch({ keepEdits: true, cache: 'no-store', headers: new Headers() });
    void person.fetch(Object.freeze({ headers: Object.freeze({ accept: 'text/plain' }) }));
    void person.save({ timeout: undefined, method: undefined });
    // @ts-expect-error -- no such option
    void person.save({ writeRepsonse: false });
    // @ts-expect-error -- not one of the three
    void person.save({ rollback: 'always' });
    // @ts-expect-error -- milliseconds are a number
    void person.save({ timeout: '10' });
    // @ts-expect-error -- not an option of fetch
    void person.save({ credentials: 'none' });
    // @ts-expect-error -- options are an object
    void person.save('PATCH');
  });

  it('compose in pipes with ok() and saveLatest()', () => {
    expectTypeOf(person.save$().pipe(ok())).toEqualTypeOf<Observable<Response>>();
    const saved$ = person.changes$.pipe(
      debounceTime(500),
      saveLatest((patch) => {
        expectTypeOf(patch).toEqualTypeOf<PersonPatch>();
        return person.save$({ patch: true }).pipe(ok());
      }),
    );
    expectTypeOf(saved$).toEqualTypeOf<Observable<Response>>();
    expectTypeOf(person.name.pipe(saveLatest((name) => [name.length]))).toEqualTypeOf<Observable<number>>();
    expectTypeOf(person.changes$.pipe(saveLatest(() => person.save()))).toEqualTypeOf<Observable<Response>>();
    // @ts-expect-error -- answers only
    person.name.pipe(ok());
  });
});

describe('state streams', () => {
  it('of a record are typed', () => {
    type Flag = StateStream<boolean>;
    expectTypeOf<
      Pick<
        Person,
        | 'isNew$'
        | 'isDirty$'
        | 'isCreating$'
        | 'isReading$'
        | 'isReading'
        | 'isUpdating$'
        | 'isDeleting$'
        | 'isSaving$'
        | 'requestInProgress$'
      >
    >().toEqualTypeOf<{
      readonly isNew$: Flag;
      readonly isDirty$: Flag;
      readonly isCreating$: Flag;
      readonly isReading$: Flag;
      readonly isReading: Flag;
      readonly isUpdating$: Flag;
      readonly isDeleting$: Flag;
      readonly isSaving$: Flag;
      readonly requestInProgress$: Flag;
    }>();
    expectTypeOf(person.error$).toEqualTypeOf<StateStream<Error | null>>();
  });

  it('of a collection are typed', () => {
    expectTypeOf(groceries.isReading$).toEqualTypeOf<StateStream<boolean>>();
    expectTypeOf(groceries.isReading).toEqualTypeOf<StateStream<boolean>>();
    expectTypeOf(groceries.isCreating$).toEqualTypeOf<StateStream<boolean>>();
    expectTypeOf(groceries.requestInProgress$).toEqualTypeOf<StateStream<boolean>>();
    expectTypeOf(groceries.error$).toEqualTypeOf<StateStream<Error | null>>();
  });

  it('cannot be written', () => {
    expectTypeOf<StateStream<boolean>>().not.toHaveProperty('next');
    expectTypeOf<StateStream<boolean>>().not.toHaveProperty('complete');
    expectTypeOf<StateStream<boolean>>().not.toHaveProperty('error');
    expectTypeOf<StateStream<boolean>>().toExtend<Observable<boolean>>();
    expectTypeOf(person.isReading$).not.toHaveProperty('next');
    expectTypeOf(person.data$).not.toHaveProperty('next');
    expectTypeOf(person.changes$).not.toHaveProperty('next');
    expectTypeOf(person.name.remote$).not.toHaveProperty('next');
    // @ts-expect-error -- to be watched only
    person.isReading$.value = true;
    // @ts-expect-error -- to be watched only
    person.isReading$ = person.isDirty$;
    // @ts-expect-error -- to be watched only
    person.data$.value = person.get();
  });
});

describe('a collection', () => {
  it('has the item type of its data, or of its type argument', () => {
    expectTypeOf(lib.collection([{ id: 1, name: 'a' }])).toEqualTypeOf<
      Collection<{ id: number; name: string }>
    >();
    expectTypeOf(lib.collection({ data: [{ id: 1 }], url: '/items' })).toEqualTypeOf<
      Collection<{ id: number }>
    >();
    expectTypeOf(lib.collection(['a', 'b'] as const)).toEqualTypeOf<Collection<'a' | 'b'>>();
    expectTypeOf(lib.collection<Grocery>({ url: '/groceries' })).toEqualTypeOf<Collection<Grocery>>();
    expectTypeOf(lib.collection<Grocery>()).toEqualTypeOf<Collection<Grocery>>();
    expectTypeOf(lib.collection({ url: '/groceries' })).toEqualTypeOf<Collection<unknown>>();
    // @ts-expect-error -- data of another type
    lib.collection<Grocery>({ data: [{ id: 1 }] });
    // @ts-expect-error -- no such option
    lib.collection({ ulr: '/groceries' });
  });

  it('has live records: of its model, or with a field for each key of an item', () => {
    class Shelf extends DataModel {
      readonly id = lib.observable(0).map('id', this);
      constructor(root: Lib) {
        super({}, root);
      }
    }
    expectTypeOf(lib.collection({ data: [{ id: 1 }], model: Shelf }).record(1)).toEqualTypeOf<Shelf>();
    expectTypeOf(lib.collection<Grocery, Shelf>({ model: Shelf }).record({})).toEqualTypeOf<Shelf>();
    const record = lib.collection({ data: [{ id: 1, name: 'a', save: true }] }).record('1');
    expectTypeOf(record.name).toEqualTypeOf<MappedField<string, 'name'>>();
    expectTypeOf(record.save()).toEqualTypeOf<Promise<Response>>();
    const draft = lib.collection<{ id?: number; name: string }>().record({ name: 'a' });
    expectTypeOf(draft.id).toEqualTypeOf<MappedField<number | undefined, 'id'> | undefined>();
    expectTypeOf(draft.get()).toEqualTypeOf<{ id: number | undefined; name: string }>();
    expectTypeOf(draft.get('id')).toEqualTypeOf<number | undefined>();
    draft.set({ id: 2 });
    // @ts-expect-error -- a model is created with the root
    lib.collection<Grocery, object>({ model: (id: number) => ({ id }) });
    class Rootless extends DataModel {}
    // @ts-expect-error -- it would take the root for its configuration
    lib.collection<Grocery, Rootless>({ model: Rootless });
    // @ts-expect-error -- neither an item nor an id
    groceries.record(true);
  });

  it('has live records of a union, with the fields of all its members', () => {
    const shape = lib
      .collection<
        { id: number; kind: 'square'; side: number } | { id: number; kind: 'circle'; radius: number }
      >()
      .record(1);
    expectTypeOf(shape.get()).toEqualTypeOf<{
      id: number;
      kind: 'square' | 'circle';
      side: number | undefined;
      radius: number | undefined;
    }>();
    expectTypeOf(shape.kind).toEqualTypeOf<MappedField<'square' | 'circle', 'kind'>>();
    shape.set({ kind: 'circle', radius: 2 });
    // @ts-expect-error -- no such kind
    shape.set({ kind: 'line' });
  });

  it('has live records without fields for keys that cannot be paths', () => {
    type Odd = ItemRecord<{ id: number; 'a.b': number; '': number; constructor: number }>;
    expectTypeOf<Exclude<keyof Odd, keyof DataModel>>().toEqualTypeOf<'id'>();
  });

  it('is a BehaviorSubject and an iterable of its items', () => {
    expectTypeOf(groceries).toExtend<BehaviorSubject<readonly Grocery[]>>();
    expectTypeOf(groceries).toExtend<Iterable<Grocery>>();
    expectTypeOf([...groceries]).toEqualTypeOf<Grocery[]>();
    expectTypeOf(groceries.value).toEqualTypeOf<readonly Grocery[]>();
    expectTypeOf(groceries.value).not.toHaveProperty('push');
  });

  it('returns what arrays return', () => {
    expectTypeOf<Collection<Grocery>['push']>().toEqualTypeOf<(...items: Grocery[]) => number>();
    expectTypeOf(groceries.pop()).toEqualTypeOf<Grocery | undefined>();
    expectTypeOf(groceries.shift()).toEqualTypeOf<Grocery | undefined>();
    expectTypeOf(groceries.unshift()).toEqualTypeOf<number>();
    expectTypeOf(groceries.splice(0, 1)).toEqualTypeOf<Grocery[]>();
    expectTypeOf(groceries.sort((a, b) => a.id - b.id)).toEqualTypeOf<readonly Grocery[]>();
    expectTypeOf(groceries.reverse()).toEqualTypeOf<readonly Grocery[]>();
    expectTypeOf(groceries.remove(({ done }) => done)).toEqualTypeOf<Grocery[]>();
    expectTypeOf(groceries.removeAll()).toEqualTypeOf<Grocery[]>();
    expectTypeOf(groceries.at(0)).toEqualTypeOf<Grocery | undefined>();
    expectTypeOf(groceries.slice(1)).toEqualTypeOf<Grocery[]>();
    expectTypeOf(groceries.length).toEqualTypeOf<number>();
    expectTypeOf(groceries.byId(1)).toEqualTypeOf<Grocery | undefined>();
    expectTypeOf(groceries.toJSON()).toEqualTypeOf<Grocery[]>();
    expectTypeOf(groceries.delta$).toEqualTypeOf<Observable<Delta<Grocery>>>();
    expectTypeOf<Delta<Grocery>['changed'][number]>().toEqualTypeOf<
      readonly [before: Grocery, after: Grocery]
    >();
    // @ts-expect-error -- not an item
    groceries.push({ name: 'Quinces' });
  });

  it('is searched by criteria that fit its items', () => {
    expectTypeOf(groceries.where({ name: 'Quinces' })).toEqualTypeOf<Grocery[]>();
    expectTypeOf(groceries.where$({ done: false })).toEqualTypeOf<Observable<Grocery[]>>();
    expectTypeOf(groceries.find({ id: 1 })).toEqualTypeOf<Grocery | undefined>();
    expectTypeOf(groceries.find$({ id: 1 })).toEqualTypeOf<Observable<Grocery | undefined>>();
    groceries.where({ name: /quin/i, id: /^1/ });
    groceries.where({ origin: { country: /^P/ } });
    groceries.where({ origin: { km: 3 }, bought: null });
    const places = lib.collection<{ at: readonly [x: number, label: string]; all: readonly number[] }>();
    places.where({ at: [1, /north/], all: [1] });
    // @ts-expect-error -- each position of a tuple has a type of its own
    places.where({ at: ['north', 1] });
    // @ts-expect-error -- and none may be missing
    places.where({ at: [1] });
    groceries.where({ bought: new Date(0), labels: ['organic'] });
    groceries.where({});
    // @ts-expect-error -- a pattern is for text and numbers
    groceries.where({ done: /true/ });
    // @ts-expect-error -- a pattern is not for dates
    groceries.where({ bought: /1970/ });
    groceries.where({ name: undefined });
    // @ts-expect-error -- a pattern is not for objects
    groceries.where({ origin: /Poland/ });
    // @ts-expect-error -- no such key
    groceries.where({ nmae: 'Quinces' });
    // @ts-expect-error -- no such nested key
    groceries.where({ origin: { cuontry: 'Poland' } });
    // @ts-expect-error -- text for a number
    groceries.where({ id: '1' });
    // @ts-expect-error -- null for text
    groceries.where({ name: null });
    // @ts-expect-error -- no such key
    groceries.find({ nmae: 'Quinces' });
    // @ts-expect-error -- no such key
    groceries.where$({ nmae: 'Quinces' });
    // @ts-expect-error -- a pattern is for text and numbers
    groceries.find$({ done: /true/ });
    expectTypeOf<Criteria<boolean>>().toEqualTypeOf<boolean>();
    expectTypeOf<Criteria<bigint>>().toEqualTypeOf<bigint>();
    expectTypeOf<Criteria<string>>().toEqualTypeOf<string | RegExp>();
  });

  it('is searched by a predicate, and by a comparator with criteria of any type', () => {
    groceries.where((item) => {
      expectTypeOf(item).toEqualTypeOf<Grocery>();
      return item.done;
    });
    groceries.where(3, (criteria, item) => {
      expectTypeOf(criteria).toEqualTypeOf<number>();
      expectTypeOf(item).toEqualTypeOf<Grocery>();
      return item.id > criteria;
    });
    expectTypeOf(groceries.find({ max: 3 }, ({ max }, { id }) => id <= max)).toEqualTypeOf<
      Grocery | undefined
    >();
    expectTypeOf(groceries.where$('a', (start, { name }) => name.startsWith(start))).toEqualTypeOf<
      Observable<Grocery[]>
    >();
    expectTypeOf<Comparator<number, Grocery>>().toEqualTypeOf<(criteria: number, item: Grocery) => boolean>();
    // @ts-expect-error -- a comparator returns a boolean
    groceries.where(3, () => 'yes');
    // @ts-expect-error -- no such key in an item
    groceries.where((item) => item.nmae === '');
  });

  it('is searched like any list by matcher', () => {
    const list: Grocery[] = [];
    expectTypeOf(list.filter(matcher({ done: true }))).toEqualTypeOf<Grocery[]>();
    expectTypeOf(list.filter(matcher(({ done }) => done))).toEqualTypeOf<Grocery[]>();
    list.filter(matcher({ most: 3 }, ({ most }, { id }) => id < most));
    // @ts-expect-error -- no such key
    matcher<Grocery>({ nmae: 'salt' });
  });

  it('has criteria that take a map or set as a whole', () => {
    const tagged = lib.collection<{ id: number; tags: Set<string> }>();
    tagged.where({ tags: new Set<string>() });
    // @ts-expect-error -- its size is no data
    tagged.where({ tags: { size: 1 } });
  });

  it('shows items with the edits of their records as items of its type', () => {
    class Todo extends DataModel {
      readonly id = lib.observable<number | undefined>(undefined).map('id', this);
      readonly name = lib.observable('').map('name', this);
      constructor(root: Lib) {
        super({}, root);
      }
    }
    const todos = lib.collection<{ id?: number | undefined; name: string }, Todo>({ model: Todo });
    todos.replace(todos.value.map((item) => ({ ...item, ...todos.record(item).get() })));
    todos.push({ name: 'new' });
  });

  it('may take the type of its items from its model', () => {
    class Todo extends DataModel {
      readonly id = lib.observable<number | undefined>(undefined).map('id', this);
      readonly name = lib.observable('').map('name', this);
      constructor(root: Lib) {
        super({}, root);
      }
    }
    const todos = lib.collection<DataOf<Todo>, Todo>({ model: Todo });
    expectTypeOf(todos.at(0)).toEqualTypeOf<{ id: number | undefined; name: string } | undefined>();
    todos.replace(todos.value.map((item) => ({ ...item, ...todos.record(item).get() })));
    void todos.create({ name: 'new' });
    todos.push({ id: undefined, name: 'new' });
    // @ts-expect-error -- data of the model has an id
    todos.push({ name: 'new' });
  });

  it('creates items of its type', () => {
    void groceries.create({
      id: 1,
      name: '',
      done: false,
      bought: null,
      origin: { country: '', km: 0 },
      labels: [],
    });
    // @ts-expect-error -- a key is missing
    void groceries.create({ name: 'Quinces' });
  });
});

describe('callbacks', () => {
  it('of a collection are typed, this included', () => {
    lib.collection<Grocery>({
      url(options, action) {
        expectTypeOf(this).toEqualTypeOf<Concern>();
        expectTypeOf(options).toEqualTypeOf<ReceivedOptions>();
        expectTypeOf(action).toEqualTypeOf<Action>();
        return '/groceries';
      },
      parse(response, requestType) {
        expectTypeOf(this).toEqualTypeOf<Concern>();
        expectTypeOf(response).toEqualTypeOf<unknown>();
        expectTypeOf(requestType).toEqualTypeOf<Action>();
        return response;
      },
      fetchOptions(action, concern, options) {
        expectTypeOf(this).toEqualTypeOf<Concern>();
        expectTypeOf(action).toEqualTypeOf<Action>();
        expectTypeOf(concern).toEqualTypeOf<Concern>();
        expectTypeOf(options).toEqualTypeOf<ReceivedOptions>();
        return { credentials: 'same-origin' };
      },
      requestLull(action) {
        expectTypeOf(this).toEqualTypeOf<Concern>();
        expectTypeOf(action).toEqualTypeOf<Action>();
        return 300;
      },
    });
  });

  it('of a record are typed, this included', () => {
    lib.dataModel.boot(
      {},
      {
        url: {
          create: 'POST /people',
          read: new URL('http://localhost/people'),
          update(options, action) {
            expectTypeOf(this).toEqualTypeOf<Concern>();
            expectTypeOf(options).toEqualTypeOf<ReceivedOptions>();
            expectTypeOf(action).toEqualTypeOf<Action>();
            return '/people/:id';
          },
        },
        parse: (response) => Promise.resolve(response),
        fetchOptions(action) {
          expectTypeOf(this.isReading$).toEqualTypeOf<StateStream<boolean>>();
          return action === 'read' ? { cache: 'no-store' } : undefined;
        },
        requestLull: 0,
      },
    );
    // @ts-expect-error -- no such action
    lib.dataModel.boot({}, { url: { fetch: '/people' } });
    // @ts-expect-error -- a number is not a url
    lib.dataModel.boot({}, { url: () => 1 });
    // @ts-expect-error -- options are not text
    lib.dataModel.boot({}, { fetchOptions: () => 'same-origin' });
    // @ts-expect-error -- a request cannot wait for its options
    lib.dataModel.boot({}, { fetchOptions: () => Promise.resolve({}) });
  });

  it('accept records and collections as their concern', () => {
    expectTypeOf<Person>().toExtend<Concern>();
    expectTypeOf<DataModel>().toExtend<Concern>();
    expectTypeOf<Collection<Grocery>>().toExtend<Concern>();
  });
});

describe('a root', () => {
  it('is created with its options', () => {
    expectTypeOf(lib).toEqualTypeOf<Lib>();
    expectTypeOf(createLib()).toEqualTypeOf<Lib>();
    expectTypeOf(createLib).parameter(0).toEqualTypeOf<LibOptions | undefined>();
    expectTypeOf(lib.options).toEqualTypeOf<LibOptions>();
    createLib({ fetchOptions: { credentials: 'same-origin' }, timeout: 1000, keepEdits: true });
    // @ts-expect-error -- no such option
    createLib({ timeuot: 1000 });
    class Isolated extends DataModel {
      constructor(root: Lib) {
        super({ url: '/person' }, root);
      }
    }
    expectTypeOf(Isolated).constructorParameters.toEqualTypeOf<[root: Lib]>();
  });

  it('has a sync that is replaced by a function of action, concern and options', () => {
    expectTypeOf(lib.sync).toEqualTypeOf<Sync>();
    expectTypeOf(lib.dataModel.sync).toEqualTypeOf<Sync>();
    expectTypeOf(person.sync).toEqualTypeOf<Sync>();
    expectTypeOf(groceries.sync).toEqualTypeOf<Sync>();
    lib.dataModel.sync = (action, concern, options) => {
      expectTypeOf(action).toEqualTypeOf<Action>();
      expectTypeOf(concern).toEqualTypeOf<Concern>();
      expectTypeOf(options.signal).toEqualTypeOf<AbortSignal>();
      return { name: 'Ada' };
    };
    lib.sync = () => undefined;
    lib.sync = () => Promise.resolve(new Response());
    lib.sync = () => new Observable<Exchange>();
    // @ts-expect-error -- the first argument is the action
    lib.sync = (action: number) => action;
  });

  it('passes callbacks options that fetch takes as they are', () => {
    lib.sync = (_action, _concern, options) => fetch('/person', options);
    lib.sync = (_action: string, _concern: object, options: RequestInit) => fetch('/person', options);
    lib.collection({ url: (options: RequestInit) => (options.cache ? '/fresh' : '/people') });
    lib.options.fetchOptions = (_action: string, _concern: object, options: RequestInit) => ({
      ...options,
      credentials: 'same-origin',
    });
    // A function that is made for what a caller may pass is a callback, too.
    lib.collection({ url: (options: RequestOptions) => (options.cache ? '/fresh' : '/people') });
    const { sync } = lib;
    lib.sync = (action, concern, options) =>
      sync(action, concern, { ...options, cache: 'no-store', headers: { Accept: 'text/csv' } });
  });

  it('has a transport and interceptors', () => {
    const transport: Transport = (request) => {
      expectTypeOf(request).toEqualTypeOf<WireRequest>();
      return new Observable<Exchange>();
    };
    const interceptor: Interceptor = (request, next, context) => {
      expectTypeOf(request.headers).toEqualTypeOf<Headers>();
      expectTypeOf(context).toEqualTypeOf<{
        readonly action: Action;
        readonly concern: Concern;
        readonly scheduler?: SchedulerLike | undefined;
        readonly root?: Root | undefined;
      }>();
      return next({ ...request, url: `${request.url}?page=1`, method: 'GET' });
    };
    const offline: Interceptor = (request) => of({ request, response: new Response(null, { status: 503 }) });
    createLib({ transport, interceptors: [interceptor, offline] });
    expectTypeOf<Pick<WireRequest, 'url' | 'method' | 'signal'>>().toEqualTypeOf<{
      readonly url: string;
      readonly method: string;
      readonly signal: AbortSignal;
    }>();
    expectTypeOf<Exchange>().toEqualTypeOf<{
      readonly request: WireRequest;
      readonly response: Response;
      readonly body?: unknown;
    }>();
    // @ts-expect-error -- a transport returns an Observable
    createLib({ transport: () => 'body' });
  });
});

describe('RequestError', () => {
  it('is an Error with one of nine codes', () => {
    expectTypeOf<RequestError['code']>().toEqualTypeOf<
      'NO_URL' | 'NO_ID' | 'BAD_ID' | 'BAD_OPTION' | 'PARSE' | 'SHAPE' | 'SERIALIZE' | 'HTTP' | 'DISPOSED'
    >();
    expectTypeOf<RequestErrorCode>().toEqualTypeOf<RequestError['code']>();
    expectTypeOf<RequestError>().toExtend<Error>();
    expectTypeOf<RequestError['action']>().toEqualTypeOf<Action | undefined>();
    expectTypeOf<RequestError['response']>().toEqualTypeOf<Response | undefined>();
    const error: unknown = null;
    if (error instanceof RequestError) expectTypeOf(error.code).toEqualTypeOf<RequestErrorCode>();
  });
});

describe('no member is any', () => {
  it('in what the library adds to a record, a collection and a field', () => {
    expectTypeOf<AnyMembers<Omit<Person, keyof object>>>().toBeNever();
    expectTypeOf<AnyMembers<Omit<DataModel, keyof object>>>().toBeNever();
    expectTypeOf<AnyMembers<Omit<Collection<Grocery>, RxjsMembers>>>().toBeNever();
    expectTypeOf<AnyMembers<Omit<MappedField<string, 'name'>, RxjsMembers>>>().toBeNever();
    expectTypeOf<AnyMembers<Omit<StateStream<string>, RxjsMembers>>>().toBeNever();
  });

  it('in a root, its options, and what passes through a request', () => {
    expectTypeOf<AnyMembers<Lib>>().toBeNever();
    expectTypeOf<AnyMembers<Lib['dataModel']>>().toBeNever();
    expectTypeOf<AnyMembers<Required<LibOptions>>>().toBeNever();
    expectTypeOf<AnyMembers<Concern>>().toBeNever();
    expectTypeOf<AnyMembers<Exchange>>().toBeNever();
    expectTypeOf<AnyMembers<Required<RequestOptions>>>().toBeNever();
    expectTypeOf<AnyMembers<Required<FetchOptions>>>().toBeNever();
    expectTypeOf<AnyMembers<RequestError>>().toBeNever();
    expectTypeOf<AnyMembers<PersonData>>().toBeNever();
  });

  it('is found where it is planted', () => {
    /* eslint-disable @typescript-eslint/no-explicit-any -- planted */
    interface Planted {
      plain: any;
      result: () => any;
      promise: () => Promise<any>;
      stream: Observable<any>;
      argument: (value: any) => void;
      list: any[];
      none: unknown;
      fine: (value: unknown) => Promise<unknown>;
    }
    /* eslint-enable @typescript-eslint/no-explicit-any */
    expectTypeOf<AnyMembers<Planted>>().toEqualTypeOf<
      'plain' | 'result' | 'promise' | 'stream' | 'argument' | 'list'
    >();
  });
});

/** What RxJS declares, some of it with `any`. */
type RxjsMembers = Exclude<keyof BehaviorSubject<unknown>, 'value' | 'next' | 'getValue'>;

/** The members of a type that are `any`, or functions, promises, streams or lists of it. */
type AnyMembers<T> = { [K in keyof T]-?: HoldsAny<T[K]> extends true ? K : never }[keyof T];

type HoldsAny<T> = 0 extends 1 & T
  ? true
  : T extends (...args: infer Args) => infer Result
    ? true extends HoldsAny<Args[number]> | HoldsAny<Result>
      ? true
      : false
    : T extends readonly (infer Item)[] | PromiseLike<infer Item> | Observable<infer Item>
      ? HoldsAny<Item>
      : false;

import type { Signal, WritableSignal } from '@angular/core';
import { FormArray, FormControl } from '@angular/forms';
import { form, submit } from '@angular/forms/signals';
import type { FieldTree } from '@angular/forms/signals';
import { describe, expectTypeOf, it } from 'vitest';

import { DataModel, lib } from 'rivulet';
import type { Collection, Lib, LibOptions, Root } from 'rivulet';
import {
  bindControl,
  formModel,
  injectCollection,
  injectRecord,
  linkId,
  provideRivulet,
  saveForm,
  toSignals,
  toWritableSignal,
} from 'rivulet/angular';

class Person extends DataModel {
  readonly id = lib.observable<number>().map('id', this);
  readonly name = lib.observable('').map('name', this);
  readonly city = lib.observable('').map('address.city', this);
  readonly isOpen = lib.observable(false);
  readonly title = 'not a field';

  constructor(root: Lib) {
    super({ url: '/people' }, root);
  }
}

interface PersonData {
  id: number | undefined;
  name: string;
  address: { city: string };
}

/** Never run: these lines are only compiled. */
declare const person: Person;
declare const people: Collection<{ id: number }>;

describe('provideRivulet', () => {
  it('accepts options or a function that returns them', () => {
    expectTypeOf(provideRivulet).parameter(0).toEqualTypeOf<LibOptions | (() => LibOptions) | undefined>();
    // @ts-expect-error -- no such option
    provideRivulet({ timeOut: 5 });
    // @ts-expect-error -- options are needed at once
    provideRivulet(() => Promise.resolve({}));
  });
});

describe('injectRecord', () => {
  it('returns what the class or function makes', () => {
    expectTypeOf(injectRecord(Person)).toEqualTypeOf<Person>();
    expectTypeOf(injectRecord((root) => new Person(root))).toEqualTypeOf<Person>();
    const article = injectRecord((root) => root.dataModel.boot({ a: 1 }));
    expectTypeOf(article).toEqualTypeOf<{ a: number } & DataModel>();
  });

  it('refuses what cannot be disposed of, and a class that needs more than the root', () => {
    const nothing = (): object => ({});
    // @ts-expect-error -- no record
    injectRecord(nothing);
    class Other extends Person {
      constructor(root: Lib, name: string) {
        super(root);
        this.name.next(name);
      }
    }
    // @ts-expect-error -- it needs a name
    injectRecord(Other);
  });

  it('refuses a class that takes no root, since it would make records of another', () => {
    class Note extends DataModel {
      readonly text = lib.observable('').map('text', this);
      constructor() {
        super({ url: '/notes' });
      }
    }
    // @ts-expect-error -- its requests would not go through HttpClient
    injectRecord(Note);
    expectTypeOf(injectRecord(() => new Note())).toEqualTypeOf<Note>();
    class Either extends DataModel {
      constructor(root: Root = lib) {
        super({}, root);
      }
    }
    expectTypeOf(injectRecord(Either)).toEqualTypeOf<Either>();
    const injectAny = <R extends DataModel>(type: new (root: Lib) => R): R => injectRecord(type);
    expectTypeOf(injectAny(Person)).toEqualTypeOf<Person>();
  });
});

describe('injectCollection', () => {
  it('has the records of its model', () => {
    const people = injectCollection<{ id: number }, Person>({ url: '/', model: Person });
    expectTypeOf(people.record(1)).toEqualTypeOf<Person>();
  });

  it('returns a collection of the items', () => {
    expectTypeOf(injectCollection<{ id: number }>({ url: '/' })).toEqualTypeOf<Collection<{ id: number }>>();
    expectTypeOf(injectCollection({ data: [1] })).toEqualTypeOf<Collection<number>>();
    expectTypeOf(injectCollection([{ id: 1 }])).toEqualTypeOf<Collection<{ id: number }>>();
  });
});

describe('toWritableSignal', () => {
  it('has the type of the field, or of the list', () => {
    expectTypeOf(toWritableSignal(person.id)).toEqualTypeOf<WritableSignal<number | undefined>>();
    expectTypeOf(toWritableSignal(people)).toEqualTypeOf<WritableSignal<readonly { id: number }[]>>();
  });
});

describe('toSignals', () => {
  it('has a writable signal for each field, and a signal for each state', () => {
    const signals = toSignals(person);
    expectTypeOf(signals.id).toEqualTypeOf<WritableSignal<number | undefined>>();
    expectTypeOf(signals.city).toEqualTypeOf<WritableSignal<string>>();
    expectTypeOf(signals.isOpen).toEqualTypeOf<WritableSignal<boolean>>();
    expectTypeOf(signals.data).toEqualTypeOf<Signal<PersonData>>();
    expectTypeOf(signals.error).toEqualTypeOf<Signal<Error | null>>();
    expectTypeOf<keyof typeof signals>().toEqualTypeOf<
      | ('id' | 'name' | 'city' | 'isOpen')
      | ('data' | 'error' | 'isNew' | 'isDirty' | 'isReading' | 'isCreating' | 'isUpdating' | 'isDeleting')
      | ('isSaving' | 'openConflicts' | 'requestInProgress')
    >();
  });

  it('has the states of a collection', () => {
    expectTypeOf<keyof ReturnType<typeof toSignals<typeof people>>>().toEqualTypeOf<
      'isReading' | 'isCreating' | 'requestInProgress' | 'error' | 'edited'
    >();
  });

  it('has the field if a state has its name', () => {
    class Report extends DataModel {
      readonly data = lib.observable(1).map('data', this);
    }
    expectTypeOf(toSignals(new Report()).data).toEqualTypeOf<WritableSignal<number>>();
  });

  it('has a signal for a field that may be missing only if it is there', () => {
    const draft = lib.collection<{ id: number; note?: string }>().record(1);
    expectTypeOf(toSignals(draft).id).toEqualTypeOf<WritableSignal<number>>();
    expectTypeOf(toSignals(draft).note).toEqualTypeOf<WritableSignal<string | undefined> | undefined>();
  });
});

describe('linkId', () => {
  it('accepts any id, and returns whether that is shown', () => {
    expectTypeOf(linkId(person, () => '7')).toEqualTypeOf<Signal<boolean>>();
  });
});

describe('formModel and saveForm', () => {
  it('have the types that signal forms need', () => {
    const model = formModel(person);
    expectTypeOf(model).toEqualTypeOf<WritableSignal<PersonData>>();
    const personForm = form(model, { submission: { action: saveForm(person) } });
    expectTypeOf(personForm).toEqualTypeOf<FieldTree<PersonData>>();
    expectTypeOf(submit(personForm, saveForm(person))).toEqualTypeOf<Promise<boolean>>();
    expectTypeOf(submit(personForm.address, { action: saveForm(person) })).toEqualTypeOf<Promise<boolean>>();
  });
});

describe('bindControl', () => {
  it('accepts a control and a field of the same type', () => {
    bindControl(new FormControl('', { nonNullable: true }), person.name);
  });

  it('blames the control, since its type follows from the field', () => {
    bindControl(
      // @ts-expect-error -- this control may be reset to null
      new FormControl(''),
      person.name,
    );
    bindControl(
      // @ts-expect-error -- no number
      new FormControl(1, { nonNullable: true }),
      person.name,
    );
    const tags = lib.observable(['a']);
    bindControl(new FormControl(['a'], { nonNullable: true }), tags);
    bindControl(
      // @ts-expect-error -- an array of controls takes a value for each, and no other
      new FormArray([new FormControl('a', { nonNullable: true })]),
      tags,
    );
  });
});

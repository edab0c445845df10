import { Component, ErrorHandler, computed, effect, isSignal, isWritableSignal, signal } from '@angular/core';
import type { WritableSignal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { FormsModule } from '@angular/forms';
import { BehaviorSubject } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection } from 'rivulet';
import { injectCollection, injectRivulet, toSignals, toWritableSignal } from 'rivulet/angular';
import type { RecordSignals } from 'rivulet/angular';

import { Person } from '../person';
import { valuesOf, watch } from '../watch';

import { inApp, openContext, withStub } from './test-bed';

/** A person, and its name as a signal. */
function withName(): { person: Person; name: WritableSignal<string> } {
  const person = new Person(createLib(), {}, {});
  return { person, name: inApp(() => toWritableSignal(person.name)) };
}

describe('the signals of a live record', () => {
  it('are there for a field that is added later', () => {
    const server = withStub();
    const todo = inApp(() => injectCollection<{ id: number; name: string }>({ url: '/todos' })).record(7);
    const signals = inApp(() => toSignals(todo)) as { readonly name?: () => string };
    expect(signals.name).toBeUndefined();
    watch(todo.fetch$());
    server.at(0).ok({ id: 7, name: 'Call Bo' });
    expect(signals.name?.()).toBe('Call Bo');
    expect(signals.name).toBe(signals.name);
  });
});

describe('toWritableSignal', () => {
  it('counts as a writable signal for Angular, as two-way bindings need', () => {
    const { name } = withName();
    expect(isSignal(name)).toBe(true);
    expect(isWritableSignal(name)).toBe(true);
  });

  it('shows the value of the field, whoever writes that', () => {
    const { person, name } = withName();
    expect(name()).toBe('Ann');
    person.name.next('Bob');
    expect(name()).toBe('Bob');
    person.set({ name: 'Cid' });
    expect(name()).toBe('Cid');
  });

  it('writes the field, once', () => {
    const { person, name } = withName();
    const names = valuesOf(person.name);
    name.set('Bob');
    expect(name()).toBe('Bob');
    name.update((before) => `${before}by`);
    expect(name()).toBe('Bobby');
    expect(names).toStrictEqual(['Ann', 'Bob', 'Bobby']);
  });

  it('provides a signal that cannot be written', () => {
    const { person, name } = withName();
    const readonly = name.asReadonly();
    expect(isWritableSignal(readonly)).toBe(false);
    person.name.next('Bob');
    expect(readonly()).toBe('Bob');
  });

  it('shows the current value when an earlier one is emitted', () => {
    const { name: field } = new Person(createLib(), {}, {});
    field.subscribe((value) => {
      if (value === 'Bob') field.next('Cid');
    });
    const name = inApp(() => toWritableSignal(field));
    const seen: string[] = [];
    field.subscribe((value) => seen.push(`${value} ${name()}`));
    field.next('Bob');
    expect(seen).toStrictEqual(['Ann Ann', 'Bob Cid', 'Cid Cid']);
  });

  it('updates from the current value in the middle of a write', () => {
    const { person, name } = withName();
    person.city.subscribe((city) => {
      if (city !== 'Köln') return;
      person.name.next('Bob');
      name.update((before) => `${before}by`);
    });
    person.city.next('Köln');
    expect(person.name.value).toBe('Bobby');
  });

  it('shows the last value of the field once that is disposed of', () => {
    const { person, name } = withName();
    person.dispose();
    name.set('Bob');
    expect(name()).toBe('Ann');
  });

  it('may be written in an effect, which then does not follow what subscribers of the field read', () => {
    const { person, name } = withName();
    const title = signal('Dr.');
    person.name.subscribe(() => title());
    let runs = 0;
    inApp(() =>
      effect(() => {
        runs += 1;
        name.set('Bob');
      }),
    );
    TestBed.tick();
    title.set('Prof.');
    TestBed.tick();
    expect([person.name.value, runs]).toStrictEqual(['Bob', 1]);
  });

  it('notifies of no value that has not changed', () => {
    const { person, name } = withName();
    const readonly = name.asReadonly();
    let runs = 0;
    inApp(() =>
      effect(() => {
        runs += 1;
        return [name(), readonly()];
      }),
    );
    TestBed.tick();
    name.set('Ann');
    person.name.next('Ann');
    TestBed.tick();
    expect(runs).toBe(1);
  });

  it('must not be written in a computed, like any signal', () => {
    const { person, name } = withName();
    const wrong = computed(() => {
      name.set('Bob');
    });
    expect(wrong).toThrow(/NG0600/);
    expect(person.name.value).toBe('Ann');
  });

  it('stops following when the injection context is destroyed', () => {
    const person = new Person(createLib(), {}, {});
    const { run, destroy } = openContext();
    const name = run(() => toWritableSignal(person.name));
    expect(person.name.observed).toBe(true);
    destroy();
    expect(person.name.observed).toBe(false);
    expect(name()).toBe('Ann');
  });

  it('accepts a collection', () => {
    withStub();
    const [items, list] = inApp((): [Collection<number>, WritableSignal<readonly number[]>] => {
      const made = injectCollection<number>({ data: [1] });
      return [made, toWritableSignal(made)];
    });
    items.push(2);
    expect(list()).toStrictEqual([1, 2]);
    list.set([3]);
    expect(items.value).toStrictEqual([3]);
  });

  it('serves a two-way binding in a template without zones', async () => {
    const { person, name } = withName();
    const Host = Component({
      imports: [FormsModule],
      template: '<input [(ngModel)]="name"><output>{{ name() }}</output>',
    })(
      class {
        readonly name = name;
      },
    );
    const fixture = TestBed.createComponent(Host);
    const host = fixture.nativeElement as HTMLElement;
    const input = host.querySelector('input');
    await fixture.whenStable();
    expect(input?.value).toBe('Ann');

    person.name.next('Bob');
    await fixture.whenStable();
    expect([input?.value, host.textContent]).toStrictEqual(['Bob', 'Bob']);

    if (input) input.value = 'Cid';
    input?.dispatchEvent(new Event('input'));
    await fixture.whenStable();
    expect([person.name.value, host.textContent]).toStrictEqual(['Cid', 'Cid']);
  });
});

/** A person whose requests are held, and its signals. */
function withSignals(): {
  person: Person;
  signals: RecordSignals<Person>;
  server: ReturnType<typeof withStub>;
} {
  const server = withStub();
  const person = new Person(inApp(injectRivulet), {}, {});
  return { person, signals: inApp(() => toSignals(person)), server };
}

describe('toSignals', () => {
  it('returns each field by its name, to read and to write', () => {
    const { person, signals } = withSignals();
    signals.city.set('Köln');
    expect(person.city.value).toBe('Köln');
    person.city.next('Ulm');
    expect(signals.city()).toBe('Ulm');
  });

  it.each([
    'data',
    'isNew',
    'isDirty',
    'isReading',
    'isCreating',
    'isUpdating',
    'isDeleting',
    'isSaving',
    'requestInProgress',
    'error',
  ] as const)('returns the state %s, to read', (name) => {
    const { person, signals, server } = withSignals();
    const seen = (): unknown => [
      signals[name]() === person[`${name}$`].value,
      isWritableSignal(signals[name]),
    ];
    expect(seen()).toStrictEqual([true, false]);
    person.name.next('Bob');
    watch(person.save$());
    watch(person.fetch$());
    expect(seen()).toStrictEqual([true, false]);
    server.at(0).refuse(500);
    server.at(1).fail(new Error('offline'));
    watch(person.destroy$());
    expect(seen()).toStrictEqual([true, false]);
    person.id.next(undefined);
    watch(person.save$());
    expect(seen()).toStrictEqual([true, false]);
  });

  it('follows a request from start to end', () => {
    const { person, signals, server } = withSignals();
    const states = () => [signals.isSaving(), signals.isDirty(), signals.data().name];
    signals.name.set('Bob');
    expect(states()).toStrictEqual([false, true, 'Bob']);
    watch(person.save$());
    expect(states()).toStrictEqual([true, true, 'Bob']);
    server.at(0).ok({ name: 'Bobby' });
    expect(states()).toStrictEqual([false, false, 'Bobby']);
  });

  it('returns the same signal each time, and nothing for other members', () => {
    const { signals } = withSignals();
    expect(signals.name).toBe(signals.name);
    expect(signals.isNew).toBe(signals.isNew);
    for (const name of ['save', 'dispose', 'then', 'constructor', Symbol.iterator]) {
      expect(Reflect.get(signals, name)).toBeUndefined();
    }
  });

  it('returns nothing for a subject that is no field, and a state even if it is undefined', () => {
    withStub();
    const choice$ = new BehaviorSubject<string | undefined>(undefined);
    const members = { clicks: new BehaviorSubject(0), choice$ };
    const report = Object.assign(inApp(injectRivulet).dataModel.boot({}), members);
    const signals = inApp(() => toSignals(report));
    expect(Reflect.get(signals, 'clicks')).toBeUndefined();
    expect(signals.choice()).toBeUndefined();
    choice$.next('a');
    expect(signals.choice()).toBe('a');
  });

  it('returns the field if a state has its name', () => {
    withStub();
    const root = inApp(injectRivulet);
    const report = Object.assign(root.dataModel.boot({}), { error: root.observable('none') });
    const { error } = inApp(() => toSignals(report));
    error.set('some');
    expect(report.error.value).toBe('some');
  });

  it('makes a signal on first access, even in a computed or a template', async () => {
    const { person, signals } = withSignals();
    expect(person.name.observed).toBe(false);
    const greeting = computed(() => `Hi ${signals.name()}`);
    expect(greeting()).toBe('Hi Ann');
    expect(person.name.observed).toBe(true);

    const Host = Component({ template: '{{ signals.city() }} {{ signals.isDirty() }}' })(
      class {
        readonly signals = signals;
      },
    );
    const errors: unknown[] = [];
    TestBed.inject(ErrorHandler).handleError = (error) => errors.push(error);
    const fixture = TestBed.createComponent(Host);
    await fixture.whenStable();
    signals.name.set('Bob');
    await fixture.whenStable();

    expect(greeting()).toBe('Hi Bob');
    expect((fixture.nativeElement as HTMLElement).textContent).toBe('Bonn true');
    expect(errors).toStrictEqual([]);
  });

  it('stops its signals when the injection context is destroyed, later ones at once', () => {
    const person = new Person(createLib(), {}, {});
    const { run, destroy } = openContext();
    const signals = run(() => toSignals(person));
    expect(signals.name()).toBe('Ann');
    destroy();
    person.city.next('Köln');
    expect(signals.city()).toBe('Köln');
    expect([person.name.observed, person.city.observed]).toStrictEqual([false, false]);
  });

  it('accepts a collection, for its states', () => {
    const server = withStub();
    const people = inApp(() => injectCollection({ url: '/people' }));
    const { isReading, error } = inApp(() => toSignals(people));
    watch(people.fetch$());
    expect(isReading()).toBe(true);
    server.at(0).refuse(500);
    expect([isReading(), error()?.name]).toStrictEqual([false, 'RequestError']);
  });
});

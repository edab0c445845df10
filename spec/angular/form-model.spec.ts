import { Component } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { FormField, form, required } from '@angular/forms/signals';
import type { FieldTree } from '@angular/forms/signals';
import { describe, expect, it } from 'vitest';

import { DataModel, lib } from 'rivulet';
import type { DataOf, Lib } from 'rivulet';
import { formModel, injectRecord } from 'rivulet/angular';

import type { StubServer } from '../stub';
import { valuesOf, watch } from '../watch';

import { inApp, openContext, withStub } from './test-bed';

class Trip extends DataModel {
  readonly id = lib.observable(7).map('id', this);
  readonly name = lib.observable('North').map('name', this);
  readonly seat = lib.observable<string | undefined>('4A').map('train.seat', this);
  readonly stops = lib.observable<{ at: string }[]>([{ at: 'Bonn' }]).map('stops', this);
  constructor(root: Lib) {
    super({ url: '/trips' }, root);
  }
}

/** A trip, and a signal form on it. */
function withForm(): { trip: Trip; tripForm: FieldTree<DataOf<Trip>>; server: StubServer } {
  const server = withStub();
  const trip = inApp(() => injectRecord(Trip));
  return { trip, server, tripForm: inApp(() => form(formModel(trip))) };
}

describe('formModel', () => {
  it('is the data of the record', () => {
    const { tripForm } = withForm();
    expect(tripForm().value()).toStrictEqual({
      id: 7,
      name: 'North',
      train: { seat: '4A' },
      stops: [{ at: 'Bonn' }],
    });
  });

  it('writes only the field that was edited', () => {
    const { trip, tripForm } = withForm();
    const [names, seats, stops] = [valuesOf(trip.name), valuesOf(trip.seat), valuesOf(trip.stops)];
    tripForm.train.seat?.().value.set('5B');
    expect(seats).toStrictEqual(['4A', '5B']);
    expect([names, stops]).toStrictEqual([['North'], [[{ at: 'Bonn' }]]]);
    expect(trip.dirtyMap()).toStrictEqual({ id: false, name: false, 'train.seat': true, stops: false });
  });

  it('leaves it to the record what is dirty: a change that is undone is clean', () => {
    const { trip, tripForm } = withForm();
    tripForm.name().value.set('South');
    expect(trip.isDirty$.value).toBe(true);
    tripForm.name().value.set('North');
    expect(trip.isDirty$.value).toBe(false);
  });

  it('shows answers of the server in the form', () => {
    const { trip, tripForm, server } = withForm();
    watch(trip.fetch$());
    tripForm.name().value.set('South');
    server.at(0).ok({ name: 'East', train: { seat: '6C' }, stops: [{ at: 'Ulm' }, { at: 'Rom' }] });
    expect(tripForm.name().value()).toBe('South');
    expect(tripForm.train.seat?.().value()).toBe('6C');
    expect(tripForm.stops[1]?.at().value()).toBe('Rom');
  });

  it('writes values inside of a list, as a new list', () => {
    const { trip, tripForm } = withForm();
    const before = trip.stops.value;
    tripForm.stops[0]?.at().value.set('Köln');
    expect(trip.stops.value.map(({ at }) => at)).toStrictEqual(['Köln']);
    expect(before.map(({ at }) => at)).toStrictEqual(['Bonn']);
  });

  it('writes undefined', () => {
    const { trip, tripForm } = withForm();
    tripForm.train().value.set({ seat: undefined });
    expect(trip.seat.value).toBeUndefined();
    expect(tripForm().value().train).toStrictEqual({ seat: undefined });
  });

  it('keeps both of two writes in reaction to a third', () => {
    const { trip } = withForm();
    const model = inApp(() => formModel(trip));
    trip.id.subscribe((id) => {
      if (id === 7) return;
      model.update((data) => ({ ...data, name: 'South' }));
      model.update((data) => ({ ...data, train: { seat: '5B' } }));
    });
    trip.id.next(8);
    expect(trip.get()).toMatchObject({ name: 'South', train: { seat: '5B' } });
    expect(model()).toMatchObject({ name: 'South', train: { seat: '5B' } });
  });

  it('writes nothing once its context has ended, such as text that a form has delayed', () => {
    const { trip } = withForm();
    const { run, destroy } = openContext();
    const model = run(() => formModel(trip));
    destroy();

    model.update((data) => ({ ...data, name: 'South' }));

    expect([trip.name.value, model().name, trip.isDirty$.value]).toStrictEqual(['North', 'North', false]);
  });

  it('stops following the record once its context has ended', () => {
    const { trip } = withForm();
    const { run, destroy } = openContext();
    const model = run(() => formModel(trip));
    destroy();

    trip.name.next('South');

    expect(model().name).toBe('North');
  });

  it('serves a form in a template without zones', async () => {
    const { trip } = withForm();
    const Host = Component({
      imports: [FormField],
      template: '<input [formField]="tripForm.name"><output>{{ tripForm().valid() }}</output>',
    })(
      class {
        readonly tripForm = form(formModel(trip), (path) => {
          required(path.name);
        });
      },
    );
    const fixture = TestBed.createComponent(Host);
    const host = fixture.nativeElement as HTMLElement;
    const input = host.querySelector('input') ?? document.createElement('input');
    await fixture.whenStable();
    expect([input.value, host.textContent]).toStrictEqual(['North', 'true']);

    trip.name.next('South');
    await fixture.whenStable();
    expect(input.value).toBe('South');

    input.value = '';
    input.dispatchEvent(new Event('input'));
    await fixture.whenStable();
    expect([trip.name.value, host.textContent]).toStrictEqual(['', 'false']);
  });
});

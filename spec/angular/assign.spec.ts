import { describe, expect, it } from 'vitest';

import { DataModel, lib } from 'rivulet';

import { assign, withAt } from '../../lib/angular/assign';
import { valuesOf } from '../watch';

class Trip extends DataModel {
  readonly id = lib.observable<number | undefined>(7).map('id', this);
  readonly from = lib.observable<string | undefined>('Bonn').map('from', this);
  readonly seat = lib.observable<string | undefined>('4A').map('train.seat', this);
  /** A field that is no part of the data. */
  readonly isOpen = lib.observable<boolean | undefined>(true);
}

describe('assign', () => {
  it('writes all values as one edit', () => {
    const trip = new Trip();
    const shown = valuesOf(trip.data$);
    assign(trip, { id: 8, from: 'Ulm', train: { seat: '5B' } });
    expect(shown.slice(1)).toStrictEqual([{ id: 8, from: 'Ulm', train: { seat: '5B' } }]);
    expect(trip.dirtyMap()).toStrictEqual({ id: true, from: true, 'train.seat': true });
  });

  it('writes undefined where that is the value of a key', () => {
    const trip = new Trip();
    const shown = valuesOf(trip.data$);
    assign(trip, { id: 8, from: undefined, train: { seat: undefined } });
    expect(shown.slice(1)).toStrictEqual([{ id: 8, from: undefined, train: { seat: undefined } }]);
  });

  it.each([{}, { train: undefined }, { train: {} }, { train: null }, { isOpen: undefined }])(
    'leaves alone what has no key of its own: %o',
    (data) => {
      const trip = new Trip();
      assign(trip, data);
      expect(trip.get()).toStrictEqual({ id: 7, from: 'Bonn', train: { seat: '4A' } });
      expect(trip.isOpen.value).toBe(true);
    },
  );

  it('leaves alone a field that was unmapped', () => {
    const trip = new Trip();
    trip.unmap('from');
    assign(trip, { from: undefined });
    expect(trip.from.value).toBe('Bonn');
  });

  it('tells no field whose value stays', () => {
    const trip = new Trip();
    trip.from.next(undefined);
    const [ids, froms] = [valuesOf(trip.id), valuesOf(trip.from)];
    assign(trip, { id: 7, from: undefined });
    expect([ids, froms]).toStrictEqual([[7], [undefined]]);
  });
});

describe('withAt', () => {
  it('leaves all else as it is, and what it was given, too', () => {
    const data = { id: { key: 7, kind: 'a' }, name: 'Ann' };
    expect(withAt(data, ['id', 'key'], 8)).toStrictEqual({ id: { key: 8, kind: 'a' }, name: 'Ann' });
    expect(data).toStrictEqual({ id: { key: 7, kind: 'a' }, name: 'Ann' });
  });

  it.each([{}, { id: undefined }, { id: null }])('makes what leads there: %o', (data) => {
    expect(withAt(data, ['id', 'key', 'of'], 8)).toStrictEqual({ id: { key: { of: 8 } } });
  });
});

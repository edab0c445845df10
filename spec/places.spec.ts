import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';

import { keyBy } from '../lib/items';
import { List } from '../lib/list';
import { Places } from '../lib/places';

import { law } from './laws/law';
import { same } from './laws/same';

interface Item {
  readonly id: number;
}

const itemsOf = (length: number): Item[] => Array.from({ length }, (_, id) => ({ id }));
type Written = [gone: Item[], come: Item[], start: unknown];

const nowhere = { id: -1 };
const nth = (items: readonly Item[], place: number): Item => items[place] ?? nowhere;

/** Searches so often that it pays to record the places. */
function look(find: (item: Item) => number): void {
  for (let count = 0; count <= 210; count += 1) find(nowhere);
}

/** The recorded places of some items, and a spy on searches of the list. */
function noted(items: Item[]) {
  const places = new Places<Item>();
  look((item) => places.find(items, item));
  return { places, looks: vi.spyOn(items, 'indexOf') };
}

describe('the places of items', () => {
  it('are searched for in the list at first, and without a search once that was done often', () => {
    const items = itemsOf(5);
    const places = new Places<Item>();
    const looks = vi.spyOn(items, 'indexOf');

    expect(items.map((item) => places.find(items, item))).toStrictEqual([0, 1, 2, 3, 4]);
    expect(looks).toHaveBeenCalledTimes(5);

    look((item) => places.find(items, item));
    looks.mockClear();

    expect(items.map((item) => places.find(items, item))).toStrictEqual([0, 1, 2, 3, 4]);
    expect(places.find(items, nowhere)).toBe(-1);
    expect(looks).not.toHaveBeenCalled();
  });

  it('are found from a given start on', () => {
    const items = itemsOf(3);
    const { places, looks } = noted(items);

    expect(places.find(items, nth(items, 1), 1)).toBe(1);
    expect(places.find(items, nth(items, 1), 2)).toBe(-1);
    expect(looks).not.toHaveBeenCalled();
  });

  it('are the first ones of items that occur twice', () => {
    const [a, b, c] = itemsOf(3) as [Item, Item, Item];
    const items = [a, b, b, c];
    const { places, looks } = noted(items);

    expect(places.find(items, b)).toBe(1);
    expect(places.find(items, b, 2)).toBe(2);
    expect(looks).toHaveBeenCalledTimes(2);
  });

  it.each([[0], [3]])('are -1 for undefined in a list of %i', (length) => {
    const items = itemsOf(length);
    const { places } = noted(items);

    expect(places.find(items, undefined as never)).toBe(-1);
  });

  it('are recorded in the end, however often the list is written', () => {
    const items = itemsOf(5);
    const places = new Places<Item>();
    for (let count = 0; count <= 210; count += 1) {
      places.find(items, nowhere);
      places.follow(items, [], [], items.length);
    }
    const looks = vi.spyOn(items, 'indexOf');

    expect(places.find(items, nth(items, 4))).toBe(4);
    expect(looks).not.toHaveBeenCalled();
  });

  it('are not recorded for searches that end soon', () => {
    const items = itemsOf(100);
    const places = new Places<Item>();
    const looks = vi.spyOn(items, 'indexOf');
    for (let count = 0; count <= 210; count += 1) places.find(items, nth(items, 3));

    expect(looks).toHaveBeenCalledTimes(211);
  });

  it('are kept however many items are replaced, from the first on', () => {
    const items = itemsOf(100);
    const { places, looks } = noted(items);
    for (let place = 0; place < 50; place += 1) {
      const come = { id: 1000 + place };
      const gone = items.splice(place, 1, come);

      places.follow(items, gone, [come], place);
      expect(places.find(items, come)).toBe(place);
    }

    expect(looks).not.toHaveBeenCalled();
  });

  it('are searched for nearby once items may have moved', () => {
    const items = itemsOf(100);
    const { places, looks } = noted(items);

    const gone = items.splice(10, 2);

    places.follow(items, gone, [], 10);
    expect(places.find(items, nth(items, 97))).toBe(97);
    expect(looks).toHaveBeenCalledExactlyOnceWith(items[97], 97);
  });

  it('stay valid when the end of the list changes', () => {
    const items = itemsOf(10);
    const { places, looks } = noted(items);
    const come = itemsOf(90);

    items.push(...come);

    places.follow(items, [], come, 10);
    expect(places.find(items, nth(items, 9))).toBe(9);
    expect(places.find(items, nth(items, 99))).toBe(99);
    expect(looks).not.toHaveBeenCalled();
  });

  it.each<[string, (items: Item[]) => Written]>([
    ['at an unknown place', (items) => [items.splice(0, 1), [], undefined]],
    ['that counts its place from the end', (items) => [items.splice(-1, 1), [], -1]],
    ['at a place beyond the end', (items) => [items.splice(1000, 1), [], 1000]],
    [
      'that inserts an item again',
      (items) => {
        items.unshift(nth(items, 5));
        return [[], [nth(items, 0)], 0];
      },
    ],
    ['that moves many items far', (items) => [items.splice(0, 7), [], 0]],
  ])('are lost by a write %s', (_, write) => {
    const items = itemsOf(100);
    const { places, looks } = noted(items);

    const [gone, come, start] = write(items);
    places.follow(items, gone, come, start);

    places.find(items, nth(items, 20));
    expect(looks).toHaveBeenCalledOnce();
  });

  it('are recorded again at once if they were searched for often since, else as late as at first', () => {
    const items = itemsOf(100);
    const { places, looks } = noted(items);
    places.follow(items, [], [], undefined);

    places.find(items, nowhere);
    expect(looks).toHaveBeenCalledOnce();

    look((item) => places.find(items, item));
    look((item) => places.find(items, item));
    places.follow(items, [], [], undefined);
    looks.mockClear();

    expect(places.find(items, nth(items, 99))).toBe(99);
    expect(looks).not.toHaveBeenCalled();
  });

  const name = fc.constantFrom('push', 'unshift', 'pop', 'shift', 'splice', 'reverse', 'fill');
  const start = fc.oneof(fc.integer({ min: -3, max: 45 }), fc.constantFrom('3', undefined, Number.NaN, 1.5));

  law(
    'are those that a search of the list finds, whatever was written',
    [fc.array(fc.tuple(name, start, fc.nat(3), fc.array(fc.nat(60), { maxLength: 3 })), { maxLength: 8 })],
    (steps) => {
      const all = itemsOf(61);
      const list = new List<Item>(all.slice(0, 40), keyBy('id'));
      for (const [method, from, count, ids] of steps) {
        look((item) => list._placeOf(item));
        const come = ids.map((id) => nth(all, id));
        if (method === 'fill') list._fill(come);
        else if (method === 'splice') list._change(method, [from, count, ...come] as never[]);
        else list._change(method, (/push|unshift/.test(method) ? come : []) as never[]);
        // Absent items are searched for too, as by `indexOf(byId(99))`.
        for (const item of [...all, undefined, Number.NaN] as Item[])
          same(list._placeOf(item), list._present.indexOf(item));
      }
    },
    500,
  );
});

import { describe, expect, it } from 'vitest';

import { withConfirmed } from '../lib/confirmed';
import type { ItemConfirmation } from '../lib/confirmed';
import { asConfirmed, entryOf } from '../lib/entry';
import type { Entry, Given } from '../lib/entry';

const entry = (path: string, value: unknown): Given => [
  { path, segments: path.split('.') } as unknown as Entry,
  value,
];

const confirmedOf = (
  values: readonly Given[],
  answer: object,
  fields: readonly Entry[] = values.map(entryOf),
): ItemConfirmation => ({ answer, values, fields });

const item = { id: 7, name: 'milk', price: { net: 1, tax: 0.1 } };

describe('the confirmed data of an item', () => {
  it('is merged over it, nested data by its parts; the item stays unchanged', () => {
    const confirmed = confirmedOf([entry('price.net', 2)], { name: 'oats' });

    expect(withConfirmed(item, confirmed)).toStrictEqual({
      id: 7,
      name: 'oats',
      price: { net: 2, tax: 0.1 },
    });
    expect(item).toStrictEqual({ id: 7, name: 'milk', price: { net: 1, tax: 0.1 } });
  });

  it('keeps the mapped parts of an object that an answer omits', () => {
    const nested = [entry('price.net', 1), entry('price.gross', 2)].map(entryOf);

    expect(withConfirmed(item, confirmedOf([], { price: { tax: 0.2 } }, nested)).price).toStrictEqual({
      tax: 0.2,
      net: 1,
    });
  });

  it.each([null, 0, 5, '', 'free', true, [[1]]])(
    'keeps an object with mapped parts if an answer has %j in its place',
    (price) => {
      const nested = [entry('price.net', 1)].map(entryOf);

      expect(withConfirmed(item, confirmedOf([], { price }, nested)).price).toBe(item.price);
    },
  );

  it('replaces an object that is the value of a field, whatever keys it had', () => {
    const all = { ...item, size: { width: 1, height: 1 } };
    const size = { width: 2 };
    const values = [entry('size', size)];

    expect(withConfirmed(all, confirmedOf(values, {}))).toStrictEqual({ ...item, size });
    expect(withConfirmed(all, confirmedOf([], { size }, values.map(entryOf)))).toStrictEqual({
      ...item,
      size,
    });
  });

  it('keeps what else is in an object with mapped parts, at any depth, and nothing in others', () => {
    const nested = [
      entry('name', 'oats'),
      entry('price.net', 2),
      entry('price.in.eur', 3),
      entry('price.in.chf', 4),
      entry('price.gross', 5),
    ];
    const all = {
      name: 'milk',
      price: { net: 1, tax: 0.1, in: { eur: 1, usd: 2 } },
      size: { width: 1, height: 1 },
    };

    const answer = { price: { net: 2, in: { eur: 3 } }, size: { width: 2 } };

    expect(withConfirmed(all, confirmedOf([], answer, nested.map(entryOf)))).toStrictEqual({
      name: 'milk',
      price: { net: 2, tax: 0.1, in: { eur: 3, usd: 2 } },
      size: { width: 2 },
    });
    expect(all.price.in).toStrictEqual({ eur: 1, usd: 2 });
  });

  it('replaces an object named like one with mapped parts elsewhere', () => {
    const nested = [entry('price.in.eur', 1), entry('size.width', 1)].map(entryOf);
    const all = { size: { width: 1, in: { cm: 1 } } };

    expect(withConfirmed(all, confirmedOf([], { size: { in: { mm: 10 } } }, nested))).toStrictEqual({
      size: { width: 1, in: { mm: 10 } },
    });
  });

  it('is made in one pass, however deep the mapped parts are', () => {
    let reads = 0;
    const inside = Object.defineProperty({}, 'a', { enumerable: true, get: () => (reads += 1) });
    const all = { data: { attributes: { details: { address: inside } } } };
    const nested = Array.from({ length: 30 }, (_, place) =>
      entry(`data.attributes.details.address.f${place}`, 0),
    );

    withConfirmed(all, confirmedOf([], structuredClone(all), nested.map(entryOf)));

    // The clone, and the copy that is combined with it.
    expect(reads).toBe(2);
  });

  it('keeps what is beside a value whose field is unmapped by now', () => {
    const values = [entry('price.net', 2)];
    expect(withConfirmed(item, confirmedOf(values, {}, []))).toStrictEqual({
      ...item,
      price: { net: 2, tax: 0.1 },
    });
  });

  it('lacks a value that is undefined, unless its key is there, or in the answer', () => {
    const values = [entry('name', undefined), entry('price.net', undefined), entry('size.width', undefined)];
    expect(withConfirmed(item, confirmedOf(values, {}))).toStrictEqual({
      id: 7,
      name: undefined,
      price: { net: undefined, tax: 0.1 },
    });
    const older = confirmedOf([entry('stock', undefined)], { stock: 5 });
    expect(withConfirmed(item, older)).toStrictEqual({ ...item, stock: undefined });
  });

  it('creates no object for mapped parts that neither has', () => {
    const nested = [entry('size.width', 1)].map(entryOf);

    expect(withConfirmed(item, confirmedOf([], {}, nested))).toStrictEqual(item);
  });

  it('stays as it was when it was confirmed', () => {
    const name = { segments: ['name'], confirmed: 'oats' } as unknown as Entry;
    const confirmed = confirmedOf([asConfirmed(name)], {});

    name.confirmed = 'rye';

    expect(withConfirmed(item, confirmed).name).toBe('oats');
  });
});

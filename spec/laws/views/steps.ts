import fc from 'fast-check';

import type { Collection } from 'rivulet';
import type { ViewOptions } from 'rivulet/views';

import type { Item } from './oracle';

/** A write to a collection. */
export interface Write {
  run(items: Collection<Item>): void;
  toString(): string;
}

const write = (text: string, run: (items: Collection<Item>) => void): Write => ({
  run,
  toString: () => text,
});

export const item: fc.Arbitrary<Item> = fc.record(
  {
    id: fc.nat(6),
    group: fc.constantFrom('a', 'b'),
    rank: fc.oneof(
      { weight: 4, arbitrary: fc.nat(4) },
      fc.constantFrom('a', 'B', true, false, null, NaN, new Date(2), new Date(NaN)),
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const list = fc.array(item, { maxLength: 4 });
const place = fc.nat(7);
const text = (value: unknown) => JSON.stringify(value);

/** The possible writes to a collection. */
export const writes: fc.Arbitrary<Write> = fc.oneof(
  list.map((items) => write(`push ${text(items)}`, (all) => all.push(...items))),
  list.map((items) => write(`unshift ${text(items)}`, (all) => all.unshift(...items))),
  fc.constant(write('pop', (all) => all.pop())),
  fc.constant(write('shift', (all) => all.shift())),
  fc.constant(write('reverse', (all) => all.reverse())),
  fc.constant(write('sort', (all) => all.sort((a, b) => Number(a.id) - Number(b.id)))),
  fc
    .tuple(place, fc.nat(2), list)
    .map(([start, count, items]) =>
      write(`splice ${start} ${count} ${text(items)}`, (all) => all.splice(start, count, ...items)),
    ),
  list.map((items) =>
    write(`replace ${text(items)}`, (all) => {
      all.replace(items);
    }),
  ),
  fc.tuple(place, item).map(([start, changes]) =>
    write(`change #${start} ${text(changes)}`, (all) => {
      const known = all.at(start);
      if (known) all.splice(start, 1, { ...known, ...changes, ...('id' in known && { id: known.id }) });
    }),
  ),
  place.map((start) =>
    write(`copy #${start}`, (all) => {
      const known = all.at(start);
      if (known) all.splice(start, 1, { ...known });
    }),
  ),
  fc.constant(
    write('copy all, turned round', (all) => {
      all.replace(
        all
          .toJSON()
          .reverse()
          .map((known) => ({ ...known })),
      );
    }),
  ),
  place.map((start) =>
    write(`repeat #${start}`, (all) => {
      const known = all.at(start);
      if (known) all.push(known);
    }),
  ),
  place.map((start) =>
    write(`remove #${start}`, (all) => {
      const known = all.at(start);
      if (known) all.remove(known);
    }),
  ),
);

/** A page of a view. */
export const pages = fc.record(
  { limit: fc.oneof(fc.nat(4), fc.constant(Infinity)), offset: fc.nat(3) },
  { requiredKeys: [], noNullPrototype: true },
);

/** The possible options of a view. */
export const options: fc.Arbitrary<ViewOptions<Item>> = fc
  .tuple(
    fc.record(
      {
        where: fc.constantFrom<ViewOptions<Item>['where'][]>({ group: 'a' }, ({ id }) => Number(id) > 2),
        sortBy: fc.constantFrom<ViewOptions<Item>['sortBy'][]>(
          'rank',
          ['group', 'rank'],
          ({ rank }) => rank,
          [],
        ),
        descending: fc.oneof(fc.boolean(), fc.array(fc.boolean(), { maxLength: 2 })),
      },
      { requiredKeys: [], noNullPrototype: true },
    ),
    pages,
  )
  .map(([given, page]) => ({ ...given, ...page }));

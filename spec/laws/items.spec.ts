import fc from 'fast-check';
import { describe } from 'vitest';

import { equal } from 'rivulet';

import { diff, keyBy, reconcile } from '../../lib/items';
import { withPeople } from '../people';
import type { Item } from '../people';
import { watch } from '../watch';

import { law } from './law';
import { same } from './same';

const name = fc.constantFrom('Ann', 'Bo');
const tags = fc.record({ x: fc.array(fc.nat(1), { maxLength: 2 }) }, { noNullPrototype: true });
const item: fc.Arbitrary<Item> = fc.record(
  { id: fc.integer({ min: 1, max: 5 }), name, tags },
  { requiredKeys: ['name'], noNullPrototype: true },
);
const lists = fc.array(item, { maxLength: 6 });
const keyOf = keyBy('id');

const textOf = (each: Item): string => JSON.stringify([each.id, each.name, each.tags]);

describe('a list that replaces another', () => {
  law('equals the answer, in its order', [lists, lists], (before, after) => {
    const { people, server } = withPeople({ config: { data: before } });

    watch(people.fetch$());
    server.at(0).ok(after);

    same(people.value, after);
  });

  law('keeps the object of each item whose id and data are unchanged', [lists, lists], (before, after) => {
    const kept = reconcile(before, after, keyOf, (old, item) => (equal(old, item) ? old : item));
    // When there are several with one id, the one at the same place, else the first.
    const known = (id: unknown, place: number) =>
      [...before.slice(place, place + 1), ...before].find((old) => old.id === id);

    kept.forEach((each, place) => {
      const [answered] = after.slice(place) as [Item];
      const old = answered.id === undefined ? undefined : known(answered.id, place);
      const isSame = old !== undefined && textOf(old) === textOf(answered);
      same(each === (isSame ? old : answered), true);
    });
  });

  law('differs from it by exactly what the delta lists', [lists, lists], (before, after) => {
    const { added, changed, removed } = diff(before, after, keyOf);
    const gone = [...removed, ...changed.map(([old]) => old)];
    const come = [...added, ...changed.map(([, each]) => each)];
    const unchanged = before.filter((each) => !gone.includes(each));

    same([...unchanged, ...come].map(textOf).sort(), after.map(textOf).sort());
    for (const [old, each] of changed) same([old.id, textOf(old) === textOf(each)], [each.id, false]);
  });
});

import fc from 'fast-check';
import { describe } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, Criteria } from 'rivulet';
import { index } from 'rivulet/views';

import { law } from './law';
import { same } from './same';
import { shown } from './views/oracle';
import type { Item } from './views/oracle';
import { item, writes } from './views/steps';

type Asked = Criteria<Item>;

const rank = fc.oneof(
  fc.nat(4),
  fc.constantFrom('a', 'B', true, null, NaN, new Date(2), /a|2/, 1n, undefined),
);
const criteria = fc.record(
  { id: fc.nat(6), group: fc.constantFrom('a', 'b', undefined), rank },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<Asked>;

/** Searches an indexed collection, and one of the very same items without an index. */
function ask(items: Collection<Item>, asked: Asked): void {
  const plain = createLib().collection(items.toJSON());
  const [found, wanted] = [items.where(asked), plain.where(asked)];
  same(found, wanted);
  same(
    found.every((each, place) => each === wanted[place]),
    true,
    'found other objects',
  );
  same(items.find(asked) === plain.find(asked), true, 'found another first');
}

describe('an indexed collection', () => {
  law(
    'finds the same items as one without an index, in the same order, even during writes',
    [
      fc.array(item, { maxLength: 7 }),
      fc.array(fc.record({ write: writes, asked: criteria, isNested: fc.boolean() }), { maxLength: 10 }),
    ],
    (data, happening) => {
      const items = createLib().collection(data);
      const left = [...happening];
      const failures: unknown[] = [];
      const next = (isNested: boolean) => {
        if (isNested && !left[0]?.isNested) return;
        const step = left.shift();
        if (!step) return;
        try {
          step.write.run(items);
          ask(items, step.asked);
        } catch (failure) {
          failures.push(failure);
        }
      };
      // Some steps run before the index is notified of a write, some after.
      items.delta$.subscribe(() => {
        next(true);
      });
      index(items, 'rank');
      const byGroup = index(items, 'group');
      items.subscribe(() => {
        next(true);
      });
      while (left.length) {
        next(false);
        same(failures, []);
        for (const group of ['a', undefined])
          same(
            byGroup.get(group),
            items.where((each) => each.group === group),
          );
      }
    },
  );

  law(
    'returns the items of a range sorted by their values',
    [fc.array(item, { maxLength: 7 }), fc.array(writes, { maxLength: 10 }), fc.nat(4), fc.nat(4)],
    (data, happening, from, to) => {
      const items = createLib().collection(data);
      const ranks = index(items, 'rank');
      for (const step of happening) {
        step.run(items);
        const within = items.where(({ rank: value }) => {
          const number = value instanceof Date ? value.getTime() : value;
          return typeof number === 'number' && number >= from && number < to;
        });
        const found = ranks.range(from, to);
        same(
          found.map(({ rank: value }) => Number(value)),
          shown(within, { sortBy: 'rank' }).list.map(({ rank: value }) => Number(value)),
        );
        same(new Set(found), new Set(within));
      }
    },
  );
});

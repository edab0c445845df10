import fc from 'fast-check';
import { describe } from 'vitest';

import { createLib } from 'rivulet';
import { groups } from 'rivulet/views';
import type { Group } from 'rivulet/views';

import { law } from './law';
import { same } from './same';
import type { Item } from './views/oracle';
import { item, writes } from './views/steps';

type Told = ReadonlyMap<unknown, Group<unknown>>;

const inOrder = (value: Told = new Map()) =>
  [...value.values()].sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1));

/** The groups of some items, counted from scratch. */
function counted(items: readonly Item[]): Told {
  const result = new Map<unknown, Group<unknown>>();
  for (const { group } of items) {
    const members = items.filter((other) => other.group === group);
    const numbers = members.map(({ rank }) => rank).filter((rank) => Number.isFinite(rank)) as number[];
    const sum = numbers.reduce((all, number) => all + number, 0);
    result.set(group, { key: group, count: members.length, sum });
  }
  return result;
}

describe('groups', () => {
  law(
    'equal a fresh count, and are emitted once for each write that changes them',
    [fc.array(item, { maxLength: 7 }), fc.array(writes, { maxLength: 10 })],
    (data, happening) => {
      const items = createLib().collection(data);
      const live = groups(items, 'group', 'rank');
      const told: Told[] = [];
      const keys: (readonly unknown[])[] = [];
      live.subscribe((value) => told.push(value));
      live.distinct$.subscribe((value) => keys.push(value));
      for (const step of happening) {
        const before = { groups: inOrder(told.at(-1)), keys: keys.at(-1) };
        told.splice(0, told.length - 1);
        keys.splice(0, keys.length - 1);
        step.run(items);
        const after = inOrder(told.at(-1));
        same(after, inOrder(counted(items.toJSON())));
        same(keys.at(-1), [...(told.at(-1)?.keys() ?? [])]);
        const isOther =
          after.length !== before.groups.length || after.some((each, n) => each !== before.groups[n]);
        same(told.length, isOther ? 2 : 1);
        same(keys.length, keys.at(-1) === before.keys ? 1 : 2);
        same(inOrder(groups(items, 'group', 'rank').value), after);
      }
    },
    2000,
  );
});

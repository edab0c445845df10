import fc from 'fast-check';

import type { Item } from '../../people';
import { same } from '../same';
import { aborting, answering, answeringNext, disposing, hooking, leaving, requesting, step } from '../steps';
import type { Step } from '../world';

import type { CollectionWorld } from './world';

type Steps = fc.Arbitrary<Step<CollectionWorld>>;

const id = fc.integer({ min: 1, max: 4 });
const name = fc.constantFrom('Ann', 'Bo');
const item: fc.Arbitrary<Item> = fc.record({ id, name }, { requiredKeys: ['name'], noNullPrototype: true });
const items = fc.array(item, { maxLength: 4 });
const place = fc.nat(5);

/** The methods that change a list like an array. */
type List = Pick<Item[], 'push' | 'pop' | 'shift' | 'unshift' | 'splice'> & {
  sort(compare: (a: Item, b: Item) => number): readonly Item[];
  reverse(): readonly Item[];
};

/** Changes the collection, and an array beside it that holds the expected result. */
const changing = (text: string, change: (list: List) => unknown): Step<CollectionWorld> =>
  step(text, (world) => {
    const list = [...world.target];
    const expected = change(list);
    const written = [...list];
    world.write(written);
    same(change(world.target), expected, text);
  });

const byName = (a: Item, b: Item) => a.name.localeCompare(b.name);

const listing: Steps = fc.oneof(
  items.map((added) => changing(`push ${JSON.stringify(added)}`, (list) => list.push(...added))),
  items.map((added) => changing(`unshift ${JSON.stringify(added)}`, (list) => list.unshift(...added))),
  fc
    .tuple(fc.integer({ min: -3, max: 3 }), fc.nat(2), items)
    .map(([start, count, added]) =>
      changing(`splice ${String([start, count])} ${JSON.stringify(added)}`, (list) =>
        list.splice(start, count, ...added),
      ),
    ),
  fc.constantFrom(
    changing('pop', (list) => list.pop()),
    changing('shift', (list) => list.shift()),
    changing('sort', (list) => list.sort(byName)),
    changing('reverse', (list) => list.reverse()),
  ),
);

/** Removes the items at the given places. */
const removing: Steps = fc.uniqueArray(place).map((places) =>
  step(`remove what is at ${String(places)}`, (world) => {
    const { target } = world;
    const gone = places.flatMap((each) => target.at(each) ?? []);
    const [removed, kept] = [true, false].map((isGone) =>
      target.value.filter((each) => gone.includes(each) === isGone),
    ) as [Item[], Item[]];
    if (removed.length) world.write(kept);
    const [first, ...others] = gone;
    const isOne = first && !others.length;
    same(isOne ? target.remove(first) : target.removeAll(gone), removed, 'what was removed');
  }),
);

const replacing: Steps = items.map((all) =>
  step(`replace ${JSON.stringify(all)}`, (world) => {
    world.write(all);
    world.target.replace(all);
  }),
);

const serving: Steps = items.map((all) =>
  step(`the server has ${JSON.stringify(all)}`, (world) => {
    world.served = all;
  }),
);

const common: fc.WeightedArbitrary<Step<CollectionWorld>>[] = [
  { weight: 4, arbitrary: listing },
  { weight: 1, arbitrary: removing },
  { weight: 1, arbitrary: replacing },
  { weight: 4, arbitrary: requesting('fetch', fc.constant({})) },
  {
    weight: 4,
    arbitrary: requesting(
      'create',
      item.map((attrs) => ({ attrs })),
    ),
  },
  { weight: 2, arbitrary: leaving() },
  { weight: 1, arbitrary: aborting() },
  { weight: 2, arbitrary: answeringNext() },
  { weight: 1, arbitrary: disposing() },
];

const outer: Steps = fc.oneof(
  ...common,
  { weight: 8, arbitrary: answering<CollectionWorld>() },
  { weight: 2, arbitrary: serving },
);

const inner: Steps = fc.oneof(...common, { weight: 2, arbitrary: answering<CollectionWorld>() });

/** The steps that a collection can take. */
export const steps = fc.array(outer, { minLength: 1 });

/** The same, with subscribers that act when notified. */
export const nestedSteps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: outer },
    { weight: 1, arbitrary: hooking(['items', 'isReading$'], inner) },
  ),
  { minLength: 1 },
);

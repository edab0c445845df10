import type { Item } from '../../people';
import type { Check } from '../play';
import { same } from '../same';

import { sentAt } from './world';
import type { CollectionWorld } from './world';

/** The flags show which requests are open. */
export const flagsAreRight =
  ({ calls, target }: CollectionWorld): Check =>
  () => {
    const isOpen = (kind: string) => calls.some((call) => call.isOpen && call.kind === kind);
    const flags = [target.isReading$, target.isCreating$, target.requestInProgress$];
    const expected = [isOpen('fetch'), isOpen('create'), isOpen('fetch') || isOpen('create')];
    same(
      flags.map(({ value }) => value),
      expected,
      'isReading$, isCreating$, requestInProgress$',
    );
  };

/** The items are the very objects that the rules demand, emitted once for each write. */
export function rulesAreKept({ target, oracle }: CollectionWorld): Check {
  let told = -1;
  target.subscribe(() => {
    told += 1;
  });
  return () => {
    same(target.value, oracle.items, 'the items');
    const isKept = target.value.map((item, place) => item === oracle.items[place]);
    same(isKept.indexOf(false), -1, 'the place of an object that is another');
    same(told, oracle.writes, 'how often the items were told');
  };
}

/** The deltas of `delta$`, added up, make the current items. */
export function deltasAddUp({ target, problems }: CollectionWorld): Check {
  const items = contentsOf(target.value);
  target.delta$.subscribe(({ added, changed, removed }) => {
    for (const gone of contentsOf([...removed, ...changed.map(([before]) => before)])) {
      const place = items.indexOf(gone);
      if (place < 0) problems.push(`delta$ told of ${gone}, which was not there`);
      else items.splice(place, 1);
    }
    items.push(...contentsOf([...added, ...changed.map(([, after]) => after)]));
  });
  return () => {
    same([...items].sort(), contentsOf(target.value).sort(), 'the deltas put together');
  };
}

const contentsOf = (items: readonly Item[]): string[] => items.map((item) => JSON.stringify(item));

/** All subscribers see the same lists, the current one last; that of an older read never follows that of a newer. */
export function subscribersAgree(world: CollectionWorld): Check {
  const { target, problems } = world;
  const seen: (readonly Item[])[] = [];
  const seenToo: (readonly Item[])[] = [];
  let newest = 0;
  target.subscribe((items) => {
    seen.push(items);
    const brought = Math.max(0, ...items.map(sentAt));
    if (brought && brought < newest) problems.push('an older read came after a newer one');
    newest = Math.max(newest, brought);
  });
  target.subscribe((items) => {
    seenToo.push(items);
  });
  return () => {
    same(seen.length === seenToo.length && seen.every((items, place) => items === seenToo[place]), true);
    same(seen.at(-1), target.value, 'last seen');
  };
}

import type { Collection, Delta } from '../index';

import { sortable } from './order';
import type { Sortable } from './order';
import { reader } from './paths';
import type { PathIn } from './paths';
import { equal } from './peers';
import { rowsBy } from './rows';
import type { Row, Rows } from './rows';

/** The items of a collection sorted by one of their values, from the first search on. */
export interface Lookup<T> {
  /** The items that have a value, in the order of the collection; undefined if only a scan of all can tell. */
  readonly having: (value: unknown) => T[] | undefined;
  /** The items with values from one up to, but not including, another, sorted by value. */
  readonly range: (from: unknown, to: unknown) => T[];
  readonly dispose: () => void;
}

/** Looks up by a value: nothing is sorted before the first search, and each write is followed from then on. */
export function lookupBy<T, M extends object>(items: Collection<T, M>, key: PathIn<T>): Lookup<T> {
  const valueOf = reader<T>(key);
  const rowsOf = rowsBy<T>(items, { sortBy: key });
  const sorted = () => rowsOf(items.value);
  const placesOf = placesIn(items);
  let rows: Rows<T> | undefined;
  /** The last write that this was notified of. */
  let latest: Delta<T> | undefined;
  /** What was found since then, by value: together no more than all items. */
  let found = new Map<unknown, T[]>();
  const subscription = items._deltas.subscribe((delta) => {
    latest = delta;
    found = new Map();
    try {
      rows?.apply(delta);
    } catch {
      // An item was changed in place: the next search sorts anew.
      rows = undefined;
    }
  });
  /** Whether this was notified of all writes: in the middle of one it may not have been. */
  const isCurrent = () => latest === items._deltas.value;

  /** Where items with values from one up to another are; of those with the latter, the ones that came before a place. */
  const between = (from: Sortable, to: Sortable, place: number): number[] => {
    const find = ({ list }: Rows<T>) =>
      placesOf(list.between({ value: from, place: 0 } as Row<T>, { value: to, place } as Row<T>));
    if (!isCurrent()) return find(sorted());
    const known = find((rows ??= sorted()));
    // An item replaced by an equal copy appears in no delta, and rows of the same item cannot be told apart.
    return known.includes(-1) || new Set(known).size < known.length ? find((rows = sorted())) : known;
  };
  const itemAt = (place: number) => items.at(place) as T;

  return {
    having: (value) => {
      const sought = sortable(value);
      if (sought === undefined || !isCurrent()) return undefined;
      const known =
        found.get(value) ??
        between(sought, sought, Infinity)
          .sort((a, b) => a - b)
          .map(itemAt)
          .filter((item) => equal(value, valueOf(item)));
      // A date may be changed in place before the next search.
      if (known.length && typeof value !== 'object') found.set(value, known);
      return known.slice();
    },
    // Without `from`: `false`, which no value precedes.
    range: (from, to) => between(from === undefined ? false : sortable(from), sortable(to), 0).map(itemAt),
    dispose: () => {
      subscription.unsubscribe();
      found.clear();
      latest = rows = undefined;
    },
  };
}

/** Finds where the items of rows are in a collection, whose order may change without a delta; -1 for one that is not there. */
function placesIn<T, M extends object>(items: Collection<T, M>): (sought: readonly Row<T>[]) => number[] {
  /** Where they were found last, unless that is where they came. */
  const places = new WeakMap<Row<T>, number>();
  const lastPlaceOf = (row: Row<T>) => places.get(row) ?? row.place;
  const hasMoved = (row: Row<T>) => items.at(lastPlaceOf(row)) !== row.item;
  return (sought) => {
    const moved = sought.filter(hasMoved);
    // One pass over all finds many in less time than a search for each.
    if (moved.length > 8) {
      const rowOf = new Map(moved.map((row) => [row.item, row]));
      items._present.forEach((item, place) => {
        const row = rowOf.get(item);
        if (row) places.set(row, place);
      });
    }
    for (const row of moved.filter(hasMoved)) places.set(row, items.indexOf(row.item));
    return sought.map(lastPlaceOf);
  };
}

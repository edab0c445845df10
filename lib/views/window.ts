import type { Delta } from './peers';
import { isChange, nothing, sameItems } from './rows';
import type { Row, Rows } from './rows';

/** Which of the rows are shown. */
export interface Page {
  /** How many at most: a whole number, or Infinity. Default Infinity. */
  readonly limit?: number | undefined;
  /** How many are passed over at the start: a whole number. Default 0. */
  readonly offset?: number | undefined;
}

/** A page of which everything is said. */
export interface Bounds {
  readonly limit: number;
  readonly offset: number;
}

/** The part of some rows that is shown. */
export interface Window<T> {
  /** How many rows there are, shown or not. */
  readonly count: () => number;
  /** The items shown; the same array until another is shown. */
  readonly items: () => readonly T[];
  /** Follows a change of the source. Gives what it has changed among the items shown. */
  readonly apply: (delta: Delta<T>) => Delta<T>;
  /** Shows another page. Gives what that changes. */
  readonly show: (page: Bounds) => Delta<T>;
}

/** The rows shown, and their items at the time. */
interface Shown<T> {
  readonly rows: readonly Row<T>[];
  readonly items: readonly T[];
}

export function windowOf<T>({ list, apply }: Rows<T>, page: Bounds): Window<T> {
  let bounds = page;
  const take = (): Shown<T> => {
    const rows = list.slice(bounds.offset, bounds.offset + bounds.limit);
    return { rows, items: rows.map(({ item }) => item) };
  };
  /** Taken when first asked for: 100,000 rows are not copied for somebody who only wants to know what has changed. */
  let shown: Shown<T> | undefined;
  const present = () => (shown ??= take());

  /** Makes a change; gives what it means for what is shown. */
  const compare = (change: () => unknown): Delta<T> => {
    const before = present();
    change();
    const after = take();
    if (sameItems(before.items, after.items)) return nothing();
    shown = after;
    return changeOf(before, after);
  };

  return {
    count: () => list.length,
    items: () => present().items,
    apply: (delta) => {
      if (bounds.offset || bounds.limit < Infinity) return compare(() => apply(delta));
      const told = apply(delta);
      if (isChange(told)) shown = undefined;
      return told;
    },
    show: (next) =>
      compare(() => {
        bounds = next;
      }),
  };
}

/** What has changed among the items shown, row by row. */
function changeOf<T>(before: Shown<T>, after: Shown<T>): Delta<T> {
  const told = nothing<T>();
  const gone = new Map(before.rows.map((row, place) => [row, before.items[place] as T]));
  for (const row of after.rows) {
    const { item } = row;
    const old = gone.get(row) as T;
    if (!gone.delete(row)) told.added.push(item);
    else if (!Object.is(old, item)) told.changed.push([old, item]);
  }
  const removed = [...gone.values()];
  const left = new Set(removed);
  // One and the same item may be there twice, so that one of it goes as the other comes.
  const added = told.added.filter((item) => {
    const place = left.has(item) ? removed.indexOf(item) : -1;
    if (place >= 0) removed.splice(place, 1);
    return place < 0;
  });
  return { ...told, added, removed };
}

/** The page asked for; what it leaves open is as in the present one. */
export function pageOf({ limit, offset }: Page, present: Bounds): Bounds {
  const bounds = { limit: limit ?? present.limit, offset: offset ?? present.offset };
  for (const count of Object.values(bounds)) {
    if (count !== Math.floor(count) || count < 0) {
      throw new TypeError('view: "limit" and "offset" must be whole numbers, 0 or more');
    }
  }
  return bounds;
}

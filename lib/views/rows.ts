import type { Delta } from '../index';

import { sortingOf } from './order';
import type { Listed, SortValue } from './order';
import { reader } from './paths';
import { equal, matcher } from './peers';
import { sortedList } from './sorted-list';
import type { SortedList } from './sorted-list';

/** An item of the source, whether it is listed or not. */
export interface Row<T> {
  item: T;
  /** Its position in the order in which all came, kept through its changes, so that ties keep their order. */
  readonly place: number;
  isListed: boolean;
  /** What it is sorted by, if it is listed. */
  value: SortValue;
}

/** The items of a list, with those to be listed in order, kept so at a cost that depends only on what changes. */
export interface Rows<T> {
  readonly list: SortedList<Row<T>>;
  /** Applies a change of the source. Returns what that changes among those listed. */
  readonly apply: (delta: Delta<T>) => Delta<T>;
}

/** Makes rows of the items of a list. */
export function rowsBy<T>(
  { idAttribute }: { readonly idAttribute: string },
  options: Listed<T>,
): (items: readonly T[]) => Rows<T> {
  const { where = () => true } = options;
  const matches = matcher<T>(where);
  const idOf = reader<unknown>(idAttribute);
  /** The identity of an item, as in its collection: its id, or the item itself if it has none. */
  const keyOf = (item: T) => idOf(item) ?? item;
  const { valueOf, compare } = sortingOf(options);
  return (items) => {
    /** All rows by the key of their item; without duplicates, one per key. */
    const byKey = new Map<unknown, Row<T>[]>();
    const list = sortedList<Row<T>>((a, b) => compare(a.value, b.value) || byPlace(a, b));
    /** The place of the row that came last, or one after it. */
    let last = items.length;
    let count = last;

    const rowOf = (item: T, place: number): Row<T> => {
      const isListed = matches(item);
      // What is not listed may not be sortable.
      return { item, place, isListed, value: isListed ? valueOf(item) : undefined };
    };
    const put = (row: Row<T>): Row<T> => {
      const key = keyOf(row.item);
      byKey.set(key, inTurn(byKey.get(key) ?? [], row));
      return row;
    };
    const take = (item: T) => takeFrom(byKey.get(keyOf(item)) ?? [], item);
    const fill = (rows: readonly Row<T>[]) => {
      list.fill(rows.filter(({ isListed }) => isListed));
    };
    /** The rows at the start, until the first change: merely reading needs none by key. */
    let initial = items.map(rowOf);
    fill(initial);

    return {
      list,
      apply: (delta) => {
        const { added, changed, removed } = delta;
        const reported = emptyDelta<T>();
        initial.forEach(put);
        initial = [];
        // After many changes, sorting all anew costs less than finding the place of each.
        const isLarge = 4 * sizeOf(delta) > count;
        count += added.length - removed.length;
        /** Inserts or deletes a listed row, and adds its item to a part of the delta. */
        const move = (row: Row<T>, to: 'insert' | 'delete', part?: T[]) => {
          if (!row.isListed) return;
          if (!isLarge) list[to](row);
          part?.push(row.item);
        };
        for (const item of removed) {
          const row = take(item);
          // Not for a changed item, which keeps its key: adding that anew among 100,000 takes longer than all the rest.
          if (!byKey.get(keyOf(item))?.length) byKey.delete(keyOf(item));
          move(row, 'delete', reported.removed);
        }
        // All are taken out before any is put in again: one may become what another was.
        const taken = changed.map(([before, after]) => [take(before), after] as const);
        for (const [row, after] of taken) {
          const next = rowOf(after, row.place);
          const stays = row.isListed && next.isListed;
          if (stays) reported.changed.push([row.item, after]);
          const moves = !stays || compare(row.value, next.value);
          if (moves) move(row, 'delete', stays ? undefined : reported.removed);
          put(Object.assign(row, next));
          if (moves) move(row, 'insert', stays ? undefined : reported.added);
        }
        for (const item of added) move(put(rowOf(item, (last += 1))), 'insert', reported.added);
        if (isLarge) fill([...byKey.values()].flat());
        return reported;
      },
    };
  };
}

/** The rows of one key with one more. A changed item keeps its place among them. */
function inTurn<T>(rows: Row<T>[], row: Row<T>): Row<T>[] {
  const before = rows.at(-1);
  rows.push(row);
  return before && byPlace(before, row) > 0 ? rows.sort(byPlace) : rows;
}

/** Takes the row of an item out of those with its key: that of the very item, of the first equal one, or the first. */
function takeFrom<T>(rows: Row<T>[], item: T): Row<T> {
  const row =
    rows.find((each) => each.item === item) ?? rows.find((each) => equal(each.item, item)) ?? rows[0];
  if (!row) throw new TypeError('views: an id was changed inside its item: replace the item instead');
  rows.splice(rows.indexOf(row), 1);
  return row;
}

const byPlace = (a: Row<unknown>, b: Row<unknown>): number => a.place - b.place;

/** An empty delta, to be filled. */
export const emptyDelta = <T>(): Delta<T> => ({ added: [], changed: [], removed: [] });

/** How many changes a delta holds. */
export const sizeOf = ({ added, changed, removed }: Delta<unknown>): number =>
  added.length + changed.length + removed.length;

import type { Collection } from '../index';

import { after, idOf, readerOf } from './change';
import type { Change } from './change';
import { equal } from './peers';
import type { Versions } from './versions';

/** What becomes of an item: what it is in the list, and what it is to be; undefined where it is not in the list. */
interface Step<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/**
 * Applies changes to a list, in one write, and to what reads under way will answer, which may lack them.
 *
 * @returns Those that were not older than what they change, and not the same.
 * @throws TypeError for what is no change; then none is applied.
 */
export function apply<T extends object, M extends object>(
  list: Collection<T, M>,
  changes: readonly Change<T>[],
  versions: Versions<T>,
): readonly Change<T>[] {
  const ids = changes.map((change) => idOf(change, list.idAttribute));
  const known = find(list, ids);
  const steps = new Map<string, Step<T>>();
  const applied = changes.filter((change, place) => {
    const id = String(ids[place]);
    const { from, to: now } = steps.get(id) ?? unchanged(known(id));
    const to = next(change, now, list.idAttribute, versions);
    steps.set(id, { from, to });
    return to !== now;
  });
  const isApplied = new Set(applied);
  list._amendReads(
    changes.map((change, place) => ({
      id: ids[place],
      update: updateBy(change, list.idAttribute, versions),
      part: isApplied.has(change) ? change.item : {},
    })),
  );
  write(list, [...steps.values()]);
  return applied;
}

/** What an item is after a change. */
function next<T extends object>(
  change: Change<T>,
  now: T | undefined,
  idAttribute: string,
  versions: Versions<T>,
): T | undefined {
  const changed = after(change, now, idAttribute);
  return versions.admits(change, now) && !equal(now, changed) ? changed : now;
}

/** A change as an update of what is answered later. Apart, since it would keep all that is known where it is made. */
const updateBy =
  <T extends object>(change: Change<T>, idAttribute: string, versions: Versions<T>) =>
  (item: T | undefined): T | undefined => {
    try {
      return next(change, item, idAttribute, versions);
    } catch {
      // What the function for versions throws is no failure of the read: the write of its answer fails the stream.
      return item;
    }
  };

const unchanged = <T>(item: T | undefined): Step<T> => ({ from: item, to: item });

/** Finds items by their id as text: a feed may spell as a number what the list has as text. */
function find<T extends object, M extends object>(
  list: Collection<T, M>,
  ids: readonly (string | number | bigint)[],
): (id: string) => T | undefined {
  if (ids.length < 2) return (id) => list._byText(id);
  // Once through the list, however many there are: it may not have an index.
  const wanted = new Set(ids.map(String));
  const found = new Map<string, T>();
  const read = readerOf(list.idAttribute);
  for (const item of list.value) {
    const id = String((read(item) as string | number | undefined) ?? '');
    if (wanted.has(id) && !found.has(id)) found.set(id, item);
  }
  return (id) => found.get(id);
}

/** Writes to a list what becomes of its items. */
function write<T extends object, M extends object>(list: Collection<T, M>, steps: readonly Step<T>[]): void {
  const changed = steps.filter(({ from, to }) => !equal(from, to));
  const added = changed.flatMap(({ from, to }) => (from || !to ? [] : [to]));
  const [only] = changed;
  if (!only) return;
  // One change need not examine the whole list.
  if (changed.length > 1) {
    const replaced = new Map(changed.map(({ from, to }) => [from, to]));
    const present = list.value.map((item) => (replaced.has(item) ? replaced.get(item) : item));
    list.replace([...present, ...added].filter((item) => item !== undefined));
  } else if (only.from) list.splice(list.indexOf(only.from), 1, ...(only.to ? [only.to] : []));
  else list.push(...added);
}

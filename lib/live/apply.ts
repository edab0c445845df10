import type { Collection } from '../index';

import { after, idOf } from './change';
import type { Change } from './change';
import { equal } from './peers';

/** Whether an item is in an older state than another of the same id. */
export type IsOlder<T> = (item: Partial<T>, than: Partial<T>) => boolean;

/** What becomes of an item: what it is in the list, and what it is to be; undefined where it is not in the list. */
export interface Step<T> {
  readonly from: T | undefined;
  readonly to: T | undefined;
}

/**
 * Applies changes to a list, in one write.
 *
 * @returns Those that were not older than what they change, and not the same.
 * @throws TypeError for what is no change; then none is applied.
 */
export function apply<T extends object, M extends object>(
  list: Collection<T, M>,
  changes: readonly Change<T>[],
  isOlder: IsOlder<T>,
): readonly Change<T>[] {
  const steps = new Map<string, Step<T>>();
  const applied = changes.filter((change) => {
    const id = idOf(change, list.idAttribute);
    const { from, to } = steps.get(String(id)) ?? unchanged(find(list, id));
    const next = after(change, to);
    if ((to && isOlder(change.item, to)) || equal(to, next)) return false;
    steps.set(String(id), { from, to: next });
    return true;
  });
  write(list, [...steps.values()]);
  return applied;
}

/** Writes to a list what becomes of its items; one that is not there any more is left out. */
export function write<T extends object, M extends object>(
  list: Collection<T, M>,
  steps: readonly Step<T>[],
): void {
  const changed = steps.filter(({ from, to }) => from !== to);
  const [only] = changed;
  const replaced = new Map(changed.map(({ from, to }) => [from, to]));
  const added = changed.flatMap(({ from, to }) => (from || !to ? [] : [to]));
  if (!only) return;
  // One change need not examine the whole list.
  if (changed.length > 1) {
    const present = list.value.map((item) => (replaced.has(item) ? replaced.get(item) : item));
    list.replace([...present, ...added].filter((item) => item !== undefined));
  } else if (only.from) {
    const place = list.indexOf(only.from);
    if (place >= 0) list.splice(place, 1, ...(only.to ? [only.to] : []));
  } else list.push(...added);
}

const unchanged = <T>(item: T | undefined): Step<T> => ({ from: item, to: item });

/** The item with an id that a feed may spell as a number or as text. */
function find<T extends object, M extends object>(
  list: Collection<T, M>,
  id: string | number | bigint,
): T | undefined {
  return list.byId(id) ?? list.byId(typeof id === 'string' ? Number(id) : String(id));
}

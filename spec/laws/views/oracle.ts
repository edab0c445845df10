import { isDeepStrictEqual } from 'node:util';

import type { Subscription } from 'rxjs';

import type { Delta } from 'rivulet';
import type { ListSource, ViewOptions } from 'rivulet/views';

/** An item of the lists under the views. Several may share an id, or have none. */
export interface Item {
  readonly id?: number;
  readonly group?: string;
  readonly rank?: number | string | boolean | Date | null;
}

/** The items of a list in order of arrival, by the most naive reading of the deltas. */
export class Oracle {
  readonly items: Item[];
  readonly subscription: Subscription;

  constructor(source: ListSource<Item>) {
    this.subscription = source.delta$.subscribe((delta) => {
      this.apply(delta);
    });
    this.items = [...source.value];
  }

  apply({ added, changed, removed }: Delta<Item>): void {
    for (const item of removed) this.items.splice(this.#placeOf(item), 1);
    // No two pairs refer to the same place.
    const taken: number[] = [];
    for (const [before] of changed) taken.push(this.#placeOf(before, taken));
    for (const [which, [, after]] of changed.entries()) this.items.splice(taken[which] ?? -1, 1, after);
    this.items.push(...added);
  }

  /** The place of an item: that of the same object, or else of the first equal one. */
  #placeOf(item: Item, taken: readonly number[] = []): number {
    const find = (is: (other: Item) => boolean) =>
      this.items.findIndex((other, place) => !taken.includes(place) && is(other));
    const place = find((other) => other === item);
    return place < 0 ? find((other) => isDeepStrictEqual(other, item)) : place;
  }
}

/** What a view of some items shows, computed from scratch. */
export function shown(items: readonly Item[], options: ViewOptions<Item>): { list: Item[]; count: number } {
  const { where, sortBy, descending = false, limit = Infinity, offset = 0 } = options;
  const keys = ([sortBy ?? []].flat() as readonly unknown[]).map((key) =>
    typeof key === 'function' ? (key as (item: Item) => unknown) : (item: Item) => item[key as keyof Item],
  );
  const matching = items.filter((item) =>
    typeof where === 'function' ? where(item) : where === undefined || item.group === where.group,
  );
  // `sort` is stable.
  matching.sort((a, b) => {
    for (const [place, key] of keys.entries()) {
      const isDescending = typeof descending === 'boolean' ? descending : descending[place];
      const order = compare(key(a), key(b), isDescending ?? false);
      if (order) return order;
    }
    return 0;
  });
  return { list: matching.slice(offset, offset + limit), count: matching.length };
}

const kindOf = (value: unknown): number => {
  if (typeof value === 'boolean') return 0;
  if (typeof value === 'number' && !Number.isNaN(value)) return 1;
  return typeof value === 'string' ? 2 : 3;
};

function compare(left: unknown, right: unknown, isDescending: boolean): number {
  const [a, b] = [left, right].map((value) => (value instanceof Date ? value.getTime() : value));
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (kindA === 3 || kindB === 3) return (kindA === 3 ? 1 : 0) - (kindB === 3 ? 1 : 0);
  const order = kindA - kindB || ((a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0);
  return isDescending ? -order : order;
}

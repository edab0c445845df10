import { isObject } from './objects';
import { nextInOrder } from './ticket';

/** Brings an older state of an item up to date; undefined stands for an item that is not in the list. */
export type Update<T> = (item: T | undefined) => T | undefined;

/** The places in the order of issue of the requests that have brought items, where a read makes several. */
const requested = new WeakMap<object, number>();

/** A request for some of the items that a read reads is made now. Returns what is to be called with these. */
export function beginPart(): (items: readonly unknown[]) => void {
  const order = nextInOrder();
  return (items) => {
    for (const item of items) if (isObject(item)) requested.set(item, order);
  };
}

/** The place in the order of issue of the request that has brought an item. */
export const orderOf = (item: unknown, ofRead: number): number => requested.get(item as object) ?? ofRead;

/**
 * What has become of items while answers are awaited, and is to be applied to those: by the identity of the item, one after
 * the other, each with its place in the order of issue.
 */
export class Amendments<T> extends Map<unknown, [update: Update<T>, place: number][]> {
  /** The highest place of any. */
  latest = 0;

  /** @param place By default, it is newer than all that was issued. */
  add(identity: unknown, update: Update<T>, place: number = nextInOrder()): void {
    const updates = this.get(identity) ?? [];
    updates.push([update, place]);
    this.set(identity, updates);
    this.latest = Math.max(this.latest, place);
  }

  /**
   * An item that was answered, with what is newer.
   *
   * @param item Undefined stands for one that the answer lacks.
   * @param issued The place of the request.
   */
  appliedTo(identity: unknown, item: T | undefined, issued: number): T | undefined {
    const order = orderOf(item, issued);
    return (this.get(identity) ?? []).reduce(
      (before, [update, place]) => (place < order ? before : update(before)),
      item,
    );
  }
}

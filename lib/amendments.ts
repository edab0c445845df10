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
 * What has become of items since a request was issued, and is to be applied to its answer: by the identity of the item, one
 * after the other, each with its place in the order of issue.
 */
export class Amendments<T> extends Map<unknown, readonly (readonly [update: Update<T>, place: number])[]> {
  readonly #order: number;

  /** @param order The place of the request in the order of issue; by default, whatever is added is newer. */
  constructor(order = 0) {
    super();
    this.#order = order;
  }

  /** Adds an update of an item, unless the request is newer. */
  amend(identity: unknown, update: Update<T>, place: number = nextInOrder()): void {
    if (place >= this.#order) this.set(identity, [...(this.get(identity) ?? []), [update, place]]);
  }

  /** An item that was answered, with what is newer; undefined stands for one that the answer lacks. */
  appliedTo(identity: unknown, item: T | undefined): T | undefined {
    const order = orderOf(item, this.#order);
    return (this.get(identity) ?? []).reduce(
      (before, [update, place]) => (place < order ? before : update(before)),
      item,
    );
  }
}

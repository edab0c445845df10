import { isObject } from './objects';
import { nextInOrder } from './ticket';

/** Brings an older state of an item up to date; undefined stands for an item that is not in the list. */
export type Update<T> = (item: T | undefined) => T | undefined;

/**
 * What has become of items while answers are awaited, and is to be applied to those: by the identity of the item, one after
 * the other, each with its place in the order of issue, and that of the request whose answer has told it.
 */
export class Amendments<T> extends Map<unknown, [update: Update<T>, place: number, issued: number][]> {
  /** The highest place of any. */
  latest = 0;
  /** The places of the requests that have brought items, where a read makes several. */
  readonly requested: WeakMap<object, number> = new WeakMap<object, number>();

  /**
   * @param place By default, it is newer than all that was issued: a read may lack what was confirmed while it was under way.
   * @param issued By default the same. A creation is newer than a write that was issued before it.
   */
  add(identity: unknown, update: Update<T>, place: number = nextInOrder(), issued: number = place): void {
    const updates = this.get(identity) ?? [];
    updates.push([update, place, issued]);
    this.set(identity, updates);
    this.latest = Math.max(this.latest, place);
  }

  /**
   * An item that was answered, with what is newer.
   *
   * @param item Undefined stands for one that the answer lacks.
   * @param order The place of the request.
   * @param isCreation Whether that is a creation, not a read.
   */
  appliedTo(identity: unknown, item: T | undefined, order: number, isCreation?: boolean): T | undefined {
    const since = this.requested.get(item as object) ?? order;
    return (this.get(identity) ?? []).reduce(
      (before, [update, place, issued]) => ((isCreation ? issued : place) < since ? before : update(before)),
      item,
    );
  }

  /** A request for some of the items that a read reads is made now. Returns what is to be called with these. */
  beginPart(): (items: readonly unknown[]) => void {
    const order = nextInOrder();
    return (items) => {
      for (const item of items) if (isObject(item)) this.requested.set(item, order);
    };
  }
}

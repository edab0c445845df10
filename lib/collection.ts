import type { Update } from './amendments';
import { idText } from './id';
import { keyBy } from './items';
import type { Delta } from './items';
import type { ItemRecord } from './item-record';
import { List } from './list';
import type { Changer } from './list';
import { ListResource } from './list-resource';
import type { ListResourceConfig } from './live-records';
import { define, forward, promise, request } from './members';
import type { Make, Members, SharedMember } from './members';
import { isKeyed, ownCopy } from './objects';
import { request$ } from './request/lifecycle';
import type { Resource } from './resource';
import { distinctUntilChanged, filter, map } from './rx';
import type { Observable } from './rx';
import type { EventLike, RequestOptions, Root, StateStream, Sync } from './types';
import { matcher, select } from './where';
import type { Comparator, Criteria } from './where';

/** An item to create: it may lack the `id`, which the server assigns. Make an id of another name optional in `T`. */
export type NewItem<T> = T | (T extends object ? Omit<T, 'id'> : never);

/** What a collection is configured with, whatever its root. */
export interface BaseCollectionConfig<T, M extends object = ItemRecord<T>> extends ListResourceConfig<M> {
  /** The initial items; the array is copied. Default: none. */
  readonly data?: readonly T[] | undefined;
}

/**
 * An observable array that can be filled from an endpoint and searched.
 *
 * A `BehaviorSubject` of its items: each write emits once, always a fresh array, so another reference means a write, though
 * an array method that changes nothing writes too; `delta$` emits what really changed. Items are values: replace them, since
 * a change inside one goes unnoticed. Array methods return what they return on arrays, and never modify an array of the
 * caller's.
 *
 * Requests come in pairs like those of a record. All methods may be detached from the collection, except those of a
 * `BehaviorSubject`.
 */
// Declared as an interface, so that a subclass may override a method with a method; `define` below adds the members.
export interface Collection<T, M extends object = ItemRecord<T>> extends Iterable<T> {
  /** Performs this collection's requests; assign a function to replace it. By default `lib.sync`. */
  sync: Sync;

  /** True while the items are being read, and until `requestLull` is over. */
  readonly isReading$: StateStream<boolean>;
  /** The same as `isReading$`. */
  readonly isReading: StateStream<boolean>;
  /** True while an item is being created. */
  readonly isCreating$: StateStream<boolean>;
  /** True while any request of the collection is under way. */
  readonly requestInProgress$: StateStream<boolean>;
  /**
   * Why a request failed, set by every failure when it happens, a refusal included; null again when a request issued after
   * that one succeeds. An abort by the caller does not count.
   */
  readonly error$: StateStream<Error | null>;

  /** Appends items. Returns the new length. */
  push(...items: T[]): number;
  /** Removes the last item and returns it. */
  pop(): T | undefined;
  /** Removes the first item and returns it. */
  shift(): T | undefined;
  /** Inserts items at the front. Returns the new length. */
  unshift(...items: T[]): number;
  /** Removes `deleteCount` items from `start` on (all if omitted), and inserts others there. Returns those removed. */
  splice(start: number, deleteCount?: number, ...items: T[]): T[];
  /** Sorts the items. Returns the new array. */
  sort(compare?: (a: T, b: T) => number): readonly T[];
  /** Reverses the items. Returns the new array. */
  reverse(): readonly T[];
  /** The place of an item, or -1. */
  indexOf(item: T, from?: number): number;
  /** The item at a place; a negative one counts from the end. */
  at(place: number): T | undefined;
  /** The items from `start` up to, not including, `end`, as a new array. Default: all. */
  slice(start?: number, end?: number): T[];
  /** Iterates over the present items. */
  [Symbol.iterator](): IterableIterator<T>;

  /**
   * Reads the items: `GET <url>`, and replaces all with the answer's, in its order.
   *
   * An item equal to the previous one of the same id stays the same object. Items pushed since the call are lost; items that
   * `create` has added since are kept. If reads overlap, the newest wins. Fails with `SHAPE` if the answer, after `parse`,
   * is not a list.
   */
  fetch(options?: RequestOptions | EventLike): Promise<Response>;

  /**
   * Like `fetch`, as a cold stream.
   *
   * Each subscription sends a request; unsubscribing aborts it. Emits the response once, after write-back, including a
   * refused one (`ok` false). Fails with a `RequestError`, with the platform's own error, or with what a callback threw.
   */
  fetch$(options?: RequestOptions | EventLike): Observable<Response>;

  /**
   * Creates an item: `POST <url>` with the item as JSON, and adds the server's answer (after `parse`), or the item if the
   * answer is empty; in place of the item, if that very object is in the list. Adds nothing if refused. The item may lack
   * the id.
   */
  create(item: NewItem<T>, options?: RequestOptions): Promise<Response>;

  /**
   * Like `create`, as a cold stream.
   *
   * Each subscription sends a request; unsubscribing aborts it. Emits the response once, after write-back, including a
   * refused one (`ok` false). Fails with a `RequestError`, with the platform's own error, or with what a callback threw.
   */
  create$(item: NewItem<T>, options?: RequestOptions): Observable<Response>;

  /**
   * The items that match criteria (every given key matches, nested objects in part, dates by time, arrays item by item, a
   * RegExp on text and numbers; `{}` matches every object except arrays) or a predicate.
   */
  where(criteria: Criteria<T> | ((item: T) => boolean)): T[];
  /** The items for which `comparator(criteria, item)` is true. */
  where<C>(criteria: C, comparator: Comparator<C, T>): T[];

  /** The items that match, re-evaluated after each write. Takes what `where` takes. */
  where$(criteria: Criteria<T> | ((item: T) => boolean)): Observable<T[]>;
  /** The items for which `comparator(criteria, item)` is true, re-evaluated after each write. */
  where$<C>(criteria: C, comparator: Comparator<C, T>): Observable<T[]>;

  /** The first item that matches. Takes what `where` takes. */
  find(criteria: Criteria<T> | ((item: T) => boolean)): T | undefined;
  /** The first item for which `comparator(criteria, item)` is true. */
  find<C>(criteria: C, comparator: Comparator<C, T>): T | undefined;

  /** The first item that matches; emits again when it becomes a different one. Takes what `where` takes. */
  find$(criteria: Criteria<T> | ((item: T) => boolean)): Observable<T | undefined>;
  /** The first item for which `comparator(criteria, item)` is true; emits again when it becomes a different one. */
  find$<C>(criteria: C, comparator: Comparator<C, T>): Observable<T | undefined>;

  /** The (dotted) path of an item's id, as configured. */
  readonly idAttribute: string;

  /** The item with that id, compared by `===`: `'5'` does not find `5`. */
  byId(id: unknown): T | undefined;

  /**
   * A live record of one item, to edit and save on its own, at the collection's url and with its other configuration unless
   * the `model` has its own; only `parse`, which is for lists, always comes from the model. With a url per action, the
   * record is read at the url of `read` with its id appended.
   *
   * What the server confirms for the record (a save, a read, `set`, a followed row) becomes the item, in one emission; a
   * destroy removes the item; a record without an id adds one once saved. Other changes to the list are merged into the record
   * like a read with `keepEdits`. An id has one record as long as anyone holds it or it has edits; otherwise it is held weakly.
   *
   * @param itemOrId An item, or its id (`'7'` finds 7); for a new record an item, or part of one, without an id: always the
   *   same record if that is in the list, else another each time. An id that no item has yields a record that can be fetched; a
   *   falsey one (`NaN` of a mistyped route parameter, say) is none, and yields a new record.
   * @throws TypeError if the model makes no record, or one that does not map the id, or one of another root.
   */
  record(itemOrId: T | Partial<T> | string | number | bigint): M;

  /**
   * The live records with unsaved edits, the one edited first in front: to save all of them, or to warn before a page is left.
   * The collection holds them, so edits are found here though nobody else holds their record. A new record is not among them,
   * nor is one that is being deleted.
   */
  readonly edited$: StateStream<readonly M[]>;

  /** Removes every such item, or those a predicate is true for. Returns those removed; emits only if there are any. */
  remove(item: T | ((item: T) => boolean)): T[];

  /** Removes all items, or those in a list. Returns those removed; emits only if there are any. */
  removeAll(list?: readonly T[]): T[];

  /**
   * Replaces all items; the array is copied.
   *
   * @throws TypeError if they are not an array.
   */
  replace(items: readonly T[]): void;

  /** The items, for `JSON.stringify`. */
  toJSON(): T[];

  /**
   * @internal Applies changes to what the reads under way will answer, because they are newer: `update` is what becomes of the
   * item with that id, called with undefined if an answer lacks it; `part` what is new of it, for reads of its record.
   */
  _amendReads(
    changes: readonly { readonly id: unknown; readonly update: Update<T>; readonly part: object }[],
  ): void;

  /** @internal Called when a request for some of the items that a read reads is made. Returns what to call with these. */
  _beginPart(): (items: readonly T[]) => void;

  /** What each write from now on really changed; skips one that changes nothing. Costs nothing while unobserved. */
  readonly delta$: Observable<Delta<T>>;

  /**
   * Ends the collection: aborts requests under way (pending and later ones fail with `DISPOSED`), completes all streams,
   * ignores later writes.
   */
  dispose(): void;
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the members come from `define`
export class Collection<T, M extends object = ItemRecord<T>> extends List<T> {
  /**
   * For a class of your own; otherwise use `lib.collection()`.
   *
   * @param source The initial items, or a configuration. If undefined, it begins empty and has no url.
   * @param root The root it belongs to, such as `lib`.
   * @throws TypeError if the items are not an array, or `idAttribute` is not a path.
   */
  constructor(source: readonly T[] | BaseCollectionConfig<T, M> | undefined, root: Root) {
    const config: unknown = isKeyed(source) ? source : { data: source };
    const { data = [], idAttribute = 'id', ...rest } = ownCopy(config as BaseCollectionConfig<T, M>);
    const keyOf = keyBy(idAttribute);
    super(listOf(data), keyOf);
    new ListResource(this, root, { ...rest, idAttribute }, keyOf);
  }

  /**
   * Replaces all items; the array is copied. Does nothing once disposed of.
   *
   * @throws TypeError if they are not an array.
   */
  override next(items: readonly T[]): void {
    this._fill(listOf(items));
  }

  /** How many items there are. */
  get length(): number {
    return this._present.length;
  }
}

type Items = Collection<unknown, object>;
type Predicate = (item: unknown) => boolean;

/** The array methods that modify the array. */
const changers = (['push', 'pop', 'shift', 'unshift', 'splice', 'sort', 'reverse'] as const).map(
  (name): [string, Make] => [
    name,
    (_, items: Items) =>
      (...args: never[]) =>
        items._change(name, args),
  ],
);

/** What a search returns: all items that pass the test, or the first. */
const searches = {
  where: select,
  find: (items: readonly unknown[], test: Predicate) => items.find(test),
};

const search =
  (name: keyof typeof searches): Make =>
  (_, items: Items) =>
  (...args: [never]) =>
    searches[name](items._present, matcher(...args));

/** Repeats the search after each write, among the items that the write emitted. */
const live =
  (name: keyof typeof searches): Make =>
  (_, items: Items) =>
  (...args: [never]) =>
    items.asObservable().pipe(
      // The collection's own search may use an index, which knows only the present items: an array emitted late is searched
      // directly.
      map((all) => (all === items._present ? items[name](...args) : searches[name](all, matcher(...args)))),
      distinctUntilChanged(),
    );

define(Collection.prototype, {
  sync: ({ root }: Resource) => forward(() => root),

  fetch$: request('read'),
  fetch: promise('fetch$'),
  create$: (resource: Resource) => (item: unknown, options?: RequestOptions) =>
    request$(resource, 'create', options, { attrs: item }),
  create: promise('create$'),

  where: search('where'),
  find: search('find'),
  where$: live('where'),
  find$: live('find'),
  record: (resource: ListResource<unknown>) => (itemOrId: unknown) => resource.records.get(itemOrId),
  _amendReads: (resource: ListResource<unknown>) => (changes: Parameters<Items['_amendReads']>[0]) => {
    const parts = new Map<string, object>();
    for (const { id, update, part } of changes) {
      resource.amendReads(id, update);
      parts.set(idText(id), { ...parts.get(idText(id)), ...part });
    }
    resource.outdate((id) => parts.get(idText(id)), Infinity);
  },
  _beginPart: (resource: ListResource<unknown>) => () => resource.beginPart(),
  edited$: (resource: ListResource<unknown>) => resource.derive(() => resource.records.edited),
  byId: (_, items: Items) => (id: unknown) => items._byKey(id),

  ...Object.fromEntries(changers),
  indexOf: (_, items: Items) => (item: unknown, from?: number) =>
    from === undefined ? items._placeOf(item) : items._present.indexOf(item, from),
  at: (_, items: Items) => (place: number) => items._present.at(place),
  slice: (_, items: Items) => (start?: number, end?: number) => items._present.slice(start, end),
  toJSON: (_, items: Items) => () => items._present.slice(),
  [Symbol.iterator]: (_, items: Items) => () => items.value.values(),

  remove: (_, items: Items) => (item: unknown) => {
    const place = items._placeOf(item);
    // Usually it is one item: then the others need not be examined.
    if (place >= 0 && items._placeOf(item, place + 1) < 0) return items.splice(place, 1);
    const isGone =
      place < 0 && typeof item === 'function' ? (item as Predicate) : (other: unknown) => other === item;
    const before = items.value;
    const removed: unknown[] = [];
    const kept: unknown[] = [];
    for (const other of before) (isGone(other) ? removed : kept).push(other);
    // A predicate may have written to the list.
    if (items._present !== before) return items.removeAll(removed);
    if (removed.length) items._fill(kept, removed, []);
    return removed;
  },
  removeAll:
    (_, items: Items) =>
    (list: readonly unknown[] = items._present) => {
      const gone = new Set(list);
      return items.remove((item: unknown) => gone.has(item));
    },
  replace: (_, items: Items) => (list: readonly unknown[]) => {
    items.next(list);
  },

  delta$: (_, items: Items) =>
    items._deltas.asObservable().pipe(
      // The first is the latest delta, which a subject replays to each new subscriber.
      filter((delta, place) => place > 0 && Object.values(delta).some(({ length }) => length)),
    ),
} satisfies Members<Exclude<keyof Items, SharedMember | keyof List<unknown> | Changer | 'length'>>);

function listOf<T>(items: readonly T[]): T[] {
  if (Array.isArray(items)) return items.slice() as T[];
  throw new TypeError('collection: needs an array, or an object like { url }');
}

import { defer, distinctUntilChanged, filter, lastValueFrom, map, of, pairwise, share } from 'rxjs';
import type { Observable } from 'rxjs';

import { RequestError } from './errors';
import { diff, indexBy, keyBy, reconcile } from './items';
import type { Delta, KeyOf } from './items';
import { callOptions } from './request/options';
import { Claims } from './request/claims';
import type { Claim } from './request/claims';
import { sync$, untilGivenUp } from './request/sync';
import { Resource, bindMethods, resourceOf } from './resource';
import type { Answer, Ticket } from './resource';
import { Ordered } from './state';
import type { Action, RequestOptions, ResourceConfig, Root, StateStream, Sync } from './types';
import { matcher } from './where';
import type { Comparator, Criteria } from './where';

/** What a collection is configured with. */
export interface CollectionConfig<T> extends ResourceConfig {
  /** The items it holds at first; the array is copied. Default none. */
  readonly data?: readonly T[] | undefined;
}

/** What stands behind a collection: it decides which answers become its items. */
class CollectionResource<T> extends Resource {
  readonly fields = undefined;
  readonly keyOf: KeyOf;
  readonly #claims = new Claims();
  /** What was created while a read was under way, by read. */
  readonly #created = new Map<Claim, T[]>();
  readonly #items: Collection<T>;

  constructor(items: Collection<T>, root: Root, config: ResourceConfig) {
    super(items, root, config);
    this.#items = items;
    this.keyOf = keyBy(this.idAttribute);
  }

  begin(action: Action, options: RequestOptions): Ticket {
    const claim = this.#claims.issue(undefined);
    this.#created.set(claim, []);
    return {
      ready$: of(undefined),
      accept: (answer) => {
        if (action === 'create') this.#add((answer?.data ?? options.attrs) as T);
        else if (!claim.isOvertaken) this.#fill(answer, claim);
      },
      refuse: () => undefined,
      end: () => {
        this.#claims.release(claim);
        this.#created.delete(claim);
      },
    };
  }

  data(_action: Action, options: RequestOptions): unknown {
    return options.attrs;
  }

  #fill(answer: Answer | undefined, claim: Claim): void {
    if (answer && !Array.isArray(answer.data)) {
      throw new RequestError(
        'SHAPE',
        'read was answered with something that is not a list: return the list from "parse", for example (answer) => answer.items',
        { action: 'read' },
      );
    }
    this.#claims.overtake(undefined, claim);
    if (!answer) return;
    const items = reconcile(this.#items.value, answer.data as T[], this.keyOf);
    this.#items.replace([...items, ...this.#missedBy(claim, items)]);
  }

  /** What the server confirmed after it may have made up the list, as far as ids can tell. */
  #missedBy(claim: Claim, items: readonly T[]): T[] {
    const created = this.#created.get(claim) ?? [];
    if (!created.length) return created;
    const listed = indexBy(items, this.keyOf);
    return created.filter((item) => this.keyOf(item) !== item && !listed.has(this.keyOf(item)));
  }

  /** Adds a created item, or puts it in the place of the one with its id that a read has brought already. */
  #add(item: T): void {
    for (const created of this.#created.values()) created.push(item);
    const key = this.keyOf(item);
    const items = this.#items.slice();
    const place = key === item ? -1 : items.findIndex((other) => this.keyOf(other) === key);
    items.splice(place < 0 ? items.length : place, place < 0 ? 0 : 1, item);
    this.#items.replace(items);
  }
}

/**
 * An observable array that can be filled from an endpoint and searched.
 *
 * A `BehaviorSubject` of its items: each write emits once, always a fresh array, so that a reference tells whether
 * anything happened. Items are values: replace one, a change inside it goes unnoticed. Methods of arrays have the
 * results they have on arrays, and never touch an array of the caller's.
 *
 * Requests come in pairs like those of a record. All methods may be taken off the collection.
 */
export class Collection<T> extends Ordered<readonly T[]> implements Iterable<T> {
  /** Performs this collection's requests; assign a function to replace it. By default `lib.sync`. */
  declare sync: Sync;
  #delta$: Observable<Delta<T>> | undefined;
  #index: { readonly of: readonly T[]; readonly items: Map<unknown, T> } | undefined;

  /** @internal */
  constructor(config: CollectionConfig<T>, root: Root) {
    super(listOf(config.data ?? []));
    new CollectionResource(this, root, config);
  }

  /**
   * Reads the items: `GET <url>`, and replaces all by the answer's, in its order.
   *
   * An item equal to the one that had its id stays the same object. What was pushed meanwhile is gone; what `create`
   * added meanwhile is kept. Of overlapping reads the newest wins. Fails with `SHAPE` if the answer, after `parse`, is
   * not a list.
   */
  fetch(options?: RequestOptions | Event): Promise<Response> {
    return lastValueFrom(this.fetch$(options));
  }

  /** Like `fetch`, as a cold stream: sends on subscription, aborts on unsubscription, emits once. */
  fetch$(options?: RequestOptions | Event): Observable<Response> {
    return this.#request$('read', () => callOptions(options));
  }

  /**
   * Creates an item: `POST <url>` with it as JSON, and adds what the server answered, or the item if it answered
   * nothing. Not added if refused.
   */
  create(item: T, options?: RequestOptions): Promise<Response> {
    return lastValueFrom(this.create$(item, options));
  }

  /** Like `create`, as a cold stream: sends on subscription, aborts on unsubscription, emits once. */
  create$(item: T, options?: RequestOptions): Observable<Response> {
    return this.#request$('create', () => ({ ...callOptions(options), attrs: item }));
  }

  /**
   * The items that match: by criteria (every given key matches, nested objects in part, dates by time, arrays item by
   * item, a RegExp on text and numbers; `{}` matches every object), or by a predicate.
   */
  where(criteria: Criteria<T> | ((item: T) => boolean)): T[];
  /** The items for which `comparator(criteria, item)` is true. */
  where<C>(criteria: C, comparator: Comparator<C, T>): T[];
  where(criteria: Criteria<T>, comparator?: Comparator<never, T>): T[] {
    return this.value.filter(matcher<T>(criteria, comparator));
  }

  /** The items that match, anew after each write. Takes what `where` takes. */
  where$(criteria: Criteria<T> | ((item: T) => boolean)): Observable<T[]>;
  /** The items for which `comparator(criteria, item)` is true, anew after each write. */
  where$<C>(criteria: C, comparator: Comparator<C, T>): Observable<T[]>;
  where$(criteria: Criteria<T>, comparator?: Comparator<never, T>): Observable<T[]> {
    const isMatch = matcher<T>(criteria, comparator);
    return this.asObservable().pipe(map((items) => items.filter(isMatch)));
  }

  /** The first item that matches. Takes what `where` takes. */
  find(criteria: Criteria<T> | ((item: T) => boolean)): T | undefined;
  /** The first item for which `comparator(criteria, item)` is true. */
  find<C>(criteria: C, comparator: Comparator<C, T>): T | undefined;
  find(criteria: Criteria<T>, comparator?: Comparator<never, T>): T | undefined {
    return this.value.find(matcher<T>(criteria, comparator));
  }

  /** The first item that matches, whenever it becomes another. Takes what `where` takes. */
  find$(criteria: Criteria<T> | ((item: T) => boolean)): Observable<T | undefined>;
  /** The first item for which `comparator(criteria, item)` is true, whenever it becomes another. */
  find$<C>(criteria: C, comparator: Comparator<C, T>): Observable<T | undefined>;
  find$(criteria: Criteria<T>, comparator?: Comparator<never, T>): Observable<T | undefined> {
    const isMatch = matcher<T>(criteria, comparator);
    return this.asObservable().pipe(
      map((items) => items.find(isMatch)),
      distinctUntilChanged(),
    );
  }

  /** The item with that id, compared by `===`: `'5'` does not find `5`. */
  byId(id: unknown): T | undefined {
    if (this.#index?.of !== this.value) {
      this.#index = { of: this.value, items: indexBy(this.value, behind(this).keyOf) };
    }
    return this.#index?.items.get(id);
  }

  /** Appends items. Returns the new length. */
  push(...items: T[]): number {
    return this.#change((list) => list.push(...items));
  }

  /** Removes the last item and returns it. */
  pop(): T | undefined {
    return this.#change((list) => list.pop());
  }

  /** Removes the first item and returns it. */
  shift(): T | undefined {
    return this.#change((list) => list.shift());
  }

  /** Puts items in front. Returns the new length. */
  unshift(...items: T[]): number {
    return this.#change((list) => list.unshift(...items));
  }

  /** Removes items from a place on, all of them without a count, and puts others there. Returns those removed. */
  splice(start: number, deleteCount?: number, ...items: T[]): T[] {
    return this.#change((list) => list.splice(start, deleteCount ?? list.length, ...items));
  }

  /** Sorts the items. Returns the new array. */
  sort(compare?: (a: T, b: T) => number): readonly T[] {
    this.#change((list) => list.sort(compare));
    return this.value;
  }

  /** Reverses the items. Returns the new array. */
  reverse(): readonly T[] {
    this.#change((list) => list.reverse());
    return this.value;
  }

  /** Removes an item, or those a predicate is true for. Returns those removed; emits only if there are any. */
  remove(item: T | ((item: T) => boolean)): T[] {
    const isGone = typeof item === 'function' ? (item as (item: T) => boolean) : (other: T) => other === item;
    const removed = this.value.filter(isGone);
    if (removed.length) this.replace(this.value.filter((other) => !removed.includes(other)));
    return removed;
  }

  /** Removes all items, or those of a list. Returns those removed; emits only if there are any. */
  removeAll(list: readonly T[] = this.value): T[] {
    const gone = new Set(list);
    return this.remove((item) => gone.has(item));
  }

  /** Replaces all items. */
  replace(items: readonly T[]): void {
    this.next(items);
  }

  /** Replaces all items; the array is copied. Does nothing once disposed of. */
  override next(items: readonly T[]): void {
    super.next(listOf(items));
  }

  /** The place of an item, or -1. */
  indexOf(item: T, from?: number): number {
    return this.value.indexOf(item, from);
  }

  /** How many items there are. */
  get length(): number {
    return this.value.length;
  }

  /** The item at a place; a negative one counts from the end. */
  at(place: number): T | undefined {
    return this.value.at(place);
  }

  /** Some items as a new array; all without a place. */
  slice(start?: number, end?: number): T[] {
    return this.value.slice(start, end);
  }

  /** The items, for `JSON.stringify`. */
  toJSON(): T[] {
    return this.slice();
  }

  [Symbol.iterator](): IterableIterator<T> {
    return this.value[Symbol.iterator]();
  }

  /** What each write from now on really changed; nothing for one that changes nothing. Costs nothing unobserved. */
  get delta$(): Observable<Delta<T>> {
    return (this.#delta$ ??= this.asObservable().pipe(
      pairwise(),
      map(([before, after]) => diff(before, after, behind(this).keyOf)),
      filter(({ added, changed, removed }) => added.length + changed.length + removed.length > 0),
      share(),
    ));
  }

  /** True while the items are being read, and until `requestLull` is over. */
  get isReading$(): StateStream<boolean> {
    const { busy, states } = behind(this);
    return states.get('isReading$', () => busy.is('read'));
  }

  /** The same as `isReading$`. */
  get isReading(): StateStream<boolean> {
    return this.isReading$;
  }

  /** True while an item is being created. */
  get isCreating$(): StateStream<boolean> {
    const { busy, states } = behind(this);
    return states.get('isCreating$', () => busy.is('create'));
  }

  /** True while any request of the collection is under way. */
  get requestInProgress$(): StateStream<boolean> {
    const { busy, states } = behind(this);
    return states.get('requestInProgress$', () => busy.is());
  }

  /** Why the last request failed, a refusal included; null after a success. An abort by the caller does not count. */
  get error$(): StateStream<Error | null> {
    return behind(this).error$;
  }

  /**
   * Ends the collection: aborts what is under way (pending and later requests fail with `DISPOSED`), completes all
   * streams, ignores later writes.
   */
  dispose(): void {
    behind(this).dispose();
    this.end();
  }

  #request$(action: Action, options: () => RequestOptions): Observable<Response> {
    return defer(() => {
      const resource = behind(this);
      const called = options();
      return sync$(resource, action, called).pipe(
        untilGivenUp(resource, action, called),
        resource.busy.during(action),
      );
    });
  }

  #change<R>(change: (list: T[]) => R): R {
    const list = this.slice();
    const result = change(list);
    super.next(list);
    return result;
  }
}

Object.defineProperty(Collection.prototype, 'sync', {
  configurable: true,
  get(this: Collection<unknown>): Sync {
    const { sync, root } = behind(this);
    return sync ?? ((action, concern, options) => root.sync(action, concern, options));
  },
  set(this: Collection<unknown>, sync: Sync) {
    behind(this).sync = sync;
  },
});
bindMethods(Collection.prototype);

function behind<T>(collection: Collection<T>): CollectionResource<T> {
  return resourceOf(collection) as CollectionResource<T>;
}

function listOf<T>(items: readonly T[]): T[] {
  if (Array.isArray(items)) return items.slice() as T[];
  throw new TypeError(`collection: the items must be an array, got ${items === null ? 'null' : typeof items}`);
}

import { Amendments } from './amendments';
import type { Update } from './amendments';
import { withConfirmed } from './confirmed';
import type { ItemConfirmation } from './confirmed';
import { equal } from './equal';
import { RequestError, whereOf } from './errors';
import type { Kind } from './flags';
import { idText } from './id';
import { indexBy, reconcile } from './items';
import type { KeyOf } from './items';
import type { List } from './list';
import { LiveRecords } from './live-records';
import type { ItemList, ListResourceConfig } from './live-records';
import type { Confirmer, Creation } from './mapped-resource';
import { isKeyed, isObject, ownCopy } from './objects';
import type { RecordRead } from './pending';
import { Resource } from './resource';
import { nextInOrder, plainTicket } from './ticket';
import type { Read, Ticket } from './ticket';
import type { Action, Concern, RequestOptions, Root } from './types';

/** The creation of an item under way. */
interface ItemCreation {
  /** The place in the order when it began. */
  readonly order: number;
  /** The place after which what is listed is no older than its answer. */
  readonly listedSince: number;
}

/** What stands behind a collection: it decides which answers become its items. */
export class ListResource<T> extends Resource implements ItemList<T> {
  declare config: ListResourceConfig;
  readonly list: List<T>;
  readonly properties: ItemList<T>['properties'] = ownCopy({});
  readonly #keyOf: KeyOf;
  #records: LiveRecords<T> | undefined;
  readonly recordReads: Set<RecordRead> = new Set<RecordRead>();
  /** How many items are being created. */
  #creations = 0;
  /** What is newer than the answers that are awaited. */
  readonly #amendments = new Amendments<T>();
  /** The items that were listed or announced meanwhile, or of which something was confirmed: the place in the order then. */
  readonly #told = new Map<unknown, number>();

  constructor(list: List<T> & Concern, root: Root, config: ListResourceConfig, keyOf: KeyOf) {
    super(list);
    this.boot(root, config);
    this.list = list;
    this.#keyOf = keyOf;
  }

  /** The live records, created on first use. */
  get records(): LiveRecords<T> {
    return (this.#records ??= new LiveRecords(this));
  }

  actionOf(kind: Kind): Action {
    return kind as Action;
  }

  data(_action: Action, { attrs }: RequestOptions): unknown {
    return attrs;
  }

  begin(action: Action, { attrs }: RequestOptions, order: number): Ticket {
    return action === 'create' ? this.#beginCreate(attrs as T) : this.#beginRead(order);
  }

  #beginCreate(item: T): Ticket {
    const creation = this.beginCreation(item);
    return {
      ...plainTicket,
      accept: (data) => {
        // What is answered in place of an object, such as how many were created, is no item.
        const created = isKeyed(item) && !isKeyed(data) ? item : (data ?? item);
        creation.add(created, isObject(item) ? item : undefined);
        return true;
      },
      end: creation.end,
    };
  }

  beginCreation(given?: T): Creation {
    const order = nextInOrder();
    // An item that brings its own id may have been listed in an older state.
    const creation = { order, listedSince: this.#idOf(given as T) ? Infinity : order };
    let last: unknown;
    this.#creations += 1;
    return {
      // What is answered again, as by a cache and then the network, replaces what was added before.
      add: (item, first) => (last = this.add(item as T, last ?? first, creation)),
      end: () => {
        this.#creations -= 1;
        this.#forget();
      },
    };
  }

  #beginRead(order: number): Ticket {
    const read: Read = { isOvertaken: false, order };
    const end = this.track(read);
    return {
      ...plainTicket,
      accept: (data, isData, answered) => {
        if (read.isOvertaken) return false;
        if (isData && !Array.isArray(data)) {
          const problem = `the answer to ${whereOf(answered?.request)} is not a list: return one from "parse"`;
          throw new RequestError('SHAPE', 'read', problem, answered);
        }
        this.overtake(undefined, read);
        return !isData || this.#fill(data as T[], read);
      },
      read,
      end: () => {
        end();
        this.#forget();
      },
    };
  }

  /**
   * What has become of items while the list was read is newer than the list; what was added in the meantime is kept, as far
   * as ids show that the list lacks it.
   *
   * @returns Whether the list is exactly what was answered.
   */
  #fill(answered: readonly T[], { order }: Read): boolean {
    const { _present: present } = this.list;
    // Passed on as a whole, it is no answer.
    if (answered === present) return false;
    // What `parse` passes on, as to append a page, is as it is shown, and no newer than before.
    const isAmended = this.#amendments.latest >= order;
    const passed = new Set(isAmended || this.recordReads.size || this.#creations ? present : []);
    if (this.recordReads.size) {
      const fresh = answered.filter((item) => !passed.has(item));
      const brought = indexBy(fresh, this.#identityOf);
      this.outdate((id) => brought.get(idText(id)) as object | undefined, order);
    }
    const now = (id: unknown, item: T | undefined) =>
      passed.has(item as T) ? item : this.#amendments.appliedTo(id, item, order);
    const list = isAmended ? answered.map((item) => now(this.#idOf(item), item) as T) : answered;
    if (this.#creations) this.#markTold(list, order, passed);
    let items: T[] = reconcile(present, list, this.#keyOf, this.#kept).filter((item) => item !== undefined);
    if (isAmended) {
      const listed = new Set(list.map(this.#identityOf));
      const isMissed = (key: unknown) => !listed.has(key) && now(key, undefined);
      items = items.concat(present.filter((item) => isMissed(this.#identityOf(item))));
    }
    this.list._fill(items);
    return !isAmended;
  }

  /**
   * Counts parts of items as newer than what reads of their records will answer.
   *
   * @param partOf What is new of the item with an id.
   * @param order The place of what brings it in the order of issue.
   */
  outdate(partOf: (id: unknown) => object | undefined, order: number): void {
    for (const read of this.recordReads) {
      const part = partOf(read.id) ?? {};
      if (read.order < (this.#amendments.requested.get(part) ?? order))
        for (const key of Object.keys(part)) read.brought.add(key);
    }
  }

  /** Called when a request for some of the items that a read reads is made. Returns what is to be called with these. */
  beginPart(): (items: readonly unknown[]) => void {
    return this.#amendments.beginPart();
  }

  /** Remembers which items a read has listed while others are being created. */
  #markTold(list: readonly T[], order: number, passed: ReadonlySet<T>): void {
    const now = nextInOrder();
    for (const item of list) {
      const identity = this.#identityOf(item);
      if (this.#told.has(identity) || !passed.has(item)) this.#told.set(identity, now);
    }
    // One that it lacks may have been created after it was answered, unless it was listed before this read was sent, or
    // announced since.
    for (const [identity, told] of this.#told)
      if (order < told && told < now && !this.#amendments.appliedTo(identity, undefined, order))
        this.#told.delete(identity);
  }

  /** The id of an item as text; empty if it has none. */
  #idOf(item: T): string {
    const key = this.#keyOf(item);
    return key === item ? '' : idText(key);
  }

  /** What tells an item from others: its id as text, or else the item. */
  readonly #identityOf: KeyOf = (item) => this.#idOf(item as T) || item;

  find(id: unknown): (T & object) | undefined {
    const key = idText(id);
    const item = key ? (this.list._byKey(id) ?? this.list._byText(key)) : undefined;
    return isObject(item) ? item : undefined;
  }

  /**
   * Puts an item in place of its draft, or else at the end, and removes any with its id that has come in the meantime.
   *
   * @param creation That it is the answer to: if it was listed since that began, what the list has of it is no older.
   * @returns What is in the list, if it is.
   */
  add(given: T, draft?: unknown, creation?: ItemCreation): T | undefined {
    const id = this.#idOf(given);
    const identity = id || given;
    const item = creation ? this.#amendments.appliedTo(identity, given, creation.order, true) : given;
    const known = this.find(id);
    const { _present: present } = this.list;
    const place = draft ? present.indexOf(draft as T) : -1;
    const isThere = place >= 0;
    const isListed = Number(this.#told.get(identity)) > Number(creation?.listedSince);
    const isOld = item === undefined || isListed || this.isOlder(item, known);
    const added = isOld ? known : this.#kept(present[place], item);
    const isKept = (other: T, at: number) => at === place || this.#idOf(other) !== id;
    this.#amend(this.#identityOf(added), (listed) => listed ?? added);
    if (isOld && !isThere) return known;
    if (known && !present.every(isKept)) {
      const items = present.filter(isKept);
      if (isThere) items[items.indexOf(draft as T)] = added as T;
      else items.push(added as T);
      this.list._fill(items);
    } else if (isThere) this.#replace(draft as T, added);
    else this.list._change('push', [added as never]);
    return added;
  }

  confirm(id: unknown, before: T | undefined, confirmed: ItemConfirmation | undefined, by: Confirmer): void {
    const update: Update<T> = confirmed
      ? (item) => item && this.#kept(item, withConfirmed(item, confirmed))
      : () => undefined;
    const after = update(before);
    const isRenamed = after && this.#idOf(after) !== this.#idOf(before as T);
    // What becomes of it from then on is known by its new id.
    this.amendReads(id, isRenamed ? () => undefined : update, by);
    if (!before) return;
    // It takes the place of an item that has that id.
    if (isRenamed) this.add(after, before);
    else this.#replace(before, after);
  }

  /** Applies an update to what is awaited, reads and creations, as far as it is newer. */
  amendReads(id: unknown, update: Update<T>, { read, issued }: Confirmer = {}): void {
    // A list requested after a record is newer than what the record's read brought.
    this.#amend(idText(id), update, read?.order, issued);
    if (this.#creations && (this.find(id) ?? update(undefined))) this.#told.set(idText(id), nextInOrder());
  }

  #amend(identity: unknown, update: Update<T>, place?: number, issued?: number): void {
    if (this.#isAwaiting) this.#amendments.add(identity, update, place, issued);
  }

  /** Forgets what nothing that is awaited can need any more. */
  #forget(): void {
    if (this.#isAwaiting) return;
    this.#amendments.clear();
    this.#told.clear();
  }

  get #isAwaiting(): number {
    return this.reads.length + this.#creations;
  }

  /** Replaces or removes an item; writes nothing if it stays the same. */
  #replace(before: T, after?: T): void {
    if (before === after) return;
    const place = this.list._placeOf(before);
    this.list._change('splice', (after === undefined ? [place, 1] : [place, 1, after]) as never[]);
  }

  isOlder(item: T, before: T | undefined): boolean {
    return this.list._guards.some((isOlder) => isOlder(item, before));
  }

  /** An item as it is to be: the same object if it stays equal, or if that is newer. */
  readonly #kept = (before: T | undefined, item: T): T | undefined =>
    equal(before, item) || this.isOlder(item, before) ? before : item;

  override dispose(): void {
    super.dispose();
    this.list._end();
  }
}

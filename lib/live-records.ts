import { notifyLast } from './batch';
import { withConfirmed } from './confirmed';
import type { ItemConfirmation } from './confirmed';
import { asConfirmed, isDirty, match } from './entry';
import { equal } from './equal';
import { idText, isSameId } from './id';
import { addProperties, lazyRecord, mapItem } from './item-record';
import type { ItemShape } from './item-record';
import type { Delta } from './items';
import type { List } from './list';
import type { Confirmer, Creation, Host, RecordConfirmation } from './mapped-resource';
import { givenEntries, isKeyed, isObject, ownCopy } from './objects';
import { readAt, segmentsOf, withAt } from './paths';
import type { RecordRead } from './pending';
import { RecordResource, recordOf } from './record';
import { resourceOf } from './resource';
import type { Subscription } from './rx';
import type { Concern, ResourceConfig } from './types';

/** What requests of a list are configured with, and its live records. */
export interface ListResourceConfig<M extends object = object> extends ResourceConfig {
  /** The class of its records; whether it takes the root is not checked. Default: a field for each key of an item. */
  readonly model?: (new (root: never) => M) | undefined;
}

/** The collection as its live records see it. */
export interface ItemList<T> extends ItemShape {
  readonly list: List<T>;
  /** What a record is configured with where its model sets nothing. */
  readonly config: ListResourceConfig;
  /** The reads of its live records that are under way. */
  readonly recordReads: Set<RecordRead>;
  /** Whether the list was disposed of: then it ignores what its records confirm, so its items are old. */
  readonly isDisposed: boolean;
  /** The item with an id, which may come as text from a route. */
  find(id: unknown): (T & object) | undefined;
  /** Notifies the subscribers of every state that has changed. */
  changed(): void;
  /** Adds the item of a new record that was given an id, in place of a draft if that is in the list. */
  add(item: T, draft: object): unknown;
  /** Whether a state of an item is too old to take the place of another; or of none, if it has been deleted since. */
  isOlder(item: T, before: T | undefined): boolean;
  /** An item is being created. */
  beginCreation(): Creation;
  /** The server has confirmed something of an item, or, if `confirmed` is undefined, that it is gone. */
  confirm(id: unknown, before: T | undefined, confirmed: ItemConfirmation | undefined, by: Confirmer): void;
}

/** The records that stand for items of a list: one for each id, as long as anyone holds it or it has edits. */
export class LiveRecords<T> implements Host {
  readonly #items: ItemList<T>;
  readonly #segments: readonly string[];
  /** By their id as text. Usually one; two if a new record is given an id that another already stands for. */
  readonly #records = new Map<string, readonly WeakRef<object>[]>();
  readonly #collected = new FinalizationRegistry<string>((id) => {
    this.#remember(id, this.#allOf(id));
  });
  /** The records that were not used yet, and the data they will begin with. */
  readonly #untouched = new WeakMap<object, object>();
  /** The records with edits, held strongly: nobody else may hold them, and what was typed must not be lost. */
  readonly #edited = new Set<RecordResource>();
  /** Those that may have got or lost edits since they were last examined: others need not be. */
  readonly #unsettled = new Set<RecordResource>();
  /** The items without an id that records were made for, until they have been created. */
  readonly #drafts = new WeakMap<RecordResource, object>();
  /** By items of the list without an id, the records made for them: asked again, the same must not be created twice. */
  readonly #made = new WeakMap<object, object>();
  /** For each record, the latest merge of an item that had to wait. */
  readonly #waiting = new WeakMap<RecordResource, Subscription>();
  /** The record whose answer is being written to the list. */
  #writing: RecordResource | undefined;

  constructor(items: ItemList<T>) {
    this.#items = items;
    this.#segments = segmentsOf(items.idAttribute);
  }

  /** The records of items that have edits, except those that are being deleted: a save would create the item again. */
  get edited(): readonly object[] {
    this.#settle();
    return [...this.#edited].filter(({ flags }) => !flags.isUp(['delete'])).map(({ concern }) => concern);
  }

  #settle(): void {
    for (const record of this.#unsettled) this.#edited[isEdited(record) ? 'add' : 'delete'](record);
    this.#unsettled.clear();
  }

  /** Called once after each write of records. */
  readonly #recordsChanged = (): void => {
    this.#settle();
    this.#items.changed();
  };

  beginCreation(): Creation {
    return this.#items.beginCreation();
  }

  get reads(): Set<RecordRead> {
    return this.#items.recordReads;
  }

  changed(record: RecordResource): void {
    this.#unsettled.add(record);
    notifyLast(this.#recordsChanged);
  }

  /** The record of an item, or of an id; a new one for an item that has no id and is not in the list. */
  get(itemOrId: unknown): object {
    const id = isObject(itemOrId) ? this.#idOf(itemOrId) : itemOrId;
    const made = this.#made.get(itemOrId as object);
    const all = made && !recordOf(made).isDisposed ? [made] : this.#allOf(id);
    // If several stand for it, one with edits, or else the one that did so first.
    const hasEdits = (each: object) => !this.#untouched.has(each) && isEdited(recordOf(each));
    const known = (all.length > 1 ? all.find(hasEdits) : undefined) ?? all[0];
    if (known) return known;
    const item = this.#items.find(id);
    const data = item ?? (isObject(itemOrId) ? itemOrId : withAt({}, this.#segments, id));
    const { config, root } = this.#items;
    const record = config.model
      ? this.#modelled(new config.model(root as never), data, id)
      : this.#untouchedOf(data);
    // An item that is not in the list is the caller's, who may modify it: it is read now.
    if (!item) {
      recordOf(record);
      if (this.#items.list._placeOf(data as T) >= 0) this.#made.set(data, record);
    }
    this.#keep(record, id);
    return record;
  }

  #modelled(instance: object, data: object, id: unknown): object {
    const record = resourceOf(instance);
    if (record instanceof RecordResource && record.root === this.#items.root) {
      this.#begin(record, data);
      if (isSameId(record.id, id)) return instance;
    }
    throw new TypeError(
      `record: "model" must make a record that maps "${this.#items.idAttribute}", its idAttribute, and pass on the root: super({}, root)`,
    );
  }

  #untouchedOf(data: object): object {
    const record = lazyRecord(data, this.#items, this.#touch);
    this.#untouched.set(record, data);
    return record;
  }

  /** Turns an unused object into a record on first use. */
  readonly #touch = (concern: object): void => {
    const data = this.#untouched.get(concern) as T & object;
    this.#untouched.delete(concern);
    const record = new RecordResource(concern as Concern);
    record.boot(this.#items.root);
    mapItem(record, data, this.#items);
    this.#begin(record, data);
  };

  /** Makes a record stand for an item. */
  #begin(record: RecordResource, data: object): void {
    const { config } = this.#items;
    // The list's own `parse` returns a list.
    record.config = ownCopy({
      ...config,
      parse: undefined,
      ...Object.fromEntries(givenEntries(record.config)),
    });
    record.isInList = record.config.url === config.url;
    record.settle(match(record.fields, data));
    if (!record.confirmedId) this.#drafts.set(record, data);
    record.host = this;
  }

  /** The answer to a read with what the list has brought or announced since. */
  withNewer(record: RecordResource, answer: unknown, read: RecordRead): unknown {
    const { id, brought, order } = read;
    if (this.#items.isDisposed) return order && !brought.size ? answer : {};
    const item = this.#items.find(id);
    // What the list has brought before goes first: if it still waits, it would undo what was read since.
    if (item && order && this.#waiting.get(record)?.closed === false) this.#merge(record, item);
    if (!isKeyed(answer)) return answer;
    if (this.#items.isOlder(answer as T, item)) return item ?? {};
    if (!brought.size || (item && this.#items.isOlder(item, answer as T))) return answer;
    // By now only the record has what was brought.
    if (!item) return Object.fromEntries(Object.entries(answer).filter(([key]) => !brought.has(key)));
    // As the list has it by now: what was brought may have been replaced or removed since.
    const newer = Object.fromEntries(Object.entries(item).filter(([key]) => brought.has(key)));
    const values = match(record.fields, newer);
    const whole = withConfirmed(answer, { answer: newer, values, fields: record.fields });
    // What says the same is no news: the answer counts as it is, and with it its version.
    return equal(whole, answer) ? answer : whole;
  }

  confirmed(record: RecordResource, confirmation: RecordConfirmation): void {
    this.#writing = record;
    try {
      this.#write(record, confirmation);
    } finally {
      this.#writing = undefined;
    }
    this.#keep(record.concern, record.confirmedId);
  }

  /** Writes what the server has confirmed for a record to its item. */
  #write(record: RecordResource, confirmation: RecordConfirmation): void {
    const { id: asked, entries, answer, creation, read } = confirmation;
    const before = this.#items.find(asked);
    // What has no value counts as left out, for the item as for its record.
    const brought = isKeyed(answer) ? Object.fromEntries(givenEntries(answer)) : {};
    // Without a model, a record has a field for each key, including one that comes later.
    if (!this.#items.config.model) mapItem(record, brought, this.#items);
    // A read is of the id requested, even if its answer leaves that out.
    const id = read && this.#idOf(brought) === undefined ? asked : record.confirmedId;
    // With another id it is another item, which is confirmed as a whole.
    const about = asked && isSameId(id, asked) ? entries : record.fields;
    const confirmed = { answer: brought, values: about.map(asConfirmed), fields: record.fields };
    // What the list passes on has no place in the order of issue, and is news only if the list holds something else by now.
    const isNews = read?.order === 0 ? before !== answer : answer !== undefined || !!about.length;
    const draft = before ?? this.#drafts.get(record) ?? {};
    const item = withConfirmed(draft as T, confirmed);
    if (asked) {
      // What is older changes nothing: the record shows again what is there.
      if (before && this.#items.isOlder(item, before)) this.#merge(record, before);
      else if (isNews) this.#items.confirm(asked, before, id ? confirmed : undefined, confirmation);
    } else if (creation ?? id) {
      this.#drafts.delete(record);
      const added = (creation ?? this.#items).add(item, draft);
      if (added && added !== item) this.#merge(record, added as T);
    }
  }

  /** Passes what is new in the list to the records that stand for it, like a read that keeps edits. */
  readonly #listChanged = ({ added, changed }: Delta<T>): void => {
    for (const item of [...added, ...changed.map(([, after]) => after)]) {
      for (const concern of this.#allOf(this.#idOf(item))) {
        const data = this.#untouched.get(concern);
        if (data) {
          this.#untouched.set(concern, { ...data, ...(item as object) });
          addProperties(concern, item as object, this.#items);
        } else if (concern !== this.#writing?.concern) this.#merge(recordOf(concern), item);
      }
    }
  };

  /** Passes an item to its record. One that a save has overtaken may still bring news, of what the save did not confirm. */
  #merge(record: RecordResource, item: T): void {
    // A merge that still waits for a write to end is older.
    this.#waiting.get(record)?.unsubscribe();
    const merging = record.receive$(item, 0).subscribe((isWritten) => {
      const id = this.#idOf(item);
      const now = isWritten || this.#items.isDisposed ? undefined : this.#items.find(id);
      if (now && this.#allOf(id).includes(record.concern)) this.#merge(record, now);
    });
    if (!merging.closed) this.#waiting.set(record, merging);
  }

  /** Remembers a record by the id it has now. */
  #keep(concern: object, id: unknown): void {
    const key = idText(id);
    const known = this.#allOf(id);
    if (!key || known.includes(concern)) return;
    this.#remember(key, [...known, concern]);
    this.#collected.register(concern, key);
  }

  #remember(key: string, concerns: readonly object[]): void {
    if (concerns.length)
      this.#records.set(
        key,
        concerns.map((each) => new WeakRef(each)),
      );
    else this.#records.delete(key);
    this.#items.list._whenChanged = this.#records.size ? this.#listChanged : undefined;
  }

  /** The records that stand for an id; not those that were disposed of, or were given another id. */
  #allOf(id: unknown): readonly object[] {
    const isOfIt = (concern: object) => {
      if (this.#untouched.has(concern)) return true;
      const { isDisposed, confirmedId } = recordOf(concern);
      return !isDisposed && isSameId(confirmedId, id);
    };
    const refs = this.#records.get(idText(id)) ?? [];
    return refs.flatMap((each) => each.deref() ?? []).filter(isOfIt);
  }

  #idOf(item: unknown): unknown {
    return readAt(item, this.#segments);
  }
}

/** Whether a record has edits that a save would send as those of an item. */
const isEdited = (record: RecordResource): boolean =>
  !record.isDisposed && !!record.confirmedId && record.fields.some(isDirty);

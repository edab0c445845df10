import { isObject } from './equal';
import { itemRecord, mapItem } from './item-record';
import type { Delta } from './items';
import type { List } from './list';
import { readAt, withAt } from './paths';
import { RecordResource } from './record';
import { idText, isSameId, ownCopy, resourceOf } from './resource';
import type { Read } from './resource';
import type { ResourceConfig, Root } from './types';

/** The collection as its live records see it. */
export interface Home<T> {
  readonly list: List<T>;
  readonly root: Root;
  /** What a record is configured with, where its model says nothing of it. */
  readonly config: ResourceConfig;
  readonly idAttribute: string;
  /** Makes a record; without a model one with a field for each key of an item. */
  readonly model: (new (root: never) => object) | undefined;
  /** A record has created an item, perhaps of one that is in the list. */
  add(item: T, draft: object): void;
  /** The server has confirmed other data for an id, or by undefined that it is gone. */
  confirm(id: unknown, before: T | undefined, after: T | undefined, by?: Read): void;
}

/** The records that stand for items of a list: one for each id, as long as anyone holds it. */
export class LiveRecords<T> {
  readonly #home: Home<T>;
  readonly #segments: readonly string[];
  /** By the text of their id. */
  readonly #records = new Map<string, WeakRef<object>>();
  readonly #collected = new FinalizationRegistry<string>((id) => {
    if (!this.#records.get(id)?.deref()) this.#records.delete(id);
    if (!this.#records.size) this.#home.list.whenChanged = undefined;
  });
  /** The record whose answer is being written to the list. */
  #writing: RecordResource | undefined;

  constructor(home: Home<T>) {
    this.#home = home;
    this.#segments = home.idAttribute.split('.');
  }

  /** The record of an item, or of an id; a new one for an item without. */
  get(itemOrId: unknown): object {
    const { idAttribute } = this.#home;
    const id = isObject(itemOrId) ? this.#idOf(itemOrId) : itemOrId;
    const known = this.#known(id)?.concern;
    if (known) return known;
    const data = this.#find(id) ?? (isObject(itemOrId) ? itemOrId : withAt({}, this.#segments, id));
    const record = this.#make(data);
    if (!isSameId(record.id, id)) {
      throw new TypeError(`record: its model must map "${idAttribute}", the idAttribute, to a field`);
    }
    record.whenConfirmed = (...confirmed) => {
      this.#take(record, data, ...confirmed);
    };
    this.#keep(record);
    return record.concern;
  }

  #make(data: object): RecordResource {
    const { model, root, config, idAttribute } = this.#home;
    const instance = model ? new model(root as never) : itemRecord(data, idAttribute, root);
    const record = resourceOf(instance);
    if (!(record instanceof RecordResource && (record.root as unknown))) {
      throw new TypeError('record: what "model" makes must be a record, extend DataModel or boot it');
    }
    const own = Object.entries(record.config).filter(([, value]) => value !== undefined);
    // The list's own `parse` makes a list of what is read.
    record.config = ownCopy({ ...config, parse: undefined, ...Object.fromEntries(own) });
    record.isInList = record.config.url === config.url;
    record.assign(data);
    return record;
  }

  /** Without a model a record has a field for each key, also for one that comes later. */
  #complete({ concern }: RecordResource, data: unknown): void {
    const { model, idAttribute } = this.#home;
    if (!model && isObject(data)) mapItem(concern, data, idAttribute);
  }

  /** What the server has confirmed for a record becomes its item. */
  #take(
    record: RecordResource,
    blank: object,
    asked: unknown,
    answer?: unknown,
    isCreated?: boolean,
    read?: Read,
  ): void {
    this.#complete(record, answer);
    const id = record.confirmedId;
    const before = this.#find(asked);
    const after = (): T => {
      const source: object = { ...(before ?? blank), ...(isObject(answer) ? answer : {}) };
      return record.fields.reduce(
        (data, entry) => withAt(data, entry.segments, entry.confirmed),
        source,
      ) as T;
    };
    this.#writing = record;
    try {
      if (!asked && (id || isCreated)) this.#home.add(after(), blank);
      else if (asked && !id) this.#home.confirm(asked, before, undefined);
      // What the list has handed on is there already.
      else if (asked && !(answer && before === answer)) this.#home.confirm(asked, before, after(), read);
    } finally {
      this.#writing = undefined;
    }
    this.#keep(record);
  }

  /** Hands what is new in the list to the records that stand for it, as a read that keeps edits would. */
  readonly #hand = ({ added, changed }: Delta<T>): void => {
    for (const item of [...added, ...changed.map(([, after]) => after)]) {
      const record = this.#known(this.#idOf(item));
      if (record && record !== this.#writing) record.receive$(item, false).subscribe();
    }
  };

  /** Remembers a record by the id it has now, unless another stands for that. */
  #keep(record: RecordResource): void {
    const id = record.confirmedId;
    if (!id || this.#known(id)) return;
    const key = idText(id);
    this.#records.set(key, new WeakRef(record.concern));
    this.#collected.register(record.concern, key);
    this.#home.list.whenChanged = this.#hand;
  }

  /** The record that stands for an id; not one that was disposed of, or was given another id. */
  #known(id: unknown): RecordResource | undefined {
    const concern = id ? this.#records.get(idText(id))?.deref() : undefined;
    const record = concern && (resourceOf(concern) as RecordResource);
    return record?.whenConfirmed && isSameId(record.confirmedId, id) ? record : undefined;
  }

  /** The item with an id, which may come as text from a route. */
  #find(id: unknown): (T & object) | undefined {
    const { list } = this.#home;
    const item = id ? (list.byKey(id) ?? list.present.find((each) => isSameId(this.#idOf(each), id))) : id;
    return isObject(item) ? (item as T & object) : undefined;
  }

  #idOf(item: unknown): unknown {
    return readAt(item, this.#segments);
  }
}

import { RemoteRecord } from './data-model';
import { isObject } from './equal';
import { Field } from './observable';
import type { MappedField } from './observable';
import { isWithin } from './paths';
import { RecordResource, recordOf } from './record';
import { postpone, resourceOf } from './resource';
import type { Concern, Root } from './types';

/** A record with a field for each key of an item; keys that are members of every record are there in `get()` only. */
export type ItemRecord<T> = RemoteRecord & {
  readonly [
    K in keyof T as K extends string ? (K extends keyof RemoteRecord ? never : K) : never
  ]: MappedField<T[K], K & string>;
};

/** What a record inherits until it is asked for anything: then it is made first. */
const unmade: object = /* @__PURE__ */ new Proxy(
  /* @__PURE__ */ Object.create(RemoteRecord.prototype) as object,
  {
    get: (members, name, record: object): unknown =>
      Reflect.get(resourceOf(record) ? record : members, name, record),
  },
);

/** An object that becomes a record when it is asked for anything; until then it costs next to nothing. */
export function recordToCome(make: (record: object) => void): object {
  const record = Object.create(unmade) as object;
  postpone(record, make);
  return record;
}

/** Makes such an object a record of an item: with a field for its id, and for each of its own keys. */
export function itemRecord(owner: object, item: object, idAttribute: string, root: Root): RecordResource {
  Object.setPrototypeOf(owner, RemoteRecord.prototype);
  const record = new RecordResource(owner as Concern);
  record.boot(root);
  mapItem(owner, { [idAttribute]: undefined, ...item }, idAttribute);
  return record;
}

/** Maps a field for each own key of an item that the record has none for; its value is replaced whole. */
export function mapItem(owner: object, item: object, idAttribute: string): void {
  const record = owner as Record<string, unknown>;
  const mapAll = (values: object, prefix: string) => {
    for (const [key, value] of Object.entries(values)) {
      const path = prefix + key;
      // The id may lie deeper: its path takes the place of the objects around it.
      if (path !== idAttribute && isWithin(idAttribute, path))
        mapAll(isObject(value) ? value : {}, `${path}.`);
      else if ((path === idAttribute || isName(key)) && !recordOf(record).entry(path)) {
        const field = new Field(value).map(path, record);
        if (!(path in record)) record[path] = field;
      }
    }
  };
  mapAll(item, '');
}

/** Whether a key can be one segment of a path. */
const isName = (key: string): boolean =>
  !key.includes('.') && !['', '__proto__', 'constructor', 'prototype'].includes(key);

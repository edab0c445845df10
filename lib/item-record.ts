import { RemoteRecord } from './data-model';
import { isObject } from './equal';
import { Field } from './observable';
import type { MappedField } from './observable';
import { isWithin } from './paths';
import { recordOf } from './record';
import type { Root } from './types';

/** A record with a field for each key of an item; keys that are members of every record are there in `get()` only. */
export type ItemRecord<T> = RemoteRecord & {
  readonly [
    K in keyof T as K extends string ? (K extends keyof RemoteRecord ? never : K) : never
  ]: MappedField<T[K], K & string>;
};

/** Makes a record for an item without a model: a field for its id, and for each of its own keys. */
export function itemRecord(item: object, idAttribute: string, root: Root): object {
  const record = new RemoteRecord(undefined, root);
  mapItem(record, { [idAttribute]: undefined, ...item }, idAttribute);
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

import { RemoteRecord } from './data-model';
import { isObject } from './equal';
import { Field } from './observable';
import type { MappedField } from './observable';
import { isWithin } from './paths';
import type { Root } from './types';

/** A record with a field for each key of an item; keys that are members of every record are there in `get()` only. */
export type ItemRecord<T> = RemoteRecord & {
  readonly [
    K in keyof T as K extends string ? (K extends keyof RemoteRecord ? never : K) : never
  ]: MappedField<T[K], K & string>;
};

/** Makes a record for an item without a model: a field for each of its own keys, whose value is replaced whole. */
export function itemRecord(item: object, idAttribute: string, root: Root): object {
  const record = new RemoteRecord(undefined, root) as unknown as Record<string, unknown>;
  const mapAll = (values: object, prefix: string) => {
    for (const [key, value] of Object.entries(values)) {
      const path = prefix + key;
      // The id may lie deeper: its path takes the place of the objects around it.
      if (isObject(value) && path !== idAttribute && isWithin(idAttribute, path)) mapAll(value, `${path}.`);
      else if (isName(key)) {
        const field = new Field(value).map(path, record);
        if (!prefix && !(key in record)) record[key] = field;
      }
    }
  };
  mapAll(item, '');
  return record;
}

/** Whether a key can be one segment of a path. */
const isName = (key: string): boolean =>
  !key.includes('.') && !['', '__proto__', 'constructor', 'prototype'].includes(key);

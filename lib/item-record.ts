import { RemoteRecord } from './data-model';
import { replaceable } from './members';
import { own, ownCopy } from './objects';
import { Field } from './observable';
import type { MappedField } from './observable';
import { isName, readAt } from './paths';
import { RecordResource } from './record';
import { registerLazily, resourceOf } from './resource';
import type { Concern, Root } from './types';

/**
 * A record with a field for each key of an item, of a new one for those that it is given; keys that are members of every record
 * are there in `get()` only.
 */
export type ItemRecord<T> = RemoteRecord & {
  readonly [
    K in keyof T as K extends string ? (K extends keyof RemoteRecord ? never : K) : never
  ]: MappedField<T[K], K & string>;
};

/** What the items of a list have in common. */
export interface ItemShape {
  readonly idAttribute: string;
  /** What shows a field, by path: the same for all records, so that they look alike to engines. */
  readonly properties: Record<string, PropertyDescriptor>;
}

/** The shape of items of which none was seen yet. */
export const shapeOf = (idAttribute: string): ItemShape => ({ idAttribute, properties: ownCopy({}) });

/** An object that becomes a record of an item when it is asked for anything; until then it costs next to nothing. */
export function lazyRecord(item: object, shape: ItemShape, make: (record: object) => void): object {
  const record = Object.create(RemoteRecord.prototype) as object;
  registerLazily(record, make);
  addProperties(record, item, shape);
  return record;
}

/** Makes such an object a record. */
export function itemRecord(owner: object, item: object, shape: ItemShape, root: Root): RecordResource {
  const record = new RecordResource(owner as Concern);
  record.boot(root);
  mapItem(record, item, shape);
  return record;
}

/** Maps a field for the id and each own key of an item that the record has none in; its value is replaced whole. */
export function mapItem(record: RecordResource, item: object, shape: ItemShape): void {
  for (const path of pathsOf(item, shape)) {
    if (record.near(path)) continue;
    const field = new Field(readAt(item, path.split('.'))).map(path, record.concern);
    if (!(path in RemoteRecord.prototype)) record.members[path] = field;
  }
  addProperties(record.concern, item, shape);
}

/** Has an object show the fields that a record has for an item, but for those that would hide its own members. */
export function addProperties(owner: object, item: object, shape: ItemShape): void {
  for (const path of pathsOf(item, shape)) {
    if (!(path in owner)) Reflect.defineProperty(owner, path, (shape.properties[path] ??= propertyOf(path)));
  }
}

const propertyOf = (path: string): PropertyDescriptor =>
  replaceable(path, true, function (this: object) {
    return resourceOf(this)?.members[path];
  });

/** Where an item has fields: at its id, and at its own keys; the id may lie deeper, in place of the objects around it. */
function pathsOf(item: object, { idAttribute }: ItemShape): Set<string> {
  const paths = new Set([idAttribute]);
  const addAll = (values: object, prefix: string) => {
    for (const key of Object.keys(values)) {
      const path = prefix + key;
      if (idAttribute.startsWith(`${path}.`)) addAll(Object(own(values, key)) as object, `${path}.`);
      else if (isName(key)) paths.add(path);
    }
  };
  addAll(item, '');
  return paths;
}

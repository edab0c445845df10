import { DataModel } from './data-model';
import type { IsUnion } from './data-of';
import { replaceable } from './members';
import { own } from './objects';
import { Field } from './observable';
import type { MappedField } from './observable';
import { isName, readAt, segmentsOf } from './paths';
import type { RecordResource } from './record';
import { registerLazily, resourceOf } from './resource';
import type { Root } from './types';

/**
 * A record with a field for each key of an item, or, if new, for each key it was given. If items are of several types (a
 * union), it has the keys of all. A key that is also a member of every record is only in the data (`get()`), whose type leaves
 * it out.
 */
export type ItemRecord<T> = DataModel & FieldsOf<Merged<T>>;

type FieldsOf<T> = {
  readonly [K in keyof T as K extends Unnamed | keyof DataModel ? never : K & string]: MappedField<
    T[K],
    K & string
  >;
};

/** Keys that get no field, since they cannot be paths. */
type Unnamed = '' | `${string}.${string}` | '__proto__' | 'constructor' | 'prototype';

/** One type in place of a union: with the keys of all members, undefined where one lacks it. */
type Merged<T> = true extends IsUnion<T> ? { [K in KeyOfEach<T>]: ValueOfEach<T, K> } : T;

type KeyOfEach<T> = T extends unknown ? keyof T : never;
type ValueOfEach<T, K> = T extends unknown ? (K extends keyof T ? T[K] : undefined) : never;

/** What the records of a list's items have in common. */
export interface ItemShape {
  readonly root: Root;
  readonly idAttribute: string;
  /** The properties that show fields, by path: the same for all records, so that engines give these one shape. */
  readonly properties: Record<string, PropertyDescriptor>;
}

/** An object that becomes a record of an item on first use; until then it costs next to nothing. */
export function lazyRecord(item: object, shape: ItemShape, make: (record: object) => void): object {
  const record = Object.create(DataModel.prototype) as object;
  registerLazily(record, make);
  addProperties(record, item, shape);
  return record;
}

/** Maps a field for an item's id and each own key, unless one is mapped at, in or around it; its value is replaced whole. */
export function mapItem(record: RecordResource, item: object, shape: ItemShape): void {
  for (const path of pathsOf(item, shape)) {
    if (!record.near(path)) new Field(readAt(item, segmentsOf(path))).map(path, record.concern);
  }
  addProperties(record.concern, item, shape);
}

/** Gives an object properties for the fields of an item, except those that would hide its own members. */
export function addProperties(owner: object, item: object, shape: ItemShape): void {
  for (const path of pathsOf(item, shape)) {
    if (!(path in owner))
      Reflect.defineProperty(
        owner,
        path,
        (shape.properties[path] ??= replaceable(path, true, function (this: object) {
          return (resourceOf(this) as RecordResource | undefined)?.entry(path)?.field;
        })),
      );
  }
}

/** The paths of an item's fields: its id and its own keys; objects around a nested id are replaced by their keys. */
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

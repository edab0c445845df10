import type { MappedField, ValueAt } from '../index';

import { isPlain, mapKeys } from './data';
import type { Data } from './data';
import { Field } from './peers';

/** A value that is one field although it is a plain object; made by `whole`. */
export interface Whole<T> {
  /** The value, as it was given to `whole`. */
  readonly value: T;
}

/**
 * Marks an initial value as one field, where its keys would become fields: a dictionary, an object that may be null, a union
 * of shapes.
 */
export const whole = <const T>(value: T): Whole<Writable<T>> => new Field(value);

/** Without the `readonly` that `const` adds to plain objects and lists. */
type Writable<T> = [IsPlainType<T>, T] extends [true, object] | [false, readonly unknown[]]
  ? { -readonly [K in keyof T]: Writable<T[K]> }
  : T;

/** The initial data of a record: every key, `undefined` where it has no value and the schema's type lets it have none. */
export type InitialOf<T> =
  IsGroup<T> extends true
    ? { readonly [K in keyof T & string]: InitialOf<T[K]> }
    : unknown extends T
      ? Whole<T> | null | undefined
      : T extends object
        ? IsPlainType<T> extends true
          ? Whole<T>
          : T
        : T;

/**
 * The fields for some data: `name`, and for nested objects `address.city`, which is also available by its path:
 * `record['address.city']`.
 */
export type FieldsOf<T> = {
  readonly [P in LeafOf<T>]: MappedField<ValueAt<T, P>, P>;
} & {
  readonly [K in keyof T & string as IsGroup<T[K]> extends true ? K : never]: GroupOf<T[K], `${K}.`>;
};

/** The fields of a nested object. */
type GroupOf<T, Prefix extends string> = {
  readonly [K in keyof T & string]: IsGroup<T[K]> extends true
    ? GroupOf<T[K], `${Prefix}${K}.`>
    : MappedField<T[K], `${Prefix}${K}`>;
};

/** The paths of all fields. */
type LeafOf<T> = {
  [K in keyof T & string]-?: IsGroup<T[K]> extends true ? `${K}.${LeafOf<T[K]>}` : K;
}[keyof T & string];

/** Whether the keys of a value are fields, rather than the value itself: a plain object of one shape, with known keys. */
export type IsGroup<T> = [T] extends [object]
  ? [IsPlainType<T>, IsUnion<T>, string extends keyof T ? true : false] extends [true, false, false]
    ? true
    : false
  : false;

/** Whether values of an object type are data: lists are not, nor are objects with methods, like dates. */
type IsPlainType<T> = [T] extends [readonly unknown[]] ? false : [MethodOf<T>] extends [never] ? true : false;

type MethodOf<T> = T extends (...args: never) => unknown
  ? T
  : {
      [K in keyof T]-?: unknown extends T[K] ? never : T[K] extends (...args: never) => unknown ? K : never;
    }[keyof T];

type IsUnion<T, U = T> = [T] extends [never]
  ? false
  : T extends unknown
    ? [U] extends [T]
      ? false
      : true
    : never;

/**
 * Makes the fields of a record: one for each key of the initial data, those of nested objects in groups. Each field and each
 * group is assigned to the record by its path.
 *
 * @returns The fields and groups of this level.
 * @throws TypeError for a key that the record already has, that has a dot, or that no path can have.
 */
export function mapFields(record: object, initial: Data, prefix = ''): Data {
  return mapKeys(initial, (key, value) => {
    const path = prefix + key;
    if (key.includes('.') || path in record) {
      throw new TypeError(`defineRecord: rename "${path}", it is taken or has a dot`);
    }
    // Without keys there is nothing to be a field but the whole.
    const made =
      isPlain(value) && Object.keys(value).length
        ? mapFields(record, value, `${path}.`)
        : new Field(ownList(value instanceof Field ? value.value : value)).map(path, record);
    Object.assign(record, { [path]: made });
    return made;
  });
}

/** A list of the record's own: what is added to it in place must not appear in the next record. */
const ownList = (value: unknown): unknown => (Array.isArray(value) ? value.slice() : value);

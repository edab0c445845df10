import type { DataModelConfig, Root, StateStream } from '../index';

import { blankOf } from './blank';
import { conforms } from './conforms';
import type { Data } from './data';
import type { Errors } from './errors';
import { mapFields } from './fields';
import type { FieldsOf, InitialOf, IsGroup } from './fields';
import { DataModel, lib } from './peers';
import type { InputOf, OutputOf, StandardSchema } from './standard';
import { validateSaves } from './validate-saves';

/** The configuration of a record with a schema. */
export interface RecordConfig<S extends StandardSchema> extends DataModelConfig {
  /**
   * What the data of a record must be: checks each answer, each save, and the values shown (`errors$`). May be asynchronous.
   *
   * It must accept its own output, since that is what the fields hold and what is checked before a save. For a date, use a
   * schema that accepts text and dates, like zod's `z.coerce.date()`.
   */
  readonly schema: S & Usable<S>;
  /**
   * What a new record begins with, or a function that returns it, called for each record; may be what the schema refuses,
   * like an empty name. Its keys are the fields: every key of the data must be there, `undefined` where it has no value and
   * the schema's type lets it have none. Nested objects become nested fields; lists, dates and values marked by `whole` (an
   * object that may be null has to be) are one field.
   *
   * Default: what the schema itself says (zod, valibot, arktype): its keys, its defaults (zod and valibot), null where it is
   * allowed, else empty text and lists; anything else is undefined at first, whatever its type. What may be missing or null is
   * one field.
   */
  readonly initial?: InitialOf<OutputOf<S>> | (() => InitialOf<OutputOf<S>>) | undefined;
}

/** A record with a schema: its fields by name, nested like the data, and what is wrong with them. */
export type SchemaRecord<T> = DataModel &
  FieldsOf<T> & {
    /**
     * What the schema finds wrong with the values shown, by path. Follows the fields; nothing is checked before it is
     * subscribed to or read. With an asynchronous schema the latest data wins, and `value` is what the last check found.
     */
    readonly errors$: StateStream<Errors>;
  };

/** No constraint for a schema that fits a record; else what is wrong with it. */
type Usable<S extends StandardSchema> =
  IsGroup<OutputOf<S>> extends true
    ? [OutputOf<S>] extends [InputOf<S>]
      ? [Taken<OutputOf<S>>] extends [never]
        ? unknown
        : Readonly<
            Record<
              `"${Taken<OutputOf<S>>}" is a member of every record, it cannot be a key of the schema`,
              never
            >
          >
      : { readonly 'the schema must accept its own output': never }
    : { readonly 'the schema must output an object of one shape with keys of its own': never };

/** Keys of data that are members of records, or of all objects. */
type Taken<T> = Extract<
  keyof T & string,
  keyof (DataModel & { errors$: unknown }) | keyof typeof Object.prototype
>;

/**
 * Makes a record class from a schema: it determines the fields and their types, and no answer or save gets past it
 * unchecked.
 *
 * An answer that the schema refuses fails its request with a `SchemaError`, and nothing is written; one that it accepts is
 * written as the schema outputs it, see `conforms`. A save that it refuses fails with a `SchemaError`, and nothing is sent,
 * see `validateSaves`.
 *
 * @param config As for `DataModel`, whose `parse` is called before the schema; plus `schema` and `initial`.
 * @returns A class that extends `DataModel`, to be used as it is or extended; answers reach a field that you add only if the
 *   schema lets its key through. Its constructor takes a root, default `lib`, and throws a TypeError if a key of the initial
 *   data cannot be a field.
 * @throws TypeError if `schema` is not a Standard Schema, or lists no keys and `initial` is missing.
 */
export function defineRecord<S extends StandardSchema>(
  config: RecordConfig<S>,
): new (root?: Root) => SchemaRecord<OutputOf<S>> {
  // Without a prototype: what careless scripts add to `Object.prototype` is no option.
  const { schema, initial: given, parse, ...rest } = { __proto__: null, ...config };
  const conforming: DataModelConfig = { ...rest, parse: conforms(schema, parse) };
  const initial: unknown = given ?? blankOf(schema);
  class Defined extends DataModel {
    readonly errors$: StateStream<Errors> = validateSaves(this, schema);

    constructor(root: Root = lib) {
      super(conforming, root);
      mapFields(this, (typeof initial === 'function' ? (initial as () => Data)() : initial) as Data);
    }
  }
  return Defined as unknown as new (root?: Root) => SchemaRecord<OutputOf<S>>;
}

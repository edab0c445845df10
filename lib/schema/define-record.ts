import type { DataModelConfig, Root, StateStream } from '../index';

import { blankOf } from './blank';
import { conforms } from './conforms';
import type { Data } from './data';
import type { Errors } from './errors';
import { mapFields } from './fields';
import type { FieldsOf, InitialOf, IsField } from './fields';
import { DataModel, lib } from './peers';
import type { InputOf, OutputOf, StandardSchema } from './standard';
import { validateSaves } from './validate-saves';

/** What a record with a schema is configured with. */
export interface RecordConfig<S extends StandardSchema> extends DataModelConfig {
  /**
   * What the data of a record have to be: asked for each answer, before each save, and for `errors$`. May be
   * asynchronous.
   *
   * It has to take what it gives, since its output is what the fields hold and what is checked before a save. For a
   * date that is a schema which takes text and dates, like zod's `z.coerce.date()`.
   */
  readonly schema: S & Usable<S>;
  /**
   * What a new record begins with, which may be what the schema refuses, like an empty name; or a function that gives
   * it, called for each record. Its keys are the fields: every key of the data has to be there, `undefined` where it
   * has no value. Nested objects become nested fields; lists, dates and what is marked by `whole` are one field.
   *
   * Default: what the schema tells of its keys (zod, valibot and arktype do): its defaults (zod and valibot), empty text and
   * lists; anything else has no value at first, whatever its type says, and what may be missing or null is one field.
   */
  readonly initial?: InitialOf<OutputOf<S>> | (() => InitialOf<OutputOf<S>>) | undefined;
}

/** A record of some data: its fields by name, nested as the data are, and what is wrong with them. */
export type SchemaRecord<T> = DataModel &
  FieldsOf<T> & {
    /**
     * What the schema has against the record as it is shown, by path. Follows the fields; nothing is checked before it
     * is subscribed or read. With an asynchronous schema the latest data win, and `value` is what the last check found.
     */
    readonly errors$: StateStream<Errors>;
  };

/** Nothing for a schema that can be a record's; else what is wrong with it. */
type Usable<S extends StandardSchema> = [IsField<OutputOf<S>>] extends [true]
  ? { readonly 'the schema has to give an object, of one shape and with keys of its own': never }
  : [OutputOf<S>] extends [InputOf<S>]
    ? [Taken<OutputOf<S>>] extends [never]
      ? unknown
      : Readonly<
          Record<
            `"${Taken<OutputOf<S>>}" is a member of every record, it cannot be a key of the schema`,
            never
          >
        >
    : { readonly 'the schema has to take what it gives': never };

/** Keys of data that are members of records. */
type Taken<T> = Extract<keyof T & string, keyof (DataModel & { errors$: unknown })>;

/**
 * Makes the class of a record from a schema: its fields, their types, and that neither an answer nor a save gets past
 * the schema.
 *
 * An answer that the schema refuses fails its request with a `SchemaError`, and nothing is written; one that it accepts
 * is written as the schema gives it, see `conforms`. A save that it refuses fails with a `SchemaError`, and nothing is
 * sent, see `validateSaves`.
 *
 * @param config As for `DataModel`, its `parse` is called before the schema; and `schema`, `initial`.
 * @returns A class like any that extends `DataModel`, to be used as it is or extended; answers reach a field that is
 *   added only if the schema lets its key through. Takes a root, default `lib`. Making a record throws a TypeError for
 *   initial data with a key that cannot be a field.
 * @throws TypeError for what is no Standard Schema, and without `initial` for one that does not tell its keys.
 */
export function defineRecord<S extends StandardSchema>(
  config: RecordConfig<S>,
): new (root?: Root) => SchemaRecord<OutputOf<S>> {
  const { schema, initial: given, parse, ...rest } = config;
  const conforming: DataModelConfig = { ...rest, parse: conforms(schema, parse) };
  const initial = given ?? blankOf(schema);
  class Defined extends DataModel {
    readonly errors$: StateStream<Errors> = validateSaves(this, schema);

    constructor(root: Root = lib) {
      super(conforming, root);
      mapFields(this, (typeof initial === 'function' ? (initial as () => unknown)() : initial) as Data);
    }
  }
  return Defined as unknown as new (root?: Root) => SchemaRecord<OutputOf<S>>;
}

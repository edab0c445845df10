import type { Concern, Parse } from '../index';

import { accepted } from './accepted';
import { andThen } from './and-then';
import { isPlain, isWithin, partLike } from './data';
import { dataWith, saved } from './record';
import type { Fielded } from './record';
import { checkBy, parseBy } from './standard';
import type { SchemaIssue, StandardSchema } from './standard';

/**
 * A `parse` for a record that accepts only answers that fit a schema, and returns them as the schema outputs them: text
 * turned into dates, defaults filled in.
 *
 * A read must answer the whole record. A save may answer a part of it: what is missing is taken from the record as it was
 * sent (without `validateSaves`, as it is shown), and of the result only what was answered is written. Keys that the schema
 * strips do not reach the record.
 *
 * @param schema Checks each ok answer with data. May be asynchronous.
 * @param parse Called first, for example to unwrap an envelope. Default: none.
 * @returns A `parse` that fails the request with a `SchemaError` if the schema refuses the answer, and with whatever `parse`
 *   or the schema throws; then nothing is written, except the id of what a save has created. The server has still accepted
 *   such a save.
 * @throws TypeError if `schema` is not a Standard Schema.
 */
export function conforms(schema: StandardSchema, parse?: Parse): Parse {
  const check = checkBy(schema);
  return parseBy((data, action, concern) => {
    const record = concern as Concern & Fielded;
    if (action === 'read') return accepted(check, data, action);
    const whole = dataWith(record, data, saved.get(record));
    const createdOf = (issues: readonly SchemaIssue[]) =>
      action === 'create' ? identityOf(data, record.idAttribute, issues) : undefined;
    return andThen(accepted(check, whole, action, 'the answer', createdOf), (value) =>
      partLike(value, data, record.hasMappedField),
    );
  }, parse);
}

/** The id of a refused answer, in place; undefined if it has none, or if something is wrong with it. */
function identityOf(data: unknown, idAttribute: string, issues: readonly SchemaIssue[]): object | undefined {
  const isWrong = ({ path }: SchemaIssue) => isWithin(path, idAttribute) || isWithin(idAttribute, path);
  const keys = idAttribute.split('.');
  const id = keys.reduce((value, key) => (isPlain(value) ? value[key] : undefined), data);
  if (!id || !/string|number|bigint/.test(typeof id) || issues.some(isWrong)) return undefined;
  return keys.reduceRight<unknown>((value, key) => ({ [key]: value }), id) as object;
}

import type { Action, Concern, Parse } from '../index';

import { overlay } from './data';
import { accepted } from './error';
import { dataWith, saved } from './record';
import type { Fielded } from './record';
import { andThen, checkBy } from './standard';
import type { StandardSchema } from './standard';

/**
 * The `parse` of a record that takes only answers that a schema accepts, and has them as the schema gives them: text
 * made dates, defaults filled in.
 *
 * A read has to answer the whole record. The answer to a save may be a part of it: what is missing is taken from the
 * record as it was sent (without `validateSaves`: as it is shown), and of the outcome only what was answered is written.
 * Keys that the schema leaves out do not reach the record.
 *
 * @param schema Asked for each ok answer with data. May be asynchronous.
 * @param parse Called first, for example to unwrap an envelope. Default: none.
 * @returns Fails the request with a `SchemaError` for an answer that the schema refuses, and with whatever `parse` or
 *   the schema throws; nothing is written then. The server has accepted such a save all the same.
 * @throws TypeError for what is no Standard Schema.
 */
export function conforms(schema: StandardSchema, parse: Parse = (answer) => answer): Parse {
  const check = checkBy(schema);
  return function (this: Concern, answer: unknown, action: Action) {
    const record = this as Concern & Fielded;
    return andThen(parse.call(this, answer, action), (data) => {
      if (action === 'read') return accepted(check, data, action);
      const whole = dataWith(record, data, saved.get(record));
      return andThen(accepted(check, whole, action), (value) =>
        overlay(data, value, record.hasMappedField, true),
      );
    });
  };
}

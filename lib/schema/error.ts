import type { Action } from '../index';

import { andThen } from './standard';
import type { Check, SchemaIssue } from './standard';

/**
 * Data that a schema refuses: an answer or item of one, which was not written, or data to be saved, which was not sent.
 *
 * The message names only a path, so that logging it does not reveal what was entered.
 */
export class SchemaError extends Error {
  /** Identifies it where two copies of the package defeat `instanceof`. */
  override readonly name: string = 'SchemaError';
  /** What the request was to do. */
  declare readonly action: Action;
  /** Everything that is wrong, in the order in which the schema reports it. */
  declare readonly issues: readonly SchemaIssue[];
  /**
   * What is written all the same of a refused answer to the create of a record: its id, if the schema finds nothing wrong with
   * that, so that the next save does not create it again. Otherwise undefined. Not enumerable.
   */
  declare readonly created: object | undefined;

  /**
   * Made by rivulet; make one yourself to report what your own check refuses in the same form.
   *
   * @param subject What is refused, for the message: `'the answer'`.
   * @param issues Everything that is wrong; the message names the path of the first.
   * @param created Of an answer to a create: the part of it that is to be written.
   */
  constructor(action: Action, subject: string, issues: readonly SchemaIssue[], created?: object) {
    const path = issues[0]?.path;
    super(`${action}: the schema refuses ${subject}${path ? ` at "${path}"` : ''}, see "issues"`);
    this.action = action;
    this.issues = issues;
    Object.defineProperty(this, 'created', { value: created });
  }
}

/**
 * The output of a schema for some data: at once, or as a promise if the schema returns one. Fails with a `SchemaError` if it
 * refuses.
 *
 * @param subject What the data is, for the message.
 * @param createdOf What is to be written of data that is refused.
 */
export const accepted = (
  check: Check,
  data: unknown,
  action: Action,
  subject = 'the answer',
  createdOf?: (issues: readonly SchemaIssue[]) => object | undefined,
): unknown =>
  andThen(check(data), ({ issues, value }) => {
    if (issues) throw new SchemaError(action, subject, issues, createdOf?.(issues));
    return value;
  });

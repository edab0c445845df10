import type { Action } from '../index';

import type { SchemaIssue } from './standard';

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
  /** The answer whose data are refused; undefined if it is data to be saved, which was not sent. */
  declare readonly response?: Response;
  /**
   * Made by rivulet; make one yourself to report what your own check refuses in the same form.
   *
   * @param subject What is refused, for the message: `'the answer'`.
   * @param issues Everything that is wrong; the message names the path of the first.
   */
  constructor(action: Action, subject: string, issues: readonly SchemaIssue[]) {
    const path = issues[0]?.path;
    super(`${action}: the schema refuses ${subject}${path ? ` at "${path}"` : ''}, see "issues"`);
    this.action = action;
    this.issues = issues;
  }
}

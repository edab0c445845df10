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

/** The key under which the core looks for what is to be written of a refused answer all the same: the id of a new record. */
const createdKey = /* @__PURE__ */ Symbol.for('rivulet.created');

/**
 * The output of a schema for some data: at once, or as a promise if the schema returns one. Fails with a `SchemaError` if it
 * refuses, or with what it threw.
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
  andThen(check(data), ({ issues = [], value, failed }) => {
    if (!issues.length && !failed) return value;
    const failure = failed ? failed.with : new SchemaError(action, subject, issues);
    // What was thrown may be no object, or frozen, or thrown before.
    if (createdOf && failure === Object(failure))
      Reflect.defineProperty(failure as object, createdKey, {
        configurable: true,
        value: createdOf(issues),
      });
    throw failure;
  });

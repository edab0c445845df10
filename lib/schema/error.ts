import type { Action } from '../index';

import { andThen } from './standard';
import type { Check, SchemaIssue } from './standard';

/**
 * Data that a schema refuses: an answer, of which nothing was written, or data to be saved, of which nothing was sent.
 *
 * The message names a path only, so that logging it tells nothing of what was entered.
 */
export class SchemaError extends Error {
  /** Tells it from other errors where two copies of the package defeat `instanceof`. */
  override readonly name: string = 'SchemaError';
  /** The request that it was for. */
  declare readonly action: Action;
  /** All that is wrong, in the order of the schema. */
  declare readonly issues: readonly SchemaIssue[];

  constructor(action: Action, subject: string, issues: readonly SchemaIssue[]) {
    const path = issues[0]?.path;
    super(`${action}: the schema refuses ${subject}${path ? ` at "${path}"` : ''}, see "issues"`);
    this.action = action;
    this.issues = issues;
  }
}

/**
 * What a schema gives for some data: at once, or a promise of it where the schema gives one. Fails with a `SchemaError` if it
 * refuses.
 *
 * @param subject What the data are, for the message.
 */
export const accepted = (check: Check, data: unknown, action: Action, subject = 'the answer'): unknown =>
  andThen(check(data), ({ issues, value }) => {
    if (issues) throw new SchemaError(action, subject, issues);
    return value;
  });

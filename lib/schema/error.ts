import type { Action } from '../index';

import type { Checked, SchemaIssue } from './standard';

/**
 * Data that a schema refuses: an answer, of which nothing was written, or data to be saved, of which nothing was sent.
 *
 * The message names a path only, so that logging it tells nothing of what was entered.
 */
export class SchemaError extends Error {
  /** Tells it from other errors where two copies of the package defeat `instanceof`. */
  override readonly name: string = 'SchemaError';
  /** The request that it was for. */
  readonly action: Action;
  /** All that is wrong, in the order of the schema. */
  readonly issues: readonly SchemaIssue[];

  constructor(action: Action, subject: string, issues: readonly SchemaIssue[]) {
    const path = issues[0]?.path;
    super(`${action}: the schema refuses ${subject}${path ? ` at "${path}"` : ''}, see "issues"`);
    this.action = action;
    this.issues = issues;
  }
}

/**
 * What a schema gives.
 *
 * @param subject What it was asked of, for the message.
 * @throws SchemaError if it refuses.
 */
export function accepted({ issues, value }: Checked, action: Action, subject: string): unknown {
  if (issues) throw new SchemaError(action, subject, issues);
  return value;
}

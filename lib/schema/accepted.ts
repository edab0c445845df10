import type { Action } from '../index';

import { andThen } from './and-then';
import { SchemaError } from './schema-error';
import type { Check, SchemaIssue } from './standard';

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
    const mark = (key: PropertyKey, marked: unknown) =>
      // What was thrown may be no object, or frozen, or thrown before.
      failure === Object(failure) &&
      Reflect.defineProperty(failure as object, key, { configurable: true, value: marked });
    if (createdOf) mark(createdKey, createdOf(issues));
    // As in an error of the core: without a response, it says that nothing was sent.
    if (failed && subject === 'the save') mark('action', action);
    throw failure;
  });

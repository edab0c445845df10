import type { z } from 'zod';
import type { Json, JsonObject } from './json.ts';
import { ProblemError } from './problem.ts';
import type { FieldErrors } from './problem.ts';
import { TakenError } from './table.ts';

/** The fields to store, from what a client sent. Throws a 422 problem that lists everything wrong. */
export function validate(schema: z.ZodType<JsonObject>, sent: Json): JsonObject {
  const checked = schema.safeParse(sent);
  if (checked.success) return checked.data;
  throw new ProblemError(422, 'Some fields have values that cannot be stored.', {
    type: '/problems/invalid',
    title: 'Invalid fields',
    errors: fieldErrors(checked.error.issues),
  });
}

/** Performs a write. Throws a 409 problem if another row already has one of its unique values. */
export function orConflict<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof TakenError)) throw error;
    throw new ProblemError(409, `${error.message} by another row.`, {
      type: '/problems/taken',
      title: 'Value taken',
      errors: { [error.path]: ['is taken'] },
    });
  }
}

function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of issues) (errors[path.join('.')] ??= []).push(message);
  return errors;
}

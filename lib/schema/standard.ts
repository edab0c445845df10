import type { Action, Concern, Parse } from '../index';

import { andThen } from './and-then';

/**
 * A schema of any library that follows Standard Schema v1 (https://standardschema.dev): zod, valibot, arktype and
 * others. The interface is the standard's, which is meant to be copied.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** What the library offers by the standard. */
  readonly '~standard': {
    /** The version of the standard. */
    readonly version: 1;
    /** The name of the library. */
    readonly vendor: string;
    /** Checks a value; the result may hold another value, or be a promise. */
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>;
    /** The types of the schema, for the compiler only. */
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** What a schema says about a value: the value to use, or what is wrong with the one given. */
export type SchemaResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** One thing that is wrong with a value, as the standard defines it. */
export interface StandardIssue {
  /** What is wrong, in the words of the schema. */
  readonly message: string;
  /** The keys that lead to the value concerned; absent for the value as a whole. */
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The input type of a schema: what it accepts. */
export type InputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];

/** The output type of a schema: what it returns. */
export type OutputOf<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** One thing that is wrong with a value. */
export interface SchemaIssue {
  /** Where it is, like the path of a mapped field: `'address.city'`, `'tags.0'`; `''` for the value as a whole. */
  readonly path: string;
  /** In the words of the schema. */
  readonly message: string;
}

/** The outcome of a check: the value to use, or what is wrong. */
export interface Checked {
  readonly value?: unknown;
  readonly issues?: readonly SchemaIssue[] | undefined;
  /** If the schema did not come to a result, what it threw or rejected with. */
  readonly failed?: { readonly with: unknown };
}

/** Checks a value, or the item of a list at some place. Never fails; returns a promise only if the schema does. */
export type Check = (value: unknown, ...place: readonly number[]) => Checked | PromiseLike<Checked>;

/**
 * The check that a schema performs.
 *
 * @throws TypeError if it is not a Standard Schema.
 */
export function checkBy(schema: StandardSchema): Check {
  const standard = (schema as Partial<StandardSchema> | undefined)?.['~standard'];
  if (typeof standard?.validate !== 'function') {
    throw new TypeError('schema: pass a Standard Schema, like one of zod');
  }
  const failedWith = (reason: unknown): Checked => ({ failed: { with: reason } });
  return (value, ...place) => {
    try {
      return andThen(standard.validate(value), (result) => checked(result, place), failedWith);
    } catch (reason) {
      return failedWith(reason);
    }
  };
}

/**
 * The `parse` that goes on with what another returns.
 *
 * @throws TypeError if that is no function: the core would see this one only, and report it after a save was accepted.
 */
export const parseBy = (
  next: (data: unknown, action: Action, concern: Concern) => unknown,
  given?: Parse,
): Parse => {
  const parse = given ?? ((answer: unknown) => answer);
  if (typeof parse !== 'function') throw new TypeError('schema: "parse" must be a function');
  return function (this: Concern, answer, action) {
    return andThen(parse.call(this, answer, action), (data) => next(data, action, this));
  };
};

/** A result of the standard, with its paths as text. */
function checked(result: SchemaResult<unknown>, place: readonly PropertyKey[]): Checked {
  const { issues } = Object(result) as SchemaResult<unknown>;
  if (!issues && 'value' in Object(result)) return { value: (result as Checked).value };
  // Otherwise a predicate's `false` would pass for a value that is undefined.
  if (!Array.isArray(issues)) {
    throw new TypeError('schema: "validate" must return { value } or { issues }');
  }
  // A schema that lists no issue has still refused.
  const listed = issues.length ? issues : [{ message: 'refused without a reason' }];
  return {
    issues: listed.map(({ path = [], message }: StandardIssue) => ({
      path: [...place, ...path].map(keyOf).join('.'),
      message,
    })),
  };
}

const keyOf = (segment: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof segment === 'object' ? segment.key : segment);

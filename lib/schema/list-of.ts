import type { Action, CollectionConfig, ItemRecord } from '../index';

import { accepted } from './accepted';
import { allOf, andThen } from './and-then';
import { SchemaError } from './schema-error';
import { checkBy, parseBy } from './standard';
import type { Checked, OutputOf, StandardSchema } from './standard';

/** The configuration of a collection whose items have a schema. */
export interface ListConfig<
  S extends StandardSchema,
  M extends object = ItemRecord<OutputOf<S>>,
> extends CollectionConfig<OutputOf<S>, M> {
  /** What each item in an answer must be. May be asynchronous. */
  readonly schema: S;
  /**
   * Called for each item of a read that the schema refuses, with what is wrong and the item as `parse` returned it; the item
   * is left out. What it throws or rejects with, the read fails with; for a promise, the read waits. Default: the whole read
   * fails with a `SchemaError` that lists everything wrong, and nothing is written.
   */
  readonly onInvalid?: ((error: SchemaError, item: unknown) => unknown) | undefined;
}

/**
 * The configuration of a collection whose items follow a schema: `lib.collection(listOf({ url, schema }))`.
 *
 * Items are as the schema outputs them, in type too: text turned into dates, defaults filled in. An answer to a `create`
 * must be a whole item; a refused one fails the create, though the server has accepted it.
 *
 * @param config As for `lib.collection`, whose `parse` is called first; plus `schema` and `onInvalid`.
 * @throws TypeError if `schema` is not a Standard Schema, or if `onInvalid` or `parse` is no function. Requests fail with a
 *   `SchemaError`, or what the schema throws.
 */
export function listOf<S extends StandardSchema, M extends object = ItemRecord<OutputOf<S>>>(
  config: ListConfig<S, M>,
): CollectionConfig<OutputOf<S>, M> {
  // Without a prototype: what careless scripts add to `Object.prototype` is no option.
  const { schema, onInvalid, parse, ...rest } = { __proto__: null, ...config };
  const check = checkBy(schema);
  if (typeof (onInvalid ?? check) !== 'function')
    throw new TypeError('listOf: "onInvalid" must be a function');
  return {
    ...rest,
    parse: parseBy((data, action) => {
      if (action !== 'read') return accepted(check, data, action);
      // The collection itself refuses what is not a list.
      if (!Array.isArray(data)) return data;
      const outcomes = data.map((item, place) => (onInvalid ? check(item) : check(item, place)));
      return andThen(allOf(outcomes), (found) => valid(found, data, action, onInvalid));
    }, parse),
  };
}

/**
 * The items as the schema outputs them, once whoever wants to know has been told of the others.
 *
 * @throws SchemaError with the place of each refused item, if there is no `onInvalid`.
 */
function valid(
  outcomes: readonly Checked[],
  items: readonly unknown[],
  action: Action,
  onInvalid: ListConfig<StandardSchema>['onInvalid'],
): unknown {
  for (const { failed } of outcomes) if (failed) throw failed.with;
  const wrong = onInvalid ? [] : outcomes.flatMap(({ issues = [] }) => issues);
  if (wrong.length) throw new SchemaError(action, 'the answer', wrong);
  const handled = outcomes.map(({ issues }, place) => {
    const told = issues && onInvalid?.(new SchemaError(action, 'an item', issues), items[place]);
    // If a later one throws, nobody waits for this: its failure must not surface as an unhandled rejection.
    if (told instanceof Promise) told.catch(() => undefined);
    return told;
  });
  return andThen(allOf(handled), () => outcomes.flatMap(({ issues, value }) => (issues ? [] : [value])));
}

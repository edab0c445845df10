import type { Action, CollectionConfig, Concern, ItemRecord } from '../index';

import { SchemaError, accepted } from './error';
import { andThen, checkBy, isPromise } from './standard';
import type { Checked, OutputOf, SchemaIssue, StandardSchema } from './standard';

/** What a collection of items with a schema is configured with. */
export interface ListConfig<
  S extends StandardSchema,
  M extends object = ItemRecord<OutputOf<S>>,
> extends CollectionConfig<OutputOf<S>, M> {
  /** What each item that the server answers has to be. May be asynchronous. */
  readonly schema: S;
  /**
   * Called with each item of a read that the schema refuses, as `parse` gave it, and with what is wrong with it; the
   * item is left out. What it throws, the read fails with. Default: the read is refused as a whole, with all that is
   * wrong, and nothing is written.
   */
  readonly onInvalid?: ((error: SchemaError, item: unknown) => void) | undefined;
}

/**
 * The configuration of a collection whose items follow a schema: `lib.collection(listOf({ url, schema }))`.
 *
 * Items are as the schema gives them: text made dates, defaults filled in. The type of the items is the schema's. The
 * answer to a `create` has to be a whole item; one that is refused fails it, though the server has accepted the item.
 *
 * @param config As for `lib.collection`, its `parse` is called first; and `schema`, `onInvalid`.
 * @throws TypeError for what is no Standard Schema. Requests fail with a `SchemaError`, and with what a schema throws.
 */
export function listOf<S extends StandardSchema, M extends object = ItemRecord<OutputOf<S>>>(
  config: ListConfig<S, M>,
): CollectionConfig<OutputOf<S>, M> {
  const { schema, onInvalid, parse = (answer: unknown) => answer, ...rest } = config;
  const check = checkBy(schema);
  const checkAnswer = (data: unknown, action: Action): unknown => {
    if (action !== 'read') return accepted(check, data, action);
    // What is no list the collection itself refuses.
    if (!Array.isArray(data)) return data;
    const outcomes = data.map((item, place) => (onInvalid ? check(item) : check(item, place)));
    // Waits only if there is something to wait for.
    const all = outcomes.some(isPromise)
      ? Promise.all(outcomes as readonly PromiseLike<Checked>[])
      : (outcomes as Checked[]);
    return andThen(all, (found) => valid(found, data, action, onInvalid));
  };
  return {
    ...rest,
    parse(this: Concern, answer, action) {
      return andThen(parse.call(this, answer, action), (data) => checkAnswer(data, action));
    },
  };
}

/**
 * The items as the schema gives them.
 *
 * @throws SchemaError if some are refused and nobody takes them, with the place of each.
 */
function valid(
  outcomes: readonly Checked[],
  items: readonly unknown[],
  action: Action,
  onInvalid: ListConfig<StandardSchema>['onInvalid'],
): unknown[] {
  const wrong: SchemaIssue[] = [];
  const values = outcomes.flatMap(({ issues, value }, place) => {
    if (!issues) return [value];
    if (onInvalid) onInvalid(new SchemaError(action, 'an item', issues), items[place]);
    else wrong.push(...issues);
    return [];
  });
  if (wrong.length) throw new SchemaError(action, 'the answer', wrong);
  return values;
}

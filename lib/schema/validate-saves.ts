import type { Action, DataModel, RequestOptions, StateStream, Sync } from '../index';

import { accepted } from './accepted';
import { andThen } from './and-then';
import { errorsIn } from './errors';
import type { Errors } from './errors';
import { dataWith, saved } from './record';
import { checkBy } from './standard';
import type { StandardSchema } from './standard';

/**
 * Checks each save of a record by a schema: what it refuses is not sent, and the save fails with a `SchemaError` that lists
 * everything wrong.
 *
 * The values of the fields are checked and sent as they are: the schema's output is for answers only. Fields without a value
 * count as absent, as in JSON. A save of a part (`attrs`, `patch`) is checked as the whole record with that part.
 *
 * A save is checked when its turn comes, after earlier writes have ended. During an asynchronous check the flags are up, and
 * what is edited is not sent; an update of a record that shows another id afterwards fails with `BAD_ID`. The check precedes
 * the record's `sync`, also one assigned later; that receives what is sent in `options.attrs`, and if it passes on to the
 * previous one, the schema checks again. A class field `sync` of a subclass would replace the check: assign it in the
 * constructor.
 *
 * @param schema May be asynchronous. What it throws, the save fails with.
 * @returns What is wrong with the values shown, by path. Follows the fields; nothing is checked before it is subscribed to
 *   or read. With an asynchronous schema the latest data wins, and `value` is what the last check found, nothing at first.
 * @throws TypeError if `schema` is not a Standard Schema, or the record was not booted yet.
 */
export function validateSaves(record: DataModel, schema: StandardSchema): StateStream<Errors> {
  const check = checkBy(schema);
  if (!(record as Partial<DataModel>).sync) throw new TypeError('validateSaves: boot the record first');
  const checked =
    (perform: Sync): Sync =>
    (action, concern, options) => {
      if (action === 'read' || action === 'delete') return perform.call(concern, action, concern, options);
      // Captured at the start, since a check may take a while.
      const { attrs = dataOf(record, action, options) } = options;
      const whole = dataWith(record, attrs);
      // A synchronous refusal fails right here, like a request that cannot be made: nothing has begun.
      return andThen(accepted(check, whole, action, 'the save'), () => {
        // If given up in the meantime: a `sync` that starts work when called must not be called. One that passes on options
        // of its own may leave the signal out.
        (options as RequestOptions).signal?.throwIfAborted();
        saved.set(record, whole);
        return perform.call(concern, action, concern, { ...options, attrs });
      });
    };
  let sync = checked(record.sync);
  Object.defineProperty(record, 'sync', {
    configurable: true,
    get: () => sync,
    // A check for each, since it may pass on to the previous one.
    set: (perform: Sync) => {
      sync = checked(perform);
    },
  });
  return errorsIn(record, check);
}

/** What a save sends by default. */
function dataOf(record: DataModel, action: Action, { patch }: RequestOptions): object {
  const isDirty = record.dirtyMap();
  const isWhole = !patch || action === 'create';
  // The compiler does not know the paths of just any record.
  return record.get(Object.keys(isDirty).filter((path) => isWhole || isDirty[path]) as never[]);
}

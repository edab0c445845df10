import type { Action, DataModel, RequestOptions, StateStream, Sync } from '../index';

import { accepted } from './error';
import { errorsIn } from './errors';
import type { Errors } from './errors';
import { dataWith, saved } from './record';
import { andThen, checkBy } from './standard';
import type { StandardSchema } from './standard';

/**
 * Has a schema asked before each save of a record: nothing is sent that it refuses; the save fails with a `SchemaError`
 * that holds all that is wrong.
 *
 * The values of the fields are checked, and sent as they are: what the schema makes of them is for answers only. Fields
 * without a value count as absent, as in JSON. A save of a part (`attrs`, `patch`) is checked as the record is with it.
 *
 * A save is checked in its turn, after earlier writes have ended. With an asynchronous schema the flags are up meanwhile,
 * and what is edited meanwhile is not sent; an update of a record that shows another id by then fails with `BAD_ID`. The
 * check stands before the record's `sync`, also before one assigned later; that gets what is sent in `options.attrs`, and
 * has the schema asked again if it hands on to the one before.
 *
 * @param schema May be asynchronous. What it throws, the save fails with.
 * @returns What is wrong with the record as it is shown. Follows the fields; nothing is checked before it is subscribed
 *   or read. With an asynchronous schema the latest data win, and `value` is what the last check found, nothing at
 *   first.
 * @throws TypeError for what is no Standard Schema.
 */
export function validateSaves(record: DataModel, schema: StandardSchema): StateStream<Errors> {
  const check = checkBy(schema);
  const checked =
    (perform: Sync): Sync =>
    (action, concern, options) => {
      if (action === 'read' || action === 'delete') return perform.call(concern, action, concern, options);
      // Taken down at the start, since a check may take its time.
      const { attrs = dataOf(record, action, options) } = options;
      const whole = dataWith(record, attrs);
      // What takes no time fails here and now, as a request that cannot be made: nothing has begun.
      return andThen(accepted(check, whole, action, 'what is to be saved'), () => {
        // Given up meanwhile: a `sync` that goes to work when it is called must not be. One that hands on options of its
        // own may leave the signal out.
        (options as RequestOptions).signal?.throwIfAborted();
        saved.set(record, whole);
        return perform.call(concern, action, concern, { ...options, attrs });
      });
    };
  let sync = checked(record.sync);
  Object.defineProperty(record, 'sync', {
    configurable: true,
    get: () => sync,
    // One of its own each, since it may hand on to the one before.
    set: (perform: Sync) => {
      sync = checked(perform);
    },
  });
  return errorsIn(record, check);
}

/** What a save sends of itself. */
function dataOf(record: DataModel, action: Action, { patch }: RequestOptions): object {
  const isDirty = record.dirtyMap();
  const isWhole = !patch || action === 'create';
  // The compiler does not know the paths of just any record.
  return record.get(Object.keys(isDirty).filter((path) => isWhole || isDirty[path]) as never[]);
}

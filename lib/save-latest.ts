import { equal } from './equal';
import { shielded } from './request/shielded';
import { EMPTY, concatMap, defer, filter, from } from './rx';
import type { ObservableInput, OperatorFunction } from './rx';

/**
 * Saves while the user types: runs one save at a time, and after it another for the latest value that arrived in the
 * meantime.
 *
 * Values in between are skipped, and so is an empty object: a patch with nothing dirty. Meant for
 * `record.changes$.pipe(debounceTime(500), saveLatest(() => record.save$({ patch: true }).pipe(catchError(() => EMPTY))))`.
 * A value that has waited for a debounce or for a save may have been saved since then, so check `isDirty$` in `run`; and
 * `isDeleting$`: after a destroy, a save would create the record again.
 *
 * @param run Called with the latest value, once per save. Its failure fails the stream; to go on, catch it inside.
 * @returns An operator that emits what the saves emit. Unsubscribing aborts the one under way.
 */
export const saveLatest =
  <T, R>(run: (value: T) => ObservableInput<R>): OperatorFunction<T, R> =>
  (source) =>
    defer(() => {
      /** The latest value that waits to be saved, if any. */
      const pending: T[] = [];
      return source.pipe(
        // One that replaces another takes over its turn.
        filter((value) => !pending.splice(0, 1, value).length),
        concatMap(() => {
          const [value] = pending.splice(0) as [T];
          return equal(value, {}) ? EMPTY : shielded(from(run(value)));
        }),
      );
    });

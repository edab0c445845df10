import { equal } from './equal';
import { shielded } from './request/shielded';
import { concatMap, defer, exhaustMap, filter, from, repeat, tap } from './rx';
import type { ObservableInput, OperatorFunction } from './rx';

/**
 * Saves as one types: runs one save at a time, and when it has ended another for the latest value that came meanwhile.
 *
 * Values in between are passed over, and so is an empty object: a patch that says nothing is dirty. Meant for
 * `record.changes$.pipe(debounceTime(500), saveLatest(() => record.save$({ patch: true }).pipe(catchError(() => EMPTY))))`.
 * A value that has waited for a debounce or for a save may say what was saved meanwhile, so look at `isDirty$` in `run`; and
 * at `isDeleting$`: behind a destroy a save would create the record anew.
 *
 * @param run Called with the latest value, once per save. Its failure ends the stream; to go on, catch it inside.
 * @returns Emits what the saves emit. Unsubscribing aborts the one under way.
 */
export const saveLatest =
  <T, R>(run: (value: T) => ObservableInput<R>): OperatorFunction<T, R> =>
  (source) =>
    defer(() => {
      /** The latest value not yet saved, if any. */
      let pending: T[] = [];
      // `repeat` looks at what is pending by then: an empty array ends it, one with a value starts the next save.
      const save$ = defer(() => pending.splice(0)).pipe(
        filter((value) => !equal(value, {})),
        concatMap((value) => shielded(from(run(value)))),
        repeat({ delay: () => pending }),
      );
      return source.pipe(
        tap((value) => {
          pending = [value];
        }),
        exhaustMap(() => save$),
      );
    });

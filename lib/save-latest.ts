import { EMPTY, defer, exhaustMap, from, of, repeat, tap } from './rx';
import type { ObservableInput, OperatorFunction } from './rx';

import { isPlain } from './equal';

/**
 * Saves as one types: runs one save at a time, and when it has ended another for the latest value that came meanwhile.
 *
 * Values in between are passed over, and so is an empty object: a patch that says nothing is dirty. Meant for
 * `record.changes$.pipe(debounceTime(500), saveLatest(() => record.save$({ patch: true }).pipe(catchError(() => EMPTY))))`.
 *
 * @param run Called with the latest value, once per save. Its failure ends the stream; to go on, catch it inside.
 * @returns Emits what the saves emit. Unsubscribing aborts the one under way.
 */
export function saveLatest<T, R>(run: (value: T) => ObservableInput<R>): OperatorFunction<T, R> {
  return (source) =>
    defer(() => {
      let latest: { readonly value: T } | undefined;
      const next$ = defer(() => {
        const { value } = latest as { readonly value: T };
        latest = undefined;
        return isPlain(value) && Object.keys(value).length === 0 ? EMPTY : from(run(value));
      });
      return source.pipe(
        tap((value) => {
          latest = { value };
        }),
        exhaustMap(() => next$.pipe(repeat({ delay: () => (latest ? of(true) : EMPTY) }))),
      );
    });
}

import { isObject } from '../objects';
import { concatMap, from, of } from '../rx';
import type { Observable, ObservableInput } from '../rx';

import { shielded } from './shielded';

/** Whether a value is a promise, an Observable or an async generator's result. Text and lists are data, though iterable. */
export const isAsync = (value: unknown): value is Observable<unknown> | PromiseLike<unknown> =>
  isObject(value) &&
  [value.then, value.subscribe, (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator]].some(
    (each) => typeof each === 'function',
  );

/** What a callback returned, as a stream. Any other value is emitted as it is: a later check reports it. */
export function streamOf<T>(given: ObservableInput<T>): Observable<T> {
  if (!isAsync(given)) return of(given as T);
  // What `await` takes: unlike for RxJS, its `then` need not return anything.
  const isThenable = typeof (given as PromiseLike<T>).then === 'function' && !('subscribe' in given);
  return isThenable ? from(Promise.resolve(given)) : shielded(from(given));
}

/** What a callback returned, as a stream. A promise of a promise, or of a stream, is followed to its end. */
export function streamToEnd(result: unknown): Observable<unknown> {
  if (!isAsync(result)) return of(result);
  // A subscriber that leaves during the call never sees a failure: it must not surface as an unhandled rejection.
  if (result instanceof Promise) result.catch(() => undefined);
  return streamOf(result).pipe(concatMap(streamToEnd));
}

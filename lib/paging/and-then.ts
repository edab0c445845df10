import { concatMap, defer, filter, from, map, of, repeat, takeWhile } from './peers';
import type { Observable, ObservableInput } from './peers';

/**
 * Continues with what a callback returned, now or later. As a stream, so that nothing else can happen between `next` and what
 * the core does next.
 */
export function andThen(value: unknown, next: (value: unknown) => unknown): unknown {
  if (!isAsync(value)) return next(value);
  // A subscriber that leaves during the call never sees a failure: it must not surface as an unhandled rejection.
  if (value instanceof Promise) value.catch(() => undefined);
  // What `await` takes: unlike for RxJS, its `then` need not return anything.
  const isThenable = typeof (value as PromiseLike<unknown>).then === 'function';
  const source = isThenable ? Promise.resolve(value) : value;
  return from(source as ObservableInput<unknown>).pipe(map((each) => andThen(each, next)));
}

/** Whether a value is a promise, an Observable or an async generator's result. */
export function isAsync(value: unknown): value is ObservableInput<unknown> {
  const { then, subscribe, [Symbol.asyncIterator]: iterate } = Object(value) as Record<PropertyKey, unknown>;
  return [then, subscribe, iterate].some((each) => typeof each === 'function');
}

/**
 * Follows what a callback returned, now or later, and the next step as long as the last result is unfinished. As a loop: however
 * many steps are answered at once, the stack hardly grows. For one subscriber, which performs what is left.
 */
export function toEnd<U>(
  first: unknown,
  Unfinished: new (...args: never[]) => U,
  step: (unfinished: U) => unknown,
): Observable<unknown> {
  let left: (() => unknown) | undefined = () => first;
  return defer(() => {
    const perform = left;
    left = undefined;
    return perform ? flat(perform()) : of(end);
  }).pipe(
    repeat(),
    takeWhile((result) => result !== end),
    filter((result) => {
      left = result instanceof Unfinished ? () => step(result) : undefined;
      return !left;
    }),
  );
}

/** Says that no step is left. */
const end = {};

/** A stream of the values that streams lead to. */
const flat = (value: unknown): Observable<unknown> =>
  isAsync(value) ? from(value).pipe(concatMap(flat)) : of(value);

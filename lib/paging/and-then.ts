import { from, map } from './peers';
import type { ObservableInput } from './peers';

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

/** Continues with a result: synchronously if it is there, so that nothing waits without need. */
export function andThen<T, R>(
  result: T | PromiseLike<T>,
  next: (result: T) => R,
  failed?: (error: unknown) => R,
): R | PromiseLike<Awaited<R>>;
export function andThen(
  result: unknown,
  next: (result: unknown) => unknown,
  failed?: (error: unknown) => unknown,
): unknown {
  return isPromise(result) ? Promise.resolve(result).then(next).catch(failed) : next(result);
}

/** All results of a list: waits only if there is something to wait for. */
export const allOf = <T>(
  results: readonly (T | PromiseLike<T>)[],
): readonly T[] | PromiseLike<readonly T[]> =>
  results.some(isPromise) ? Promise.all(results) : (results as readonly T[]);

/** Whether a result is still to come. A promise of another realm is one too. */
const isPromise = (result: unknown): result is PromiseLike<unknown> =>
  typeof (result as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function';

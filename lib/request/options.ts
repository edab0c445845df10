import { badOption } from '../errors';
import { isObject, isPlain, own, ownCopy } from '../objects';
import type { Resource } from '../resource';
import { from, of } from '../rx';
import type { Observable, ObservableInput } from '../rx';
import type { Action, RequestOptions } from '../types';

import { shielded } from './shielded';

/** Options that are ours and must not reach `fetch`. */
const ours = ['attrs', 'keepEdits', 'patch', 'rollback', 'timeout', 'writeResponse'];

/** The options given to a call; anything but a plain object, such as a click event, counts as none. */
export const callOptions = (given: object | undefined): RequestOptions =>
  isPlain(given) && !own(given, 'preventDefault') ? given : {};

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
  const isThenable = 'then' in given && !('subscribe' in given);
  return shielded(from(isThenable ? Promise.resolve(given) : given));
}

/**
 * The value of an option that may be a callback, which is called with the record or collection as `this`.
 *
 * @throws RequestError `BAD_OPTION` for a promise or stream: a request cannot wait before it is made.
 */
export function evaluate(
  { concern }: Resource,
  action: Action,
  option: unknown,
  ...args: unknown[]
): unknown {
  const value: unknown = typeof option === 'function' ? Reflect.apply(option, concern, args) : option;
  if (!isAsync(value)) return value;
  // It is refused here, so its own failure must not surface as an unhandled rejection.
  Promise.resolve(value).catch(() => undefined);
  throw badOption(action, 'an option must be a value, or a callback that returns one, not a promise');
}

/**
 * Merges the three levels, of which later ones win: global, configuration, call. Returns what goes to `fetch`, with the
 * abort signals apart.
 */
export function mergeOptions(
  resource: Resource,
  action: Action,
  options: RequestOptions,
  called: RequestOptions,
): {
  readonly init: Record<string, unknown>;
  readonly headers: Headers;
  readonly signals: (AbortSignal | null)[];
} {
  const init = ownCopy<Record<string, unknown>>({});
  const headers = new Headers();
  const signals: (AbortSignal | null)[] = [];
  for (const level of [resource.options.fetchOptions, resource.config.fetchOptions, options]) {
    const source = evaluate(resource, action, level, action, resource.concern, called) ?? {};
    if (!isObject(source)) throw badOption(action, '"fetchOptions" must be an object');
    for (const [key, value] of Object.entries(source)) {
      if (value === undefined || ours.includes(key)) continue;
      if (key === 'headers') for (const pair of headersOf(value)) headers.set(...pair);
      else if (key === 'signal') signals.push(value as AbortSignal | null);
      else init[key] = value;
    }
  }
  return { init, headers, signals };
}

const headersOf = (value: unknown): Headers =>
  new Headers(
    (Symbol.iterator in Object(value)
      ? value
      : Object.entries(Object(value) as object).filter(([, text]) => text !== undefined)) as HeadersInit,
  );

import { badOption } from '../errors';
import { givenEntries, isObject, isPlain, own, ownCopy } from '../objects';
import type { Resource } from '../resource';
import type { Action, RequestOptions } from '../types';

import { isSignal } from './abort';
import { isAsync } from './streams';

/** Options that are ours and must not reach `fetch`. */
const ours = [
  'attrs',
  'begun',
  'keepEdits',
  'parse',
  'patch',
  'requestLull',
  'rollback',
  'timeout',
  'writeResponse',
];

/** The options given to a call; anything but a plain object, such as a click event, counts as none. */
export const callOptions = (given: object | undefined): RequestOptions =>
  isPlain(given) && !own(given, 'preventDefault') ? given : {};

/**
 * The value of an option that may be a callback, which is called with the record or collection as `this`.
 *
 * @throws RequestError `BAD_OPTION` for a promise or stream: a request cannot wait before it is made.
 */
export function evaluate(
  { concern }: Resource,
  action: Action,
  name: string,
  option: unknown,
  ...args: unknown[]
): unknown {
  const value: unknown = typeof option === 'function' ? Reflect.apply(option, concern, args) : option;
  if (!isAsync(value)) return value;
  // It is refused here, so its own failure must not surface as an unhandled rejection.
  Promise.resolve(value).catch(() => undefined);
  throw badOption(action, `"${name}" must be a value, or a callback that returns one, not a promise`);
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
    const source = evaluate(resource, action, 'fetchOptions', level, action, resource.concern, called) ?? {};
    if (!isObject(source)) throw badOption(action, '"fetchOptions" must be an object');
    for (const [key, value] of givenEntries(source)) {
      if (ours.includes(key)) continue;
      if (key === 'headers') for (const pair of headersOf(value)) headers.set(...pair);
      else if (key === 'signal') signals.push(signalOf(action, value));
      else init[key] = value;
    }
  }
  return { init, headers, signals };
}

/** @throws RequestError `BAD_OPTION` for what cannot abort anything; `null` is none, as for `fetch`. */
export function signalOf(action: Action, value: unknown): AbortSignal | null {
  if (value === null || isSignal(value)) return value;
  throw badOption(action, '"signal" must be an AbortSignal');
}

const headersOf = (value: unknown): Headers =>
  new Headers(
    (Symbol.iterator in Object(value) ? value : givenEntries(Object(value) as object)) as HeadersInit,
  );

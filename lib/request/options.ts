import { RequestError } from '../errors';
import { isObject } from '../equal';
import { own } from '../paths';
import type { Resource } from '../resource';
import type { Action, RequestOptions } from '../types';

/** The options of all levels in one: what goes to `fetch`, with headers and abort signals apart. */
export interface MergedOptions {
  readonly init: Record<string, unknown>;
  readonly headers: Headers;
  readonly signals: AbortSignal[];
}

/** Options that are ours and must not reach `fetch`. */
const ours = new Set(['attrs', 'keepEdits', 'patch', 'rollback', 'timeout', 'writeResponse']);

/** The caller's own options by the signal that was added to the copy `sync` gets. */
const callers = new WeakMap<AbortSignal, RequestOptions>();

/** A copy of the caller's options for `sync`, with the signal of this request. */
export function withSignal(
  options: RequestOptions,
  signal: AbortSignal,
): RequestOptions & { signal: AbortSignal } {
  callers.set(signal, options);
  return { ...options, signal };
}

/** The options as the caller gave them, which is what callbacks are to see. */
export function asCalled(options: RequestOptions): RequestOptions {
  return (options.signal && callers.get(options.signal)) ?? options;
}

/** What was given as options of a call; anything but an options object, such as a click event, counts as none. */
export function callOptions(given: object | undefined): RequestOptions {
  return isObject(given) && !('preventDefault' in given) ? given : {};
}

/**
 * The value of an option that may be a callback; it is called with the record or collection as `this`.
 *
 * @throws RequestError `BAD_OPTION` if it returns a promise: a request cannot wait before it is made.
 */
export function evaluate(
  resource: Resource,
  action: Action,
  name: string,
  source: unknown,
  args: unknown[],
): unknown {
  if (typeof source !== 'function') return source;
  const value: unknown = Reflect.apply(source, resource.concern, args);
  if (!isThenable(value)) return value;
  // It is refused here, so its own failure must not surface as an unhandled rejection.
  value.then(undefined, () => undefined);
  throw new RequestError('BAD_OPTION', `${action}: the ${name} callback returned a promise, return the value`, {
    action,
  });
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value['then'] === 'function';
}

/** Mixes the three levels: global, then the configuration, then the call. */
export function mergeOptions(resource: Resource, action: Action, options: RequestOptions): MergedOptions {
  const called = asCalled(options);
  const levels = [own(resource.root.options, 'fetchOptions'), resource.config.fetchOptions].map((source) =>
    evaluate(resource, action, 'fetchOptions', source, [action, resource.concern, called]),
  );
  const merged: MergedOptions = {
    init: Object.create(null) as Record<string, unknown>,
    headers: new Headers(),
    signals: [],
  };
  for (const level of [...levels, options]) mix(merged, level, action);
  return merged;
}

function mix({ init, headers, signals }: MergedOptions, level: unknown, action: Action): void {
  if (level === undefined || level === null) return;
  if (!isObject(level)) {
    throw new RequestError('BAD_OPTION', `${action}: fetchOptions must be an object, got ${typeof level}`, {
      action,
    });
  }
  for (const [key, value] of Object.entries(level)) {
    if (value === undefined || ours.has(key)) continue;
    if (key === 'headers') headersOf(value).forEach((text, name) => headers.set(name, text));
    else if (key !== 'signal') init[key] = value;
    else if (value) signals.push(value as AbortSignal);
  }
}

function headersOf(value: unknown): Headers {
  const isList = isObject(value) && Symbol.iterator in value;
  return new Headers(
    isList
      ? (value as unknown as HeadersInit)
      : Object.entries(value as Record<string, string>).filter(([, text]) => (text as unknown) !== undefined),
  );
}

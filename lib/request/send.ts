import { RequestError, badId, badOption } from '../errors';
import { own, ownCopy } from '../objects';
import { resourceOf } from '../resource';
import type { Resource } from '../resource';
import { defer, throwError } from '../rx';
import type { Observable } from '../rx';
import type { Action, Concern, Exchange, RequestOptions, WireRequest } from '../types';

import { failOn, reasonsOf } from './abort';
import { exchange$ } from './exchange';
import { mergeOptions } from './options';
import { sendingOf } from './sending';
import type { Sending, SyncOptions } from './sending';
import { isAsync } from './streams';
import { endpointOf } from './url';

const methods = { create: 'POST', read: 'GET', update: 'PUT', delete: 'DELETE' };

/**
 * The default `sync`: a cold stream that makes the request from url, options and body, and sends it through the interceptors
 * and the transport. Fails if it cannot be made; then nothing is sent.
 *
 * The first request is made during the call itself, so that the caller learns from `isUnmade` whether it could be.
 */
export function send(action: Action, concern: Concern, given: SyncOptions): Observable<Exchange> {
  const options = ownCopy(given);
  // A `sync` that passes on options of its own may leave the signal out.
  const sending = sendingOf(given, options.signal);
  const make = () => made$(action, concern, options, sending);
  const made: Observable<Exchange>[] = [];
  sending.isUnmade = true;
  try {
    made.push(make());
    sending.isUnmade = false;
  } catch (error) {
    made.push(throwError(() => error));
  }
  return (sending.sent$ = defer(() => made.pop() ?? make()));
}

/** A request that is made at once, and sent on subscription. Throws if it cannot be made. */
function made$(
  action: Action,
  concern: Concern,
  options: SyncOptions,
  sending: Sending,
): Observable<Exchange> {
  const resource = resourceOf(concern);
  if (!resource || !own(methods, action)) {
    throw badOption(action, 'sync takes an action and a record or collection of this copy of rivulet');
  }
  // The url of a create names no record.
  if (action !== 'create' && !sending.isCurrent()) throw badId(action);
  const { request, signals } = requestOf(resource, action, options, sending.called);
  const exchanged$ = exchange$(resource, request, { ...sending, action, options });
  sending.signals = signals.filter((signal) => signal !== options.signal);
  return exchanged$.pipe(failOn(reasonsOf(signals)));
}

/** The request made from url, options and body, and the signals of all levels that end it. */
function requestOf(
  resource: Resource,
  action: Action,
  options: SyncOptions,
  called: RequestOptions,
): { readonly request: WireRequest; readonly signals: readonly (AbortSignal | null)[] } {
  const { method: word, url } = endpointOf(resource, action, called);
  const { init, headers, signals } = mergeOptions(resource, action, options, called);
  // A patch is requested by the caller, so it outranks any configured method.
  const patch = action === 'update' && options.patch ? 'PATCH' : undefined;
  const given: unknown = options.method ?? patch ?? init.method ?? word ?? methods[action];
  if (typeof given !== 'string') throw badOption(action, '"method" must be text');
  const method = given.toUpperCase();
  const hasData = action === 'create' || action === 'update';
  if (hasData && !('body' in init) && !['GET', 'HEAD'].includes(method)) {
    try {
      const data = resource.data(action, options);
      // JSON would turn it into an empty object.
      if (isAsync(data)) throw new TypeError('it is a promise: await it first');
      init.body = JSON.stringify(data);
      if (init.body === undefined) throw new TypeError('JSON has no form for it');
    } catch (cause) {
      throw new RequestError('SERIALIZE', action, 'the data cannot be written as JSON: see "cause"', {
        cause,
      });
    }
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  }
  return { request: { ...init, url, method, headers, signal: options.signal }, signals };
}

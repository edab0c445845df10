import { concatMap, defer, merge, takeUntil } from 'rxjs';
import type { Observable } from 'rxjs';

import { RequestError } from '../errors';
import { own } from '../paths';
import { resourceOf } from '../resource';
import type { Resource } from '../resource';
import type { Action, Concern, Exchange, Interceptor, RequestOptions, Transport, WireRequest } from '../types';

import { abortOf } from './abort';
import { mergeOptions } from './options';
import type { MergedOptions } from './options';
import { decode } from './response';
import { fetchTransport } from './transport';
import { endpointOf } from './url';

const methods = new Map<Action, string>([
  ['create', 'POST'],
  ['read', 'GET'],
  ['update', 'PUT'],
  ['delete', 'DELETE'],
]);

/**
 * The default `sync`: resolves url, options and body at the call, and gives a cold stream that sends the request
 * through the interceptors and the transport.
 *
 * @throws RequestError if the request cannot be made; then nothing is sent.
 */
export function send(
  action: Action,
  concern: Concern,
  options: RequestOptions & { readonly signal: AbortSignal },
): Observable<Exchange> {
  const resource = resourceOf(concern);
  if (!resource || !methods.has(action)) {
    throw new RequestError('BAD_OPTION', `sync: needs an action and a record or collection, got "${action}"`);
  }
  const endpoint = endpointOf(resource, action, options);
  const merged = mergeOptions(resource, action, options);
  const method = methodOf(action, options, endpoint.method, merged);
  const request: WireRequest = {
    ...merged.init,
    url: endpoint.url,
    method,
    headers: merged.headers,
    signal: options.signal,
    ...bodyOf(resource, action, options, method, merged),
  };
  const transport = (own(resource.root.options, 'transport') ?? fetchTransport) as Transport;
  const interceptors = (own(resource.root.options, 'interceptors') ?? []) as readonly Interceptor[];
  const handle = interceptors.reduceRight<Transport>(
    (next, interceptor) => (outgoing) => interceptor(outgoing, next, { action, concern }),
    (outgoing) =>
      transport(outgoing).pipe(
        concatMap((exchange) => decode(exchange, action, options, `${method} ${pathOf(outgoing.url)}`)),
      ),
  );
  return defer(() => handle(request)).pipe(takeUntil(merge(...merged.signals.map(abortOf))));
}

/** The call's method, then PATCH for a patch, then the url's word, then the action's own. */
function methodOf(
  action: Action,
  options: RequestOptions,
  word: string | undefined,
  { init }: MergedOptions,
): string {
  const patch = action === 'update' && options.patch ? 'PATCH' : undefined;
  return String(init['method'] ?? patch ?? word ?? methods.get(action)).toUpperCase();
}

/** The data as JSON, unless the caller gives a body of its own or the method has none. */
function bodyOf(
  resource: Resource,
  action: Action,
  options: RequestOptions,
  method: string,
  { init, headers }: MergedOptions,
): { body?: string } {
  const hasData = action === 'create' || action === 'update';
  if (!hasData || 'body' in init || method === 'GET' || method === 'HEAD') return {};
  let body: string | undefined;
  try {
    body = JSON.stringify(resource.data(action, options));
  } catch (cause) {
    throw new RequestError('SERIALIZE', `${action}: the data cannot be written as JSON; see the cause`, {
      action,
      cause,
    });
  }
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return { body };
}

/** For messages: without query and fragment, which may hold what should not be logged. */
function pathOf(url: string): string {
  return url.replace(/[?#].*/s, '');
}

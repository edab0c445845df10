import { RequestError, placeOf } from '../errors';
import { own, ownCopy } from '../objects';
import { resourceOf } from '../resource';
import type { Resource } from '../resource';
import { concatMap, defer, map, of, tap, throwError, throwIfEmpty } from '../rx';
import type { Observable } from '../rx';
import type {
  Action,
  Concern,
  Exchange,
  RequestContext,
  RequestOptions,
  Transport,
  WireRequest,
} from '../types';

import { failOn, reasonsOf } from './abort';
import { mergeOptions, streamOf } from './options';
import { decode, isResponse, receive } from './response';
import { endpointOf } from './url';

const methods = { create: 'POST', read: 'GET', update: 'PUT', delete: 'DELETE' };

type SyncOptions = RequestOptions & { readonly signal: AbortSignal };

/** What `send` has to know of a request, and tells of it. */
export interface Sending {
  /** The caller's own options, as callbacks are to see them. */
  readonly called: RequestOptions;
  /** Whether it is being made, or could not be: then nothing was sent. */
  isUnmade: boolean;
  /** The signals that root and configuration have for it. */
  signals: readonly (AbortSignal | null)[];
  /** The responses that were looked at for it. */
  readonly seen: unknown[];
  /** What ends the bodies of the answers that it has had. */
  readonly answered: AbortController[];
}

/**
 * Where the signal that is added to the options for `sync` has what is known of its request. A weak map would do, but has
 * V8 take longer at collecting garbage: a sixth of the time of a read.
 */
const asked = /* @__PURE__ */ Symbol('rivulet');

interface Signal extends AbortSignal {
  readonly [asked]?: Sending;
}

/** What is known of a request before it is made. */
export const sendingOf = (called: RequestOptions): Sending => ({
  called,
  isUnmade: false,
  signals: [],
  seen: [],
  answered: [],
});

/** A copy of the options for `sync`, with the signal of this request, by which `send` knows it. */
export function withSignal(options: RequestOptions, signal: AbortSignal, sending: Sending): SyncOptions {
  Object.defineProperty(signal, asked, { value: sending });
  return { ...options, signal };
}

/** Sends with the platform's `fetch`, looked up at each call; leaves the body to be decoded. */
const fetchTransport: Transport = (request) => {
  const { url, ...init } = request;
  return defer(() => fetch(url, ownCopy(init))).pipe(
    map((response) => ({ request, response, body: undefined })),
  );
};

/**
 * The default `sync`: a cold stream that makes the request of url, options and body, and sends it through the interceptors
 * and the transport. Fails where it cannot be made; then nothing is sent.
 *
 * The first request is made at the call already, so that the caller finds in `isUnmade` whether it could be.
 */
export function send(action: Action, concern: Concern, given: SyncOptions): Observable<Exchange> {
  const options = ownCopy(given);
  // A `sync` that hands on options of its own may leave the signal out.
  const sending = (options.signal as Signal | undefined)?.[asked] ?? sendingOf(given);
  const make = () => exchange$(action, concern, options, sending);
  let first: Observable<Exchange> | undefined;
  sending.isUnmade = true;
  try {
    first = make();
    sending.isUnmade = false;
  } catch (error) {
    first = throwError(() => error);
  }
  return defer(() => {
    const request$ = first ?? make();
    first = undefined;
    return request$;
  });
}

/** A request that is made at once, and sent on subscription. Throws if it cannot be made. */
function exchange$(
  action: Action,
  concern: Concern,
  options: SyncOptions,
  sending: Sending,
): Observable<Exchange> {
  const resource = resourceOf(concern);
  if (!resource || !own(methods, action)) {
    throw new RequestError(
      'BAD_OPTION',
      action,
      'sync takes an action and a record or collection of this copy of rivulet',
    );
  }
  const { request, signals } = requestOf(resource, action, options, sending.called);
  const { transport, interceptors = [] } = resource.options;
  const carry = transport ?? resource.root.base.transport ?? fetchTransport;
  const bad = (what: string) =>
    new RequestError('BAD_OPTION', action, `the transport or an interceptor ${what}`);
  const checked = (exchange: Exchange): Exchange => {
    if (isResponse((Object(exchange) as Partial<Exchange>).response)) return exchange;
    throw bad('must give an Observable of one { request, response, body }');
  };
  const deliver: Transport = (given) =>
    defer(() => {
      // Of its own each time: whoever gives this up and sends again has not given up the request.
      const attempt = new AbortController();
      const sent = { ...given, signal: attempt.signal };
      let isAnswered = false;
      // Whoever stands before it may have given the request up: then `of` emits nothing, and nothing is sent.
      return of(sent).pipe(
        concatMap(() => streamOf(carry(sent))),
        concatMap((exchange) => decode(checked(exchange), action, options, placeOf(sent), sending.seen)),
        failOn(reasonsOf([given.signal])),
        tap({
          next: () => {
            isAnswered = true;
            // What an interceptor shares by a signal of its own is for others, too.
            if (given.signal === options.signal) sending.answered.push(attempt);
          },
          finalize: () => {
            // An answer is for who has it: aborting now would take away its body.
            if (!isAnswered)
              attempt.abort(
                (given.signal as AbortSignal | null)?.reason ?? ownCopy(sending.called).signal?.reason,
              );
          },
        }),
      );
    });
  const context: RequestContext = { action, concern, scheduler: resource.clock };
  const handle = interceptors.reduceRight<Transport>(
    (next, interceptor) => (request) =>
      streamOf(interceptor(request, next, context)).pipe(
        // It may answer itself: what it leaves to be decoded is so for those around it, too. What is no answer would else
        // count as the data of one that accepts.
        concatMap((exchange) => receive(checked(exchange), action, options, sending.seen)),
      ) as Observable<Exchange>,
    deliver,
  );
  sending.signals = signals.filter((signal) => signal !== options.signal);
  return defer(() => handle(request)).pipe(
    throwIfEmpty(() => bad('ended without an answer')),
    failOn(reasonsOf(signals)),
  );
}

/** The request as url, options and body make it, and the signals of all levels that end it. */
function requestOf(
  resource: Resource,
  action: Action,
  options: SyncOptions,
  called: RequestOptions,
): { readonly request: WireRequest; readonly signals: readonly (AbortSignal | null)[] } {
  const { method: word, url } = endpointOf(resource, action, called);
  const { init, headers, signals } = mergeOptions(resource, action, options, called);
  // A patch is the caller's word, and comes before any configured one.
  const patch = action === 'update' && options.patch ? 'PATCH' : undefined;
  const method = (
    options.method ??
    patch ??
    (init.method as string | undefined) ??
    word ??
    methods[action]
  ).toUpperCase();
  if (/create|update/.test(action) && !('body' in init) && !/^(GET|HEAD)$/.test(method)) {
    try {
      init.body = JSON.stringify(resource.data(action, options));
      if (init.body === undefined) throw new TypeError('JSON has nothing for it');
    } catch (cause) {
      throw new RequestError('SERIALIZE', action, 'the data cannot be written as JSON', { cause });
    }
    if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  }
  return { request: { ...init, url, method, headers, signal: options.signal }, signals };
}

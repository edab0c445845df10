import { badOption } from '../errors';
import type { RequestError } from '../errors';
import { ownCopy } from '../objects';
import type { Resource } from '../resource';
import { concatMap, defer, map, tap, throwIfEmpty } from '../rx';
import type { Observable } from '../rx';
import type { Action, Exchange, RequestContext, Transport, WireRequest } from '../types';

import { failOn, reasonsOf } from './abort';
import { decode, decodeOnce, isAnswer } from './response';
import type { Decoding } from './response';
import type { Sending, SyncOptions } from './sending';
import { streamOf } from './streams';

/** What a request is for. */
interface Call extends Decoding, Pick<Sending, 'called' | 'answered'> {
  readonly options: SyncOptions;
}

/** Sends with the platform's `fetch`, looked up for each request; does not decode the body. */
const fetchTransport: Transport = (request) => {
  const { url, ...init } = request;
  // A stand-in may answer without a promise.
  return defer(() => streamOf(fetch(url, ownCopy(init)))).pipe(
    // A `body` of its own: an inherited one would pass for data.
    map((response) => ({ request, response, body: undefined })),
  );
};

/** Sends a request on subscription: through the interceptors, the first outermost, to the transport. */
export function exchange$(resource: Resource, request: WireRequest, call: Call): Observable<Exchange> {
  const { action } = call;
  const { options } = resource;
  const transport = options.transport ?? resource.root.base.transport;
  const carry: Transport = transport ? (sent) => streamOf(transport(sent)) : fetchTransport;
  const { concern, clock: scheduler, root } = resource;
  const context: RequestContext = { action, concern, scheduler, root };
  const handle = (options.interceptors ?? []).reduceRight<Transport>(
    (next, interceptor) => (given) =>
      streamOf(interceptor(given, next, context)).pipe(
        // It may answer by itself: an undecoded answer is decoded here, so that outer interceptors see its data. Unchecked,
        // what is not an exchange would count as accepted data.
        concatMap((exchange) => decodeOnce(checked(exchange, action), call)),
      ),
    (given) => defer(() => attempt$(carry, given, call)),
  );
  return defer(() => handle(request)).pipe(throwIfEmpty(() => bad(action, 'ended without an answer')));
}

/** Sends once and decodes the answer. Unsubscribing before that aborts it. */
function attempt$(carry: Transport, given: WireRequest, call: Call): Observable<Exchange> {
  // One per attempt: an interceptor that gives up an attempt and sends again has not given up the request.
  const attempt = new AbortController();
  const sent = { ...given, signal: attempt.signal };
  // Spreading a platform `Request` copies nothing, and a url or method that is not text would fail only after sending.
  if (typeof sent.url !== 'string' || typeof sent.method !== 'string') {
    throw bad(call.action, 'must pass on { ...request } with "url" and "method" as text');
  }
  const signal = given.signal as AbortSignal | undefined;
  // A request that was given up while an interceptor had it is not sent.
  signal?.throwIfAborted();
  /** The signal of the call ends all of it, see `made$`; any other is an interceptor's. */
  const isOfCall = signal === call.options.signal;
  let isAnswered = false;
  return carry(sent).pipe(
    concatMap((exchange) => decode(checked(exchange, call.action), call)),
    failOn(reasonsOf(isOfCall ? [] : [signal])),
    tap({
      next: () => {
        isAnswered = true;
        // An answer that an interceptor shares under a signal of its own belongs to other requests, too.
        if (isOfCall) call.answered.push(attempt);
      },
      finalize: () => {
        // A delivered answer belongs to its receiver: aborting now would cut off its body.
        if (!isAnswered) attempt.abort(signal?.reason ?? ownCopy(call.called).signal?.reason);
      },
    }),
  );
}

/** @throws RequestError `BAD_OPTION` for anything but an exchange. */
function checked(exchange: Exchange, action: Action): Exchange {
  if (isAnswer((Object(exchange) as Partial<Exchange>).response)) return exchange;
  throw bad(action, 'must return an Observable of one { request, response, body }');
}

const bad = (action: Action, what: string): RequestError =>
  badOption(action, `the transport or an interceptor ${what}`);

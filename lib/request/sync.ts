import { badId, badOption, isUnsent } from '../errors';
import { EMPTY, concatMap, defaultIfEmpty, defer, identity, takeLast, tap, throwIfEmpty } from '../rx';
import type { Observable } from '../rx';
import { nextInOrder } from '../ticket';
import type { Ticket } from '../ticket';
import type { Concern, Sync } from '../types';

import { failOn } from './abort';
import type { Asked } from './asked';
import { drain } from './drain';
import { evaluate, signalOf } from './options';
import { receive } from './response';
import type { Received } from './response';
import { sendingOf, withSignal } from './sending';
import type { Sending } from './sending';
import { streamToEnd } from './streams';
import { timeLimits } from './time-limit';
import { writeBack$ } from './write-back';

/**
 * The pipeline from start to end: send, decode, parse, write back, emit the response. Each call is a request of its own,
 * and everything is evaluated anew. Unsubscribing aborts it.
 */
export function sync$(asked: Asked): Observable<Response> {
  const { resource, context, called, options, fail } = asked;
  const { action } = context;
  const abort = new AbortController();
  const sending = sendingOf(called);
  const order = nextInOrder();
  let ticket: Ticket | undefined;
  /** Whether it was sent, and the server has neither accepted nor refused it yet. */
  let isOpen = false;
  /** Whether the response has been emitted: from then on its body is the caller's. */
  let isAnswered = false;
  const reject = (why: 'error' | 'abort') => {
    // An answer whose data is still being read was ok: the server has accepted what was sent.
    if (!sending.isUnmade) ticket?.reject(isOpen && !sending.unread.size ? why : undefined);
  };
  return defer(() => {
    const begun = (ticket = resource.begin(action, options, order, asked.identity));
    sending.isCurrent = begun.isCurrent;
    if (!sending.isCurrent()) throw badId(action);
    options.begun?.();
    context.isWritten = false;
    const lull = Number(evaluate(resource, action, 'requestLull', resource.config.requestLull, action));
    const limits = timeLimits(resource, action, options);
    refuseUnusable(asked);
    isOpen = true;
    const received$ = perform(asked, sending, abort.signal);
    // A callback may have given the request up: then nobody waits for the answer.
    if (abort.signal.aborted) return EMPTY;
    if (!sending.isUnmade) resource.flags.hold(action, lull, resource.clock, resource.disposed$);
    return received$.pipe(
      failOn(limits),
      concatMap((received) => {
        isOpen = false;
        return writeBack$(asked, sending, begun, order, received);
      }),
    );
  }).pipe(
    takeLast(1),
    tap({
      next: (response) => {
        isAnswered = true;
        if (response.ok && action === 'delete') drain(response, resource.disposed$).catch(() => undefined);
      },
      error: (error: unknown) => {
        // Before anything is unsubscribed: whoever listens to the signal learns why, such as of the time limit.
        abort.abort(error);
        if (!isUnsent(error, action)) reject('error');
        fail(error, sending.isCurrent(), order);
      },
      unsubscribe: () => {
        reject('abort');
      },
      finalize: () => {
        // A delivered answer is the caller's: aborting now would cut off its body.
        if (!isAnswered) for (const each of [abort, ...sending.answered]) each.abort(options.signal?.reason);
        ticket?.end();
      },
    }),
  );
}

/** Refuses what would otherwise be ignored, fail without saying why, or fail only once the server has accepted. */
function refuseUnusable({ resource, context: { action }, options: { rollback, signal } }: Asked): void {
  signalOf(action, signal ?? null);
  const problem =
    (typeof (resource.config.parse ?? identity) !== 'function' && '"parse" must be a function') ||
    (!['error', 'abort', 'both'].includes(rollback ?? 'both') &&
      '"rollback" must be "error", "abort" or "both"') ||
    (!Array.isArray(resource.options.interceptors ?? []) && '"interceptors" must be a list');
  if (problem) throw badOption(action, problem);
}

/** Calls the `sync` of the record or collection, and decodes what it answers. */
function perform(
  { resource, context: { action }, options }: Asked,
  sending: Sending,
  signal: AbortSignal,
): Observable<Received> {
  const concern = resource.concern as Concern & { readonly sync: Sync };
  const given = concern.sync(action, concern, withSignal(options, signal, sending));
  // What the default returned itself needs no shield, has been decoded, and has an answer.
  if (sending.sent$ && given === sending.sent$) return sending.sent$;
  return streamToEnd(given).pipe(
    // Without an answer, nobody has said that a write was accepted.
    action === 'read'
      ? defaultIfEmpty(undefined)
      : throwIfEmpty(() => badOption(action, '"sync" ended without an answer')),
    concatMap((result) => receive(result, { ...sending, action, options })),
  );
}

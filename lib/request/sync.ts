import { batch } from '../batch';
import { badId, badOption, refusal, withResponse } from '../errors';
import type { RequestError } from '../errors';
import { own } from '../objects';
import type { Resource } from '../resource';
import {
  EMPTY,
  catchError,
  concatMap,
  defaultIfEmpty,
  defer,
  identity,
  map,
  of,
  takeLast,
  tap,
  throwError,
  throwIfEmpty,
  timer,
} from '../rx';
import type { Observable } from '../rx';
import { nextInOrder } from '../ticket';
import type { Identity, Ticket } from '../ticket';
import type { Action, AroundContext, Concern, RequestOptions, Sync } from '../types';

import { failOn, reasonsOf } from './abort';
import { drain } from './drain';
import { evaluate, signalOf } from './options';
import { receive } from './response';
import type { Received } from './response';
import { sendingOf, withSignal } from './sending';
import type { Sending } from './sending';
import { streamToEnd } from './streams';

/** Sets `error$` to a failure, unless the target has been given another id in the meantime. `order`: of issue. */
export type Fail = (reason: unknown, isCurrent?: boolean, order?: number) => void;

/** The key under which the refusal of an answer by a schema holds what is to be written of a record all the same. */
const createdKey = Symbol.for('rivulet.created');

/** What is requested, and where a failure is reported. */
export interface Asked {
  readonly resource: Resource;
  readonly identity: Identity | undefined;
  readonly context: AroundContext & { isWritten: boolean };
  /** What `around` has registered by `whenWritten`. */
  readonly listeners: readonly ((response: Response) => void)[];
  /** The caller's own options, as callbacks receive them. */
  readonly called: RequestOptions;
  /** The same plus what the method adds (the `attrs` of a collection's `create`), safe to read. */
  readonly options: RequestOptions;
  readonly fail: Fail;
}

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
    if (lull > 0 && lull < Infinity && !sending.isUnmade)
      resource.flags.hold(action, lull, resource.clock, resource.disposed$);
    return received$.pipe(
      failOn(limits),
      concatMap((received) => {
        isOpen = false;
        return settled$(asked, sending, begun, order, received);
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
        // Errors made here or by a schema carry the action. Without a response, they mean that nothing was sent.
        const { action: failed, response } = Object(error) as Partial<RequestError>;
        if (failed !== action || response) reject('error');
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
  const problem = [
    typeof (resource.config.parse ?? identity) !== 'function' && '"parse" must be a function',
    !['error', 'abort', 'both'].includes(rollback ?? 'both') &&
      '"rollback" must be "error", "abort" or "both"',
    !Array.isArray(resource.options.interceptors ?? []) && '"interceptors" must be a list',
  ].find(Boolean);
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

/** Records a refusal; or parses an ok answer, and writes it when the target is ready for it. */
function settled$(
  { resource, context, listeners, options, fail }: Asked,
  { isCurrent, signals }: Sending,
  ticket: Ticket,
  order: number,
  { request, response, body }: Received,
): Observable<Response> {
  const { action } = context;
  if (!response.ok) {
    ticket.reject('error');
    fail(refusal(response, action, request), isCurrent(), order);
    return of(response);
  }
  const { parse } = resource.config;
  const isData = body !== undefined && action !== 'delete' && options.writeResponse !== false;
  const isEnded = () => [options.signal, ...signals].some((signal) => signal?.aborted);
  const written$ = (data: unknown, failure?: unknown) =>
    ticket.ready$(isEnded).pipe(
      map(() => {
        // Whoever is notified of the data may send a request, which then names its version.
        batch(() => {
          context.isWritten = ticket.accept(data, isData, response);
          if (context.isWritten) for (const tell of listeners) tell(response);
        });
        // A subscriber may have started a newer read.
        context.isWritten &&= !ticket.read?.isOvertaken;
        if (failure) throw failure as Error;
        // It says nothing about a record that has been given another id since then.
        if (isCurrent()) resource.succeed(order);
        return response;
      }),
    );
  const answer$ =
    parse && isData
      ? defer(() => streamToEnd(parse.call(resource.concern, body, action))).pipe(
          throwIfEmpty(() => badOption(action, '"parse" ended without data')),
          concatMap((data) => written$(data)),
          catchError((failure: unknown) => {
            // Without the answer, it would say that nothing was sent, as the refusal of a save by a schema does.
            const { action: failed, response: known } = Object(failure) as Partial<RequestError>;
            if (failed === action) withResponse(failure as object, known ?? response);
            // The id of what the server has created is known all the same: the next save must not create it again.
            const created = action === 'create' && resource.fields && own(failure, createdKey);
            return created ? written$(created, failure) : throwError(() => failure);
          }),
        )
      : written$(isData ? body : undefined);
  return answer$.pipe(failOn(reasonsOf(signals)));
}

/** A stream that emits the reason to fail when the time is up; none without a limit. */
function timeLimits(
  { config, options: global, clock }: Resource,
  action: Action,
  options: RequestOptions,
): Observable<DOMException>[] {
  const limit = [options, config, global].find(({ timeout }) => timeout !== undefined)?.timeout;
  if (limit === undefined) return [];
  if (!(Number.isInteger(limit) && limit > 0 && limit < 2 ** 31)) {
    const problem = `"timeout" must be a whole number of ms, 1 to 2147483647, not ${String(limit)}`;
    throw badOption(action, problem);
  }
  const time$ = timer(limit, clock);
  return [time$.pipe(map(() => new DOMException(`${action} took longer than ${limit} ms`, 'TimeoutError')))];
}

import { RequestError, refusal } from '../errors';
import { ownCopy } from '../objects';
import type { Kind, Resource, Ticket } from '../resource';
import {
  EMPTY,
  catchError,
  concatMap,
  defaultIfEmpty,
  defer,
  filter,
  from,
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
import type { Action, Concern, Parse, RequestOptions, Sync } from '../types';

import { failOn, reasonsOf } from './abort';
import { callOptions, evaluate, isAsync, streamOf } from './options';
import { drain, isResponse, receive } from './response';
import type { Received } from './response';
import { sendingOf, withSignal } from './sending';

/**
 * A request of a record or collection as a cold stream: in its lane, with its flags up, until the caller's signal or
 * the disposal ends it.
 */
export function request$(
  resource: Resource,
  kind: Kind,
  given: object | undefined,
  more: RequestOptions = {},
): Observable<Response> {
  return defer(() => {
    const called = callOptions(given);
    const options = ownCopy({ ...called, ...more });
    let isRunning = false;
    let isDelivered = false;
    /**
     * What `error$` was told of, at first what nothing fails with: `around` is handed what the pipeline fails with, and may
     * fail with that, which is told once, or by itself.
     */
    let told: unknown = resource;
    const fail = (reason: unknown, isCurrent = true) => {
      if (reason === told) return;
      told = reason;
      if (isCurrent) resource.fail(resource.actionOf(kind), reason);
    };
    const disposed = () => new RequestError('DISPOSED', resource.actionOf(kind), 'this was disposed of');
    const reasons = [resource.disposed$.pipe(map(disposed)), ...reasonsOf([options.signal])];
    const endUnless = (isPast: () => boolean) =>
      failOn<Response>(reasons.map((reason$) => reason$.pipe(filter(() => !isPast()))));
    const run$ = defer(() => {
      isRunning = true;
      const action = resource.actionOf(kind);
      const context = { action, concern: resource.concern, isWritten: false };
      // Counted by action as well as by kind: this one falls when the request is let go, which is after its end.
      const sent$ = defer(() => sync$(resource, context, called, options, fail)).pipe(resource.busy(action));
      return [resource.options.around, resource.root.base.around].reduce<Observable<Response>>(
        (inner$, around = identity) => streamOf(around(inner$, context)),
        sent$,
      );
    }).pipe(
      filter(isResponse),
      throwIfEmpty(
        () => new RequestError('BAD_OPTION', resource.actionOf(kind), '"parse" or "around" gave no response'),
      ),
      tap({
        next: () => {
          isDelivered = true;
        },
        error: fail,
      }),
      // What has been delivered is no longer pending.
      endUnless(() => isDelivered),
      // RxJS tells of an error before it lets go of the source. Here the flags come down and a rollback gives back first.
      catchError((error: unknown) => throwError(() => error)),
    );
    const lane = kind === 'read' ? undefined : resource.lane;
    // What runs is ended in its lane, so that the next begins when that has been told.
    return (lane?.enter(run$).pipe(endUnless(() => isRunning)) ?? run$).pipe(resource.busy(kind));
  });
}

/**
 * The pipeline from start to end: send, decode, parse, write back, emit the response. Each subscription is a request
 * of its own, and everything is evaluated anew. Unsubscribing aborts it.
 *
 * @param called The caller's own options, as callbacks are to see them.
 * @param options The same, safe to read.
 * @param fail Has `error$` tell of a failure, of what the target stands for now.
 */
function sync$(
  resource: Resource,
  context: { readonly action: Action; isWritten: boolean },
  called: RequestOptions,
  options: RequestOptions,
  fail: (reason: unknown, isCurrent: boolean) => void,
): Observable<Response> {
  const { config } = resource;
  const concern = resource.concern as Concern & { readonly sync: Sync };
  const { action } = context;
  const abort = new AbortController();
  const sending = sendingOf(called);
  /** Whether the response has been emitted: from then on its body is the caller's. */
  let isAnswered = false;
  let ticket: Ticket | undefined;
  /** The same, from sending until the server has said whether it accepts. */
  let undecided: Ticket | undefined;
  const isCurrent = () => ticket?.isCurrent?.() ?? true;
  const refuse = (why: 'error' | 'abort') => {
    if (!sending.isUnmade) undecided?.refuse?.(why);
  };

  const sent$ = defer(() => {
    const begun = ownCopy(resource.begin(action, options));
    ticket = begun;
    const lull = Number(evaluate(resource, action, config.requestLull, action));
    const limits = timeLimits(resource, action, options);
    undecided = begun;
    context.isWritten = false;
    const result$ = stream(concern.sync(action, concern, withSignal(options, abort.signal, sending)));
    // Whoever was called may have given the request up: then nobody asks for the answer.
    if (abort.signal.aborted) return EMPTY;
    if (lull > 0 && lull < Infinity && !sending.isUnmade) resource.hold(action, lull);
    const received$ = result$.pipe(
      // Then nobody has said that a write was accepted.
      action === 'read'
        ? defaultIfEmpty(undefined)
        : throwIfEmpty(() => new RequestError('BAD_OPTION', action, '"sync" ended without an answer')),
      concatMap((result) => receive(result, { action, options, seen: sending.seen })),
      failOn(limits),
    );
    return received$.pipe(
      concatMap((received) => written$(begun, received).pipe(failOn(reasonsOf(sending.signals)))),
    );
  });

  const written$ = (begun: Ticket, { request, response, body }: Received): Observable<Response> => {
    const { ready$ = () => of(0) } = begun;
    undecided = undefined;
    if (!response.ok) {
      begun.refuse?.('error');
      fail(refusal(response, action, request), isCurrent());
      return of(response);
    }
    const isData = body !== undefined && action !== 'delete' && options.writeResponse !== false;
    const parse: Parse = config.parse ?? identity;
    const data$ = stream(isData ? parse.call(concern, body, action) : undefined);
    const write = (data: unknown) => {
      context.isWritten = begun.accept(data, isData);
      // Of a record that shows another by now it says nothing.
      if (isCurrent()) resource.succeed();
      return response;
    };
    const isEnded = () => [options.signal, ...sending.signals].some((signal) => signal?.aborted);
    return data$.pipe(concatMap((data) => ready$(isEnded).pipe(map(() => write(data)))));
  };

  return sent$.pipe(
    takeLast(1),
    tap({
      next: (response) => {
        isAnswered = true;
        if (response.ok && action === 'delete') drain(response, resource.disposed$);
      },
      error: (error: unknown) => {
        // What is told here, or by a schema, is no refusal: nothing was sent, or it was accepted and is not JSON.
        const { action: told, response } = Object(error) as Partial<RequestError>;
        if (response ? !response.ok : told !== action) refuse('error');
        fail(error, isCurrent());
      },
      unsubscribe: () => {
        refuse('abort');
      },
      finalize: () => {
        // A delivered answer is the caller's: aborting now would take away its body.
        if (!isAnswered) for (const each of [abort, ...sending.answered]) each.abort(options.signal?.reason);
        ticket?.end?.();
      },
    }),
  );
}

/** Whatever a callback returned, as a stream; of what is itself still to come, as from an async function, what comes. */
function stream(result: unknown): Observable<unknown> {
  if (!isAsync(result)) return of(result);
  // Whoever leaves during the call never hears of a failure: it must not surface as an unhandled rejection.
  if (result instanceof Promise) result.catch(() => undefined);
  return from(result).pipe(concatMap(stream));
}

/** Emits the reason to fail when the time is over; none without a limit. */
function timeLimits(
  { config, options: global, clock }: Resource,
  action: Action,
  options: RequestOptions,
): Observable<DOMException>[] {
  const limit = options.timeout ?? config.timeout ?? global.timeout;
  if (limit === undefined) return [];
  if (!(limit > 0 && limit < 2 ** 31 && Number.isInteger(limit))) {
    throw new RequestError('BAD_OPTION', action, `"timeout" must be 1 to 2147483647 ms, not ${limit}`);
  }
  const time$ = timer(limit, clock);
  return [time$.pipe(map(() => new DOMException(`${action} took longer than ${limit} ms`, 'TimeoutError')))];
}

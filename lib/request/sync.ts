import {
  asyncScheduler,
  concatMap,
  defaultIfEmpty,
  defer,
  from,
  identity,
  isObservable,
  map,
  merge,
  of,
  takeLast,
  takeUntil,
  tap,
  throwError,
  timeout,
} from 'rxjs';
import type { MonoTypeOperatorFunction, Observable, SchedulerLike } from 'rxjs';

import { RequestError } from '../errors';
import { own } from '../paths';
import type { Answer, Resource } from '../resource';
import type { Action, Concern, RequestOptions, Sync } from '../types';

import { abortOf } from './abort';
import { evaluate, isThenable, withSignal } from './options';
import { receive } from './response';
import type { Received } from './response';

/**
 * One request from start to end: send, decode, parse, write back, emit the response.
 *
 * Cold: each subscription is a request of its own, and everything is evaluated anew. Unsubscribing aborts it.
 */
export function sync$(resource: Resource, action: Action, options: RequestOptions): Observable<Response> {
  return defer(() => {
    const ticket = resource.begin(action, options);
    const abort = new AbortController();
    let phase: 'made' | 'sent' | 'accepted' | 'delivered' = 'made';

    const deliver = (received: Received): Observable<Response> => {
      const { response } = received;
      if (!response.ok) {
        ticket.refuse('error');
        resource.fail(refusalOf(response, action));
        phase = 'delivered';
        return of(response);
      }
      phase = 'accepted';
      return parsed(resource, action, options, received).pipe(
        concatMap((answer) => ticket.ready$.pipe(map(() => answer))),
        map((answer) => {
          ticket.accept(answer);
          resource.fail(null);
          phase = 'delivered';
          return response;
        }),
      );
    };

    return defer(() => {
      const lull = lullOf(resource, action);
      const limit = timeLimit<Received>(resource, action, options);
      const result$ = perform(resource, action, withSignal(options, abort.signal));
      phase = 'sent';
      resource.busy.hold(action, lull);
      return result$.pipe(
        concatMap((result) => receive(result, action, options)),
        limit,
      );
    }).pipe(
      concatMap(deliver),
      takeLast(1),
      tap({
        error: (error: Error) => {
          if (phase === 'sent') ticket.refuse('error');
          resource.fail(error);
        },
        unsubscribe: () => {
          if (phase === 'sent') ticket.refuse('abort');
        },
        finalize: () => {
          // A delivered answer is the caller's: aborting now would take away its body.
          if (phase !== 'delivered') abort.abort(options.signal?.reason);
          ticket.end();
        },
      }),
    );
  });
}

/** Ends a request with the caller's signal or with its record or collection. */
export function untilGivenUp<T>(
  resource: Resource,
  action: Action,
  options: RequestOptions,
): MonoTypeOperatorFunction<T> {
  return takeUntil(merge(resource.disposal(action), abortOf(options.signal)));
}

/** The one replaceable step; whatever it returns, as a stream. */
function perform(
  resource: Resource,
  action: Action,
  options: RequestOptions & { readonly signal: AbortSignal },
): Observable<unknown> {
  const concern = resource.concern as Concern & { readonly sync: Sync };
  const result = concern.sync(action, concern, options);
  // Only these two are unwrapped: text and lists are data, though they could be iterated.
  const result$ = isObservable(result) || isThenable(result) ? from(result) : of(result);
  return result$.pipe(defaultIfEmpty(undefined));
}

/** The data of an ok answer, prepared by the user's `parse`. */
function parsed(
  resource: Resource,
  action: Action,
  options: RequestOptions,
  { body }: Received,
): Observable<Answer | undefined> {
  if (body === undefined || action === 'delete' || options.writeResponse === false) return of(undefined);
  const { parse } = resource.config;
  const data = parse ? parse.call(resource.concern, body, action) : body;
  return (isThenable(data) ? from(data) : of(data)).pipe(map((value) => ({ data: value })));
}

function refusalOf(response: Response, action: Action): RequestError {
  const status = `${String(response.status)} ${response.statusText}`.trim();
  return new RequestError('HTTP', `${action} was refused: the server answered ${status}`, { action, response });
}

function lullOf(resource: Resource, action: Action): number {
  const lull = Number(evaluate(resource, action, 'requestLull', resource.config.requestLull, [action]));
  return lull > 0 && Number.isFinite(lull) ? lull : 0;
}

function timeLimit<T>(
  resource: Resource,
  action: Action,
  options: RequestOptions,
): MonoTypeOperatorFunction<T> {
  const limit = resource.setting('timeout', options);
  if (limit === undefined) return identity;
  if (!Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > 2 ** 31 - 1) {
    throw new RequestError(
      'BAD_OPTION',
      `${action}: timeout must be whole milliseconds, 1 to 2147483647, got ${String(limit)}`,
      { action },
    );
  }
  return timeout({
    first: limit as number,
    scheduler: (own(resource.root.options, 'scheduler') ?? asyncScheduler) as SchedulerLike,
    with: () =>
      throwError(() => new DOMException(`${action} took longer than ${String(limit)} ms`, 'TimeoutError')),
  });
}

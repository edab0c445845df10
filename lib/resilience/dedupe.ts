import type { Exchange, Interceptor, WireRequest } from '../index';

import { discard } from './exchange';
import { copyOf } from './exchange-copy';
import { defer, finalize, map, share, tap } from './peers';
import type { Observable } from './peers';

/**
 * Sends identical reads once while one is under way, and answers all of them with it, each with a `Response` and data of its
 * own. For pages whose parts ask for the same thing at the same time: it keeps nothing once the answer is there. After a
 * write, or a read with another method, has ended, new reads do not share one that began before.
 *
 * A shared answer is as old as the first of its reads. What a read of something else, such as the list of a record, has
 * brought since then may be newer, and is replaced by it until it is read again.
 *
 * Reads are identical if they are of the same root, and have the same method (GET or HEAD), url and headers, and the same
 * other `fetch` options, with objects compared by identity. Put this after whatever adds credentials, so that those are
 * compared too; but before an `authRefresh` with cookies, which cannot be compared. The request is aborted once nobody
 * waits for it.
 */
export function dedupe(): Interceptor {
  const flights = new Map<Traits, Observable<Exchange>>();
  const forget = () => {
    flights.clear();
  };
  return (request, next, { action, root }) =>
    defer(() => {
      // A read that begins after a write must not be answered by one that began before it.
      if (action !== 'read' || !['GET', 'HEAD'].includes(request.method))
        return next(request).pipe(atEnd(forget));
      const traits = traitsOf(request, root);
      for (const [others, flight$] of flights)
        if (others.url === request.url && isSame(others, traits)) return flight$;
      const flight$ = flightOf(request, next, () => flights.delete(traits));
      flights.set(traits, flight$);
      return flight$;
    });
}

/** Everything about a request that affects its answer, by name. */
type Traits = Readonly<Record<string, unknown>>;

const traitsOf = (request: WireRequest, root: unknown): Traits => ({
  ...request,
  root,
  headers: JSON.stringify([...request.headers]),
  signal: undefined,
});

const isSame = (a: Traits, b: Traits): boolean =>
  Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);

/** Does something when a request ends in any way, before any subscriber is notified. */
const atEnd = (act: () => void) => tap<Exchange>({ next: act, error: act, finalize: act });

/**
 * One read for all who subscribe while it is under way.
 *
 * @param land Called before any subscriber is notified of the end: a read that begins then must get a new answer.
 */
function flightOf(
  request: WireRequest,
  next: (request: WireRequest) => Observable<Exchange>,
  land: () => void,
): Observable<Exchange> {
  // The subscriber that began it may leave before the others.
  const abort = new AbortController();
  let answer: Response | undefined;
  let waiting = 0;
  let isShared = false;
  const answer$ = defer(() => next({ ...request, signal: abort.signal })).pipe(
    tap(({ response }) => {
      answer = response;
      isShared = waiting > 1;
    }),
    atEnd(land),
    finalize(() => {
      // A delivered body belongs to its readers: the original to a single one, or else the copies.
      if (!answer) abort.abort();
      else if (isShared) discard(answer);
    }),
    share(),
  );
  return defer(() => {
    waiting += 1;
    return answer$.pipe(
      map((exchange) => (isShared ? copyOf(exchange) : exchange)),
      finalize(() => {
        waiting -= 1;
      }),
    );
  });
}

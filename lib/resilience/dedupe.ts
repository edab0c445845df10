import { discard } from './exchange';
import { defer, finalize, map, share, tap } from './peers';
import type { Exchange, Interceptor, Observable, WireRequest } from './peers';

/**
 * Sends reads that are the same once while one is under way, and answers all of them with it, each with a `Response` and
 * data of its own. For pages whose parts ask for the same thing at the same time: it keeps nothing once the answer is there.
 * When a write has ended, or a read by another method, what was asked for before is not shared with what is asked for then.
 *
 * Reads are the same if they have the same method (GET or HEAD), url and headers, and the same other options of `fetch`, of
 * which objects count as the same only if they are one. Put it behind whatever adds credentials, so that those are
 * compared too; but before an `authRefresh` by cookies, which cannot be. The request is aborted when nobody waits for it
 * any more.
 */
export function dedupe(): Interceptor {
  const flights = new Map<Traits, Observable<Exchange>>();
  const forget = () => {
    flights.clear();
  };
  return (request, next, { action }) =>
    defer(() => {
      // What is asked for after a write must not be answered by what was asked for before it.
      if (action !== 'read' || !['GET', 'HEAD'].includes(request.method))
        return next(request).pipe(atEnd(forget));
      const traits = traitsOf(request);
      for (const [others, flight$] of flights) if (isSame(others, traits)) return flight$;
      const flight$ = flightOf(request, next, () => flights.delete(traits));
      flights.set(traits, flight$);
      return flight$;
    });
}

/**
 * One read for all who subscribe while it is under way.
 *
 * @param land Called before anybody hears of the end: whoever asks again then is to get a new answer.
 */
function flightOf(
  request: WireRequest,
  next: (request: WireRequest) => Observable<Exchange>,
  land: () => void,
): Observable<Exchange> {
  // Whoever began it may leave before the others.
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
      // What has been delivered is its readers': the body of the only one, or those of the copies.
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

/** An answer to be read, and data to be changed, without the others knowing. */
function copyOf(exchange: Exchange): Exchange {
  const { response } = exchange;
  const body: unknown = structuredClone(exchange.body);
  // A stand-in may lack `clone`, and what an interceptor has read has nothing left to be copied.
  if (response.bodyUsed || !('clone' in response)) return { ...exchange, body };
  // An answer that was not made by `fetch` may have been given its url, which a clone has not.
  const copy = Object.defineProperty(response.clone(), 'url', { value: response.url });
  return { ...exchange, response: copy, body };
}

/** All of a request that makes a difference to its answer, by name. */
type Traits = Readonly<Record<string, unknown>>;

const traitsOf = (request: WireRequest): Traits => ({
  ...request,
  headers: JSON.stringify([...request.headers]),
  signal: undefined,
});

const isSame = (a: Traits, b: Traits): boolean =>
  Object.keys({ ...a, ...b }).every((name) => a[name] === b[name]);

/** Does something as a request ends, however it does, before anybody hears of it. */
const atEnd = (act: () => void) => tap<Exchange>({ next: act, error: act, finalize: act });

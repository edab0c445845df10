import type { Exchange, Interceptor, WireRequest } from '../index';

import { discard, isRepeatable } from './exchange';
import { check, isListOf, isText, optionsOf } from './options';
import { originOf, ownOrigin } from './origin';
import { concatMap, defer, of } from './peers';
import type { ObservableInput } from './peers';
import { renewalsBy } from './renewals';

/** How {@link authRefresh} sends credentials, and gets new ones. */
export interface AuthRefreshOptions {
  /**
   * Puts the present credentials on a request: sets headers, as in `headers.set('authorization', 'Bearer …')` (RFC 6750
   * §2.1). Called each time a request is sent, with a copy of its headers. Must not return a promise, which fails the
   * request. Default: nothing, for credentials in cookies or from another interceptor.
   */
  readonly authorize?: ((headers: Headers, request: WireRequest) => void) | undefined;
  /**
   * Gets new credentials, and stores them where `authorize` finds them. It is over when what it returns resolves, completes
   * or emits, whatever the value; by then they must be stored. One runs at a time, however many requests need it.
   *
   * An Observable is unsubscribed once no request waits for it. A promise always runs to its end: return one if the server
   * issues single-use refresh tokens (RFC 9700 §4.14), or leaving a page might lose the new one. Must not send through this
   * interceptor, where it would wait for itself; give it a time limit of its own.
   */
  readonly refresh: () => ObservableInput<unknown>;
  /** Whether an answer says that the credentials have expired; no promise. Default: whether its status is 401. */
  readonly isExpired?: ((exchange: Exchange) => boolean) | undefined;
  /**
   * The origins that may see the credentials, such as `'https://api.example.org'`; requests to others pass unchanged.
   * Default: that of the page. Without a page, as on a server, required with `authorize`; else all origins.
   */
  readonly origins?: readonly string[] | undefined;
}

/**
 * Sends requests with credentials, and gets new ones when the server says that they have expired: once for all requests,
 * which wait and are then sent again.
 *
 * Requests that begin during a refresh wait for it. One that was sent with the old credentials and is refused after the
 * refresh is sent again at once. No request is sent again more than once, so if the new credentials are refused too, it
 * ends with the answer 401; but one that waited is sent for the first time, and tries a new refresh if it is refused. A
 * request whose body is a stream is not repeated, since the first attempt uses it up: it ends with its 401 once the refresh
 * has ended, so that it can be tried again. If the refresh fails, each request ends with its own 401, those that waited are
 * sent to get one, and a request that begins after that and is refused tries a new refresh: leading the user to a login
 * page is up to `refresh`.
 *
 * Credentials go to the given origins only. But when an answer redirects to another origin, `fetch` itself forwards custom
 * headers, all but `Authorization`; `redirect: 'error'` prevents it.
 *
 * @throws TypeError for invalid options.
 */
export function authRefresh(options: AuthRefreshOptions): Interceptor {
  const own = ownOrigin();
  const {
    authorize,
    refresh,
    isExpired = ({ response }: Exchange) => response.status === 401,
    origins = own || authorize ? [own] : undefined,
  } = optionsOf('authRefresh', options);
  check(!authorize || isFunction(authorize), 'authRefresh', 'authorize', 'a function');
  check(isFunction(refresh), 'authRefresh', 'refresh', 'a function');
  check(isFunction(isExpired), 'authRefresh', 'isExpired', 'a function');
  const wanted = 'a list like ["https://api.example.org"], required outside a page';
  const isOrigin = (origin: unknown) => isText(origin) && originOf(origin) === origin;
  check(!origins || isListOf(origins, isOrigin), 'authRefresh', 'origins', wanted);
  const trusted = origins && new Set(origins);
  const renewals = renewalsBy(refresh);

  return (request, next) => {
    if (trusted && !trusted.has(originOf(request.url))) return next(request);
    const send = () => {
      const headers = new Headers(request.headers);
      const authorized: unknown = authorize?.(headers, request);
      checkSync(authorized, 'authorize');
      return next({ ...request, headers });
    };
    return defer(() => {
      const before$ = renewals.latest();
      /** The refresh that had ended last when it was sent; or one that it waited for in vain, so that it tries no other. */
      let known$ = before$;
      return before$.pipe(
        concatMap((isRenewed) => {
          if (isRenewed) known$ = renewals.ended();
          return send();
        }),
        concatMap((exchange) => {
          const isRefused: unknown = isExpired(exchange);
          checkSync(isRefused, 'isExpired');
          if (!isRefused) return of(exchange);
          return renewals.latest(known$).pipe(
            concatMap((isRenewed) => {
              if (!isRenewed || !isRepeatable(request)) return of(exchange);
              discard(exchange.response);
              return send();
            }),
          );
        }),
      );
    });
  };
}

const isFunction = (value: unknown): boolean => typeof value === 'function';

/** Refuses a promise, whose failure must not surface as an unhandled rejection. */
function checkSync(returned: unknown, option: string): void {
  const isPromise = isFunction((returned as Partial<PromiseLike<unknown>> | null | undefined)?.then);
  if (isPromise) Promise.resolve(returned).catch(() => undefined);
  check(!isPromise, 'authRefresh', option, 'a function that returns no promise');
}

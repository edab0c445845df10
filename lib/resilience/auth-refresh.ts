import { discard, isRepeatable } from './exchange';
import { check, isListOf, isText, optionsOf } from './options';
import { originOf, ownOrigin } from './origin';
import {
  catchError,
  concatMap,
  defer,
  first,
  isObservable,
  map,
  of,
  ReplaySubject,
  share,
  tap,
} from './peers';
import type { Exchange, Interceptor, Observable, ObservableInput, WireRequest } from './peers';

/** How {@link authRefresh} shows credentials, and gets new ones. */
export interface AuthRefreshOptions {
  /**
   * Puts the present credentials on a request: sets headers, as in `headers.set('authorization', 'Bearer …')` (RFC 6750
   * §2.1). Called each time that a request is sent, with a copy of its headers; a promise, for which the request could not
   * wait, fails it. Default: nothing, where cookies or another interceptor show them.
   */
  readonly authorize?: ((headers: Headers, request: WireRequest) => void) | undefined;
  /**
   * Gets new credentials, and stores them where `authorize` finds them. Over when what it returns resolves, completes or
   * emits, whatever that is; by then they have to be stored. One runs at a time, however many requests need it.
   *
   * An Observable is unsubscribed when no request waits for it any more. A promise always runs to its end: return one if
   * the server gives out refresh tokens that serve once (RFC 9700 §4.14), or leaving a page might lose the new one.
   * Must not send through this interceptor, where it would wait for itself; have it end by a time limit of its own.
   */
  readonly refresh: () => ObservableInput<unknown>;
  /** Whether an answer says that the credentials are no longer good; no promise. Default: those with the status 401. */
  readonly isExpired?: ((exchange: Exchange) => boolean) | undefined;
  /**
   * The origins that may see the credentials, such as `'https://api.example.org'`; requests to others go through as they
   * are. Default: that of the page. Where there is no page, as on a server, needed by `authorize`; without it all.
   */
  readonly origins?: readonly string[] | undefined;
}

/**
 * Sends requests with credentials, and gets new ones when the server says that they have expired: once for all requests,
 * which wait, and then are sent again.
 *
 * Requests that begin during a refresh wait for it. One that was sent with the old credentials and is refused after the
 * refresh is sent again at once. No request is sent again twice, so new credentials that are refused too end in the
 * answer 401; but one that had waited is sent for the first time, and tries a new refresh if it is refused. Nor is one sent
 * again whose body is a stream, which is used up by the first time. Where the refresh fails, each request ends in its own
 * 401, those that had waited are sent to get one, and a request that is sent from then on and refused tries a new
 * refresh: to show the way to a login page is up to `refresh`.
 *
 * Credentials go to the given origins only. But `fetch` itself takes along headers that it does not know, all but
 * `Authorization`, when an answer redirects to another origin; `redirect: 'error'` prevents it.
 *
 * @throws TypeError for options that cannot be used.
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
  const wanted = 'a list like ["https://api.example.org"], and given where there is no page';
  const isOrigin = (origin: unknown) => isText(origin) && originOf(origin) === origin;
  check(!origins || isListOf(origins, isOrigin), 'authRefresh', 'origins', wanted);
  const trusted = origins && new Set(origins);
  /** The refresh that runs, if one does. */
  let running$: Observable<boolean> | undefined;
  /** How the latest one ended; another object after each. */
  let ended$ = of(true);
  const latest = () => running$ ?? ended$;
  /** A refresh for all who wait for it: emits whether it has succeeded. */
  const renewal = () => {
    /** Emits once it may be given up, for those too who have left while it began. */
    const leavable$ = new ReplaySubject<unknown>(1);
    return defer(() => {
      const result = refresh();
      if (isObservable(result)) leavable$.next(0);
      return result;
    }).pipe(
      // Over at its first value or at its end, whatever it is.
      map(() => true),
      first(null, true),
      catchError(() => of(false)),
      // Before anybody hears of it, since whoever asks again then is not to wait.
      tap({
        next: (isRenewed) => {
          ended$ = of(isRenewed);
          running$ = undefined;
        },
        unsubscribe: () => {
          running$ = undefined;
        },
      }),
      share({ resetOnRefCountZero: () => leavable$ }),
    );
  };

  return (request, next) => {
    if (trusted && !trusted.has(originOf(request.url))) return next(request);
    const send = () => {
      const headers = new Headers(request.headers);
      const authorized: unknown = authorize?.(headers, request);
      check(!isPromise(authorized), 'authRefresh', 'authorize', 'done when it returns, and give no promise');
      return next({ ...request, headers });
    };
    return defer(() => {
      const before$ = latest();
      /** What had ended last as it was sent; or what it has waited for in vain, so that it has none tried again. */
      let known$ = before$;
      return before$.pipe(
        concatMap((isRenewed) => {
          if (isRenewed) known$ = ended$;
          return send();
        }),
        concatMap((exchange) => {
          const isRefused: unknown = isExpired(exchange);
          check(
            !isPromise(isRefused),
            'authRefresh',
            'isExpired',
            'a function that gives true or false, no promise',
          );
          if (!isRefused || !isRepeatable(request)) return of(exchange);
          if (ended$ === known$) running$ ??= renewal();
          return latest().pipe(
            concatMap((isRenewed) => {
              if (!isRenewed) return of(exchange);
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
const isPromise = (value: unknown): boolean => isFunction(Reflect.get(Object(value) as object, 'then'));

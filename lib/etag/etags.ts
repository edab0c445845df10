import type { Action, Around, Concern, Interceptor, LibOptions, WireRequest } from '../index';

import { Collection, defer, identity, map, tap } from './peers';
import { Versions } from './version';

/**
 * Options for a root whose records and collections remember the version (`ETag`) that the server gave them:
 * `createLib(etags())`, or `lib.options = etags(lib.options)`.
 *
 * A read says which version is there (`If-None-Match`), unless anything was changed here since: a 304 then counts as a
 * success without data, its response has the status 304 and `ok` true. An update or delete says which version it is meant
 * for (`If-Match`): a server that holds another answers 412, and nobody's change is lost unseen; `mergeConflicts` goes on
 * from there. A version counts once its data has been written; without one no condition is sent, and after a write that
 * is answered without an ETag none is known. Weak tags serve reads only. As in RFC 9110, sections 8.8.3, 13.1 and 15.4.5.
 *
 * Conditions that a request has already are left alone. Its own interceptor is the outermost, so that `retry` and the like
 * send the same condition again.
 *
 * @param options The root's other options; copied.
 */
export function etags(options: LibOptions = {}): LibOptions {
  const { around = identity, interceptors = [] } = options;
  const known = new WeakMap<Concern, Versions>();
  /** Where each answer came from that has brought data, or has changed them there. */
  const urls = new WeakMap<Response, string>();
  const versionsOf = (concern: Concern): Versions => {
    const versions = known.get(concern) ?? new Versions(concern);
    known.set(concern, versions);
    return versions;
  };

  const conditional: Interceptor = (request, next, context) => {
    const sent = withCondition(
      request,
      conditionOf(versionsOf(context.concern), context.action, request.url),
    );
    return next(sent).pipe(
      map((exchange) => {
        const { response } = exchange;
        if (context.action !== 'read' || exchange.body !== undefined) urls.set(response, request.url);
        const isRenewed = response.status === 304 && context.action === 'read';
        if (isRenewed) Object.defineProperty(response, 'ok', { value: true });
        return exchange;
      }),
    );
  };

  const remember: Around = (request$, context) =>
    defer(() => {
      const { action, concern } = context;
      if (concern instanceof Collection && action !== 'read') return around(request$, context);
      return around(request$, context).pipe(
        tap((response) => {
          if (response.ok && context.isWritten)
            versionsOf(concern).tell(action, response, urls.get(response));
        }),
      );
    });

  return { ...options, interceptors: [conditional, ...interceptors], around: remember };
}

/** The header that says which version is there, or which one is meant. */
function conditionOf(
  versions: Versions,
  action: Action,
  url: string,
): readonly [name: string, tag: string | undefined] {
  return action === 'read'
    ? ['if-none-match', versions.toRenew(url)]
    : ['if-match', action === 'create' ? undefined : versions.toMatch(url)];
}

function withCondition(request: WireRequest, [name, tag]: ReturnType<typeof conditionOf>): WireRequest {
  const { headers } = request;
  const hasOwn = ['if-match', 'if-none-match'].some((each) => headers.has(each));
  if (!tag || hasOwn) return request;
  const conditioned = new Headers(headers);
  conditioned.set(name, tag);
  // By default `fetch` adds "no-cache" to a read with a condition of its own; some servers send all of it again then.
  return { ...(name === 'if-none-match' && { cache: 'no-cache' }), ...request, headers: conditioned };
}

import type { Around, Concern, Interceptor, LibOptions } from '../index';

import { Collection, identity, tap } from './peers';
import { tagFor, versionOf } from './version';
import type { Version } from './version';

/**
 * Options for a root whose records and collections remember the version (`ETag`) that the server gave them:
 * `createLib(etags())`, or `lib.options = etags(lib.options)`.
 *
 * A read says which version the last read brought (`If-None-Match`), unless anything was changed here since: a 304 to that
 * counts as a success without data, its response has the status 304 and `ok` true. An update or delete says which version
 * it is meant for (`If-Match`): a server that holds another answers 412, and nobody's change is lost unseen;
 * `mergeConflicts` goes on from there. A version counts once its data has been written; without one no condition is sent,
 * and after a write that is answered without an ETag none is known. Weak tags serve reads only. As in RFC 9110, sections
 * 8.8.3, 13.1 and 15.4.5.
 *
 * Conditions that a request has already are left alone. Its own interceptor is the outermost, so that `retry` and the like
 * send the same condition again: a save that was carried out although its answer got lost is then answered 412, and
 * `mergeConflicts` goes on from it. A live record has a version once it was read or saved itself, not from its list.
 *
 * @param options The root's other options; copied.
 */
export function etags(options: LibOptions = {}): LibOptions {
  const { around = identity, interceptors = [] } = options;
  const latest = new WeakMap<Concern, Version | undefined>();
  /** Where each answer came from that has brought data, or has changed them there. */
  const urls = new WeakMap<Response, string>();

  const conditional: Interceptor = (request, next, { action, concern }) => {
    const isRead = action === 'read';
    const headers = new Headers(request.headers);
    const hasOwn = headers.has('if-match') || headers.has('if-none-match');
    // What a body asks for is no version of the url, and a server refuses a condition there.
    const hasVersion = isRead ? !request.body : action !== 'create';
    const tag = hasVersion && !hasOwn && tagFor(latest.get(concern), concern, action, request.url);
    if (tag) headers.set(isRead ? 'if-none-match' : 'if-match', tag);
    // By default `fetch` adds "no-cache" to a read with a condition of its own; some servers send all of it again then.
    return next({ ...(isRead && tag && { cache: 'no-cache' }), ...request, headers }).pipe(
      tap(({ response, body }) => {
        // An item that was created says nothing of the list.
        if (isRead ? body !== undefined : !(concern instanceof Collection)) urls.set(response, request.url);
        // One that nobody has asked for says nothing.
        if (isRead && response.status === 304 && headers.has('if-none-match'))
          Object.defineProperty(response, 'ok', { value: true });
      }),
    );
  };

  const remember: Around = (request$, context) =>
    around(request$, context).pipe(
      tap((response) => {
        const { action, concern, isWritten } = context;
        const url = urls.get(response);
        if (url && response.ok && isWritten) latest.set(concern, versionOf(concern, action, response, url));
      }),
    );

  return { ...options, interceptors: [conditional, ...interceptors], around: remember };
}

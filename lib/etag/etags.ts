import type { Around, Concern, Interceptor, LibOptions } from '../index';

import { equal, identity, tap } from './peers';
import { idOf, isDirty, tagFor, versionOf } from './version';
import type { Version } from './version';

/**
 * Options for a root whose records and collections remember the version (`ETag`) that the server sent: `createLib(etags())`,
 * or `lib.options = etags(lib.options)`.
 *
 * A read names the version that the last read brought (`If-None-Match`), unless anything was changed here since then: a 304
 * to that counts as a success without data, its response has the status 304 and `ok` true. An update or delete names the
 * version it is meant for (`If-Match`): a server that holds another answers 412, so no change is overwritten unseen;
 * `mergeConflicts` continues from there. A version counts once its data has been written; without one no condition is sent,
 * and a write that is answered without an ETag leaves none. Once one is known, the browser's cache is asked only together with
 * the server, at whatever url (XHR, as by Angular 20 and 21 without `withFetch()`, cannot be told so). Weak tags are for reads
 * only. As in RFC 9110, sections 8.8.3, 13.1 and 15.4.5.
 *
 * Conditions already on a request are left alone. Its interceptor is the outermost, so that `retry` and the like repeat the
 * same condition: a save that was carried out but whose answer got lost is then answered 412, and `mergeConflicts` continues
 * from there. A live record has a version once it has itself been read or saved, not from its list.
 *
 * @param options The root's other options; copied. Default: none.
 */
export function etags(options: LibOptions = {}): LibOptions {
  const { around = identity, interceptors = [] } = options;
  const latest = new WeakMap<Concern, Version | undefined>();
  /** The url of each answer that brought data, or changed it on the server, and the data. */
  const answers = new WeakMap<Response, readonly [url: string, data: unknown]>();

  const conditional: Interceptor = (request, next, { action, concern }) => {
    const isRead = action === 'read';
    const headers = new Headers(request.headers);
    // A server refuses the condition of any other read (RFC 9110, 13.1.2).
    const hasVersion = isRead ? /^(get|head)$/i.test(request.method) : action !== 'create';
    const isFree = hasVersion && !headers.has('if-match') && !headers.has('if-none-match');
    const tag = isFree && tagFor(latest.get(concern), concern, isRead, request.url);
    if (tag) headers.set(isRead ? 'if-none-match' : 'if-match', tag);
    // Once a version is known, what the browser has kept may be an older one: a 412 does not remove it (RFC 9111, section
    // 4.4). And by default `fetch` adds `Cache-Control: no-cache` to a conditional read; some servers then send everything.
    return next({ ...(isRead && latest.get(concern) && { cache: 'no-cache' }), ...request, headers }).pipe(
      tap(({ response, body }) => {
        // An item that was created says nothing about the list.
        if ((isRead ? body : isDirty(concern)) !== undefined) answers.set(response, [request.url, body]);
        // A 304 that no condition asked for says nothing.
        if (isRead && response.status === 304 && headers.has('if-none-match'))
          Object.defineProperty(response, 'ok', { value: true });
      }),
    );
  };

  const remember: Around = (request$, context) => {
    const { action, concern } = context;
    const id = idOf(concern);
    const before = latest.get(concern);
    const keep = (response: Response, isShown = true) => {
      const [url] = answers.get(response) ?? [];
      if (url) latest.set(concern, versionOf(context, response, url, isShown));
    };
    context.whenWritten((response) => {
      keep(response);
    });
    return around(request$, context).pipe(
      tap((response) => {
        if (action !== 'read' || context.isWritten || id !== idOf(concern)) return;
        // A list may go without a version: its reads then have no condition.
        if (isDirty(concern) === undefined) return;
        // Something newer came first, which may be the same. If that was a version, it counts.
        const [, data] = answers.get(response) ?? [];
        const isShown = equal({ ...(data as object), ...(concern.toJSON() as object) }, data);
        // Whoever awaits the first read takes the record for read in any case, so a write must not go without a version:
        // otherwise it names one that no server has.
        const known = latest.get(concern);
        const isFirst = known ? known.id !== id : !latest.has(concern);
        if (isFirst || (isShown && known === before)) keep(response, isShown);
      }),
    );
  };

  return { ...options, interceptors: [conditional, ...interceptors], around: remember };
}

import type { Around, Concern, DataModel, Interceptor, LibOptions } from '../index';

import { equal, identity, tap } from './peers';
import { idOf, isDirty, refusedTag } from './version';
import type { Answer, Version } from './version';

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
export function etags({ around = identity, interceptors = [], ...options }: LibOptions = {}): LibOptions {
  const latest = new WeakMap<Concern, Version>();
  const answers = new WeakMap<Response, Answer>();

  const conditional: Interceptor = (request, next, { action, concern }) => {
    const isRead = action === 'read';
    const id = idOf(concern);
    const [path] = request.url.split(/[?#]/);
    const headers = new Headers(request.headers);
    const { owner, tag, place, shown }: Partial<Version> = latest.get(concern) ?? {};
    const isFree = !headers.has('if-match') && !headers.has('if-none-match');
    // What is created has no version.
    const isWrite = !isRead && action !== 'create';
    const isFit =
      owner === id &&
      (isRead
        ? // A server refuses the condition of any other read (RFC 9110, 13.1.2). A 304 would not replace what was changed here;
          // where nothing is edited, what is shown is what is confirmed.
          ['GET', 'HEAD'].includes(request.method) &&
          !isDirty(concern) &&
          equal(shown, [request.url, concern.toJSON()])
        : // For a write only the path counts: its query may be another. A weak tag, or `*`, cannot identify what is meant (RFC
          // 9110, 13.1.1).
          isWrite && (!place || place === path) && !/^(w\/|\*$)/i.test(tag ?? ''));
    // With the latest tag, or with none, a server would accept what nobody has decided.
    const isUndecided =
      isWrite && (concern as Concern & Pick<DataModel, 'openConflicts$'>).openConflicts$.value.length;
    const condition = isFree && (isUndecided ? refusedTag : isFit && tag);
    if (condition) headers.set(isRead ? 'if-none-match' : 'if-match', condition);
    // Once a version is known, what the browser has kept may be an older one: a 412 does not remove it (RFC 9111, section
    // 4.4). And by default `fetch` adds `Cache-Control: no-cache` to a conditional read; some servers then send everything.
    return next({ ...(isRead && tag && { cache: 'no-cache' }), ...request, headers }).pipe(
      tap(({ response, body }) => {
        answers.set(response, {
          // A stand-in for a response may lack them, or have a plain object.
          tag: (response.headers as Partial<Headers> | undefined)?.get?.('etag'),
          path,
          url: request.url,
          // An item that was created says nothing about the list.
          brought: isRead ? body : isDirty(concern),
        });
        // A 304 that no condition asked for says nothing.
        if (headers.has('if-none-match') && isRead && response.status === 304)
          Object.defineProperty(response, 'ok', { value: true });
      }),
    );
  };

  const remember: Around = (request$, context) => {
    const { action, concern } = context;
    const isRead = action === 'read';
    const id = idOf(concern);
    const before = latest.get(concern);
    const keep = (isWritten: boolean) => (response: Response) => {
      const { tag, path, url, brought }: Partial<Answer> = answers.get(response) ?? {};
      const known = latest.get(concern);
      // A list, which has no id, may go without a version: its reads then have no condition.
      const isOfShown = id && isRead && id === idOf(concern);
      // If something newer came first, it may be the same.
      const isShown =
        isWritten ||
        (isOfShown &&
          !isDirty(concern) &&
          equal({ ...(brought as object), ...(concern.toJSON() as object) }, brought));
      // What came first counts if it was a version. Otherwise whoever awaits the first read takes the record for read in any
      // case, so a write must not go without a version: it then names one that no server has.
      const counts =
        isWritten ||
        (isOfShown && known?.owner !== id) ||
        (isShown && (known === before || !(known?.tag ?? before?.tag)));
      if (counts && brought !== undefined)
        latest.set(concern, {
          owner: idOf(concern),
          tag: isShown ? tag : tag && refusedTag,
          // The answer to a create does not name what it has created.
          place: id && path,
          // Edits are not of that version. Nor, after a write, may other fields be: the server, or somebody else before, may
          // have changed them.
          shown: tag && isShown && isRead && !isDirty(concern) && [url, concern.toJSON()],
        });
    };
    context.whenWritten(keep(true));
    return around(request$, context).pipe(tap(keep(false)));
  };

  return { ...options, interceptors: [conditional, ...interceptors], around: remember };
}

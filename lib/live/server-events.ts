import { defer, filter, finalize, fromEvent, ignoreElements, map, merge, tap } from './peers';
import type { Observable } from './peers';

/** An event of a server: the platform's `MessageEvent`, as far as it matters here. */
// Not that type itself, which has no parameter among the types of Node.
export interface ServerEvent {
  /** The name of the event: `message` if the server gave none. */
  readonly type: string;
  /** What was sent, as text. */
  readonly data: string;
  /** The id of the last event that had one, which the platform sends along when it connects again. */
  readonly lastEventId: string;
}

/** What {@link serverEvents} listens to, and how. */
export interface ServerEventsOptions {
  /** The names of the events to emit. Default: `message`, which those without a name have. */
  readonly events?: readonly string[] | undefined;
  /** Whether cookies are sent to another origin. Default false. */
  readonly withCredentials?: boolean | undefined;
  /**
   * Called whenever a connection is open, also after an interruption. What has changed until then is not among the events:
   * read it here. What it throws, the stream fails with.
   */
  readonly onOpen?: (() => void) | undefined;
}

/**
 * The events that a server sends over one connection (server-sent events, WHATWG HTML, section 9.2), as a cold stream.
 *
 * Each subscription opens a connection; unsubscribing closes it. After an interruption the platform connects again by itself,
 * and tells the server the id of the last event. A server that refuses, or that answers with something else, ends that: then
 * the stream fails with an error that names the url, without user and query; `retry({ delay: 5000 })` of RxJS connects again.
 *
 * @param url Where the events are. Without headers of your own: `EventSource` sends none, so sign in by cookie or query.
 */
export function serverEvents(
  url: string | URL,
  { events = ['message'], withCredentials = false, onOpen }: ServerEventsOptions = {},
): Observable<ServerEvent> {
  return defer(() => {
    if (typeof EventSource === 'undefined') {
      throw new TypeError('serverEvents: this platform has no EventSource; provide one as a global');
    }
    const source = new EventSource(url, { withCredentials });
    const opened$ = fromEvent(source, 'open').pipe(
      filter((event) => !isSent(event)),
      tap(() => onOpen?.()),
      ignoreElements(),
    );
    const closed$ = fromEvent(source, 'error').pipe(
      // Otherwise it is connecting again.
      filter(() => source.readyState === source.CLOSED),
      map(() => {
        // Both may hold a secret: a query since there are no headers for it, and what stands before the host.
        const place = String(url)
          .replace(/[?#].*/s, '')
          .replace(/\/\/[^/]*@/, '//');
        throw new Error(`serverEvents: ${place} was refused, or does not send events`);
      }),
    );
    const events$ = events.map((name) => fromEvent(source, name).pipe(filter(isSent)));
    return merge(...events$, opened$, closed$).pipe(
      finalize(() => {
        source.close();
      }),
    );
  });
}

/** Whether an event is one of the server's, which may have the names of those of the connection: `open` and `error`. */
const isSent = (event: unknown): event is ServerEvent & Event => 'data' in (event as object);

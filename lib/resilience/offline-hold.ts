import { check } from './options';
import { concatMap, defer, first, fromEvent, isObservable, of } from './peers';
import type { Interceptor, Observable } from './peers';

/**
 * Holds requests back while there is no network, and sends them once there is. One that has been sent and fails because the
 * network went away fails: `retry` before it in the list sends it again, and that is held then.
 *
 * A held request counts as under way: flags stay up, further writes of a record wait, `timeout` runs, unsubscribing
 * gives it up.
 *
 * @param online$ Whether there is a network, at once when subscribed to and after each change; subscribed to by each request
 *   until it says true. When it ends, requests are sent; when it fails, they fail. Default: `navigator.onLine` (HTML
 *   standard) and the event `online`, where false means that there is none for certain; without them, as on a server,
 *   always online.
 * @throws TypeError if `online$` is no Observable.
 */
export function offlineHold(online$: Observable<boolean> = platformOnline$): Interceptor {
  check(isObservable(online$), 'offlineHold', 'online$', 'an Observable of booleans');
  return (request, next) =>
    online$.pipe(
      // Its end counts as true.
      first(Boolean, true),
      concatMap(() => next(request)),
    );
}

const platformOnline$: Observable<boolean> = /* @__PURE__ */ defer(() => {
  const { navigator } = globalThis as { navigator?: { readonly onLine?: boolean } };
  const isOffline = navigator?.onLine === false;
  return isOffline ? fromEvent(globalThis as unknown as EventTarget, 'online', () => true) : of(true);
});

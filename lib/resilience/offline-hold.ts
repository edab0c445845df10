import type { Interceptor } from '../index';

import { check } from './options';
import { concatMap, defer, first, fromEvent, isObservable, of } from './peers';
import type { Observable } from './peers';

/**
 * Holds requests back while there is no network, and sends them once there is. One that was already sent and fails because
 * the network went away still fails: `retry` before this in the list sends it again, and that is then held.
 *
 * A held request counts as under way: flags stay up, further writes of a record wait, `timeout` runs, unsubscribing gives it
 * up.
 *
 * @param online$ Whether there is a network: must emit on subscription and after each change; each request subscribes until
 *   it emits true. If it completes, requests are sent; if it fails, they fail. Default: `navigator.onLine` (HTML standard),
 *   where false means that there is certainly none, and the event `online`; without them, as on a server, always online.
 * @throws TypeError if `online$` is not an Observable.
 */
export function offlineHold(online$: Observable<boolean> = platformOnline$): Interceptor {
  check(isObservable(online$), 'offlineHold', 'online$', 'an Observable of booleans');
  return (request, next) =>
    online$.pipe(
      // Completion counts as true.
      first(Boolean, true),
      concatMap(() => next(request)),
    );
}

const platformOnline$: Observable<boolean> = /* @__PURE__ */ defer(() => {
  const { navigator } = globalThis as { navigator?: { readonly onLine?: boolean } };
  const isOffline = navigator?.onLine === false;
  return isOffline ? fromEvent(globalThis as unknown as EventTarget, 'online', () => true) : of(true);
});

import { RequestError, badOption } from '../errors';
import type { Kind } from '../flags';
import { ownCopy } from '../objects';
import type { Resource } from '../resource';
import { catchError, defer, filter, map, tap, throwError, throwIfEmpty } from '../rx';
import type { Observable } from '../rx';
import type { RequestOptions } from '../types';

import { failOn, reasonsOf } from './abort';
import type { Asked, Fail } from './asked';
import { callOptions } from './options';
import { isAnswer } from './response';
import { streamOf } from './streams';
import { sync$ } from './sync';

/**
 * A request of a record or collection as a cold stream: in its lane, with its flags up, until the caller's signal or
 * the disposal ends it.
 */
export function request$(
  resource: Resource,
  kind: Kind,
  given: object | undefined,
  more?: RequestOptions,
): Observable<Response> {
  return defer(() => {
    const called = callOptions(given);
    const options = ownCopy({ ...called, ...more });
    const fail = failOnce(resource, kind);
    const { identity } = resource;
    let isRunning = false;
    let isDelivered = false;
    const reasons = [
      resource.disposed$.pipe(
        map(
          () => new RequestError('DISPOSED', resource.actionOf(kind), 'ended by dispose(), or made after it'),
        ),
      ),
      ...reasonsOf([options.signal]),
    ];
    const run$ = defer(() => {
      isRunning = true;
      const listeners: ((response: Response) => void)[] = [];
      const context = {
        action: resource.actionOf(kind),
        concern: resource.concern,
        isWritten: false,
        whenWritten: (tell: (response: Response) => void) => {
          listeners.push(tell);
        },
      };
      return around$({ resource, identity, context, listeners, called, options, fail }, kind);
    }).pipe(
      tap({
        next: () => {
          isDelivered = true;
        },
        error: fail,
      }),
      // What has been delivered is no longer pending.
      failOn(reasons, () => isDelivered),
      // Not a no-op: `catchError` unsubscribes from its source before it passes an error on; otherwise RxJS passes it on
      // first. So the flags are down, and a rollback is done, when the caller is notified.
      catchError((error: unknown) => throwError(() => error)),
    );
    const lane = kind === 'read' ? undefined : resource.lane;
    // A running request is ended inside its lane, so that the next begins once its subscriber has been notified.
    return (lane?.enter(run$).pipe(failOn(reasons, () => isRunning)) ?? run$).pipe(
      resource.flags.raise(kind),
    );
  });
}

/** The pipeline inside the `around` of the root's options, and both inside that of the root's base. */
function around$(asked: Asked, kind: Kind): Observable<Response> {
  const { resource, context } = asked;
  const whole$ = defer(() => sync$(asked));
  // A save counts as what it is, too. That count may fall only on unsubscription, which comes after the end.
  const sent$ = context.action === kind ? whole$ : whole$.pipe(resource.flags.raise(context.action));
  return [resource.options.around, resource.root.base.around].reduce<Observable<Response>>(
    (inner$, around) =>
      around
        ? streamOf(around(inner$, context)).pipe(
            filter(isAnswer),
            throwIfEmpty(() => badOption(context.action, '"around" ended without an answer')),
          )
        : inner$,
    sent$,
  );
}

/** Sets `error$` once per failure: `around` may pass on what the pipeline fails with, or fail by itself. */
function failOnce(resource: Resource, kind: Kind): Fail {
  // A value that nothing fails with.
  let reported: unknown = resource;
  return (reason, isCurrent = true, order) => {
    if (reason === reported) return;
    reported = reason;
    if (isCurrent) resource.fail(resource.actionOf(kind), reason, order);
  };
}

import { batch } from '../batch';
import { badOption, isUnsent, refusal, withResponse } from '../errors';
import { own } from '../objects';
import { catchError, concatMap, defer, map, of, throwError, throwIfEmpty } from '../rx';
import type { Observable } from '../rx';
import type { Ticket } from '../ticket';

import { failOn, reasonsOf } from './abort';
import type { Asked } from './asked';
import type { Received } from './response';
import type { Sending } from './sending';
import { streamToEnd } from './streams';

/** The key under which the refusal of an answer by a schema holds what is to be written of a record all the same. */
const createdKey = Symbol.for('rivulet.created');

/** Records a refusal; or parses an ok answer, and writes it when the target is ready for it. */
export function writeBack$(
  { resource, context, listeners, options, fail }: Asked,
  { isCurrent, signals }: Sending,
  ticket: Ticket,
  order: number,
  received: Received,
): Observable<Response> {
  const { request, response, body } = received;
  const { action } = context;
  if (!response.ok) {
    ticket.reject('error');
    fail(refusal(response, action, request), isCurrent(), order);
    return of(response);
  }
  const { parse } = resource.config;
  const isData = body !== undefined && action !== 'delete' && options.writeResponse !== false;
  const isEnded = () => [options.signal, ...signals].some((signal) => signal?.aborted);
  const written$ = (data: unknown, failure?: unknown) =>
    ticket.ready$(isEnded).pipe(
      map(() => {
        // Whoever is notified of the data may send a request, which then names its version.
        batch(() => {
          context.isWritten = ticket.accept(data, isData, received);
          if (context.isWritten) for (const tell of listeners) tell(response);
        });
        // A subscriber may have started a newer read.
        context.isWritten &&= !ticket.read?.isOvertaken;
        if (failure) throw failure as Error;
        // It says nothing about a record that has been given another id since then.
        if (isCurrent()) resource.succeed(order);
        return response;
      }),
    );
  const answer$ =
    parse && isData
      ? defer(() => streamToEnd(parse.call(resource.concern, body, action))).pipe(
          throwIfEmpty(() => badOption(action, '"parse" ended without data')),
          concatMap((data) => written$(data)),
          catchError((failure: unknown) => {
            // There is an answer, which whoever catches this has to know.
            if (isUnsent(failure, action)) withResponse(failure, response);
            // The id of what the server has created is known all the same: the next save must not create it again.
            const created = action === 'create' && resource.fields && own(failure, createdKey);
            return created ? written$(created, failure) : throwError(() => failure);
          }),
        )
      : written$(isData ? body : undefined);
  return answer$.pipe(failOn(reasonsOf(signals)));
}

import { from, map, of } from 'rxjs';
import type { Observable } from 'rxjs';

import { isObject } from '../equal';
import { RequestError } from '../errors';
import type { Action, Exchange, RequestOptions } from '../types';

/** An answer with its decoded data. */
export type Received = Pick<Exchange, 'response' | 'body'>;

/** What Angular and others put before JSON so that it cannot be run as a script. */
const scriptGuard = /^\)\]\}',?/;

/**
 * Reads the body of an ok answer, unless that was done already: JSON whatever the content type says.
 *
 * Reads a copy, so that the caller can read the answer too. A refused answer is the caller's to read, and that of a
 * delete counts by its status alone. A body that is not JSON fails a read; a write only if it claims to be JSON,
 * since the server has accepted it and a failure would invite sending it again.
 *
 * @param where Method and path, for the message of a failure.
 */
export function decode<E extends Received>(
  exchange: E,
  action: Action,
  options: RequestOptions,
  where: string,
): Observable<E> {
  const { response, body } = exchange;
  if (!response.ok || body !== undefined || response.body === null || action === 'delete') return of(exchange);
  return from(contentOf(response)).pipe(
    map((content) => ({
      ...exchange,
      body: options.writeResponse === false ? undefined : dataOf(content, response, action, where),
    })),
  );
}

/** Stand-ins for a response may lack `clone` or `text`. */
function contentOf(response: Partial<Response>): Promise<unknown> {
  const copy = response.clone ? response.clone() : response;
  return copy.text ? copy.text() : (copy as Response).json();
}

function dataOf(content: unknown, response: Response, action: Action, where: string): unknown {
  if (typeof content !== 'string') return content;
  const text = content.trim().replace(scriptGuard, '');
  if (!text.trim()) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const claimsJson = /json/i.test(response.headers.get('content-type') ?? '');
    if (action !== 'read' && !claimsJson) return undefined;
    throw new RequestError(
      'PARSE',
      `${action} was answered ${String(response.status)} with a body that is not JSON: ${where}; check the url and the server's answer`,
      { action, response, cause },
    );
  }
}

/** A response, or a stand-in for one. */
export function isResponse(value: unknown): value is Response {
  return (
    isObject(value) &&
    typeof value['ok'] === 'boolean' &&
    (typeof value['text'] === 'function' || typeof value['json'] === 'function')
  );
}

/** Turns whatever a `sync` gave into an answer with its data: a response, an exchange, plain data or nothing. */
export function receive(result: unknown, action: Action, options: RequestOptions): Observable<Received> {
  if (isResponse(result)) return decode({ response: result, body: undefined }, action, options, 'a replaced sync');
  if (isObject(result) && isResponse(result['response'])) return of(result as unknown as Exchange);
  const response = result === undefined ? new Response(null, { status: 204 }) : Response.json(result);
  return of({ response, body: result });
}

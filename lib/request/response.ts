import { RequestError, whereOf } from '../errors';
import { isObject } from '../objects';
import { map, of } from '../rx';
import type { Observable } from '../rx';
import type { Action, Exchange, RequestOptions } from '../types';

import type { Sending } from './sending';
import { streamOf } from './streams';

/** An answer with its decoded data, and the request where there was one. */
export type Received = Omit<Exchange, 'request'> & Partial<Pick<Exchange, 'request'>>;

/** What an answer is decoded for. */
export interface Decoding extends Pick<Sending, 'decoded' | 'unread'> {
  readonly action: Action;
  readonly options: RequestOptions;
}

/**
 * Reads the body of an ok answer as JSON, whatever its content type, unless that was done already.
 *
 * Reads a copy, so that the caller can read the answer too. A refused answer is left to the caller, and a delete is judged
 * by its status alone, whatever becomes of the body. A body that is not JSON fails a read, but a write only if it claims to
 * be JSON: the server has accepted the write, and a failure would invite sending it again.
 */
export function decode<E extends Received>(
  exchange: E,
  { action, options: { writeResponse }, decoded, unread }: Decoding,
): Observable<E> {
  const { response, body } = exchange;
  const isDone = !response.ok || action === 'delete' || body !== undefined || response.body === null;
  decoded.add(response);
  if (isDone) return of(writeResponse === false ? { ...exchange, body: undefined } : exchange);
  unread.add(response);
  // Stand-ins for a response may lack all but `ok`, and answer without a promise.
  const given: Partial<Response> = response;
  if (given.bodyUsed || given.body?.locked) {
    const problem = `the answer ${response.status} to ${whereOf(exchange.request)} was already read`;
    throw new RequestError('PARSE', action, problem, { response });
  }
  const copy: Partial<Response> = given.clone?.() ?? given;
  return streamOf<unknown>(copy.text?.() ?? given.json?.() ?? '').pipe(
    map((content) => {
      const data = writeResponse === false ? undefined : dataOf(content, exchange, action);
      unread.delete(response);
      return { ...exchange, body: data };
    }),
  );
}

function dataOf(content: unknown, { request, response }: Received, action: Action): unknown {
  if (typeof content !== 'string') return content;
  // Angular and others prefix JSON with `)]}',` so that it cannot be run as a script. `trim` removes a BOM too.
  const text = content.trim().replace(/^\)\]\}',?/, '');
  try {
    return text ? JSON.parse(text) : undefined;
  } catch (cause) {
    const type = (response.headers as Partial<Headers> | undefined)?.get?.('content-type');
    const claimsJson = type?.match(/^[^;]*[/+]json *(;|$)/i);
    if (action !== 'read' && !claimsJson) return undefined;
    const problem = `the answer ${response.status} to ${whereOf(request)} is not JSON`;
    throw new RequestError('PARSE', action, problem, { response, cause });
  }
}

/** Whether an answer says if it was accepted: a response, or a stand-in for one, which may have no body. */
export const isAnswer = (value: unknown): value is Response =>
  isObject(value) && typeof value.ok === 'boolean';

/** Whether what may as well be data is a response, or a stand-in for one. */
const isResponse = (value: unknown): value is Response =>
  isAnswer(value) && typeof ((value as Partial<Response>).text ?? value.json) === 'function';

/** Decodes an answer, unless an interceptor has read it: then that has also decided about its data. */
export function decodeOnce<E extends Received>(exchange: E, decoding: Decoding): Observable<E> {
  const { response } = exchange;
  return decoding.decoded.has(response) || response.bodyUsed ? of(exchange) : decode(exchange, decoding);
}

/** Turns whatever a `sync` returned into an answer with its data: a response, an exchange, plain data or nothing. */
export function receive(result: unknown, decoding: Decoding): Observable<Received> {
  const { response } = Object(result) as Partial<Exchange>;
  if (response && (isResponse(response) || decoding.decoded.has(response)))
    return decodeOnce(result as Exchange, decoding);
  return isResponse(result)
    ? // A `body` of its own: an inherited one would pass for data.
      decode({ response: result, body: undefined }, decoding)
    : of({ response: responseOf(result), body: result });
}

/** A response for plain data; without a body if JSON cannot hold it (a bigint, a cycle), which is data all the same. */
function responseOf(data: unknown): Response {
  // Own `headers`, or the platform would take inherited ones.
  const init = { status: data === undefined ? 204 : 200, headers: {} };
  try {
    if (data !== undefined) return Response.json(data, init);
  } catch {
    // see above
  }
  return new Response(null, init);
}

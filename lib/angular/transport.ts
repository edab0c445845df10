import type { Exchange, Transport, WireRequest } from '../index';

import { catchError, defer, HttpClient, HttpErrorResponse, HttpHeaders, map, of } from './peers';
import type { HttpResponse, Injector } from './peers';

/** All that is read from an answer, refused or not. Angular deprecates `statusText`, but HTTP/1.1 has one. */
interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly url: string | null;
  readonly headers: HttpHeaders;
}

/**
 * Sends through Angular's `HttpClient`: its interceptors, XSRF protection, transfer cache and testing controller see every
 * request. Injected when a request is sent, since making it may need the root itself.
 */
export const httpTransport =
  (injector: Injector): Transport =>
  (request) =>
    defer(() => {
      const http = injector.get(HttpClient, null);
      if (!http) throw new TypeError('requests need provideHttpClient()');
      const { url, method, credentials, ...init } = request;
      return http.request(method, url, {
        ...init,
        // A default must not be passed: Angular keeps such answers out of its transfer cache. `withCredentials` is the form
        // that both of its backends understand.
        ...(credentials === 'omit' && { credentials }),
        withCredentials: credentials === 'include',
        headers: new HttpHeaders(request.headers),
        body: sendable(request.body),
        observe: 'response',
        responseType: 'text',
      });
    }).pipe(
      map((answer: HttpResponse<unknown>) => exchangeOf(request, answer, answer.body)),
      catchError((error: unknown) => {
        if (!(error instanceof HttpErrorResponse)) throw error;
        // Statuses below 300 are those of a server that was not reached, and of an ok answer whose body could not be read.
        if (error.status < 300) throw new TypeError('Failed to fetch', { cause: error });
        return of(exchangeOf(request, error, error.error));
      }),
    );

/** A body that `HttpClient` does not mistake for an object to be written as JSON. */
function sendable(body: WireRequest['body']): unknown {
  if (body instanceof ReadableStream) {
    throw new TypeError('streams need withFetch()');
  }
  return ArrayBuffer.isView(body) ? new Blob([body]) : body;
}

/** The answer as `fetch` would return it, with its data if there is any. */
function exchangeOf(request: WireRequest, answer: Answer, content: unknown): Exchange {
  const { status, statusText, url, headers: given } = answer;
  const headers = given.keys().map((name): [string, string] => [name, String(given.getAll(name))]);
  const text = [204, 205, 304].includes(status) ? '' : textOf(content);
  const response = new Response(text || null, { status, statusText, headers });
  Object.defineProperty(response, 'url', { value: url ?? '' });
  return { request, response, body: response.ok ? dataOf(text) : undefined };
}

/** An interceptor may answer with data of any kind. */
const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : content === null ? '' : JSON.stringify(content);

/** What is not JSON is left to the core, which knows when that is a failure. */
function dataOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

import type { Action, WireRequest } from './types';

/**
 * What went wrong, for code to act on.
 *
 * - `NO_URL`: no url is configured for this action. Set one.
 * - `NO_ID`: a read or destroy of a record without an id. Save it first, or check `idAttribute`.
 * - `BAD_ID`: the id cannot be one path segment (`.`, `..`, an object, a lone surrogate); or the record got another id while
 *   a destroy, a `sync` or a schema waited. Nothing was sent.
 * - `BAD_OPTION`: an option, a url parameter, or what a callback, an interceptor or `sync` returned cannot be used.
 * - `SERIALIZE`: the data cannot be written as JSON. Nothing was sent.
 * - `PARSE`: an ok answer whose body is not JSON (for a write, only if it claims to be), or was already read.
 * - `SHAPE`: a collection's read was answered with something other than a list. Unwrap it in `parse`.
 * - `HTTP`: the server refused (`ok` is false). In `error$`, and from the `ok()` operator.
 * - `DISPOSED`: the record or collection was disposed of.
 */
export type RequestErrorCode =
  'NO_URL' | 'NO_ID' | 'BAD_ID' | 'BAD_OPTION' | 'SERIALIZE' | 'PARSE' | 'SHAPE' | 'HTTP' | 'DISPOSED';

/**
 * A failure reported by rivulet itself. What the network, an abort or a callback throws passes through unchanged.
 *
 * The message says what failed and what to do. Of a request and its answer it names only action, method, path and status,
 * never a query, a header or a body. Recognisable by `name` (`'RequestError'`) and `code` where two copies of the package
 * defeat `instanceof`.
 */
export class RequestError extends Error {
  /** Identifies it where two copies of the package defeat `instanceof`. */
  override readonly name: string = 'RequestError';
  /** What went wrong, for code to act on. */
  readonly code: RequestErrorCode;
  /** The action that failed; undefined if unknown. */
  readonly action: Action | undefined;
  /** The server's answer; undefined if there was none. Not enumerable, so that logging does not print it. */
  declare readonly response: Response | undefined;

  /**
   * Usually made by rivulet; make one yourself to report a failure of your own `sync`, transport or interceptor in the same
   * form.
   *
   * @param problem What failed and what to do; the message puts the action in front of it.
   * @param details `response`: the answer, if there was one. `cause`: what this was caused by, as for any `Error`.
   */
  constructor(
    code: RequestErrorCode,
    action: Action | undefined,
    problem: string,
    details: { readonly response?: Response | undefined; readonly cause?: unknown } = {},
  ) {
    super(action ? `${action}: ${problem}` : problem, details);
    this.code = code;
    this.action = action;
    withResponse(this, details.response);
  }
}

/** Gives an error the answer that it is about, where logging does not print it. */
export const withResponse = (error: object, value: Response | undefined): boolean =>
  Reflect.defineProperty(error, 'response', { value, configurable: true });

/** Whether a failure says that nothing was sent: made here or by a schema, it has the action of the request and no answer. */
export function isUnsent(failure: unknown, action: Action): failure is object {
  const { action: failed, response } = Object(failure) as Partial<RequestError>;
  return failed === action && !response;
}

/** The failure for an unusable option, or an unusable value that a callback returned. */
export const badOption = (action: Action, problem: string): RequestError =>
  new RequestError('BAD_OPTION', action, problem);

/** The failure for a request that was made for another id than the record shows now. */
export const badId = (action: Action): RequestError =>
  new RequestError('BAD_ID', action, 'the record shows another id now: nothing was sent');

/** The failure made for each refused answer. */
const refusals = new WeakMap<Response, RequestError>();

/** A refused answer as an error. An opaque one has no status: the browser hides it, as `mode` or `redirect` requested. */
export function refusal(
  response: Response,
  action?: Action,
  request?: Pick<WireRequest, 'method' | 'url'>,
): RequestError {
  const { status, statusText, type } = response;
  const isHidden = /^opaque(redirect)?$/.test(type);
  const answer = isHidden ? `the answer is hidden (${type})` : `the server answered ${status} ${statusText}`;
  const problem = answer.trim() + (request?.url ? ` to ${whereOf(request)}` : '');
  const error = new RequestError('HTTP', action, problem, { response });
  refusals.set(response, error);
  return error;
}

/** The failure for a refused answer: the one in `error$`, if the answer came from a request made here. */
export const refusalOf = (response: Response): RequestError => refusals.get(response) ?? refusal(response);

/**
 * Where a request went, for messages: without the authority and what follows the path, which may hold a secret. What a
 * user's `sync` returns may hold a `URL`.
 */
export const whereOf = (request?: { readonly method: string; readonly url: string | URL }): string =>
  request?.url
    ? `${request.method} ${String(request.url).replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/?#]*|[?#].*/gis, '')}`
    : 'sync';

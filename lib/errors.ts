import type { Action } from './types';

/**
 * What went wrong, for code to act on.
 *
 * - `NO_URL`: no url is configured for this action. Set one.
 * - `NO_ID`: a read or destroy of a record without an id. Save it first, or check `idAttribute`.
 * - `BAD_ID`: the id cannot be one path segment (`.`, `..`, an object, a lone surrogate).
 * - `BAD_OPTION`: an option, or what an option's callback returned, cannot be used.
 * - `SERIALIZE`: the data cannot be written as JSON. Nothing was sent.
 * - `PARSE`: an ok answer whose body is not JSON.
 * - `SHAPE`: a collection was answered with something that is not a list. Unwrap it in `parse`.
 * - `HTTP`: the server refused (`ok` is false). In `error$`, and from the `ok()` operator.
 * - `DISPOSED`: the record or collection was disposed of.
 */
export type RequestErrorCode =
  'NO_URL' | 'NO_ID' | 'BAD_ID' | 'BAD_OPTION' | 'SERIALIZE' | 'PARSE' | 'SHAPE' | 'HTTP' | 'DISPOSED';

/** What else is known of a failure. */
export interface RequestErrorDetails {
  /** The action that failed, where there is one. */
  readonly action?: Action | undefined;
  /** The server's answer, where there is one. */
  readonly response?: Response | undefined;
  /** The error behind this one, where there is one. */
  readonly cause?: unknown;
}

/**
 * A failure that is rivulet's to tell. What the network, an abort or a callback throws passes through as it is.
 *
 * The message says what failed and what to do; it names method, status and path, never a query, a header or a body.
 * Recognisable by `name` (`'RequestError'`) and `code` where two copies of the package defeat `instanceof`.
 */
export class RequestError extends Error {
  override readonly name: string = 'RequestError';
  /** What went wrong, for code to act on. */
  readonly code: RequestErrorCode;
  /** The action that failed; undefined where none is known. */
  readonly action: Action | undefined;
  /** The server's answer; undefined where there was none. Not enumerable, so that logging does not print it. */
  declare readonly response: Response | undefined;

  constructor(code: RequestErrorCode, message: string, details: RequestErrorDetails = {}) {
    super(message, 'cause' in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.action = details.action;
    Object.defineProperty(this, 'response', { value: details.response });
  }
}

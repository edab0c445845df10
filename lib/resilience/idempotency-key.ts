import type { Interceptor } from '../index';

import { methodsOf, optionsOf } from './options';

/** Which requests get a key from {@link idempotencyKey}. */
export interface IdempotencyKeyOptions {
  /** The methods that get a key. Default: POST and PATCH, which are not idempotent by themselves. */
  readonly methods?: readonly string[] | undefined;
}

/**
 * Gives each write a key by which the server recognizes it, so that it is carried out once however often it arrives: the
 * header `Idempotency-Key` with 128 random bits, as a Structured Field string, quotes included
 * (draft-ietf-httpapi-idempotency-key-header, RFC 9651). Useful only if the server supports it.
 *
 * Each write with one of the `methods` gets one, and keeps it through all later interceptors: put this before `retry`, which
 * then repeats POST and PATCH too. A header that the request already has is left alone.
 *
 * @throws TypeError for invalid options.
 */
export function idempotencyKey(options: IdempotencyKeyOptions = {}): Interceptor {
  const { methods = ['POST', 'PATCH'] } = optionsOf('idempotencyKey', options);
  const named = methodsOf('idempotencyKey', methods);
  return (request, next, { action }) => {
    if (action === 'read' || !named.has(request.method) || request.headers.has(header)) return next(request);
    const headers = new Headers(request.headers);
    headers.set(header, `"${randomKey()}"`);
    return next({ ...request, headers });
  };
}

const header = 'idempotency-key';

/** Not `randomUUID`, which pages without TLS lack. */
const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

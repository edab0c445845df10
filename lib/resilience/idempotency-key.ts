import { methodsOf, optionsOf } from './options';
import type { Interceptor } from './peers';

/** Which requests {@link idempotencyKey} names. */
export interface IdempotencyKeyOptions {
  /** The methods that get a key. Default: POST and PATCH, which are not idempotent by themselves. */
  readonly methods?: readonly string[] | undefined;
}

/**
 * Gives each write a key by which the server knows it again, so that it is carried out once however often it arrives: the
 * header `Idempotency-Key` with 128 random bits, as a Structured Field string, which has quotes
 * (draft-ietf-httpapi-idempotency-key-header, RFC 9651). Worth something only if the server heeds it.
 *
 * Each save or create gets one, which stays with it through whatever stands behind in the list: put it before `retry`,
 * which then repeats POST and PATCH too. A header that the request has already is left alone.
 *
 * @throws TypeError for options that cannot be used.
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

/** Not a `randomUUID`, which pages without TLS lack. */
const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

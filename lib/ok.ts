import { refusalOf } from './errors';
import { map } from './rx';
import type { MonoTypeOperatorFunction } from './rx';

/**
 * Fails the stream on a refused answer (`ok` is false), with a `RequestError` of code `HTTP` that carries the answer; the
 * same error as in `error$` if the answer is that of a record or collection.
 */
export function ok(): MonoTypeOperatorFunction<Response> {
  return map((response) => {
    if (!response.ok) throw refusalOf(response);
    return response;
  });
}

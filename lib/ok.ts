import { refusalOf } from './errors';
import { map } from './rx';
import type { MonoTypeOperatorFunction } from './rx';

/**
 * Makes a refused answer (`ok` is false) fail the stream, with a `RequestError` of code `HTTP` that carries it: the one that
 * `error$` shows, where the answer is that of a record or collection.
 */
export function ok(): MonoTypeOperatorFunction<Response> {
  return map((response) => {
    if (!response.ok) throw refusalOf(response);
    return response;
  });
}

import { refusalOf } from './errors';
import { map } from './rx';
import type { MonoTypeOperatorFunction } from './rx';

/** Makes a refused answer (`ok` is false) fail the stream, with a `RequestError` of code `HTTP` that carries it. */
export function ok(): MonoTypeOperatorFunction<Response> {
  return map((response) => {
    if (!response.ok) throw refusalOf(response);
    return response;
  });
}

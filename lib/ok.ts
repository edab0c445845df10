import { map } from 'rxjs';
import type { MonoTypeOperatorFunction } from 'rxjs';

import { RequestError } from './errors';

/** Makes a refused answer (`ok` is false) fail the stream, with a `RequestError` of code `HTTP` that carries it. */
export function ok(): MonoTypeOperatorFunction<Response> {
  return map((response) => {
    if (response.ok) return response;
    const status = `${String(response.status)} ${response.statusText}`.trim();
    throw new RequestError('HTTP', `the server answered ${status}`, { response });
  });
}

import { defer, map } from 'rxjs';

import type { Transport } from '../types';

/** Sends a request with the platform's `fetch`, looked up at each call; leaves the body to be decoded. */
export const fetchTransport: Transport = (request) =>
  defer(() => {
    const { url, ...init } = request;
    return fetch(url, init);
  }).pipe(map((response) => ({ request, response, body: undefined })));

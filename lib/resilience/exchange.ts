import type { WireRequest } from './peers';

/** Whether a request can be sent again: a stream, or what Node takes for one, is used up by the first time. */
export const isRepeatable = ({ body }: WireRequest): boolean =>
  !(body instanceof ReadableStream || Symbol.asyncIterator in Object(body));

/** Lets go of an answer that nobody will read, so that its connection can serve again. */
export function discard({ body }: Response): void {
  // One that somebody reads already is theirs: then it rejects.
  body?.cancel().catch(() => undefined);
}

import type { WireRequest } from '../index';

/** Whether a request can be sent again: a stream, or what Node accepts as one, is used up by the first attempt. */
export const isRepeatable = ({ body }: WireRequest): boolean =>
  !(body instanceof ReadableStream || Symbol.asyncIterator in Object(body));

/** Cancels an answer that nobody will read, so that its connection can be reused; the body of a stand-in may have no way to. */
export function discard({ body }: Response): void {
  // A body that is already being read belongs to its reader: then this rejects.
  (body as Partial<ReadableStream> | null)?.cancel?.().catch(() => undefined);
}

import type { Observable } from '../rx';

/**
 * Reads a body that nobody waits for, so that its connection can be reused: at most 1 MiB. Reads a copy, since the caller may
 * want the body; then cancels that, so that it does not hold up the caller's reading.
 *
 * @param end$ Ends the reading when it emits; and closes the connection, unless the caller is reading, too.
 */
export async function drain(response: Response, end$: Observable<unknown>): Promise<void> {
  const reader = response.clone().body?.getReader();
  if (!reader) return;
  const ending = end$.subscribe(() => {
    cancel(reader);
    // Whoever has just received it may read it next.
    queueMicrotask(() => {
      cancel(response.body);
    });
  });
  let room = 2 ** 20;
  while (room > 0) {
    const { value } = await reader.read().catch(() => ({ value: undefined }));
    if (!value) {
      ending.unsubscribe();
      return;
    }
    room -= value.byteLength;
  }
  // Once it has read enough, only the end is waited for.
  cancel(reader);
}

/** Cancels a body that nobody holds a lock of, or the reading by such a lock. A stand-in may lack the method. */
function cancel(body: Partial<Pick<ReadableStream, 'cancel'>> | null): void {
  body?.cancel?.().catch(() => undefined);
}

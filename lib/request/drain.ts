import { EMPTY, defer, first, repeat, takeUntil, tap } from '../rx';
import type { Observable } from '../rx';

/**
 * Reads a body that nobody waits for, so that its connection can be reused: at most 1 MiB. Reads a copy, since the caller may
 * want the body; then cancels that, so that it does not hold up the caller's reading.
 *
 * @param end$ Ends the reading when it emits; and closes the connection, unless the caller is reading, too.
 */
export function drain(response: Response, end$: Observable<unknown>): void {
  let room = 2 ** 20;
  const drained$ = defer(() => {
    const reader = response.clone().body?.getReader();
    if (!reader) return EMPTY;
    // Once it has read enough, it only waits for the end.
    return defer(() => (room > 0 ? reader.read() : (end$ as Observable<never>))).pipe(
      repeat(),
      tap({
        next: ({ value }) => {
          room -= value?.byteLength ?? 0;
          if (room <= 0) cancel(reader);
        },
        finalize: () => {
          cancel(reader);
        },
      }),
      first(({ done }) => done),
    );
  });
  const ended$ = end$.pipe(
    tap(() => {
      // Whoever has just received it may read it next.
      queueMicrotask(() => {
        cancel(response.body);
      });
    }),
  );
  drained$.pipe(takeUntil(ended$)).subscribe({ error: () => undefined });
}

/** Cancels a body that nobody holds a lock of, or the reading by such a lock. A stand-in may lack the method. */
function cancel(body: Partial<Pick<ReadableStream, 'cancel'>> | null): void {
  body?.cancel?.().catch(() => undefined);
}

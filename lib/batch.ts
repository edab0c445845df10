import { throwError } from './rx';

/** The notifications pending in the write under way, in order; undefined between writes. */
let queue: ((() => void) | undefined)[] | undefined;
/** What runs after all of these: each once, however often it is requested. */
let lateQueue: Set<() => void>;

/**
 * Performs several writes as one: all values are set before any subscriber is notified, and anything that a subscriber
 * writes in response is announced after that. So nobody sees a half-made write, and all see all values in the same order.
 */
export function batch<T>(set: () => T): T {
  if (queue) return set();
  queue = [];
  // A new one for each write: engines retain every table that a long-lived set has outgrown.
  lateQueue = new Set();
  try {
    return set();
  } finally {
    // Values set before a failure are still announced.
    flush(queue);
  }
}

function flush(values: NonNullable<typeof queue>): void {
  try {
    // A notified subscriber may write more.
    for (let place = 0, told = 0; place < values.length || lateQueue.size; told += 1) {
      // Two that write each other in response would go on forever, and freeze the page.
      if (told > 2e6) {
        throw new RangeError('next: subscribers keep writing to each other: make one ignore old values');
      }
      const [last] = lateQueue;
      const tell = values[place];
      if (tell) values[place++] = undefined;
      else lateQueue.delete(last as () => void);
      guarded(tell ?? (last as () => void));
    }
  } finally {
    queue = undefined;
  }
}

/** Runs code that a subscriber may take part in. What it throws is reported the way RxJS reports an unhandled error. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    throwError(() => error).subscribe();
  }
}

/** Queues a notification: it runs after those of earlier writes, or at once outside of a write. */
export function notify(tell: () => void): void {
  batch(() => queue?.push(tell));
}

/** Notifies at the end of the write under way, or at once outside of one; only once, however often it is requested. */
export function notifyLast(tell: () => void): void {
  batch(() => lateQueue.add(tell));
}

import { throwError } from './rx';

/** The values still to be told in the write under way, in their order; undefined between writes. */
let queue: ((() => void) | undefined)[] | undefined;
/** What is to be told when all of these are: each once, however often it is asked for. */
let lateQueue: Set<() => void>;

/**
 * Writes several values as one: all are set before the first subscriber is told of any, and whatever a subscriber
 * writes in answer is told after that. So nobody sees a half-made write, and all see all values in the same order.
 */
export function batch(set: () => void): void {
  if (queue) {
    set();
    return;
  }
  queue = [];
  // One for each write: of a set that lives on, engines keep each table that it has outgrown.
  lateQueue = new Set();
  try {
    set();
  } finally {
    // What was set before a failure is told all the same.
    flush(queue);
  }
}

function flush(values: NonNullable<typeof queue>): void {
  try {
    // Whoever is told may write more.
    for (let place = 0, told = 0; place < values.length || lateQueue.size; told += 1) {
      // Two that write each other in answer would go on for ever, and freeze the page.
      if (told > 2e6) {
        throw new RangeError(
          'next: subscribers write each other without end, let one pass on present values only',
        );
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

/** Runs what a subscriber may have a part in. What that throws is told as RxJS tells of an error that nobody handles. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    throwError(() => error).subscribe();
  }
}

/** Notifies in line: after what was written before, or at once. */
export function notify(tell: () => void): void {
  batch(() => queue?.push(tell));
}

/** Notifies at the end of the write under way, or at once; only once, however often it is asked for. */
export function notifyLast(tell: () => void): void {
  batch(() => lateQueue.add(tell));
}

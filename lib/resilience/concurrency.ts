import { check } from './options';
import { originOf } from './origin';
import { defer, Observable } from './peers';
import type { Interceptor } from './peers';

/**
 * Sends at most so many requests at a time to each origin; others wait, and go in the order in which they came.
 *
 * A request counts from sending until it has ended: its answer has been read, or has been refused, or was that of a
 * destroy (their bodies are for the caller to read), or has failed, or nobody waits for it any more. Put it behind what
 * waits by itself, so that nothing waits while it counts; only `offlineHold` comes after it, as without a network none is
 * sent.
 *
 * @param limit A whole number, 1 or more.
 * @throws TypeError for any other.
 */
export function concurrency(limit: number): Interceptor {
  check(Number.isInteger(limit) && limit > 0, 'concurrency', 'limit', 'a whole number, 1 or more');
  const gates = new Map<string | undefined, ReturnType<typeof gateOf>>();
  return (request, next) => {
    const origin = originOf(request.url);
    const pass = gates.get(origin) ?? gateOf(limit);
    gates.set(origin, pass);
    return pass(defer(() => next(request)));
  };
}

/** Lets some work through at a time: subscribes to it when it is its turn; whoever unsubscribes before gives up the turn. */
function gateOf(limit: number): <T>(work$: Observable<T>) => Observable<T> {
  const waiting = new Set<() => void>();
  let free = limit;
  let isAdmitting = false;
  /** A loop, not a call from one to the next: thousands that are answered at once would overflow the stack. */
  const admit = () => {
    if (isAdmitting) return;
    isAdmitting = true;
    for (const start of waiting) {
      if (!free) break;
      free -= 1;
      waiting.delete(start);
      start();
    }
    isAdmitting = false;
  };
  const leave = () => {
    free += 1;
    admit();
  };
  return (work$) =>
    new Observable((subscriber) => {
      const start = () => {
        work$.subscribe(subscriber);
        subscriber.add(leave);
      };
      waiting.add(start);
      subscriber.add(() => waiting.delete(start));
      admit();
    });
}

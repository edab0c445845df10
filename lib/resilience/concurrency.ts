import type { Interceptor } from '../index';

import { check } from './options';
import { originOf } from './origin';
import { defer, Observable } from './peers';

/**
 * Limits how many requests are sent to each origin at a time; others wait, and are sent in the order in which they came.
 *
 * A request counts from when it is sent until it ends: its answer has been read, or is a refusal or that of a destroy (whose
 * bodies are for the caller to read), or it has failed, or has been unsubscribed. Put this after whatever waits by itself,
 * so that nothing waits while it counts; only `offlineHold` comes after it, since without a network nothing is sent.
 *
 * @param limit How many per origin: a whole number, 1 or more.
 * @throws TypeError for any other `limit`.
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

/** Lets a limited number run at a time: subscribes to work in its turn; unsubscribing before that gives the turn up. */
function gateOf(limit: number): <T>(work$: Observable<T>) => Observable<T> {
  const waiting = new Set<() => void>();
  let free = limit;
  let isAdmitting = false;
  /** A loop rather than recursion: thousands that are answered synchronously would overflow the stack. */
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

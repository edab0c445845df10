import { notify } from './batch';
import { equal } from './equal';
import { Observable, defer, distinctUntilChanged, map, mergeMap, of, tap } from './rx';
import type { StateStream } from './types';

/**
 * A value derived from others: computed anew on each read, so never out of date, and emitted when a tick finds it changed.
 * An equal value stays the same object.
 */
export function derived<T>(tick$: Observable<unknown>, read: () => T): StateStream<T> {
  let last = read();
  const get = () => {
    const now = read();
    return equal(last, now) ? last : (last = now);
  };
  const derived$ = defer(() => {
    /** Whether it was another by the time it was announced: whoever has read that must learn of the next, whatever it is. */
    let isStale = false;
    return tick$.pipe(
      map(get),
      distinctUntilChanged((before, now) => !isStale && equal(before, now)),
      // What a subscriber writes while it is notified is queued behind this, for all subscribers.
      mergeMap((value, place) => (place ? inLine(value) : of(value))),
      tap((value) => {
        isStale = !equal(get(), value);
      }),
    );
  });
  return Object.defineProperty(derived$, 'value', { get }) as StateStream<T>;
}

/** Emits a value once everything written before has been announced. */
const inLine = <T>(value: T): Observable<T> =>
  new Observable((subscriber) => {
    notify(() => {
      subscriber.next(value);
      subscriber.complete();
    });
  });

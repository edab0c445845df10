import { notify } from './batch';
import { equal } from './equal';
import { Observable, distinctUntilChanged, map, mergeMap, of } from './rx';
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
  const derived$ = tick$.pipe(
    map(get),
    distinctUntilChanged(equal),
    // What a subscriber writes while it is notified is queued behind this, for all subscribers.
    mergeMap((value, place) => (place ? inLine(value) : of(value))),
  );
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

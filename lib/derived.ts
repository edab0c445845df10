import { notify } from './batch';
import { equal } from './equal';
import { Observable, distinctUntilChanged, map, mergeMap, of } from './rx';
import type { StateStream } from './types';

/**
 * A value derived from others: read anew whenever it is asked for, so never out of date, and told when it has changed
 * at a tick. An equal value stays the same object.
 */
export function derived<T>(tick$: Observable<unknown>, read: () => T): StateStream<T> {
  let last = read();
  const get = () => {
    const now = read();
    return equal(last, now) ? last : (last = now);
  };
  const derived$ = tick$.pipe(
    map(get),
    distinctUntilChanged(),
    // What a subscriber writes while it is notified is queued behind this, for all subscribers.
    mergeMap((value, place) => (place ? inLine(value) : of(value))),
  );
  return Object.defineProperty(derived$, 'value', { get }) as StateStream<T>;
}

/** A value that is told when what was written before has been. */
const inLine = <T>(value: T): Observable<T> =>
  new Observable((subscriber) => {
    notify(() => {
      subscriber.next(value);
      subscriber.complete();
    });
  });

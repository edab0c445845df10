import { notify } from './batch';
import { equal } from './equal';
import { Observable, distinctUntilChanged, map, mergeMap, of } from './rx';
import type { StateStream } from './types';

/** A value on its way to a subscriber. */
interface Told<T> {
  readonly value: T;
  /** Whether it is another by the time it is told: whoever reads that must learn of the next, whatever it is. */
  isStale?: boolean;
}

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
    map((): Told<T> => ({ value: get() })),
    distinctUntilChanged((before, now) => !before.isStale && equal(before.value, now.value)),
    // What a subscriber writes while it is notified is queued behind this, for all subscribers.
    mergeMap((told, place) => (place ? inLine(told) : of(told))),
    map((told) => {
      told.isStale = !equal(get(), told.value);
      return told.value;
    }),
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

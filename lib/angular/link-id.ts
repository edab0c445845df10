import type { DataModel } from '../index';

import { injectorOf } from './context';
import type { ContextOptions } from './context';
import { computed, effect, of, onErrorResumeNext, signal, switchMap, untracked } from './peers';
import type { Observable, Signal } from './peers';
import { withAt } from './with-at';
import { written } from './written';

/** Stands for the id of what is shown while the record shows nothing that was read; equal to no id. */
const nothing = Symbol();

/**
 * Has a record show whatever an id stands for: an input, a route parameter, the choice in a list.
 *
 * Each new id aborts the read of the former one; waits until saves and deletes of that are over (their `requestLull`
 * too), so that none is sent for another id; gives all fields the values they had at the call, which count as clean; and
 * reads. A falsey id, whichever, is a new record: nothing is read. An id that the record has got by being created is taken
 * over as it is; one that was only written to its field is read. Edits that are not saved at the change are dropped, and a
 * save that RxJS's own `retry` repeats is another one: have the interceptor of `rivulet/resilience` repeat it.
 *
 * A field that is mapped after the call keeps its value at a change of the id: map all before.
 *
 * Not for a live record of a collection, which stands for one item: that is `computed(() => items.record(id()))`.
 *
 * @param id A signal, or a function that reads signals.
 * @param options `injector`, needed outside of an injection context.
 * @returns True while the record shows what was read for the present id, or is new if that is falsey. False from the
 *   moment the id changes until then. After a failed read (`error$` says why) false until a request succeeds, for
 *   example `record.fetch()`. Stays true when the record is destroyed, until the id changes.
 */
export function linkId(record: DataModel, id: () => unknown, options: ContextOptions = {}): Signal<boolean> {
  const injector = injectorOf(linkId, options);
  const ownId = (): unknown => record.get(record.idAttribute as never);
  const blank = record.get();
  const newId = ownId() ? undefined : ownId();
  // eslint-disable-next-line @typescript-eslint/prefer-nullish-coalescing -- any falsey id is that of a new record
  const wanted = computed(() => id() || newId);
  const shown = signal<unknown>(nothing);

  /** Whether its id is what the server knows it by: not one that was only typed. */
  const isConfirmed = () => !record.dirtyMap()[record.idAttribute];
  // An id counts as a url shows it, so that '7' of a route is the 7 of a server.
  const isShown = (next: unknown): unknown =>
    Object.is(shown(), next) ||
    (shown() !== nothing && isConfirmed() && next && `${next as number}` === `${ownId() as number}`);
  /** Emits why the record does not show the next one, null as soon as it does. */
  const show = (next: unknown): Observable<unknown> => {
    // What was waited for may have made it that one.
    if (isShown(next)) return of(null);
    shown.set(nothing);
    // A field that was mapped since keeps its value, but that is no edit of the next record.
    record.set(withAt({ ...record.get(), ...blank }, record.idAttribute.split('.'), next) as object, {
      unset: true,
    });
    record.clean();
    // After a failed read another request may succeed.
    return next ? onErrorResumeNext(record.fetch$(), record.error$) : of(null);
  };

  effect(
    (onCleanup) => {
      const next = wanted();
      untracked(() => {
        const ready$ = isShown(next) ? of(0) : written(record);
        const subscription = ready$.pipe(switchMap(() => show(next))).subscribe((error) => {
          // Where the id is written by hand, error$ falls without an answer; an answer may bring another id, as to `me`.
          if (!error && isConfirmed()) shown.set(next);
        });
        onCleanup(() => {
          subscription.unsubscribe();
        });
      });
    },
    { injector },
  );
  return computed(() => Object.is(shown(), wanted()));
}

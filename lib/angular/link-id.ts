import type { DataModel } from '../index';

import { injectorOf } from './context';
import type { ContextOptions } from './context';
import { computed, effect, of, onErrorResumeNext, signal, switchMap, untracked } from './peers';
import type { Observable, Signal } from './peers';
import { withAt } from './with-at';
import { writesEnded } from './writes-ended';

/** Stands in for the id while the record shows nothing that was read; equal to no id. */
const nothing = Symbol();

/**
 * Makes a record show what an id stands for: an input, a route parameter, the choice in a list.
 *
 * Each new id aborts the read of the previous one; waits until its saves and deletes are over (their `requestLull` too), so
 * that none is sent for another id; resets all fields to the values they had at the call, which count as clean; and reads.
 * Any falsey id is a new record: nothing is read. An id that the record got by being created is adopted as it is; one that
 * was only written to its field is read. Edits not saved when the id changes are dropped, and a save that RxJS's own `retry`
 * repeats counts as another one: use the interceptor of `rivulet/resilience` to repeat it.
 *
 * A field that is mapped after the call keeps its value when the id changes: map all fields before.
 *
 * Not for a live record of a collection, which stands for one item: use `computed(() => items.record(id()))`.
 *
 * @param id A signal, or a function that reads signals. Ids are compared as text: objects cannot be told apart.
 * @param options `injector`: needed outside an injection context.
 * @returns True while the record shows what was read for the present id, or is new if that is falsey. False from the moment
 *   the id changes until then. After a failed read (`error$` says why) false until a newer request succeeds, such as
 *   `record.fetch()`. Stays true when the record is deleted, until the id changes.
 */
export function linkId(record: DataModel, id: () => unknown, options?: ContextOptions): Signal<boolean> {
  const injector = injectorOf(linkId, options);
  const ownId = (): unknown => record.get(record.idAttribute as never);
  const blank = record.get();
  // The falsey id that it has, if any.
  const newId = ownId() && undefined;
  // eslint-disable-next-line @typescript-eslint/prefer-nullish-coalescing -- any falsey id is that of a new record
  const wanted = computed(() => id() || newId);
  const shown = signal<unknown>(nothing);

  /** Whether its id is the confirmed one, by which the server knows it: not one that was only typed. */
  const isConfirmed = () => !record.dirtyMap()[record.idAttribute];
  // Ids are compared as a url shows them, so that '7' from a route is 7 from a server.
  const isShown = (next: unknown): unknown =>
    Object.is(shown(), next) ||
    (shown() !== nothing && isConfirmed() && next && `${next as number}` === `${ownId() as number}`);
  /** Emits null once the record shows the next one; before that the answer, even a refused one, or why it failed. */
  const show = (next: unknown): Observable<unknown> => {
    // The writes waited for may have made it that one.
    if (isShown(next)) return of(null);
    shown.set(nothing);
    // A field mapped since then keeps its value, but that is no edit of the next record.
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
        const ready$ = isShown(next) ? of(null) : writesEnded(record);
        const subscription = ready$.pipe(switchMap(() => show(next))).subscribe((error) => {
          // If the id is written by hand, `error$` clears without an answer; an answer may bring another id, as for `me`.
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

import type { Delta, StateStream } from '../index';

import {
  count,
  distinctUntilChanged,
  Field,
  filter,
  map,
  ReplaySubject,
  share,
  takeUntil,
  tap,
} from './peers';
import type { Observable } from './peers';
import { emptyDelta, sizeOf } from './rows';

/** A list that emits what changes in it: a collection, or a view. */
export interface ListSource<T> {
  /** The present items. */
  readonly value: readonly T[];
  /** What each write from now on really changes. Completes with the list. */
  readonly delta$: Observable<Delta<T>>;
  /** The (dotted) path of an item's id. */
  readonly idAttribute: string;
}

/** Something made from a list that can follow its changes. */
interface Made<T> {
  /** Applies a change of the list; returns what that changes in what was made. */
  readonly apply: (delta: Delta<T>) => Delta<T>;
}

/** What is made from a list, as streams. */
interface Live<T, M> {
  /** A part of what is made, as a state that emits when it changes. */
  readonly state: <V>(read: (made: M) => V) => StateStream<V>;
  /** What each write changes from now on. */
  readonly delta$: Observable<Delta<T>>;
  /** Changes how it is made. */
  readonly change: (run: (made: M) => Delta<T>) => void;
  readonly dispose: () => void;
}

/**
 * Keeps something made from a list up to date while it has subscribers. Without any, the list holds nothing of it, and it
 * holds only the last change emitted and what was read since then, made once per state of the list.
 */
export function live<T, M extends Made<T>>(
  source: ListSource<T>,
  make: (items: readonly T[]) => M,
): Live<T, M> {
  /** What each write changed: announced like the core's own values, so that all subscribers see all writes in one order. */
  const announced = new Field<Delta<T>>(emptyDelta());
  // A stream piped from the subject itself could be written to.
  const announced$ = announced.asObservable();
  const disposed$ = new ReplaySubject<unknown>(1);
  /** What was made last; and from which items, unless it is subscribed to the list and follows them. */
  let last: { readonly made: M; readonly items?: readonly T[] } | undefined;

  const present = (): M => {
    if (!last || last.items) {
      const items = source.value;
      if (last?.items !== items) last = { items, made: make(items) };
    }
    return last.made;
  };
  const feed$ = source.delta$.pipe(
    tap({
      subscribe: () => {
        last = { made: present() };
      },
      next: (delta) => {
        announced.next(present().apply(delta));
      },
      finalize: () => {
        last = undefined;
      },
    }),
    takeUntil(disposed$),
  );
  /** Keeps the feed open while subscribed. Emits when nothing more will come; fails if a caller's function throws. */
  const end$ = feed$.pipe(share(), count());

  return {
    state: <V>(read: (made: M) => V) => {
      const get = () => read(present());
      const state$ = announced$.pipe(map(get), distinctUntilChanged(), takeUntil(end$));
      return Object.defineProperty(state$, 'value', { get }) as StateStream<V>;
    },
    delta$: announced$.pipe(
      filter((delta, place) => place > 0 && sizeOf(delta) > 0),
      takeUntil(end$),
    ),
    change: (run) => {
      if (last) announced.next(run(last.made));
    },
    dispose: () => {
      disposed$.next(0);
    },
  };
}

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
import type { Delta, Observable, StateStream } from './peers';
import { isChange, emptyDelta } from './rows';

/** A list that tells what changes in it: a collection, or a view. */
export interface ListSource<T> {
  /** The present items. */
  readonly value: readonly T[];
  /** What each write from now on really changes. Completes with the list. */
  readonly delta$: Observable<Delta<T>>;
  /** The (dotted) path of an item's id. */
  readonly idAttribute: string;
}

/** What is made of a list, and can follow it. */
interface Made<T> {
  /** Follows a change of the list; gives what it has changed in what is made of it. */
  readonly apply: (delta: Delta<T>) => Delta<T>;
}

/** What is made of a list, as streams. */
interface Live<T, M> {
  /** A part of what is made, told when it is another. */
  readonly state: <V>(read: (made: M) => V) => StateStream<V>;
  /** What each write changes from now on. */
  readonly delta$: Observable<Delta<T>>;
  /** Changes how it is made. */
  readonly change: (run: (made: M) => Delta<T>) => void;
  readonly dispose: () => void;
}

/**
 * Keeps something made of a list up to date while somebody watches. While nobody does, the list holds nothing of it, and it
 * of the list no more than the change told last; and what is asked for then, made anew for each state of the list.
 */
export function live<T, M extends Made<T>>(
  source: ListSource<T>,
  make: (items: readonly T[]) => M,
): Live<T, M> {
  /** What each write changed: told as the core tells its own, so that all subscribers hear of all writes in one order. */
  const told = new Field<Delta<T>>(emptyDelta());
  // What is piped from a subject itself could be written.
  const told$ = told.asObservable();
  const disposed$ = new ReplaySubject<unknown>(1);
  /** What was made last; and of which items, unless it is open and follows them. */
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
        told.next(present().apply(delta));
      },
      finalize: () => {
        last = undefined;
      },
    }),
    takeUntil(disposed$),
  );
  /** Keeps it open while subscribed to. Emits when there is nothing more to come; fails as a caller's function fails. */
  const end$ = feed$.pipe(share(), count());

  return {
    state: <V>(read: (made: M) => V) => {
      const get = () => read(present());
      const state$ = told$.pipe(map(get), distinctUntilChanged(), takeUntil(end$));
      return Object.defineProperty(state$, 'value', { get }) as StateStream<V>;
    },
    delta$: told$.pipe(
      filter((delta, place) => place > 0 && isChange(delta)),
      takeUntil(end$),
    ),
    change: (run) => {
      if (last) told.next(run(last.made));
    },
    dispose: () => {
      disposed$.next(0);
    },
  };
}

import type { Collection } from '../index';

import { apply } from './apply';
import type { Change } from './change';
import { count, defer, filter, finalize, from, map, merge, Subject, takeUntil } from './peers';
import type { Observable, ObservableInput } from './peers';
import { Versions } from './versions';
import type { Version } from './versions';

/** How {@link followChanges} decides what is newer. */
export interface FollowOptions<T> {
  /**
   * Returns the version of an item, or of a part of one: what grows with each change, like a number or the time of the change
   * (ISO text too). What has none is not older than anything. Called for each change and, while subscribed, for each item
   * that an answer changes; must only read. Default: no versions, what arrives later is newer.
   */
  readonly version?: ((item: Partial<T>) => Version) | undefined;
}

/**
 * Applies to a list what others change, row by row, as a server announces it (WebSocket, server-sent events, another tab).
 *
 * Live records receive it like a read with `keepEdits`: edits stay, `conflicts$` emits those that it contradicts. What
 * changes nothing, such as the echo of a save made here, is not written. Changes that arrive while the list is being read
 * are applied to its answer, too, which may lack them.
 *
 * Requests take another way than changes, so the answer to a save may be older than a change that has overtaken it. With
 * `version`, of two states of an item the newer one stays, whichever way it came, as long as this is subscribed: an older one
 * is never written. The server must then send the version with every item.
 *
 * @param changes$ Each emission is one change, or a list of changes that are written in one step.
 * @returns A cold stream of the changes that were applied, emitted after each write. Completes with `changes$`, or when the
 *   list is disposed of; fails as `changes$` does, with what `version` throws, and with a TypeError for what is no change.
 */
export function followChanges<T extends object, M extends object>(
  list: Collection<T, M>,
  // The list alone says what its items are.
  changes$: ObservableInput<Change<NoInfer<T>> | readonly Change<NoInfer<T>>[]>,
  { version }: FollowOptions<NoInfer<T>> = {},
): Observable<readonly Change<T>[]> {
  return defer(() => {
    const versions = new Versions<T>((item) => version?.(item), list.idAttribute);
    const failed$ = new Subject<never>();
    const isOlder = (item: T, before: T | undefined) => {
      try {
        // One that is there again although it was deleted, as when a failed delete puts it back, is as old as the deletion says.
        return before ? versions.isOlder(item, before) : versions.isGone(item);
      } catch (problem) {
        // Not within the write, which goes on.
        queueMicrotask(() => {
          failed$.error(problem);
        });
        return false;
      }
    };
    if (version) list._guards = [...list._guards, isOlder];
    return from(changes$).pipe(
      map((given) => apply(list, [given].flat(), versions)),
      filter(({ length }) => length > 0),
      // Its streams complete when it is disposed of. A subscriber of the list itself would have each write copy it.
      takeUntil(merge(failed$, list.isReading$.pipe(count()))),
      finalize(() => {
        list._guards = list._guards.filter((each) => each !== isOlder);
      }),
    );
  });
}

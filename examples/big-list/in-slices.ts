import type { Delta } from 'rivulet';
import type { ListSource } from 'rivulet/views';
import { BehaviorSubject, animationFrames, defer, map, merge, takeWhile, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import type { Row } from './row.ts';

/** A list that arrives in slices. */
export interface Slices extends ListSource<Row> {
  /** Whether all rows have arrived. */
  readonly isWhole$: Observable<boolean>;
}

/**
 * Passes on a list slice by slice, one in each frame, and its changes during and after that.
 *
 * Opening a view of 100,000 rows takes a while: with all of them at once, the page would freeze for as long. In slices,
 * the view opens in many small steps, between which the page scrolls and paints.
 *
 * @param size The number of rows in a slice.
 */
export function inSlices(source: ListSource<Row>, size: number): Slices {
  const isWhole$ = new BehaviorSubject(false);
  const delta$ = defer(() => {
    const waiting = new Map(source.value.map((row) => [row.id, row]));
    const slices$ = animationFrames().pipe(
      map(() => take(waiting, size)),
      takeWhile(({ length }) => length === size, true),
      map((added) => ({ added, changed: [], removed: [] })),
      tap({
        complete: () => {
          isWhole$.next(true);
        },
      }),
    );
    return merge(source.delta$.pipe(map((delta) => known(delta, waiting))), slices$);
  });
  return { idAttribute: source.idAttribute, value: [], delta$, isWhole$ };
}

/** Removes and returns the first of the waiting rows. */
function take(waiting: Map<number, Row>, size: number): Row[] {
  const rows: Row[] = [];
  for (const [id, row] of waiting) {
    if (rows.length === size) break;
    rows.push(row);
    waiting.delete(id);
  }
  return rows;
}

/** The part of a change for the rows that have arrived; the rest of it is applied to those waiting. */
function known({ added, changed, removed }: Delta<Row>, waiting: Map<number, Row>): Delta<Row> {
  const isQueued = waiting.size > 0;
  if (isQueued) for (const row of added) waiting.set(row.id, row);
  return {
    added: isQueued ? [] : added,
    changed: changed.filter(([, after]) => !waiting.has(after.id) || !waiting.set(after.id, after)),
    removed: removed.filter(({ id }) => !waiting.delete(id)),
  };
}

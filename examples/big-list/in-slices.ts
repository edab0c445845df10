import type { Delta } from 'rivulet';
import type { ListSource } from 'rivulet/views';
import { BehaviorSubject, animationFrames, defer, map, merge, takeWhile, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import type { Row } from './row.ts';

/** A list that comes bit by bit. */
export interface Slices extends ListSource<Row> {
  /** Whether all has come. */
  readonly isWhole$: Observable<boolean>;
}

/**
 * Hands a list on slice by slice, one in each frame, and its changes meanwhile and from then on.
 *
 * A view of 100,000 rows takes its time to be opened: with all at once the page would stand still for as long. Of one in
 * slices it is opened in many small steps, between which the page scrolls and paints.
 *
 * @param size How many rows are in a slice.
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

/** Takes the first rows that wait. */
function take(waiting: Map<number, Row>, size: number): Row[] {
  const rows: Row[] = [];
  for (const [id, row] of waiting) {
    if (rows.length === size) break;
    rows.push(row);
    waiting.delete(id);
  }
  return rows;
}

/** What a change means for the rows that have come; the others wait as they are now. */
function known({ added, changed, removed }: Delta<Row>, waiting: Map<number, Row>): Delta<Row> {
  const isQueued = waiting.size > 0;
  if (isQueued) for (const row of added) waiting.set(row.id, row);
  return {
    added: isQueued ? [] : added,
    changed: changed.filter(([, after]) => !waiting.has(after.id) || !waiting.set(after.id, after)),
    removed: removed.filter(({ id }) => !waiting.delete(id)),
  };
}

import { view } from 'rivulet/views';
import type { ListSource, View } from 'rivulet/views';
import { defer, filter, ignoreElements, map, merge, take } from 'rxjs';
import type { Observable } from 'rxjs';

import { inSlices } from './in-slices.ts';
import type { Row } from './row.ts';

/** Which rows to show, and in which order. */
export interface Choice {
  /** Text that the name or the city contains, in lower case; empty for all rows. */
  readonly text: string;
  readonly sortBy: keyof Row;
  readonly descending: boolean;
}

/** Rows in a slice: few enough for one frame, even on a slow machine. */
const sliceSize = 4000;

/** Opens a view, frame by frame. Emits it once it is complete, and keeps it open until unsubscribed. */
export function openView(rows: ListSource<Row>, { text, sortBy, descending }: Choice): Observable<View<Row>> {
  return defer(() => {
    const slices = inSlices(rows, sliceSize);
    const where = text ? (row: Row) => matches(row, text) : undefined;
    const shown = view(slices, { where, sortBy, descending, limit: 0 });
    return merge(
      shown.count$.pipe(ignoreElements()),
      slices.isWhole$.pipe(
        filter((isWhole) => isWhole),
        take(1),
        map(() => shown),
      ),
    );
  });
}

export function matches({ name, city }: Row, text: string): boolean {
  return name.toLowerCase().includes(text) || city.toLowerCase().includes(text);
}

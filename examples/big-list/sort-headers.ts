import { fromEvent, map, merge, scan, startWith, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import { find } from '../plain/dom.ts';
import type { Choice } from './open-view.ts';

/** What the rows are sorted by. */
export type Sort = Pick<Choice, 'sortBy' | 'descending'>;

/** The initial order. */
const first: Sort = { sortBy: 'score', descending: true };

/** The columns to sort by, and whether each starts in descending order. */
const columns: readonly Sort[] = [
  { sortBy: 'id', descending: false },
  { sortBy: 'name', descending: false },
  { sortBy: 'city', descending: false },
  first,
  { sortBy: 'changes', descending: true },
];

/** The order chosen by the headers of the table: at once, then on each click. The same header again reverses it. */
export function sortHeaders(table: HTMLElement): Observable<Sort> {
  const headers = columns.map((sort) => ({
    sort,
    header: find(table, `[role=columnheader]:has([data-sort=${sort.sortBy}])`, HTMLElement),
  }));
  return merge(...headers.map(({ sort, header }) => fromEvent(header, 'click').pipe(map(() => sort)))).pipe(
    scan(
      (last, sort) => (sort.sortBy === last.sortBy ? { ...last, descending: !last.descending } : sort),
      first,
    ),
    startWith(first),
    tap(({ sortBy, descending }) => {
      for (const { sort, header } of headers) {
        header.ariaSort = sort.sortBy !== sortBy ? 'none' : descending ? 'descending' : 'ascending';
      }
    }),
  );
}

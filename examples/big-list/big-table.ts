import type { View } from 'rivulet/views';
import { defer, distinctUntilChanged, fromEvent, map, merge, startWith, switchMap, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import { part } from '../plain/dom.ts';
import { rowElements } from './row-elements.ts';
import type { Row } from './row.ts';

/** In pixels; all rows have the same height, so the place of each is known without looking at the others. */
const rowHeight = 36;

/** Extra rows above and below those in sight, so that a short scroll shows no gap. */
const ahead = 10;

/**
 * Shows a view as a table in which only the rows in or near sight have elements. A new view is shown from its top.
 *
 * @param box The scrolling element, which contains the table.
 */
export function bigTable(box: HTMLElement, view$: Observable<View<Row>>): Observable<unknown> {
  return defer(() => {
    const [table, space, list] = [part(box, 'table'), part(box, 'space'), part(box, 'rows')];
    const show = rowElements(list);
    box.style.setProperty('--row-height', `${rowHeight}px`);

    return view$.pipe(
      tap(() => {
        box.scrollTop = 0;
      }),
      switchMap((view) => {
        let first = 0;
        return merge(
          view.count$.pipe(
            tap((count) => {
              space.style.height = `${count * rowHeight}px`;
              table.ariaRowCount = String(count + 1);
            }),
          ),
          page$(box).pipe(
            tap((page) => {
              first = page.offset;
              view.page(page);
            }),
          ),
          view.pipe(
            tap((rows) => {
              show(rows, first);
              list.style.translate = `0 ${first * rowHeight}px`;
            }),
          ),
        );
      }),
    );
  });
}

/** The page of a view that is in sight. */
interface InSight {
  readonly offset: number;
  readonly limit: number;
}

/** Which rows are in or near sight: at once, then on each change. */
function page$(box: HTMLElement): Observable<InSight> {
  return merge(fromEvent(box, 'scroll'), fromEvent(window, 'resize')).pipe(
    startWith(undefined),
    map(() => ({
      offset: Math.max(Math.floor(box.scrollTop / rowHeight) - ahead, 0),
      limit: Math.ceil(box.clientHeight / rowHeight) + 2 * ahead,
    })),
    distinctUntilChanged((a, b) => a.offset === b.offset && a.limit === b.limit),
  );
}

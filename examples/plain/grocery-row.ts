import { saveLatest } from 'rivulet';
import { combineLatest, defer, exhaustMap, filter, map, merge, skip, switchMap, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import { accepted } from '../shared/accepted.ts';
import { busy, checked$, clicks, find, part, show, stamp } from './dom.ts';
import { explain } from '../shared/explain.ts';
import type { Grocery, GroceryItem } from './grocery.ts';

/**
 * Shows one grocery, to tick (which saves at once) or to remove.
 *
 * @param grocery A live record: what the server confirms updates the item of the list, and a delete removes it.
 */
export function groceryRow(element: HTMLElement, grocery: Grocery): Observable<unknown> {
  return defer(() => {
    element.append(stamp('grocery-row'));
    const box = find(element, 'input', HTMLInputElement);
    const remove = part(element, 'remove');

    const tick$ = checked$(box).pipe(
      skip(1),
      tap((isDone) => {
        grocery.done.next(isDone);
      }),
    );

    // A tick shows at once; `rollback` undoes it if the server does not accept it. One save runs at a time: what is
    // ticked in the meantime is sent next. A save that waited for a delete would create the row again, so a tick during
    // a delete is saved only if the row is still there afterwards.
    const saved$ = combineLatest([grocery.changes$, grocery.isDeleting$]).pipe(
      filter(([, isDeleting]) => !isDeleting),
      map(([changes]) => changes),
      saveLatest(() => grocery.save$({ patch: true, rollback: 'error' }).pipe(accepted())),
    );
    const deleted$ = clicks(remove).pipe(exhaustMap(() => grocery.destroy$().pipe(accepted())));

    const trouble$ = grocery.error$.pipe(switchMap(explain));
    const shown$ = merge(
      show(part(element, 'name'), grocery.name),
      show(part(element, 'amount'), grocery.data$.pipe(map(amount))),
      show(part(element, 'error'), trouble$.pipe(map(({ summary }) => summary))),
      busy(element, grocery.requestInProgress$),
      grocery.done.pipe(
        tap((isDone) => {
          box.checked = isDone;
        }),
      ),
      grocery.name.pipe(
        tap((name) => {
          remove.ariaLabel = `Remove ${name}`;
        }),
      ),
    );

    return merge(tick$, shown$, saved$, deleted$);
  });
}

function amount({ quantity, unit, category }: GroceryItem): string {
  return `${quantity.toLocaleString()} ${unit} · ${category}`;
}

import { saveLatest } from 'rivulet';
import { combineLatest, defer, exhaustMap, filter, map, merge, skip, switchMap, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import { accepted } from '../shared/accepted.ts';
import { busy, checked$, clicks, find, part, show, stamp } from './dom.ts';
import { explain } from '../shared/explain.ts';
import type { Grocery, GroceryItem } from './grocery.ts';

/**
 * Shows one grocery: to tick, which saves at once, and to remove.
 *
 * @param grocery What the server confirms for it is the item of the list from then on, and a delete takes that out.
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

    // The box shows what was ticked at once; `rollback` takes it back if the server does not accept it. One request at
    // a time: what is ticked meanwhile is sent after it. Behind a delete it would create the row anew, so what is ticked
    // then waits, and is saved if the row is still there.
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

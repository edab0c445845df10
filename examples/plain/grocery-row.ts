import { saveLatest } from 'rivulet';
import {
  combineLatest,
  defer,
  exhaustMap,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  skip,
  switchMap,
  tap,
} from 'rxjs';
import type { Observable } from 'rxjs';

import { accepted } from '../shared/accepted.ts';
import { busy, checked$, clicks, find, part, show, stamp } from './dom.ts';
import { explain } from '../shared/explain.ts';
import { Grocery } from './grocery.ts';
import type { GroceryItem } from './grocery.ts';

/** What the server has confirmed of a row: an item to put in the place of the old one, or an id that is gone. */
export type GroceryChange = { readonly saved: GroceryItem } | { readonly deleted: number };

/** Shows one grocery: to tick, which saves at once, and to remove. Emits what comes of it. */
export function groceryRow(element: HTMLElement, item$: Observable<GroceryItem>): Observable<GroceryChange> {
  return defer(() => {
    element.append(stamp('grocery-row'));
    const box = find(element, 'input', HTMLInputElement);
    const remove = part(element, 'remove');
    const grocery = new Grocery();

    const follow$ = item$.pipe(
      // While a change of this row is under way, its answer is newer than any list.
      filter(() => !grocery.requestInProgress$.value),
      tap((item) => grocery.set(item)),
    );
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
      map(() => ({ saved: { ...grocery.get(), done: grocery.done.remote$.value } })),
    );
    const deleted$ = clicks(remove).pipe(
      map(() => grocery.id.value ?? 0),
      exhaustMap((id) =>
        grocery.destroy$().pipe(
          accepted(),
          map(() => ({ deleted: id })),
        ),
      ),
    );

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

    return merge(merge(follow$, tick$, shown$).pipe(ignoreElements()), saved$, deleted$).pipe(
      finalize(() => {
        grocery.dispose();
      }),
    );
  });
}

function amount({ quantity, unit, category }: GroceryItem): string {
  return `${quantity.toLocaleString()} ${unit} · ${category}`;
}

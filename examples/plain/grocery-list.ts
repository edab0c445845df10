import { lib } from 'rivulet';
import type { Collection } from 'rivulet';
import {
  combineLatest,
  defer,
  exhaustMap,
  filter,
  finalize,
  fromEvent,
  map,
  merge,
  startWith,
  switchMap,
  tap,
} from 'rxjs';
import type { Observable } from 'rxjs';

import { accepted } from '../shared/accepted.ts';
import { busy, clicks, find, part, searches, show, submits } from './dom.ts';
import { explain } from '../shared/explain.ts';
import { groceriesUrl } from './grocery.ts';
import type { GroceryItem } from './grocery.ts';
import { groceryRow } from './grocery-row.ts';
import type { GroceryChange } from './grocery-row.ts';
import { rows } from './rows.ts';

type Groceries = Collection<GroceryItem>;

/** The list of groceries: searched by the server, filtered here, added to, and changed row by row. */
export function groceryList(section: HTMLElement): Observable<unknown> {
  return defer(() => {
    const search = find(section, 'input[type=search]', HTMLInputElement);
    const list = part(section, 'list');
    const groceries = lib.collection<GroceryItem>({
      url: {
        create: groceriesUrl,
        // A function is asked at each request, so it says what is searched for by then.
        read: () => `${groceriesUrl}?${String(new URLSearchParams({ search: search.value.trim() }))}`,
      },
      // A busy sign that only flashes up is worse than none.
      requestLull: 400,
    });

    const chosen$ = criteria$(part(section, 'filter')).pipe(
      switchMap((criteria) => groceries.where$(criteria)),
    );
    const changes$ = rows(list, chosen$, groceryRow).pipe(
      tap((change) => {
        apply(groceries, change);
      }),
      // A list that was asked for before the change may lack it, so it is asked for again.
      filter(() => groceries.isReading$.value),
    );
    const load$ = merge(searches(search), clicks(part(section, 'reload')), changes$).pipe(
      startWith(undefined),
      // The latest search wins: `switchMap` unsubscribes from the one before, and that aborts its request.
      switchMap(() => groceries.fetch$().pipe(accepted())),
    );

    const add$ = adding(part(section, 'add', HTMLFormElement), groceries);
    return merge(load$, add$, showing(section, groceries, chosen$)).pipe(
      finalize(() => {
        groceries.dispose();
      }),
    );
  });
}

/** Which groceries to show. */
function criteria$(choice: HTMLElement): Observable<{ readonly done?: boolean }> {
  return fromEvent(choice, 'change').pipe(
    startWith(undefined),
    map(() => find(choice, ':checked', HTMLInputElement).value),
    map((value) => (value === 'all' ? {} : { done: value === 'done' })),
  );
}

function apply(groceries: Groceries, change: GroceryChange): void {
  if ('deleted' in change) groceries.remove(({ id }) => id === change.deleted);
  else groceries.replace(groceries.value.map((item) => (item.id === change.saved.id ? change.saved : item)));
}

/** Sends what is entered. The text goes only when the server has it, and not if it was changed meanwhile. */
function adding(form: HTMLFormElement, groceries: Groceries): Observable<unknown> {
  const input = find(form, 'input', HTMLInputElement);
  return submits(form).pipe(
    map(() => input.value),
    // The same item twice is hardly meant: while one is being added, pressing again does nothing.
    exhaustMap((name) =>
      groceries.create$({ name, quantity: 1, unit: 'pcs', category: 'Other', done: false }).pipe(
        accepted(),
        filter(() => input.value === name),
        tap(() => {
          input.value = '';
        }),
      ),
    ),
  );
}

function showing(
  section: HTMLElement,
  groceries: Groceries,
  shown$: Observable<readonly GroceryItem[]>,
): Observable<unknown> {
  const { isReading$, isCreating$, error$ } = groceries;
  const status$ = combineLatest([isReading$, isCreating$, groceries.where$({})]).pipe(
    map(([isReading, isCreating, items]) => {
      if (isReading) return 'Loading…';
      if (isCreating) return 'Adding…';
      const open = items.filter(({ done }) => !done).length;
      return `${String(open)} to buy, ${String(items.length - open)} done`;
    }),
  );
  const empty$ = combineLatest([isReading$, error$, shown$]).pipe(
    map(([isReading, error, items]) => (isReading || error || items.length > 0 ? '' : 'Nothing here.')),
  );
  return merge(
    busy(section, groceries.requestInProgress$),
    show(part(section, 'status'), status$),
    show(part(section, 'empty'), empty$),
    show(
      part(section, 'error'),
      error$.pipe(
        switchMap(explain),
        map(({ summary }) => summary),
      ),
    ),
  );
}

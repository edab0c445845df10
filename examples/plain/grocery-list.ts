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
  take,
  tap,
} from 'rxjs';
import type { Observable } from 'rxjs';

import { accepted } from '../shared/accepted.ts';
import { busy, clicks, find, part, searches, show, submits } from './dom.ts';
import { explain } from '../shared/explain.ts';
import { Grocery, groceriesUrl } from './grocery.ts';
import type { GroceryItem } from './grocery.ts';
import { groceryRow } from './grocery-row.ts';
import { rows } from './rows.ts';

type Groceries = Collection<GroceryItem, Grocery>;

/** The grocery list: searched by the server, filtered here, added to, and edited row by row. */
export function groceryList(section: HTMLElement): Observable<unknown> {
  return defer(() => {
    const search = find(section, 'input[type=search]', HTMLInputElement);
    const list = part(section, 'list');
    const groceries = lib.collection<GroceryItem, Grocery>({
      url: {
        create: groceriesUrl,
        // A function is called for each request, so the search is always the current one.
        read: () => `${groceriesUrl}?${String(new URLSearchParams({ search: search.value.trim() }))}`,
      },
      // A busy indicator that only flashes is worse than none.
      requestLull: 400,
      model: Grocery,
    });

    const chosen$ = criteria$(part(section, 'filter')).pipe(
      switchMap((criteria) => groceries.where$(criteria)),
    );
    const rows$ = rows(list, chosen$, (element, item$) =>
      item$.pipe(
        take(1),
        // The first item is enough: its record stays the same while the row is there, and follows the list by itself.
        switchMap((item) => groceryRow(element, groceries.record(item))),
      ),
    );
    const load$ = merge(searches(search), clicks(part(section, 'reload'))).pipe(
      startWith(undefined),
      // The latest search wins: `switchMap` unsubscribes from the previous one, which aborts its request.
      switchMap(() => groceries.fetch$().pipe(accepted())),
    );

    const add$ = adding(part(section, 'add', HTMLFormElement), groceries);
    return merge(load$, rows$, add$, showing(section, groceries, chosen$)).pipe(
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

/** Adds what is entered. The box is emptied only once the server has the item, unless the text has changed since. */
function adding(form: HTMLFormElement, groceries: Groceries): Observable<unknown> {
  const input = find(form, 'input', HTMLInputElement);
  return submits(form).pipe(
    map(() => input.value),
    // Nobody means to add an item twice: while one is being added, submitting again does nothing.
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

import {
  connect,
  defer,
  endWith,
  filter,
  finalize,
  groupBy,
  ignoreElements,
  merge,
  mergeMap,
  takeUntil,
  tap,
} from 'rxjs';
import type { Observable } from 'rxjs';

/** What a row can show. */
export interface Item {
  readonly id?: number | undefined;
}

/**
 * Shows items as the rows of a list, one `<li>` for each id, in the order of the items.
 *
 * @param row Fills the row and does its work while subscribed: until its item is gone. Receives the item as a stream,
 *   so that a newer version updates the row instead of replacing it.
 * @returns Everything that the rows emit.
 */
export function rows<T extends Item, R>(
  list: HTMLElement,
  items$: Observable<readonly T[]>,
  row: (element: HTMLElement, item$: Observable<T>) => Observable<R>,
): Observable<R> {
  return defer(() => {
    const elements = new Map<T['id'], HTMLElement>();

    const live = (id: T['id'], item$: Observable<T>) =>
      defer(() => {
        const element = document.createElement('li');
        elements.set(id, element);
        return row(element, item$).pipe(
          finalize(() => {
            elements.delete(id);
            leave(list, element);
          }),
          takeUntil(item$.pipe(ignoreElements(), endWith(undefined))),
        );
      });

    return items$.pipe(
      // Rows first, order second: each list reaches the two subscribers in this order.
      connect((shared$) =>
        merge(
          shared$.pipe(
            mergeMap((items) => items),
            groupBy(({ id }) => id, { duration: ({ key }) => shared$.pipe(filter(lacks(key))) }),
            mergeMap((item$) => live(item$.key, item$)),
          ),
          shared$.pipe(
            tap((items) => {
              arrange(list, items, elements);
            }),
            ignoreElements(),
          ),
        ),
      ),
    );
  });
}

function lacks<T extends Item>(id: T['id']): (items: readonly T[]) => boolean {
  return (items) => !items.some((item) => item.id === id);
}

/**
 * Puts the rows in order. Moves only those out of place, since a moved row loses the focus, and skips those about to be
 * removed.
 */
function arrange<T extends Item>(
  list: HTMLElement,
  items: readonly T[],
  elements: ReadonlyMap<T['id'], Element>,
): void {
  const wanted = new Set(items.flatMap(({ id }) => elements.get(id) ?? []));
  let place = list.firstElementChild;
  for (const element of wanted) {
    while (place && !wanted.has(place)) place = place.nextElementSibling;
    if (element === place) place = place.nextElementSibling;
    else list.insertBefore(element, place);
  }
}

/** Removes a row. If it had the focus, a neighbour gets it, so that keyboard users stay where they were. */
function leave(list: HTMLElement, element: HTMLElement): void {
  const hadFocus = element.contains(document.activeElement);
  const neighbour = element.nextElementSibling ?? element.previousElementSibling;
  element.remove();
  if (hadFocus) (neighbour?.querySelector<HTMLElement>('input, button') ?? list).focus();
}

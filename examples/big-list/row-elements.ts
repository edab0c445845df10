import { find, part, stamp } from '../plain/dom.ts';
import type { Row } from './row.ts';

const numbers = new Intl.NumberFormat('en');

const cells: readonly (keyof Row)[] = ['id', 'name', 'city', 'score', 'changes'];

/**
 * Makes a function that shows rows in a list: a row that stays keeps its element, and the elements of rows that have
 * gone are reused for new ones.
 *
 * @returns Shows rows; `first` is the place of the first of them among all rows.
 */
export function rowElements(list: HTMLElement): (rows: readonly Row[], first: number) => void {
  let shown = new Map<number, HTMLElement>();
  const filled = new WeakMap<HTMLElement, Row>();

  const fill = (element: HTMLElement, row: Row): void => {
    const before = filled.get(element);
    if (row === before) return;
    filled.set(element, row);
    for (const name of cells) {
      if (row[name] === before?.[name]) continue;
      const value = row[name];
      part(element, name).textContent = typeof value === 'string' ? value : numbers.format(value);
    }
    if (row.id === before?.id) flash(part(element, 'score'));
  };

  return (rows, first) => {
    const next = new Map<number, HTMLElement>();
    const isWanted = new Set(rows.map(({ id }) => id));
    const free = [...shown].filter(([id]) => !isWanted.has(id)).map(([, element]) => element);
    rows.forEach((row, place) => {
      const element = shown.get(row.id) ?? free.pop() ?? make();
      next.set(row.id, element);
      fill(element, row);
      // The header is the first row of the table.
      element.ariaRowIndex = String(first + place + 2);
    });
    for (const element of free) element.remove();
    shown = next;
    arrange(list, [...next.values()]);
  };
}

function make(): HTMLElement {
  const row = document.createElement('div');
  row.append(stamp('row'));
  return find(row, '[role=row]', HTMLElement);
}

/** Puts elements in order, moving only those out of place. */
function arrange(list: HTMLElement, elements: readonly HTMLElement[]): void {
  let place = list.firstElementChild;
  for (const element of elements) {
    if (element === place) place = place.nextElementSibling;
    else list.insertBefore(element, place);
  }
}

/** Highlights a change for a moment, unless the user prefers reduced motion. */
function flash(element: HTMLElement): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  element.animate({ backgroundColor: ['var(--accent-soft)', 'transparent'] }, 800);
}

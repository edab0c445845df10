import type { Exchange } from './environment.ts';
import { ProblemError } from './problem.ts';
import type { Resource } from './resources.ts';
import type { Selection } from './table.ts';

const usualPageSize = 20;
const largestPageSize = 1000;

/**
 * Reads `?search=`, `?_sort=`, `?_page=` and `?_per_page=`. Throws a 400 problem if one is unusable.
 */
export function selectionOf(c: Exchange, resource: Resource): Selection {
  return { search: c.req.query('search')?.trim(), sort: sortOf(c, resource), page: pageOf(c) };
}

function sortOf(c: Exchange, resource: Resource): Selection['sort'] {
  const sort = c.req.query('_sort');
  if (sort === undefined) return undefined;
  const descending = sort.startsWith('-');
  const path = descending ? sort.slice(1) : sort;
  const known = ['id', ...resource.columns.map((column) => column.path)];
  if (!known.includes(path)) throw new ProblemError(400, `_sort must be one of ${known.join(', ')}.`);
  return { path, descending };
}

function pageOf(c: Exchange): Selection['page'] {
  const number = positive(c, '_page', 1_000_000);
  const size = positive(c, '_per_page', largestPageSize);
  if (number === undefined && size === undefined) return undefined;
  return { number: number ?? 1, size: size ?? usualPageSize };
}

function positive(c: Exchange, name: string, largest: number): number | undefined {
  const text = c.req.query(name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= largest) return value;
  throw new ProblemError(400, `${name} must be a whole number from 1 to ${String(largest)}.`);
}

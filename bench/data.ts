import type { Data, Row } from './system.ts';

/** Numbers from 0 to 1 that look random and are the same in each run: the mulberry32 generator. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The names of twenty fields. */
export const fieldNames: readonly string[] = Array.from({ length: 20 }, (_, place) => `field${place}`);

/** A record of an id and twenty numbers, all of them different in each version. */
export const numbersOf = (version: number): Data => ({
  id: '1',
  ...Object.fromEntries(fieldNames.map((name, place) => [name, 1000 * version + place])),
});

/** A record of twenty fields in 2 KB of JSON: an id and texts, all of them different in each version. */
export const textsOf = (version: number): Data => ({
  id: '1',
  ...Object.fromEntries(
    fieldNames.slice(1).map((name) => [name, `${name} ${version} `.padEnd(90, 'lorem ')]),
  ),
});

/** A record of ten fields without its id, which is the tenth. */
export const nineFields: Data = { b: 1, c: 2, d: 3, e: 4, f: 5, g: 6, h: 7, i: 8, j: 9 };

/** That many rows, the same in each run. */
export function rowsOf(count: number): Row[] {
  const random = randomFrom(1);
  return Array.from({ length: count }, (_, id) => rowOf(id, random));
}

/** A row whose name begins with a letter after `a`, so that names with an `a` come first. */
export function rowOf(id: number, random: () => number): Row {
  const name = `${nameOf(random)}-${id}`;
  return {
    id,
    name,
    city: `City ${Math.floor(random() * 100)}`,
    age: 18 + Math.floor(random() * 60),
    email: `${name}@example.com`,
    active: random() < 0.5,
    score: Math.floor(random() * 1e6),
    updated: new Date(1.7e12 + Math.floor(random() * 1e10)).toISOString(),
  };
}

function nameOf(random: () => number): string {
  const letter = () => String.fromCharCode(98 + Math.floor(random() * 25));
  return Array.from({ length: 8 }, letter).join('');
}

/** The same rows as new objects; one in a hundred has a different score. */
export const changedOf = (rows: readonly Row[]): Row[] =>
  rows.map((row) => (row.id % 100 === 0 ? { ...row, score: row.score + 1 } : { ...row }));

/** What a live view shows, for systems that compute it anew: the active rows, sorted by name, the first fifty. */
export const firstFifty = (rows: readonly Row[]): Row[] =>
  rows
    .filter(({ active }) => active)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .slice(0, 50);

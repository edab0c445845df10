import type { Row } from '../system.ts';

const most = 512;

/**
 * Rows sorted by name, in chunks of at most 512: inserting into one array of all rows would take tens of
 * microseconds.
 */
export class SortedRows {
  readonly #chunks: Row[][] = [];
  /** The first fifty, as a new array whenever one of them changes. */
  first: readonly Row[] = [];

  constructor(rows: readonly Row[]) {
    const sorted = rows.slice().sort((a, b) => (a.name < b.name ? -1 : 1));
    // Half full, to leave room.
    for (let at = 0; at < sorted.length; at += most / 2) this.#chunks.push(sorted.slice(at, at + most / 2));
    this.#show();
  }

  add(row: Row): void {
    const place = this.#chunkOf(row.name);
    const chunk = this.#chunks[place];
    if (!chunk) this.#chunks.push([row]);
    else {
      chunk.splice(placeIn(chunk, row.name), 0, row);
      if (chunk.length > most) this.#chunks.splice(place + 1, 0, chunk.splice(most / 2));
    }
    this.#changed(row);
  }

  remove(row: Row): void {
    const place = this.#chunkOf(row.name);
    const chunk = this.#chunks[place];
    if (!chunk) return;
    chunk.splice(placeIn(chunk, row.name), 1);
    if (chunk.length === 0) this.#chunks.splice(place, 1);
    this.#changed(row);
  }

  #changed({ name }: Row): void {
    const last = this.first.at(-1);
    if (this.first.length < 50 || (last && name <= last.name)) this.#show();
  }

  #show(): void {
    const first: Row[] = [];
    for (const chunk of this.#chunks) {
      for (const row of chunk) {
        if (first.length === 50) break;
        first.push(row);
      }
      if (first.length === 50) break;
    }
    this.first = first;
  }

  /** The last chunk that begins with that name or an earlier one. */
  #chunkOf(name: string): number {
    let [from, to] = [0, this.#chunks.length - 1];
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (this.#chunks[middle][0].name <= name) from = middle;
      else to = middle - 1;
    }
    return from;
  }
}

/** The place of the first row with that name or a later one. */
function placeIn(rows: readonly Row[], name: string): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (rows[middle].name < name) from = middle + 1;
    else to = middle;
  }
  return from;
}

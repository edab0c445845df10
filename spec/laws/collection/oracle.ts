import { isDeepStrictEqual } from 'node:util';

import type { Item } from '../../people';
import type { Sent } from '../wire';

/** The identity of an item: its id, or the object itself. */
const keyOf = (item: Item): unknown => item.id ?? item;

const isList = Array.isArray as (data: unknown) => data is readonly Item[];

/** What a collection must hold: the rules of the README taken literally, and nothing else. */
export class Oracle {
  /** How often it was written. */
  writes = 0;
  #items: readonly Item[] = [];
  /** The keys of the items created since each read was sent. */
  readonly #createdSince = new Map<Sent, Set<unknown>>();
  /** The ids that reads have listed since each create without an id was sent: those items are no older than it. */
  readonly #listedSince = new Map<Sent, Set<unknown>>();
  /** The same as it was when each read was sent. */
  readonly #listedBefore = new Map<Sent, ReadonlyMap<Sent, ReadonlySet<unknown>>>();
  /** When the newest successful read was sent. */
  #newest = 0;

  get items(): readonly Item[] {
    return this.#items;
  }

  write(items: readonly Item[]): void {
    this.#items = items;
    this.writes += 1;
  }

  /** A read is sent. */
  reading(sent: Sent): void {
    this.#createdSince.set(sent, new Set());
    const listed = [...this.#listedSince].map(([create, ids]) => [create, new Set(ids)] as const);
    this.#listedBefore.set(sent, new Map(listed));
  }

  /** A create is sent. */
  creating(sent: Sent, item: Item): void {
    if (item.id === undefined) this.#listedSince.set(sent, new Set());
  }

  /** A read has succeeded: the newest counts. Items created in the meantime that still exist stay. */
  read(sent: Sent, list: unknown): void {
    if (sent.at < this.#newest) return;
    this.#newest = sent.at;
    if (!isList(list)) return;
    const isThere = (id: unknown) => list.some((item) => item.id === id);
    for (const [create, ids] of this.#listedSince) {
      for (const { id } of list) ids.add(id);
      // One that it lacks may have been created after it was answered, unless it was listed before this was sent.
      const before = this.#listedBefore.get(sent)?.get(create);
      for (const id of ids) if (!isThere(id) && !before?.has(id)) ids.delete(id);
    }
    const items = list.map((item, place) => {
      // When there are several with its id, the one at its place, else the first.
      const known = [...this.#items.slice(place, place + 1), ...this.#items];
      const old = known.find((other) => keyOf(other) === keyOf(item));
      return old && isDeepStrictEqual(old, item) ? old : item;
    });
    const isListed = (item: Item) => list.some((other) => keyOf(other) === keyOf(item));
    const created = this.#createdSince.get(sent);
    const missed = this.#items.filter((item) => created?.has(keyOf(item)) && !isListed(item));
    this.write([...items, ...missed]);
  }

  /** An item was created: it replaces the one with its id, unless that is no older, or is already gone again. */
  created(sent: Sent, item: Item): void {
    const isListed = item.id !== undefined && this.#listedSince.get(sent)?.has(item.id);
    const listed = isListed ? this.#items.find(({ id }) => id === item.id) : undefined;
    if (isListed && !listed) return;
    for (const keys of this.#createdSince.values()) keys.add(keyOf(item));
    if (listed) return;
    const others = this.#items.filter(({ id }) => id === undefined || id !== item.id);
    this.write([...others, item]);
  }
}

/** The data of one record, by the names of its fields. */
export type Data = Readonly<Record<string, unknown>>;

/** One of many rows; ids count from 0, names are unique. */
export interface Row {
  readonly id: number;
  readonly name: string;
  readonly city: string;
  readonly age: number;
  readonly email: string;
  readonly active: boolean;
  readonly score: number;
  readonly updated: string;
}

/** Work that may be synchronous or asynchronous; once it is done, all subscribers have been notified. */

export type Done = void | Promise<void>;

/** A record that is read from an endpoint. */
export interface Reader {
  /** Fetches the record, parses it and writes it back. */
  readonly read: () => Done;
  /** The present value of a field. */
  readonly get: (name: string) => unknown;
  /** How it does less than a library that makes requests. */
  readonly note?: string;
}

/** The note of a library that makes no requests. */
export const requestByHand = 'the request is written by hand: no flags, errors or aborts';

/** A record with subscribers. */
export interface Watched {
  /** Writes a server's answer. */
  readonly apply: (answer: Data) => Done;
  /** The present value of a field. */
  readonly get: (name: string) => unknown;
}

/** How many rows a write added, changed and removed. */
export interface Told {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** The options of a list. */
export interface ListOptions {
  /** Whether an index of cities is available to searches, and one of what they filter and sort by to views. */
  readonly isIndexed?: boolean;
  /** Called with what each write really changed; ignored by systems that cannot tell. */
  readonly tell?: (told: Told) => void;
}

/** Many rows. How a system represents a row is its own affair; `plain` returns the values. */
export interface List {
  /** Fills the list, once, from a text sent by a server. */
  readonly fill: (text: string) => Done;
  /** Writes all rows as read again. */
  readonly refetch?: (rows: readonly Row[]) => Done;
  readonly byId?: (id: number) => unknown;
  readonly where?: (city: string) => ArrayLike<unknown> | Promise<ArrayLike<unknown>>;
  /** Replaces one row, appends one, removes one. */
  readonly update?: (row: Row) => Done;
  readonly insert?: (row: Row) => Done;
  readonly remove?: (id: number) => Done;
  /** Opens the live view: the active rows, sorted by name, the first fifty. */
  readonly open?: () => View | Promise<View>;
  /** Whether `where` uses an index. */
  readonly isIndexed?: boolean;
  /** The values of a row as returned by the list; without it the row has them itself. */
  readonly plain?: (row: never) => unknown;
  readonly close?: () => Done;
}

/** A live view of a list. */
export interface View {
  /** The rows to be shown at present. */
  readonly rows: () => ArrayLike<unknown>;
  readonly close?: () => Done;
  /** How it does less than a library that has views. */
  readonly note?: string;
}

/** The note of a library that has no sorted views. */
export const sortedByHand = 'no views: all rows are filtered and sorted by hand';

/** A library, or the hand-written code. Omits what it does not support. */
export interface System {
  readonly name: string;
  /** The module that an application would write to import what the adapter uses; for weighing. */
  readonly imports?: string;
  /** A record with the fields of `data`. */
  readonly reader?: (url: string, data: Data) => Reader | Promise<Reader>;
  /** A record with a subscriber at each of these fields, which reports the changed field. */
  readonly watched?: (
    data: Data,
    names: readonly string[],
    notice: (name: string) => void,
  ) => Watched | Promise<Watched>;
  /** A record, and a value computed from its fields whenever they change. */
  readonly derived?: (
    data: Data,
    names: readonly string[],
    compute: (get: (name: string) => unknown) => void,
  ) => Watched | Promise<Watched>;
  readonly list?: (options: ListOptions) => List | Promise<List>;
  /** That many records of ten fields without subscribers; the returned value keeps them alive. */
  readonly records?: (count: number) => unknown;
  /** The same, made for the items of a list, and untouched. */
  readonly itemRecords?: (count: number) => unknown;
}

/** The number of rows of each kind in a comparison. */
export const toldOf = (lists: {
  readonly added: ArrayLike<unknown>;
  readonly changed: ArrayLike<unknown>;
  readonly removed: ArrayLike<unknown>;
}): Told => ({
  added: lists.added.length,
  changed: lists.changed.length,
  removed: lists.removed.length,
});

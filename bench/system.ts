/** The data of one record, by the names of its fields. */
export type Data = Readonly<Record<string, unknown>>;

/** One of many rows; its id is a number from 0 on, its name is unlike any other's. */
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

/** What may be done at once or take its time; done means that all who watch have been told. */

export type Done = void | Promise<void>;

/** A record that is read from an endpoint. */
export interface Reader {
  /** Gets the record, parses it and writes it back. */
  readonly read: () => Done;
  /** What the record holds now. */
  readonly get: (name: string) => unknown;
}

/** A record that is watched. */
export interface Watched {
  /** Writes what a server has answered. */
  readonly apply: (answer: Data) => Done;
  /** What the record holds now. */
  readonly get: (name: string) => unknown;
}

/** How many rows a write has added, changed and removed. */
export interface Told {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** What a list is made with. */
export interface ListOptions {
  /** Whether rows are also found by an index of their city, and views may use one of what they filter and sort by. */
  readonly isIndexed?: boolean;
  /** To be told what each write has really changed; whoever cannot tell leaves it alone. */
  readonly tell?: (told: Told) => void;
}

/** Many rows. What a system hands out for a row is its own affair; `plain` tells what it holds. */
export interface List {
  /** Takes the rows in, once, from the text that a server has sent. */
  readonly fill: (text: string) => Done;
  /** Takes in all rows read anew. */
  readonly refetch?: (rows: readonly Row[]) => Done;
  readonly byId?: (id: number) => unknown;
  readonly where?: (city: string) => ArrayLike<unknown> | Promise<ArrayLike<unknown>>;
  /** Writes one row anew, appends one, removes one. */
  readonly update?: (row: Row) => Done;
  readonly insert?: (row: Row) => Done;
  readonly remove?: (id: number) => Done;
  /** Opens the live view: rows that are active, sorted by name, the first fifty. */
  readonly open?: () => View | Promise<View>;
  /** Whether `where` uses an index. */
  readonly isIndexed?: boolean;
  /** The values of what the list has given for a row; without it that has them itself. */
  readonly plain?: (row: never) => unknown;
  readonly close?: () => Done;
}

/** A live view of a list. */
export interface View {
  /** The rows to be shown now. */
  readonly rows: () => ArrayLike<unknown>;
  readonly close?: () => Done;
}

/** One library beside its peers, or what is written by hand. It leaves out what it does not do. */
export interface System {
  readonly name: string;
  /** The module an application would write to get what the adapter uses; to weigh it. */
  readonly imports?: string;
  /** A record of the fields that `data` has. */
  readonly reader?: (url: string, data: Data) => Reader | Promise<Reader>;
  /** A record, with a subscriber at each of these fields that says which one has changed. */
  readonly watched?: (
    data: Data,
    names: readonly string[],
    notice: (name: string) => void,
  ) => Watched | Promise<Watched>;
  /** A record, and one value computed from its fields whenever these have changed. */
  readonly derived?: (
    data: Data,
    names: readonly string[],
    compute: (get: (name: string) => unknown) => void,
  ) => Watched | Promise<Watched>;
  readonly list?: (options: ListOptions) => List | Promise<List>;
  /** As many records of ten fields that nobody watches, to be held by what is returned. */
  readonly records?: (count: number) => unknown;
  /** The same as they are made for the items of a list, and nobody has touched them. */
  readonly itemRecords?: (count: number) => unknown;
}

/** How many rows of each kind a comparison has found. */
export const toldOf = (lists: {
  readonly added: ArrayLike<unknown>;
  readonly changed: ArrayLike<unknown>;
  readonly removed: ArrayLike<unknown>;
}): Told => ({
  added: lists.added.length,
  changed: lists.changed.length,
  removed: lists.removed.length,
});

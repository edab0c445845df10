import type { Concern, DataModel } from '../index';

/** What an answer says. */
export interface Answer {
  /** None if the server sent none. */
  readonly tag: string | null | undefined;
  readonly path: string | undefined;
  readonly url: string;
  /** Undefined if it says nothing of what is shown. */
  readonly brought: unknown;
}

/** The version of a record or list that is known, and what was shown once it had been written. */
export interface Version {
  /** The id of the record that it is of; empty for a list. */
  readonly owner: string;
  /** None if the server sent none. */
  readonly tag: string | null | undefined;
  /** The path that it belongs to; empty if that is not known. */
  readonly place: string | undefined;
  /** The url and data; nothing unless a read would bring these again. */
  readonly shown: unknown;
}

/** A tag that no version has, so that a server refuses what names it: a conflict is undecided, or the version unknown. */
export const refusedTag = '"undecided"';

/** What tells a record from others; a list has no `get`. */
interface Identified {
  get?(path?: string): unknown;
  readonly idAttribute?: string;
}

/** A record's id as text, as which a server may answer a number; empty for a new record (any falsey id), and for a list. */
export const idOf = (concern: Concern & Identified): string =>
  `${(concern.get?.(concern.idAttribute) as string | number) || ''}`;

/** Whether a record has edits; undefined for a list. */
export const isDirty = (concern: Concern): boolean | undefined =>
  (concern as Partial<Pick<DataModel, 'isDirty$'>>).isDirty$?.value;

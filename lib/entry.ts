import { equal } from './equal';
import { hasAt, readAt, writeAt } from './paths';
import type { Resource } from './resource';
import type { StateStream } from './types';

/** One mapped path of one record: the field that shows its value, and the value the server last confirmed. */
export interface Entry {
  readonly path: string;
  readonly segments: readonly string[];
  readonly field: Mappable;
  readonly record: Owner;
  confirmed: unknown;
  isDirty$?: StateStream<boolean>;
  remote$?: StateStream<unknown>;
}

/** All that a record needs of a field. */
export interface Mappable {
  readonly value: unknown;
  _entries: readonly Entry[];
  _put(value: unknown): void;
  _end(): void;
}

/** All that a field, and a conflict of it, need of a record. */
export interface Owner extends Pick<Resource, 'changed' | 'derive'> {
  readonly fields: readonly Entry[];
  readonly id: unknown;
  /** Writes several fields as one. A value equal to the one shown is not written: its object stays the same. */
  show(given: Iterable<Given>): void;
  /** Restores the values last confirmed. */
  restore(entries: readonly Entry[]): void;
}

/** A value for an entry. */
export type Given = readonly [entry: Entry, value: unknown];

export const shown = ({ field }: Entry): unknown => field.value;
export const asShown = (entry: Entry): Given => [entry, shown(entry)];
export const asConfirmed = (entry: Entry): Given => [entry, entry.confirmed];
export const isDirty = (entry: Entry): boolean => !equal(shown(entry), entry.confirmed);

export const entryOf = ([entry]: Given): Entry => entry;

/** The values shown, as a new object in the mapped structure. */
export function collect(entries: readonly Entry[]): object {
  const data = {};
  for (const entry of entries) writeAt(data, entry.segments, shown(entry));
  return data;
}

/** The entries that data has an own value for, with that value; if `isUnset`, undefined is one. */
export function match(entries: readonly Entry[], data: unknown, isUnset?: boolean): readonly Given[] {
  const found: Given[] = [];
  for (const entry of entries) {
    const value = readAt(data, entry.segments);
    if (value !== undefined || (isUnset && hasAt(data, entry.segments))) found.push([entry, value]);
  }
  return found;
}

/** Counts values as confirmed, without notifying yet. */
export function confirm(given: Iterable<Given>): void {
  for (const [entry, value] of given) entry.confirmed = value;
}

/** Detaches the field from that path; returns false if it was not attached. */
export function release(entry: Entry): boolean {
  const { field } = entry;
  const isHeld = field._entries.includes(entry);
  field._entries = field._entries.filter((each) => each !== entry);
  return isHeld;
}

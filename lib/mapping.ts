import { equal } from './equal';
import { isWithin, readAt, segmentsOf, writeAt } from './paths';

/** What a mapping knows of a field: its value, and how to write it in two steps. */
export interface Slot {
  readonly value: unknown;
  /** Shows a value without telling subscribers yet. */
  set(value: unknown): void;
  /** Tells subscribers of the values set. */
  tell(): void;
  /** Tells whoever watches the field's own dirty and confirmed state. */
  refresh(): void;
  /** The field no longer stands for that path. */
  release(entry: Entry): void;
  /** Completes the field, unless it still stands for another path. */
  end(): void;
}

/** One mapped path of one record: the field that shows its value, and the value the server last confirmed. */
export class Entry {
  readonly path: string;
  readonly segments: readonly string[];
  readonly mapping: Mapping;
  readonly slot: Slot;
  confirmed: unknown;

  constructor(path: string, mapping: Mapping, slot: Slot) {
    this.path = path;
    this.segments = segmentsOf(path);
    this.mapping = mapping;
    this.slot = slot;
    this.confirmed = slot.value;
  }

  get value(): unknown {
    return this.slot.value;
  }

  get isDirty(): boolean {
    return !equal(this.slot.value, this.confirmed);
  }
}

/** The mapped paths of one record. */
export class Mapping {
  readonly entries = new Map<string, Entry>();
  /** Called after each change, once for a write to several fields. */
  onChange: (() => void) | undefined;
  #snapshot: Record<string, unknown> | undefined;
  #telling = false;

  /**
   * Maps a field to a path; one that was mapped there before is released.
   *
   * @throws TypeError where one path would lie inside the value of another.
   */
  add(path: string, slot: Slot): Entry {
    const entry = new Entry(path, this, slot);
    for (const other of this.entries.keys()) {
      if (other !== path && (isWithin(other, path) || isWithin(path, other))) {
        throw new TypeError(`map: "${path}" and "${other}" cannot both be mapped, one lies inside the other`);
      }
    }
    this.remove(path);
    this.entries.set(path, entry);
    this.touch();
    this.changed();
    return entry;
  }

  /** Forgets a path; false if it was not mapped. */
  remove(path: string): boolean {
    const entry = this.entries.get(path);
    if (!entry) return false;
    this.entries.delete(path);
    entry.slot.release(entry);
    this.touch();
    this.changed();
    return true;
  }

  /** The entries at a path and below; all without one. */
  at(path?: string): Entry[] {
    const all = [...this.entries.values()];
    return path === undefined ? all : all.filter((entry) => isWithin(entry.path, path));
  }

  /** The values as one object in the mapped structure, made anew. */
  collect(entries: Iterable<Entry> = this.entries.values()): Record<string, unknown> {
    const data = {};
    for (const entry of entries) writeAt(data, entry.segments, entry.value);
    return data;
  }

  /** The values as one object that stays the same until one of them is written. */
  get snapshot(): Record<string, unknown> {
    return (this.#snapshot ??= this.collect());
  }

  /** The dirty values, as an object in the mapped structure. */
  get patch(): Record<string, unknown> {
    return this.collect(this.at().filter((entry) => entry.isDirty));
  }

  /** A value was set; nobody has been told yet. */
  touch(): void {
    this.#snapshot = undefined;
  }

  /** Subscribers of a field were told of a value. */
  changed(): void {
    if (!this.#telling) this.onChange?.();
  }

  /**
   * Writes several fields at once: shows all the values, then tells of them field by field, then of the whole.
   * A value equal to the one shown is not written, nobody is told of it, and its object stays the same.
   */
  write(values: Iterable<readonly [Entry, unknown]>): void {
    const written: Entry[] = [];
    for (const [entry, value] of values) {
      if (equal(entry.value, value)) continue;
      entry.slot.set(value);
      written.push(entry);
    }
    this.#telling = true;
    try {
      for (const entry of written) entry.slot.tell();
    } finally {
      this.#telling = false;
    }
    this.refresh();
  }

  /** Tells whoever watches what is dirty and confirmed. */
  refresh(): void {
    for (const entry of this.entries.values()) entry.slot.refresh();
    this.onChange?.();
  }

  /** The entries that data has an own value for, each with that value. */
  match(data: unknown): [Entry, unknown][] {
    return this.at()
      .map((entry): [Entry, unknown] => [entry, readAt(data, entry.segments)])
      .filter(([, value]) => value !== undefined);
  }
}

const mappings = new WeakMap<object, Mapping>();

/** The mapping of a record; made on first use, since class fields are mapped before the constructor boots. */
export function mappingOf(record: object): Mapping {
  let mapping = mappings.get(record);
  if (!mapping) mappings.set(record, (mapping = new Mapping()));
  return mapping;
}

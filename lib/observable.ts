import { BatchedSubject } from './batched-subject';
import { isDirty } from './entry';
import type { Entry } from './entry';
import { isObject } from './objects';
import { recordOf } from './record';
import type { StateStream } from './types';

/** One for all that are not mapped yet: most records are many. */
const noEntries: readonly Entry[] = [];

/**
 * An observable value: a `BehaviorSubject` that becomes part of a record by `map`.
 *
 * `next` writes it, `value` reads it. The end or failure of a source piped into it does not end it, and what a
 * subscriber writes in answer to a value reaches all subscribers in order. Objects and arrays are values: replace
 * them, a change inside one goes unnoticed.
 */
export class Field<T> extends BatchedSubject<T> {
  /** @internal What it stands for now. */
  entries: readonly Entry[] = noEntries;
  /** What it was mapped to last. */
  #latest: Entry | undefined;

  /**
   * Makes this field a record's value at a path: the key in requests and answers, dots for nested objects.
   *
   * Keeps the value, which counts as confirmed. A field mapped at the same path before is replaced. May come before
   * or after `boot`. A field may be mapped into several records; what it says of itself then speaks of the latest.
   *
   * @returns The same field.
   * @throws TypeError for an empty path, for one that names `__proto__`, `constructor` or `prototype`, and for one
   *   that lies inside another mapped path or has one inside; and without an object as the record.
   */
  map<const P extends string>(path: P, record: object): MappedField<T, P> {
    if (!isObject(record)) throw new TypeError(`map: "${path}" needs its record, usually "this"`);
    this.#latest = recordOf(record).map(path, this);
    return this as unknown as MappedField<T, P>;
  }

  /** @internal */
  override put(value: T): void {
    super.put(value);
    for (const { record } of this.entries) record.changed();
  }

  /** @internal */
  get path(): string | undefined {
    return this.#latest?.path;
  }

  /** @internal */
  get isDirty$(): StateStream<boolean> | undefined {
    const entry = this.#latest;
    return (
      entry &&
      (entry.isDirty$ ??= entry.record.derive(() => entry.record.fields.includes(entry) && isDirty(entry)))
    );
  }

  /** @internal */
  get remote$(): StateStream<T> | undefined {
    const entry = this.#latest;
    return entry && ((entry.remote$ ??= entry.record.derive(() => entry.confirmed)) as StateStream<T>);
  }

  /** @internal */
  reset(): void {
    this.#latest?.record.restore([this.#latest]);
  }
}

/** A field that is part of a record. */
export interface MappedField<T, P extends string> extends Field<T> {
  /** Where the value is in the record's data. */
  readonly path: P;
  /** Whether the value shown differs from the one last confirmed; a change that is taken back is clean again. */
  readonly isDirty$: StateStream<boolean>;
  /** The value the server last confirmed. */
  readonly remote$: StateStream<T>;
  /** Writes the value last confirmed. */
  reset(): void;
}

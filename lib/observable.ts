import { BatchedSubject } from './batched-subject';
import { isDirty } from './entry';
import type { Entry } from './entry';
import { isObject } from './objects';
import { recordOf } from './record';
import type { StateStream } from './types';

/** Shared by all fields that are not mapped yet, since there may be many. */
const noEntries: readonly Entry[] = [];

/**
 * An observable value: a `BehaviorSubject` that becomes part of a record by `map`.
 *
 * `next` writes it, `value` reads it. The end or failure of a source piped into it does not end it, and what a subscriber
 * writes in response to a value reaches all subscribers in order. Objects and arrays are values: replace them, since a
 * change inside one goes unnoticed.
 */
export class Field<T> extends BatchedSubject<T> {
  /** @internal The entries it stands for now. */
  _entries: readonly Entry[] = noEntries;
  /** The entry it was mapped to last. */
  #latest: Entry | undefined;

  /**
   * Makes this field a record's value at a path: its key in requests and answers, with dots for nested objects.
   *
   * Keeps the value, which counts as confirmed. Replaces a field mapped at the same path. May be called before or after
   * `boot`. A field may be mapped into several records; its `path`, `isDirty$`, `remote$` and `reset` then belong to the
   * latest, and it holds them all until they are disposed of or unmap it.
   *
   * @returns The same field.
   * @throws TypeError for an empty path, for one that names `__proto__`, `constructor` or `prototype`, for one inside or
   *   around another mapped path, and if the record is not an object.
   */
  map<const P extends string>(path: P, record: object): MappedField<T, P> {
    if (!isObject(record)) throw new TypeError(`map: "${path}" needs its record, usually "this"`);
    this.#latest = recordOf(record).map(path, this);
    return this as unknown as MappedField<T, P>;
  }

  /** @internal */
  override _put(value: T): void {
    super._put(value);
    for (const { record } of this._entries) record.changed();
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

/** A field that is part of a record, at the path `P`: by default any. */
export interface MappedField<T, P extends string = string> extends Field<T> {
  /** The path of the value in the record's data. */
  readonly path: P;
  /** Whether the value shown differs from the one last confirmed; undoing a change makes it clean again. */
  readonly isDirty$: StateStream<boolean>;
  /** The value the server last confirmed. */
  readonly remote$: StateStream<T>;
  /** Restores the value last confirmed. */
  reset(): void;
}

import { equal, isObject } from './equal';
import { mappingOf } from './mapping';
import type { Entry } from './mapping';
import { Ordered, States } from './state';
import type { StateStream } from './types';

/**
 * An observable value: a `BehaviorSubject` that becomes part of a record by `map`.
 *
 * `next` writes it, `value` reads it. The end or failure of a source piped into it does not end it, and what a
 * subscriber writes in answer to a value reaches all subscribers in order. Objects and arrays are values: replace
 * them, a change inside one goes unnoticed.
 */
export class Field<T> extends Ordered<T> {
  readonly #entries: Entry[] = [];
  #states: States | undefined;

  /**
   * Makes this field a record's value at a path: the key in requests and answers, dots for nested objects.
   *
   * Keeps the value, which counts as confirmed. A field mapped at the same path before is replaced. May come before
   * or after `boot`. A field may be mapped into several records; what it says of itself then speaks of the latest.
   *
   * @returns The same field.
   * @throws TypeError for an empty path, for one that names `__proto__`, `constructor` or `prototype`, and for one
   *   that lies inside another mapped path.
   */
  map<const P extends string>(path: P, record: object): MappedField<T, P> {
    if (!isObject(record)) throw new TypeError(`map: "${path}" needs the record it belongs to, usually "this"`);
    this.#entries.push(mappingOf(record).add(path, this));
    return this as unknown as MappedField<T, P>;
  }

  /** @internal */
  get path(): string | undefined {
    return this.#latest?.path;
  }

  /** @internal */
  get isDirty$(): StateStream<boolean> {
    return (this.#states ??= new States()).get('isDirty$', () => this.#latest?.isDirty ?? false);
  }

  /** @internal */
  get remote$(): StateStream<T> {
    return (this.#states ??= new States()).get('remote$', () => this.#remote, equal);
  }

  /** @internal */
  reset(): void {
    this.next(this.#remote);
  }

  /** @internal */
  override set(value: T): void {
    super.set(value);
    for (const { mapping } of this.#entries) mapping.touch();
  }

  /** @internal */
  protected override onTold(): void {
    this.refresh();
    for (const { mapping } of this.#entries) mapping.changed();
  }

  /** @internal */
  refresh(): void {
    this.#states?.refresh();
  }

  /** @internal */
  release(entry: Entry): void {
    this.#entries.splice(this.#entries.indexOf(entry), 1);
    this.refresh();
  }

  /** @internal Ends the field with its record, unless another record still holds it. */
  override end(): void {
    if (this.#entries.length > 0) return;
    super.end();
    this.#states?.end();
  }

  get #latest(): Entry | undefined {
    return this.#entries.at(-1);
  }

  get #remote(): T {
    return (this.#latest ? this.#latest.confirmed : this.value) as T;
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

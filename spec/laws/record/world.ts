import { of } from 'rxjs';
import type { Observable } from 'rxjs';

import { createLib } from 'rivulet';
import type { RequestOptions } from 'rivulet';

import { Person } from '../../person';
import type { Answer, Sent } from '../wire';
import { World, parse, unparsable } from '../world';
import type { Call } from '../world';

import { Oracle, dataOf, isSameId } from './oracle';

type Kind = 'fetch' | 'save' | 'destroy';

/** The origin of a value: an edit, or the answer to a request. */
export interface Origin {
  readonly at: number;
  readonly sent?: Sent;
}

/** The streams whose subscribers may act. */
export const stages = ['id', 'name', 'isReading$', 'isSaving$', 'isDirty$'] as const;

/** A person and the server that holds it. */
export class RecordWorld extends World {
  override readonly target: Person;
  readonly oracle: Oracle;
  readonly origins = new Map<unknown, Origin>();
  /** Values that a `reset()` may have restored: for a read under way they are no edits. */
  readonly restored = new Set<unknown>();
  /** The id for which each request was made. */
  readonly ids = new Map<Sent, unknown>();
  /** The id that each destroy is meant for: the one shown when it was called, unless a write before it changes that. */
  readonly #meant = new Map<Call, unknown>();
  /** The writes whose record had another id when they were answered. */
  readonly #past = new Set<Sent>();

  constructor(id: unknown, usesPromises = false) {
    super(usesPromises);
    this.oracle = new Oracle(id);
    this.target = new Person(createLib({ transport: this.wire.transport }), { parse }, { id });
    let last = id;
    this.target.id.subscribe((next) => {
      // A failure says nothing about a record with another id.
      if (!isSameId(next, last)) this.error = null;
      last = next;
    });
  }

  /** Subscribes to all streams whose subscribers may act. */
  listenAll(): this {
    for (const stage of stages) this.listen(stage, this.target[stage]);
    return this;
  }

  /** A text that has not been used before. */
  fresh(prefix: string, sent?: Sent): string {
    const at = this.tick();
    const value = `${prefix}${String(at)}`;
    this.origins.set(value, sent ? { at, sent } : { at });
    return value;
  }

  /** Emits a followed row, whole or in part. */
  row(isPart: boolean): void {
    const { id } = this.target;
    const name = this.fresh('row');
    const row = dataOf({
      ...(id.value ? { id: id.value } : {}),
      name,
      ...(isPart ? {} : { city: this.fresh('row') }),
    });
    if (this.isDisposed) return;
    const merged = this.oracle.row(row, this.tick());
    this.target.follow(of(row as object)).subscribe(merged);
  }

  protected override stream(kind: Kind, options: RequestOptions): Observable<Response> {
    this.#mean(kind);
    return this.target[`${kind}$`](options);
  }

  protected override promise(kind: Kind, options: RequestOptions): Promise<Response> {
    this.#mean(kind);
    return this.target[kind](options);
  }

  #mean(kind: Kind): void {
    const call = this.calls.at(-1);
    if (call && kind === 'destroy') this.#meant.set(call, this.target.id.value);
  }

  protected override dataFor(sent: Sent, answer: Answer): unknown {
    const id = sent.method === 'POST' ? 100 + this.tick() : this.ids.get(sent);
    const name = this.fresh('name', sent);
    if (answer === 'unparsable') return unparsable;
    if (answer === 'echo') return { ...sent.body, id };
    return dataOf(answer === 'part' ? { id, name } : { id, name, city: this.fresh('city', sent) });
  }

  protected override sending(sent: Sent, call: Call): void {
    const id = this.target.id.value;
    if (call.kind === 'destroy' && !isSameId(id, this.#meant.get(call)))
      this.problems.push(
        `destroy was meant for ${String(this.#meant.get(call))}, and sent for ${String(id)}`,
      );
    this.ids.set(sent, id);
    this.oracle.send(sent, call.options);
  }

  protected override answering(sent: Sent, answer: Answer, data: unknown): void {
    if (!sent.isWrite) return;
    if (this.#isOfAnother(sent)) this.#past.add(sent);
    this.#move(sent, () => {
      this.oracle.written(sent, answer, data, this.tick());
    });
  }

  protected override isPast(sent: Sent): boolean {
    return sent.isWrite ? this.#past.has(sent) : this.#isOfAnother(sent);
  }

  #isOfAnother(sent: Sent): boolean {
    return !isSameId(this.target.id.value, this.ids.get(sent));
  }

  protected override abandoned(sent: Sent): void {
    if (!sent.isWrite) return;
    this.#move(sent, () => {
      this.oracle.abandoned(sent);
    });
  }

  /** Ends a write: if that changes the id of the record, each destroy that waits is meant for the new one. */
  #move(sent: Sent, end: () => void): void {
    const isOfAnother = this.#isOfAnother(sent);
    end();
    if (isOfAnother) return;
    for (const [call, id] of this.#meant)
      if (isSameId(id, this.ids.get(sent))) this.#meant.set(call, this.oracle.shown.id);
  }

  protected override delivered(sent: Sent): void {
    if (!sent.isWrite) this.oracle.read(sent);
  }
}

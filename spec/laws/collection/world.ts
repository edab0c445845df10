import type { Observable } from 'rxjs';

import { createLib } from 'rivulet';
import type { Collection, RequestOptions } from 'rivulet';

import type { Item } from '../../people';
import type { Answer, Sent } from '../wire';
import { World, parse, unparsable } from '../world';

import { Oracle } from './oracle';

/** A collection of people and the server that holds it. */
export class CollectionWorld extends World {
  override readonly target: Collection<Item>;
  readonly oracle = new Oracle();
  /** The rows of the server. */
  served: readonly Item[] = [];

  constructor(usesPromises = false) {
    super(usesPromises);
    const root = createLib({ transport: this.wire.transport });
    this.target = root.collection<Item>({ url: '/people', parse });
  }

  /** Records an expected write of the whole list; after the disposal none is expected. */
  write(items: readonly Item[]): void {
    if (!this.isDisposed) this.oracle.write(items);
  }

  protected override stream(kind: string, { attrs, ...options }: RequestOptions): Observable<Response> {
    return kind === 'create' ? this.target.create$(attrs as Item, options) : this.target.fetch$(options);
  }

  protected override promise(kind: string, { attrs, ...options }: RequestOptions): Promise<Response> {
    return kind === 'create' ? this.target.create(attrs as Item, options) : this.target.fetch(options);
  }

  protected override dataFor(sent: Sent, answer: Answer): unknown {
    if (answer === 'unparsable') return unparsable;
    return sent.isWrite ? this.#itemFor(sent, answer) : this.#listFor(sent, answer);
  }

  protected override sending(sent: Sent): void {
    if (sent.isWrite) this.oracle.creating(sent, this.callOf(sent).options.attrs as Item);
    else this.oracle.reading(sent);
  }

  protected override answering(sent: Sent, answer: Answer, data: unknown): void {
    if (!sent.isWrite || !['new', 'echo', 'part', 'empty'].includes(answer)) return;
    this.oracle.created(sent, (answer === 'empty' ? this.callOf(sent).options.attrs : data) as Item);
  }

  protected override abandoned(): void {
    // Nothing changes.
  }

  protected override isPast(): boolean {
    return false;
  }

  protected override delivered(sent: Sent): void {
    if (!sent.isWrite && sent.answer !== 'refused') this.oracle.read(sent, sent.data);
  }

  #itemFor({ body }: Sent, answer: Answer): unknown {
    const id = 100 + this.tick();
    return answer === 'echo' ? body : answer === 'part' ? { id, name: 'Eve' } : { ...body, id };
  }

  /** Copies, as a server returns them; a new item among them names the read that fetched it. */
  #listFor({ at }: Sent, answer: Answer): unknown {
    if (answer === 'part' || answer === 'empty') return {};
    const items = answer === 'echo' ? this.target.value : this.served;
    return [...items.map((item) => ({ ...item })), ...(answer === 'echo' ? [] : [{ name: readBy(at) }])];
  }
}

/** The name of an item that a read fetched: it says when that read was sent. */
const readBy = (at: number): string => `read ${String(at)}`;
export const sentAt = ({ name }: Item): number => Number(/^read (\d+)$/.exec(name)?.[1] ?? 0);

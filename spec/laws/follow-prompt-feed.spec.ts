import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection } from 'rivulet';
import { followChanges } from 'rivulet/live';
import type { Change } from 'rivulet/live';

import { watch } from '../watch';

import { law } from './law';
import { same } from './same';
import { Wire } from './wire';
import type { Sent } from './wire';

interface Row {
  readonly id: number;
  readonly text: string;
  readonly note: string;
}

/** A server that performs writes and announces what others change at once, and a client; only reads of the list take time. */
class World {
  readonly wire = new Wire();
  rows: readonly Row[] = [1, 2, 3].map((id) => ({ id, text: 'a', note: 'b' }));
  readonly list: Collection<Row>;
  /** Whether the list has been filled. */
  isRead: boolean;
  readonly #feed$ = new Subject<Change<Row>>();
  readonly #answers = new Map<Sent, readonly Row[]>();
  #lastId = 3;
  #texts = 0;

  constructor(isRead: boolean) {
    this.isRead = isRead;
    const root = createLib({ transport: this.wire.transport });
    this.list = root.collection<Row>({ url: '/list', ...(isRead && { data: this.rows }) });
    followChanges(this.list, this.#feed$).subscribe();
  }

  take(step: string, place: number): void {
    const { list, wire, rows } = this;
    const text = `text ${(this.#texts += 1)}`;
    const row = rows[place];
    const read = wire.open[place];
    if (step === 'read the list') watch(list.fetch$());
    else if (step === 'handle' && read) this.#answers.set(read, this.#answers.get(read) ?? rows);
    else if (step === 'answer' && read) this.#answer(read);
    else if (step === 'fail') read?.respond('offline', undefined);
    else if (step === 'theirs: create') this.#put({ id: (this.#lastId += 1), text, note: '' });
    else if (step === 'theirs: change' && row) this.#put({ ...row, text });
    else if (step === 'theirs: note' && row) this.#patch({ id: row.id, note: text });
    else if (step === 'theirs: delete' && row) this.#delete(row.id);
    else if (step === 'create') watch(list.create$({ text, note: '' }));
    else if (row) this.#use(row, step, text);
    this.#perform();
  }

  #use({ id }: Row, step: string, text: string): void {
    const record = this.list.record(id);
    // Of a row that was never read, only what it is made of would be sent.
    if (!this.list.byId(id)) return;
    if (step === 'destroy') watch(record.destroy$());
    if (step === 'save' || step === 'patch') {
      record.text.next(text);
      watch(record.save$({ patch: step === 'patch' }));
    }
  }

  /** Performs the writes that were sent, and answers them. */
  #perform(): void {
    for (const sent of this.wire.open.filter(({ isWrite }) => isWrite)) {
      const id = Number(sent.request.url.split('/')[2]) || (this.#lastId += 1);
      const others = this.rows.filter((row) => row.id !== id);
      const known = this.rows.find((row) => row.id === id);
      const row: Row = { text: '', note: '', ...known, ...sent.body, id };
      this.rows = sent.method === 'DELETE' ? others : [...others, row];
      if (sent.method === 'DELETE') sent.respond('empty', undefined);
      else sent.respond('new', row);
    }
  }

  #put(row: Row): void {
    this.rows = [...this.rows.filter(({ id }) => id !== row.id), row];
    this.#feed$.next({ kind: 'put', item: row });
  }

  #patch(part: Partial<Row>): void {
    this.rows = this.rows.map((row) => (row.id === part.id ? { ...row, ...part } : row));
    this.#feed$.next({ kind: 'patch', item: { id: 0, ...part } });
  }

  #delete(id: number): void {
    this.rows = this.rows.filter((row) => row.id !== id);
    this.#feed$.next({ kind: 'delete', item: { id } });
  }

  #answer(read: Sent): void {
    this.isRead = true;
    read.respond('new', this.#answers.get(read) ?? this.rows);
  }

  check(): void {
    const inOrder = (rows: readonly Row[]) => [...rows].sort((a, b) => a.id - b.id);
    if (this.isRead) same(inOrder(this.list.value), inOrder(this.rows), 'the list');
  }
}

describe('a list that follows changes without versions', () => {
  const step = fc.tuple(
    fc.oneof(
      { weight: 2, arbitrary: fc.constantFrom('read the list', 'handle', 'answer') },
      fc.constantFrom('fail', 'create', 'save', 'patch', 'destroy'),
      fc.constantFrom('theirs: create', 'theirs: change', 'theirs: note', 'theirs: delete'),
    ),
    fc.nat(4),
  );

  law(
    'is always as the server, while it is read again and again, whatever those reads have missed',
    [fc.boolean(), fc.array(step, { maxLength: 40, size: 'max' })],
    (isRead, steps) => {
      const world = new World(isRead);
      for (const [name, place] of steps) {
        world.take(name, place);
        world.check();
      }
    },
    300,
  );
});

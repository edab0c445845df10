import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, ItemRecord } from 'rivulet';
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
  readonly version: number;
}

/** A server that handles each request once told to, answers it later, and reports each change once told to. */
class Server {
  readonly wire = new Wire();
  rows: readonly Row[] = [1, 2, 3].map((id) => ({ id, text: 'a', note: 'b', version: 1 }));
  /** What has happened, and was not reported yet. */
  readonly changes: Change<Row>[] = [];
  readonly #answers = new Map<Sent, unknown>();
  #lastId = 3;
  #lastVersion = 1;

  get unhandled(): readonly Sent[] {
    return this.wire.open.filter((sent) => !this.#answers.has(sent));
  }

  get handled(): readonly Sent[] {
    return this.wire.open.filter((sent) => this.#answers.has(sent));
  }

  handle(sent: Sent): void {
    this.#answers.set(sent, this.#answerTo(sent));
  }

  answer(sent: Sent): void {
    const data = this.#answers.get(sent);
    const isWhole = sent.method !== 'PATCH';
    if (data === 404) sent.respond('refused', undefined);
    else if (data === undefined) sent.respond('empty', undefined);
    else sent.respond('new', isWhole ? data : { id: (data as Row).id, ...this.#partOf(sent, data as Row) });
  }

  /** The answer to a patch has only what was sent, and the version. */
  #partOf({ body }: Sent, row: Row): object {
    return { ...body, version: row.version };
  }

  /** Creates or changes a row, or deletes it. */
  put(id: number | undefined, data: object): Row {
    const known = this.rows.find((row) => row.id === id) ?? { id: (this.#lastId += 1), text: '', note: '' };
    const row: Row = { ...known, ...data, id: known.id, version: (this.#lastVersion += 1) };
    const others = this.rows.filter((each) => each.id !== row.id);
    this.rows = [...others, row].sort((a, b) => a.id - b.id);
    this.changes.push({ kind: 'put', item: row });
    return row;
  }

  delete(id: number): void {
    this.rows = this.rows.filter((row) => row.id !== id);
    this.changes.push({ kind: 'delete', item: { id, version: (this.#lastVersion += 1) } });
  }

  #answerTo({ request, method, body }: Sent): unknown {
    const id = Number(request.url.split('/')[2]);
    if (method === 'POST') return this.put(undefined, body);
    if (!id) return this.rows;
    const row = this.rows.find((each) => each.id === id);
    if (!row) return 404;
    if (method === 'GET') return row;
    if (method !== 'DELETE') return this.put(id, body);
    this.delete(id);
    return undefined;
  }
}

/** A list that follows the changes of others, while it is used itself. */
class Client {
  readonly server = new Server();
  readonly list: Collection<Row>;
  readonly held = new Set<ItemRecord<Row>>();
  /** What was reported, of rows that are in the list, or were reported to be deleted. */
  reported: Change<Row>[] = [];
  readonly #feed$ = new Subject<readonly Change<Row>[]>();
  #texts = 0;

  constructor() {
    const root = createLib({ transport: this.server.wire.transport });
    this.list = root.collection<Row>({ url: '/list', data: this.server.rows });
    followChanges(this.list, this.#feed$, { version: ({ version }) => version }).subscribe();
  }

  take(step: string, place: number): void {
    const { list, server } = this;
    const text = `text ${(this.#texts += 1)}`;
    const row = server.rows[place];
    const item = list.at(place);
    if (step === 'read the list') watch(list.fetch$());
    else if (step === 'leave') server.wire.open[place]?.respond('offline', undefined);
    else if (step === 'create') watch(list.create$({ text, note: '', version: 0 }));
    else if (step === 'theirs: create') server.put(undefined, { text });
    else if (step === 'theirs: change' && row) server.put(row.id, { text });
    else if (step === 'theirs: note' && row) server.put(row.id, { note: text });
    else if (step === 'theirs: delete' && row) server.delete(row.id);
    else if (step === 'report') this.report(server.changes.splice(place, 1));
    else if (step === 'report a burst') this.report(server.changes.splice(0, place + 1).reverse());
    else if (step === 'report twice') this.report(server.changes.slice(place, place + 1));
    else if (step === 'handle')
      server.unhandled.slice(place, place + 1).forEach((each) => {
        server.handle(each);
      });
    else if (step === 'answer')
      server.handled.slice(place, place + 1).forEach((each) => {
        server.answer(each);
      });
    else if (item) this.#use(list.record(item), step, text);
    this.#settle();
  }

  report(changes: readonly Change<Row>[]): void {
    this.reported.push(...changes);
    this.#feed$.next(changes);
    this.#settle();
  }

  /** A row that has gone without a report (destroyed here, or missing in an answer) may come back with an older one. */
  #settle(): void {
    const { list } = this;
    this.reported = this.reported.filter(({ kind, item }) => kind === 'delete' || list.byId(item.id));
  }

  #use(record: ItemRecord<Row>, step: string, text: string): void {
    this.held.add(record);
    if (step === 'destroy') watch(record.destroy$());
    else if (step === 'read') watch(record.fetch$());
    else {
      record.text.next(text);
      watch(record.save$({ patch: step === 'patch' }));
    }
  }

  /** Lets everything under way end, and reports what was not reported. */
  finish(): void {
    const { server } = this;
    while (server.wire.open.length) {
      server.unhandled.forEach((each) => {
        server.handle(each);
      });
      server.handled.slice(0, 1).forEach((each) => {
        server.answer(each);
      });
    }
    this.report(server.changes.splice(0).reverse());
  }
}

/** No row is older than what was reported of it, and none is there that was reported to be deleted since. */
function isUpToDate({ list, reported }: Client): void {
  for (const { kind, item } of reported) {
    const known = list.byId(item.id)?.version ?? Infinity;
    const version = Number(item.version);
    same(kind === 'put' ? known >= version : known > version, true, `not older than ${JSON.stringify(item)}`);
  }
}

describe('a list that follows changes with versions', () => {
  const step = fc.tuple(
    fc.oneof(
      fc.constantFrom('read the list', 'leave', 'create'),
      fc.constantFrom('save', 'patch', 'destroy', 'read'),
      fc.constantFrom('theirs: create', 'theirs: change', 'theirs: note', 'theirs: delete'),
      { weight: 2, arbitrary: fc.constantFrom('report', 'report a burst', 'report twice') },
      { weight: 3, arbitrary: fc.constantFrom('handle', 'answer') },
    ),
    fc.nat(4),
  );

  law(
    'has no row older than reported, and ends as the server, in whatever order answers and reports come',
    [fc.array(step, { maxLength: 40, size: 'max' })],
    (steps) => {
      const client = new Client();
      for (const [name, place] of steps) {
        client.take(name, place);
        isUpToDate(client);
      }
      client.finish();

      const { list, server, held } = client;
      const byId = [...list.value].sort((a, b) => a.id - b.id);
      same(byId, server.rows, 'the list');
      for (const record of held) {
        const row = server.rows.find(({ id }) => id === record.get().id);
        if (row && !record.isDirty$.value) same(record.get(), row, 'a record');
      }
    },
    500,
  );
});

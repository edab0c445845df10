import fc from 'fast-check';
import { Subject, filter } from 'rxjs';
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

/** The id of the row that a request is for; NaN for the list. */
const idOf = ({ request }: Sent): number => Number(request.url.split('/')[2]);

/** A server that handles each request once told to, answers it later, and reports each change once told to. */
class Server {
  readonly wire = new Wire();
  rows: readonly Row[] = [1, 2, 3].map((id) => ({ id, text: 'a', note: 'b', version: 1 }));
  /** What has happened, and was not reported yet. */
  readonly changes: Change<Row>[] = [];
  readonly #answers = new Map<Sent, unknown>();
  /** All states of all rows, the oldest first. */
  readonly #states: Row[] = [...this.rows];
  readonly #isReplicated: boolean;
  #lastId = 3;
  #lastVersion = 1;

  /** @param isReplicated Whether reads may be answered by a replica that lags behind. */
  constructor(isReplicated: boolean) {
    this.#isReplicated = isReplicated;
  }

  get unhandled(): readonly Sent[] {
    return this.wire.open.filter((sent) => !this.#answers.has(sent));
  }

  get handled(): readonly Sent[] {
    return this.wire.open.filter((sent) => this.#answers.has(sent));
  }

  handle(sent: Sent): void {
    this.#answers.set(sent, this.#answerTo(sent));
  }

  /** Has a replica handle a read, for which each row is as it was some changes ago, and none is deleted. */
  handleLate(sent: Sent, changes: number): void {
    if (!this.#isReplicated || sent.isWrite) {
      this.handle(sent);
      return;
    }
    const ids = [...new Set(this.#states.map(({ id }) => id))];
    // Of fewer states, the first.
    const rows = ids.flatMap((id) =>
      this.#states
        .filter((state) => state.id === id)
        .slice(-1 - changes)
        .slice(0, 1),
    );
    const id = idOf(sent);
    this.#answers.set(sent, id ? rows.find((row) => row.id === id) : rows);
  }

  answer(sent: Sent): void {
    const data = this.#answers.get(sent);
    const isWhole = this.#isReplicated || sent.method !== 'PATCH';
    if (data === 404) sent.respond('refused', undefined);
    else if (data === undefined) sent.respond('empty', undefined);
    else sent.respond('new', isWhole ? data : { id: (data as Row).id, ...this.#partOf(sent, data as Row) });
  }

  /** The answer to a patch has only what was sent, and the version: enough if no read is answered with something older. */
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
    this.#states.push(row);
    return row;
  }

  delete(id: number): void {
    this.rows = this.rows.filter((row) => row.id !== id);
    this.changes.push({ kind: 'delete', item: { id, version: (this.#lastVersion += 1) } });
  }

  #answerTo(sent: Sent): unknown {
    const { method, body } = sent;
    const id = idOf(sent);
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
  readonly server: Server;
  readonly list: Collection<Row>;
  readonly held = new Set<ItemRecord<Row>>();
  /** What was reported, of rows that are in the list, or were reported to be deleted. */
  reported: Change<Row>[] = [];
  /** What was shown or told in between, and must not have been. */
  readonly wrong: string[] = [];
  readonly #feed$ = new Subject<readonly Change<Row>[]>();
  #texts = 0;

  constructor(isReplicated: boolean) {
    this.server = new Server(isReplicated);
    const root = createLib({ transport: this.server.wire.transport });
    this.list = root.collection<Row>({ url: '/list', data: this.server.rows });
    followChanges(this.list, this.#feed$, { version: ({ version }) => version }).subscribe();
    let shown: readonly Row[] = [];
    this.list.subscribe((rows) => {
      for (const { id, version } of rows)
        this.#note('row', shown.find((row) => row.id === id)?.version, version);
      shown = rows;
    });
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
    else if (step === 'handle late')
      server.unhandled.slice(0, 1).forEach((each) => {
        server.handleLate(each, place);
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
    this.#hold(record);
    if (step === 'destroy') watch(record.destroy$());
    else if (step === 'read') watch(record.fetch$());
    else {
      record.text.next(text);
      if (step !== 'type') watch(record.save$({ patch: step === 'patch' }));
    }
  }

  #hold(record: ItemRecord<Row>): void {
    if (this.held.has(record)) return;
    this.held.add(record);
    let shown = 0;
    record.version.subscribe((version) => {
      this.#note('record', shown, version);
      shown = version;
    });
    for (const field of ['text', 'note'] as const) {
      const known = new Set<unknown>();
      record[field].subscribe((value) => known.add(value));
      record.conflicts$.pipe(filter(({ path }) => path === field)).subscribe(({ theirs }) => {
        if (known.has(theirs)) this.wrong.push(`a conflict with ${String(theirs)} is no news`);
        known.add(theirs);
      });
    }
  }

  #note(what: string, before: number | undefined, version: number): void {
    if (version < Number(before))
      this.wrong.push(`a ${what} goes back from ${String(before)} to ${String(version)}`);
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
function isUpToDate({ list, reported, wrong }: Client): void {
  same(wrong, []);
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
      fc.constantFrom('type', 'save', 'patch', 'destroy', 'read'),
      fc.constantFrom('theirs: create', 'theirs: change', 'theirs: note', 'theirs: delete'),
      { weight: 2, arbitrary: fc.constantFrom('report', 'report a burst', 'report twice') },
      { weight: 3, arbitrary: fc.constantFrom('handle', 'handle late', 'answer') },
    ),
    fc.nat(4),
  );

  law(
    'has no row older than reported, and ends as the server, in whatever order answers and reports come',
    [fc.boolean(), fc.array(step, { maxLength: 40, size: 'max' })],
    (isReplicated, steps) => {
      const client = new Client(isReplicated);
      for (const [name, place] of steps) {
        client.take(name, place);
        isUpToDate(client);
      }
      client.finish();
      isUpToDate(client);

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

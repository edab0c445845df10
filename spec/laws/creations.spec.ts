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

interface Item {
  readonly id?: number;
  readonly text: string;
}
type Row = Required<Item>;
type Held = ItemRecord<Item>;

/** The headers of a destroy that only marks a row as deleted. */
const soft = { 'x-soft': 'true' };

/** A server that handles each request once told to, and answers it whenever it is told to after that. */
class SlowServer {
  readonly wire = new Wire();
  rows: readonly Row[] = [
    { id: 1, text: 'a' },
    { id: 2, text: 'b' },
  ];
  /** Announces at once what has been created. */
  readonly feed$ = new Subject<Change<Row>>();
  readonly #answers = new Map<Sent, unknown>();
  readonly #isRenaming: boolean;
  #lastId = 2;

  /** @param isRenaming Whether a row has another id after each save, as where that is made of its text. */
  constructor(isRenaming: boolean) {
    this.#isRenaming = isRenaming;
  }

  get unhandled(): readonly Sent[] {
    return this.wire.open.filter((sent) => !this.#answers.has(sent));
  }

  get handled(): readonly Sent[] {
    return this.wire.open.filter((sent) => this.#answers.has(sent));
  }

  handle(sent: Sent): void {
    this.#answers.set(sent, this.#dataFor(sent));
  }

  answer(sent: Sent): void {
    const data = this.#answers.get(sent);
    sent.respond(data === undefined ? 'empty' : 'new', data);
  }

  #dataFor({ request, method, body }: Sent): unknown {
    const id = Number(request.url.split('/')[2]);
    const row = this.rows.find((each) => each.id === id);
    if (method === 'GET') return id ? row : this.rows;
    if (method === 'POST') {
      const created = { ...(body as Row), id: this.#newId() };
      this.rows = [...this.rows, created];
      this.feed$.next({ kind: 'put', item: created });
      return created;
    }
    const isSoft = request.headers.has('x-soft');
    const named = row && this.#isRenaming && !isSoft ? { id: this.#newId() } : {};
    const saved = row && method !== 'DELETE' ? [{ ...row, ...body, ...named }] : [];
    this.rows = this.rows.flatMap((each) => (each === row ? (isSoft ? [] : saved) : [each]));
    return saved[0];
  }

  #newId(): number {
    return (this.#lastId += 1);
  }
}

/** A person who works with a list, and holds on to each record. */
class Client {
  readonly server;
  readonly list: Collection<Item>;
  readonly held = new Set<Held>();
  #texts = 0;

  constructor(isFollowing: boolean, isRenaming: boolean) {
    this.server = new SlowServer(isRenaming);
    const { wire, rows, feed$ } = this.server;
    const root = createLib({ transport: wire.transport });
    const { sync } = root;
    // A destroy may be carried out as an update, which is answered with what has been deleted.
    root.sync = (action, concern, options) =>
      sync(options.headers === soft ? 'update' : action, concern, options);
    this.list = root.collection<Item>({ url: '/list', data: rows });
    if (isFollowing) followChanges(this.list, feed$).subscribe();
  }

  take(step: string, place: number): void {
    const { list, server } = this;
    const item = list.at(place);
    const text = `text ${String((this.#texts += 1))}`;
    if (step === 'read the list') watch(list.fetch$());
    else if (step === 'create') watch(list.create$({ text }));
    else if (step === 'save a new record') watch(this.#recordOf({ text }).save$());
    else if (step === 'save a draft') {
      const draft = { text };
      list.push(draft);
      watch(this.#recordOf(draft).save$());
    } else if (step === 'handle')
      server.unhandled
        .slice(place)
        .slice(0, 1)
        .forEach((each) => {
          server.handle(each);
        });
    else if (step === 'answer')
      server.handled
        .slice(place)
        .slice(0, 1)
        .forEach((each) => {
          server.answer(each);
        });
    else if (item?.id) this.#use(this.#recordOf(item), step, text);
  }

  #use(record: Held, step: string, text: string): void {
    if (step === 'destroy') watch(record.destroy$());
    else if (step === 'destroy softly') watch(record.destroy$({ headers: soft }));
    else if (step === 'read') watch(record.fetch$());
    else {
      record.text.next(text);
      watch(record.save$({ patch: step === 'patch' }));
    }
  }

  #recordOf(item: Item): Held {
    const record = this.list.record(item);
    this.held.add(record);
    return record;
  }

  /** Lets everything under way end. */
  finish(): void {
    while (this.server.wire.open.length) {
      this.server.unhandled.forEach((each) => {
        this.server.handle(each);
      });
      this.server.handled.slice(0, 1).forEach((each) => {
        this.server.answer(each);
      });
    }
  }
}

describe('a list, and the new and old records of its items', () => {
  const step = fc.tuple(
    fc.oneof(
      fc.constantFrom('read the list', 'create', 'save a new record', 'save a draft'),
      fc.constantFrom('save', 'patch', 'destroy', 'destroy softly', 'read'),
      { weight: 3, arbitrary: fc.constantFrom('handle', 'answer') },
    ),
    fc.nat(4),
  );

  law(
    'end as the server does, in whatever order it handles and answers requests, announced or not',
    [fc.boolean(), fc.boolean(), fc.array(step, { maxLength: 40, size: 'max' })],
    (isFollowing, isRenaming, steps) => {
      const client = new Client(isFollowing, isRenaming);
      for (const [name, place] of steps) client.take(name, place);
      client.finish();

      const { list, server, held } = client;
      const byId = (items: readonly Item[]) => [...items].sort((a, b) => Number(a.id) - Number(b.id));
      same(byId(list.value), byId(server.rows), 'the list');
      for (const record of held) {
        const row = server.rows.find(({ id }) => id === record.get().id);
        if (row) same([record.get(), record.isDirty$.value], [row, false], 'a record');
      }
    },
    300,
  );
});

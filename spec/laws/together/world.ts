import { setImmediate } from 'node:timers/promises';

import { VirtualTimeScheduler } from 'rxjs';

import { raise } from '../../hostile';
import { advance } from '../../virtual-time';
import { valuesOf } from '../../watch';
import { same } from '../same';

import { Client, paths } from './client';
import type { Call, ClientKind, Known } from './client';
import type { Fate } from './network';
import { Server } from './server';
import type { ServerKind } from './server';

/** A step; its text is what a counterexample shows. */
export interface Step {
  run(world: World): void;
  toString(): string;
}

/** The initial situation. */
export interface Setup {
  readonly server: ServerKind;
  readonly clients: readonly ClientKind[];
  /** The fates of the first requests; all later ones arrive. */
  readonly fates: readonly Fate[];
}

const good: Fate = { there: 10, back: 10, how: 'arrives', persists: false };
/** A stream without a signal. */
const plainly = { isPromise: false, hasSignal: false };

/** Some clients of one server, each with two records, of the same two rows. */
export class World {
  readonly scheduler = new VirtualTimeScheduler();
  readonly server: Server;
  readonly clients: readonly Client[];
  readonly problems: string[] = [];
  readonly #fates: Fate[];
  #typed = 0;

  constructor({ server, clients, fates }: Setup) {
    this.server = new Server(server);
    this.#fates = [];
    for (let count = 0; count < 2; count += 1) this.server.put({ a: this.fresh('s'), b: this.fresh('s') });
    const ledger = {
      accepted: this.server.accepted,
      repeated: this.server.repeated,
      problems: this.problems,
    };
    const fate = () => this.#fates.shift() ?? good;
    this.clients = clients.map(
      (kind, place) => new Client('xyz'[place] ?? '', kind, this.scheduler, this.server, ledger, fate),
    );
    this.server.wrote = (writer, changes) => {
      for (const client of this.clients) client.wrote(writer, changes);
    };
    for (const client of this.clients) {
      for (const id of [1, 2]) client.read(client.hold(id), {}, plainly);
      client.refetch(plainly);
    }
    this.pass(200);
    this.#fates.push(...fates);
  }

  client(place: number): Client {
    return this.clients[place % this.clients.length] ?? raise(new Error('no client'));
  }

  /** A text that has not been used before. */
  fresh(prefix: string): string {
    this.#typed += 1;
    return `${prefix}${String(this.#typed)}`;
  }

  /** Lets time pass. */
  pass(ms: number): void {
    advance(this.scheduler, this.scheduler.now() + ms);
  }

  look(): void {
    same(this.problems, []);
    for (const client of this.clients) client.look();
  }

  /** Lets everything finish that takes no time. */
  async settle(): Promise<void> {
    await setImmediate();
    this.look();
  }

  /** Lets so little time pass that work waiting for a promise is not late. */
  async briefly(): Promise<void> {
    this.pass(20);
    await this.settle();
  }

  /** Lets everything under way finish. */
  async calm(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) {
      this.pass(60_000);
      await this.settle();
      if (!this.scheduler.actions.length) return;
    }
  }

  async play(steps: readonly Step[]): Promise<void> {
    await this.settle();
    for (const step of steps) {
      step.run(this);
      await this.settle();
    }
    this.#fates.length = 0;
    for (const client of this.clients) {
      client.isRefreshGood = true;
      client.setOnline(true);
    }
    await this.calm();
    this.#nothingIsUnderWay();
    for (const [call, count] of this.server.created) same(count <= 1, true, `created twice by ${call}`);
    await this.#agree();
    await this.#end();
  }

  #nothingIsUnderWay(): void {
    for (const client of this.clients) {
      const open = client.calls.filter(({ isOpen }) => isOpen).map(({ what }) => what);
      same(open, [], 'calls that never ended');
      same(client.network.open.size, 0, 'requests on the wire');
      same(client.online$.observed, false, 'somebody waits for the network');
      for (const { record, name } of client.known) {
        const { isReading$, isSaving$, isCreating$, isUpdating$, isDeleting$, requestInProgress$ } = record;
        const flags = [isReading$, isSaving$, isCreating$, isUpdating$, isDeleting$, requestInProgress$];
        same(
          flags.map(({ value }) => value),
          flags.map(() => false),
          `flags of ${client.name} ${name}`,
        );
      }
      const { isReading$, isCreating$, requestInProgress$ } = client.list;
      same(
        [isReading$, isCreating$, requestInProgress$].map(({ value }) => value),
        [false, false, false],
      );
    }
  }

  /** In the end, every record can be saved, and shows what the server has. */
  async #agree(): Promise<void> {
    await this.#readAll();
    await this.#autosaves();
    for (const client of this.clients) {
      for (const known of client.known) {
        const { record } = known;
        if (known.isDisposed || !record.id.value || !this.server.rows.has(record.id.value)) continue;
        this.#insist(client, known);
        await this.#ask(() => client.save(known, { patch: true }, { ...plainly, merges: true }));
        this.#insist(client, known);
        const { status } = await this.#ask(() =>
          client.save(known, { patch: true }, { ...plainly, merges: true }),
        );
        same(status === 200 || status === 204, true, `the status of the last save, ${String(status)}`);
        same(record.isDirty$.value, false, `${client.name} ${known.name} is dirty`);
      }
    }
    await this.#readAll();
    await this.calm();
    this.#nothingIsUnderWay();
  }

  /** What is typed now into an autosaving record is saved, unless a conflict or the schema prevents it. */
  async #autosaves(): Promise<void> {
    for (const client of this.clients) {
      for (const known of client.known) {
        const { record, autosave, isDisposed, name } = known;
        if (!autosave || isDisposed || !this.server.rows.has(record.id.value ?? 0)) continue;
        client.type(known, 'a', this.fresh('t'));
        for (let turn = 0; turn < 50; turn += 1) await this.briefly();
        const isContested = valuesOf(record.conflicts$).length > 0;
        const isBad = record.b.value.startsWith('bad');
        same(record.isDirty$.value, isContested || isBad, `${client.name} ${name} is not saved by itself`);
      }
    }
  }

  /** Resolves all conflicts in favor of what is shown, and replaces what cannot be saved. */
  #insist(client: Client, known: Known): void {
    while (client.choose(known, 'keepMine'));
    for (const path of paths)
      if (known.record[path].value.startsWith('bad')) client.type(known, path, this.fresh('r'));
  }

  async #ask(ask: () => Call): Promise<Call> {
    const call = ask();
    for (let turn = 0; call.isOpen && turn < 500; turn += 1) await this.briefly();
    same(call.isOpen, false, `${call.what} never ended`);
    return call;
  }

  /** Makes each client read everything; after that, clean fields show what the server has. */
  async #readAll(): Promise<void> {
    for (const client of this.clients) {
      await this.#ask(() => client.refetch(plainly));
      same(client.list.value, this.server.list, `the list of ${client.name}`);
      for (const known of client.known) {
        const { record, name, isDisposed } = known;
        const row = this.server.rows.get(record.id.value ?? 0);
        if (isDisposed || !row) continue;
        const { status } = await this.#ask(() => client.read(known, { keepEdits: true }, plainly));
        same(status === 200 || status === 304, true, 'the status of the last read');
        for (const path of paths) {
          same(record[path].remote$.value, row[path], `${client.name} ${name}.${path} as confirmed`);
          same(record[path].isDirty$.value, record[path].value !== row[path], `dirty`);
        }
      }
      same(client.list.value, this.server.list, `the list of ${client.name} after the reads of records`);
    }
  }

  async #end(): Promise<void> {
    // Some records are disposed of with requests under way.
    for (const client of this.clients) {
      client.refetch(plainly);
      for (const known of client.known) {
        if (known.isDisposed) continue;
        client.read(known, {}, plainly);
        client.save(known, {}, plainly);
      }
    }
    for (const client of this.clients) client.dispose();
    const before = this.clients.map(({ network }) => network.count);
    for (const { network } of this.clients)
      same(network.open.size, 0, 'requests on the wire after the disposal');
    await this.calm();
    same(
      this.clients.map(({ network }) => network.count),
      before,
      'requests sent after the disposal',
    );
    for (const { calls } of this.clients)
      same(
        calls.filter(({ isOpen }) => isOpen).map(({ what }) => what),
        [],
        'calls that never ended',
      );
  }
}

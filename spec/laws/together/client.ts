import {
  BehaviorSubject,
  EMPTY,
  Observable,
  Subject,
  catchError,
  debounceTime,
  defer,
  noop,
  tap,
  timer,
} from 'rxjs';
import type { Subscription, VirtualTimeScheduler } from 'rxjs';

import { DataModel, createLib, equal, saveLatest } from 'rivulet';
import type { Around, Collection, Conflict, Interceptor, Lib, MappedField, RequestOptions } from 'rivulet';
import { etags, mergeConflicts } from 'rivulet/etag';
import { authRefresh, concurrency, dedupe, idempotencyKey, offlineHold, retry } from 'rivulet/resilience';
import { defineRecord, listOf } from 'rivulet/schema';
import type { StandardSchema } from 'rivulet/schema';
import { groups, view } from 'rivulet/views';

import { same } from '../same';

import { Network } from './network';
import type { Fate } from './network';
import type { Change, Row, Server } from './server';
import { Witness } from './witness';
import type { Ledger } from './witness';

export const origin = 'https://api.test';
const url = `${origin}/people`;
export const paths = ['a', 'b'] as const;
export type Path = (typeof paths)[number];

/** The configuration of a client. */
export interface ClientKind {
  readonly schema: 'none' | 'at once' | 'later';
  readonly refresh: 'stream' | 'promise';
  readonly limit: number;
  readonly timeout: number | undefined;
  readonly requestLull: number;
  readonly hasModel: boolean;
  readonly keepEdits: boolean;
  /** How conflicts are decided: at once, on notification, or later, if at all. */
  readonly decides: 'later' | Choice;
}

export type Choice = 'keepMine' | 'takeTheirs';

/** A record as this law uses it, however it was made. */
export type Held = DataModel & {
  readonly id: MappedField<number | undefined, 'id'>;
  readonly a: MappedField<string, 'a'>;
  readonly b: MappedField<string, 'b'>;
};

interface Data {
  readonly id?: number | undefined;
  readonly a: string;
  readonly b: string;
}

/** Refuses texts that begin with "bad". */
const schemaOf = (isLater: boolean): StandardSchema<Data> => ({
  '~standard': {
    version: 1,
    vendor: 'law',
    validate: (value) => {
      const data = value as Data;
      const outcome = paths.some((path) => data[path].startsWith('bad'))
        ? { issues: [{ message: 'bad' }] }
        : { value: { id: data.id, a: data.a, b: data.b } };
      return isLater ? Promise.resolve(outcome) : outcome;
    },
  },
});

/** Anything with an `error$`. */
interface Failing {
  readonly error$: { readonly value: Error | null };
}

/** How the last request of a target ended: of several that ended at one time, any may count as the last. */
interface Outcome {
  readonly at: number;
  readonly ends: readonly unknown[];
  /** The place, in the order of issue, of the newest that has failed since the last success. */
  readonly newestFailed: number;
}

/** A record with its witnesses. */
export interface Known {
  readonly name: string;
  readonly record: Held;
  readonly witnesses: Readonly<Record<Path, Witness>>;
  /** The conflicts reported, the latest last. */
  readonly conflicts: Conflict[];
  readonly rows$: Subject<object>;
  autosave?: Subscription;
  isDisposed: boolean;
  /** The confirmed values must be no older than these versions of that row. */
  floor: { readonly id: number; readonly a: number; readonly b: number } | undefined;
}

/** One call of a request method. */
export interface Call {
  readonly what: string;
  isOpen: boolean;
  status?: number;
  leave?: () => void;
}

export interface Asking {
  readonly isPromise: boolean;
  readonly hasSignal: boolean;
  readonly merges?: boolean;
}

/** A root with all extras, a list with views, and records of either kind. */
export class Client {
  readonly name: string;
  readonly network: Network;
  readonly kind: ClientKind;
  readonly list: Collection<Row, Held>;
  readonly known: Known[] = [];
  readonly calls: Call[] = [];
  readonly online$ = new BehaviorSubject(true);
  readonly root: Lib;
  /** All so far; the last is the one to abort next. */
  readonly controllers = [new AbortController()];
  isRefreshGood = true;
  readonly #server: Server;
  readonly #ledger: Ledger;
  readonly #scheduler: VirtualTimeScheduler;
  readonly #Model: new (root: Lib) => Held;
  readonly #views: (() => void)[];
  /** How the last requests of each target ended. */
  readonly #outcomes = new Map<Failing, Outcome>();
  /** Counts the requests, in the order of issue. */
  #issued = 0;
  #token = 1;
  isDisposed = false;

  constructor(
    name: string,
    kind: ClientKind,
    scheduler: VirtualTimeScheduler,
    server: Server,
    ledger: Ledger,
    fate: () => Fate,
  ) {
    this.name = name;
    this.kind = kind;
    this.#server = server;
    this.#ledger = ledger;
    this.#scheduler = scheduler;
    server.tokens.set(name, 1);
    this.network = new Network(scheduler, server, fate);
    const { timeout, keepEdits, requestLull, schema } = kind;
    this.root = createLib(
      etags({
        scheduler,
        timeout,
        keepEdits,
        transport: this.network.transport,
        around: this.#noteOutcome,
        interceptors: [this.#sign, ...this.#resilience(kind)],
      }),
    );
    this.#Model = schema === 'none' ? plainModel(requestLull) : schemaModel(schema === 'later', requestLull);
    const config = { url, requestLull, ...(kind.hasModel && { model: this.#Model }) };
    this.list =
      schema === 'none'
        ? this.root.collection<Row, Held>(config)
        : this.root.collection<Row, Held>(
            listOf<StandardSchema<Data>, Held>({ ...config, schema: schemaOf(schema === 'later') }) as never,
          );
    this.#views = this.#watchViews();
  }

  #resilience({ refresh, limit }: ClientKind): Interceptor[] {
    const renew$ = timer(50, this.#scheduler);
    const renew = (done: () => void, failed: () => void) =>
      renew$.subscribe(() => {
        if (!this.isRefreshGood) {
          failed();
          return;
        }
        this.#token = this.#server.tokens.get(this.name) ?? 0;
        done();
      });
    return [
      idempotencyKey(),
      authRefresh({
        origins: [origin],
        authorize: (headers) => {
          headers.set('authorization', `Bearer ${String(this.#token)}`);
        },
        refresh: () =>
          refresh === 'promise'
            ? new Promise((resolve, reject) => {
                renew(() => {
                  resolve(0);
                }, reject);
              })
            : new Observable<number>((subscriber) =>
                renew(
                  () => {
                    subscriber.next(0);
                  },
                  () => {
                    subscriber.error(new Error('refresh'));
                  },
                ),
              ),
      }),
      dedupe(),
      retry({ count: 2, jitter: 0 }),
      concurrency(limit),
      offlineHold(this.online$),
    ];
  }

  /** Tells the server which client and record a write comes from. */
  readonly #sign: Interceptor = (request, next, { action, concern }) => {
    const headers = new Headers(request.headers);
    headers.set('x-client', this.name);
    if (action !== 'read') {
      const writer = this.known.find(({ record }) => (record as unknown) === concern);
      headers.set('x-writer', `${this.name} ${writer?.name ?? 'list'}`);
      this.#noteRollback(request.headers, request.body, writer);
    }
    return next({ ...request, headers });
  };

  /** The edits that a save with `rollback` carries count as given up. */
  #noteRollback(headers: Headers, body: unknown, writer: Known | undefined): void {
    if (!headers.has('x-rollback') || typeof body !== 'string') return;
    const sent = JSON.parse(body) as Partial<Row>;
    for (const path of paths) {
      const witness = writer?.witnesses[path];
      if (witness?.edit !== undefined && witness.edit === sent[path]) witness.gaveUp();
    }
  }

  readonly #noteOutcome: Around = (request$, { action, concern }) =>
    new Observable((subscriber) => {
      const idNow = () => this.known.find(({ record }) => (record as unknown) === concern)?.record.id.value;
      const id = idNow();
      const order = (this.#issued += 1);
      return request$.subscribe({
        next: (response) => {
          // A request for a former id says nothing about the present record, unless its answer assigned the new id.
          const isOther = idNow() !== id;
          const isPast = (!response.ok || action === 'read') && isOther;
          // With another id, nothing has failed yet.
          if (!isPast) this.#ended(concern, isOther ? Infinity : order, response.ok ? null : 'HTTP');
          subscriber.next(response);
        },
        error: (error: unknown) => {
          if (idNow() === id) this.#ended(concern, order, error);
          subscriber.error(error);
        },
        complete: () => {
          subscriber.complete();
        },
      });
    });

  /** A success does not clear the failure of a newer request. */
  #ended(concern: Failing, order: number, end: unknown): void {
    const at = this.#scheduler.now();
    const last = this.#outcomes.get(concern);
    const newestFailed = last?.ends.at(-1) ? last.newestFailed : 0;
    if (end === null && order < newestFailed) return;
    const ends = [...(last?.at === at ? last.ends : []), end];
    this.#outcomes.set(concern, { at, ends, newestFailed: end ? Math.max(order, newestFailed) : 0 });
  }

  /** A view, a view of it, and groups, each with its check. */
  #watchViews(): (() => void)[] {
    const { list } = this;
    const initial = ({ a }: Row) => a[0] ?? '';
    const sorted = view(list, { sortBy: ['a', 'id'], descending: true });
    const page = view(sorted, {
      where: ({ b }: Row) => b.length % 2 === 0,
      sortBy: ['b', 'id'],
      limit: 2,
      offset: 1,
    });
    const byInitial = groups(list, initial);
    const shown = { sorted: sorted.value, page: page.value, groups: [...byInitial.value] };
    sorted.subscribe((rows) => (shown.sorted = rows));
    page.subscribe((rows) => (shown.page = rows));
    byInitial.subscribe((map) => (shown.groups = [...map]));
    const by = (path: 'a' | 'b') => (one: Row, other: Row) =>
      one[path] < other[path] ? -1 : one[path] > other[path] ? 1 : 0;
    // Items without an id and with equal values have no order that could be told from the list.
    const sameRows = (rows: readonly Row[], expected: readonly Row[], path: 'a' | 'b', what: string) => {
      const keys = (some: readonly Row[]) => some.map(({ [path]: value, id }) => [value, id]);
      same(keys(rows), keys(expected), what);
      // An item that was replaced by an equal copy may still be the old object.
      const unknown = rows.filter((row) => !list.value.some((other) => equal(row, other)));
      same(unknown, [], what);
      same(new Set(rows).size, rows.length, what);
    };
    return [
      () => {
        const all = [...list.value].sort(
          (one, other) => by('a')(other, one) || idOf(other, -Infinity) - idOf(one, -Infinity),
        );
        sameRows(shown.sorted, all, 'a', 'a view');
        const even = all.filter(({ b }) => b.length % 2 === 0);
        even.sort((one, other) => by('b')(one, other) || idOf(one, Infinity) - idOf(other, Infinity));
        sameRows(shown.page, even.slice(1, 3), 'b', 'a view of a view');
        const counts = new Map<string, number>();
        for (const row of list.value) counts.set(initial(row), (counts.get(initial(row)) ?? 0) + 1);
        const told = new Map(shown.groups.map(([key, { count }]) => [key, count]));
        same(told.size, counts.size, 'groups');
        for (const [key, count] of counts) same(told.get(key), count, 'a group');
      },
    ];
  }

  /** Adds a record of its own; a new one without an id. */
  hold(id: number | undefined): Known {
    const record = new this.#Model(this.root);
    if (id !== undefined) record.set({ id });
    return this.#keep(record);
  }

  /** Adds the live record of an item, if there is one. */
  holdLive(place: number): void {
    const item = this.list.value[place % (this.list.length || 1)];
    if (!item) return;
    const record = this.list.record(item);
    if (!this.known.some((each) => each.record === record)) this.#keep(record);
  }

  /** Adds a live record of an item that is yet to be created. */
  holdDraft(a: string, b: string): void {
    const known = this.#keep(this.list.record({ a, b }));
    known.witnesses.a.typed(a);
    known.witnesses.b.typed(b);
    // Its initial values are no edits.
    for (const path of paths) known.witnesses[path].gaveUp();
  }

  #keep(record: Held): Known {
    const name = `#${String(this.known.length)}`;
    const full = `${this.name} ${name}`;
    const known: Known = {
      name,
      record,
      witnesses: { a: new Witness(`${full}.a`, this.#ledger), b: new Witness(`${full}.b`, this.#ledger) },
      conflicts: [],
      rows$: new Subject(),
      isDisposed: false,
      floor: undefined,
    };
    this.known.push(known);
    this.#ended(record, Infinity, null);
    for (const path of paths) {
      record[path].subscribe((value) => {
        known.witnesses[path].shown(value);
      });
      record[path].remote$.subscribe((value) => {
        const { floor } = known;
        const since = floor && this.#server.since(floor.id, path, value);
        if (floor && floor.id === record.id.value && since !== undefined && since < floor[path])
          this.#ledger.problems.push(`${full}.${path} went back to ${value}`);
      });
    }
    // A destroy leaves the record clean, whatever was typed in the meantime.
    record.id.subscribe((id) => {
      if (!id) for (const path of paths) known.witnesses[path].gaveUp();
    });
    record.conflicts$.subscribe((conflict) => {
      known.witnesses[conflict.path as Path].told(conflict);
      known.conflicts.push(conflict);
      if (this.kind.decides !== 'later') this.choose(known, this.kind.decides);
    });
    record.follow(known.rows$).subscribe({ error: noop });
    return known;
  }

  /** The confirmed values have been saved, or have come as a row: the answers to earlier requests count as older. */
  raise(known: Known): void {
    const { id, a, b } = known.record;
    if (!id.value) return;
    const since = (path: Path, value: string) => this.#server.since(id.value ?? 0, path, value) ?? 0;
    known.floor = { id: id.value, a: since('a', a.remote$.value), b: since('b', b.remote$.value) };
  }

  /** A record that is not disposed. */
  at(place: number): Known | undefined {
    const present = this.known.filter(({ isDisposed }) => !isDisposed);
    return present[place % (present.length || 1)];
  }

  type({ record, witnesses }: Known, path: Path, value: string): void {
    witnesses[path].typed(value);
    record[path].next(value);
  }

  save(known: Known, options: RequestOptions, asking: Asking): Call {
    const { record } = known;
    const headers = {
      'x-call': `${this.name} ${String(this.calls.length)}`,
      ...(options.rollback && { 'x-rollback': '1' }),
    };
    const given = this.#given({ ...options, headers }, asking);
    const save$ = this.#raising(known, given);
    return this.#ask(
      `save ${known.name}`,
      asking,
      () => (asking.merges ? save$.pipe(mergeConflicts(record)) : save$),
      () => record.save(given),
    );
  }

  #raising(known: Known, options: RequestOptions): Observable<Response> {
    return known.record.save$(options).pipe(
      tap(({ ok }) => {
        if (ok) this.raise(known);
      }),
    );
  }

  read(known: Known, options: RequestOptions, asking: Asking): Call {
    const { record, witnesses } = known;
    if (!(options.keepEdits ?? this.kind.keepEdits)) for (const path of paths) witnesses[path].gaveUp();
    const given = this.#given(options, asking);
    return this.#ask(
      `read ${known.name}`,
      asking,
      () => record.fetch$(given),
      () => record.fetch(given),
    );
  }

  destroy(known: Known, asking: Asking): Call {
    const { record } = known;
    const given = this.#given({}, asking);
    return this.#ask(
      `destroy ${known.name}`,
      asking,
      () => record.destroy$(given),
      () => record.destroy(given),
    );
  }

  refetch(asking: Asking): Call {
    const given = this.#given({}, asking);
    return this.#ask(
      'refetch',
      asking,
      () => this.list.fetch$(given),
      () => this.list.fetch(given),
    );
  }

  create(item: Omit<Row, 'id'>, asking: Asking): Call {
    const headers = { 'x-call': `${this.name} ${String(this.calls.length)}` };
    const given = this.#given({ headers }, asking);
    return this.#ask(
      'create',
      asking,
      () => this.list.create$(item, given),
      () => this.list.create(item, given),
    );
  }

  /** Starts to autosave, or stops. */
  autosave(known: Known): void {
    const { record } = known;
    if (known.autosave) {
      known.autosave.unsubscribe();
      delete known.autosave;
      return;
    }
    let count = 0;
    const one$ = defer(() => {
      count += 1;
      const headers = { 'x-call': `${this.name} ${known.name} auto ${String(count)}` };
      return this.#raising(known, { patch: true, headers }).pipe(
        mergeConflicts(record),
        catchError(() => EMPTY),
      );
    });
    known.autosave = record.changes$
      .pipe(
        debounceTime(500, this.#scheduler),
        saveLatest(() => one$),
      )
      .subscribe();
  }

  choose(known: Known, choice: Choice): boolean {
    const conflict = known.conflicts.pop();
    if (!conflict) return false;
    const path = conflict.path as Path;
    const { [path]: witness } = known.witnesses;
    witness.gaveUp();
    conflict[choice]();
    witness.chose(known.record[path].value, conflict);
    return true;
  }

  reset({ record, witnesses }: Known): void {
    for (const path of paths) witnesses[path].gaveUp();
    record.reset();
    for (const path of paths) witnesses[path].meant(record[path].value);
  }

  setOnline(isOnline: boolean): void {
    if (isOnline !== this.online$.value) this.online$.next(isOnline);
    if (!isOnline) this.network.cut();
  }

  expire(): void {
    this.#server.tokens.set(this.name, (this.#server.tokens.get(this.name) ?? 0) + 1);
  }

  abort(): void {
    const controller = this.controllers.at(-1);
    this.controllers.push(new AbortController());
    controller?.abort();
  }

  leave(place: number): void {
    const open = this.calls.filter(({ isOpen, leave }) => isOpen && leave);
    open[place % (open.length || 1)]?.leave?.();
  }

  drop(known: Known): void {
    known.isDisposed = true;
    known.record.dispose();
    known.autosave?.unsubscribe();
  }

  dispose(): void {
    for (const known of this.known) this.drop(known);
    this.list.dispose();
    this.isDisposed = true;
  }

  /** Records what the server accepted from one of the records here. */
  wrote(name: string, changes: readonly Change[]): void {
    const writer = this.known.find((each) => `${this.name} ${each.name}` === name);
    for (const { path, before, after, isOld } of changes) {
      if (after === undefined) writer?.witnesses[path].deleted(before);
      else writer?.witnesses[path].wrote(after, before, isOld);
    }
  }

  /** Asserts what must hold at any time. */
  look(): void {
    same(this.network.peak <= this.kind.limit, true, 'the limit is passed');
    if (this.isDisposed) return;
    for (const check of this.#views) check();
    for (const [concern, { ends }] of this.#outcomes) {
      const { value } = concern.error$;
      const isRefusal = value && 'code' in value && value.code === 'HTTP';
      const shown = isRefusal ? 'HTTP' : value;
      if (!ends.includes(shown)) same(shown, ends.at(-1), 'error$');
    }
    for (const { record, witnesses, name, isDisposed } of this.known) {
      for (const path of isDisposed ? [] : paths) {
        const { edit } = witnesses[path];
        if (edit === undefined || this.#ledger.accepted.has(edit)) continue;
        same([record[path].value, record[path].isDirty$.value], [edit, true], `${this.name} ${name}.${path}`);
      }
    }
  }

  #given(options: RequestOptions, { hasSignal }: Asking): RequestOptions {
    return { ...options, ...(hasSignal && { signal: this.controllers.at(-1)?.signal }) };
  }

  #ask(
    what: string,
    { isPromise }: Asking,
    stream: () => Observable<Response>,
    promise: () => Promise<Response>,
  ): Call {
    const call: Call = { what: `${this.name}: ${what}`, isOpen: true };
    this.calls.push(call);
    const end = () => {
      if (!call.isOpen) this.#ledger.problems.push(`${call.what} ended twice`);
      call.isOpen = false;
    };
    if (isPromise) {
      promise().then((response) => {
        call.status = response.status;
        end();
      }, end);
      return call;
    }
    const subscription = stream().subscribe({
      next: ({ status }) => {
        if (call.status !== undefined) this.#ledger.problems.push(`${call.what} was answered twice`);
        call.status = status;
      },
      error: end,
      complete: () => {
        if (call.status === undefined) this.#ledger.problems.push(`${call.what} ended without an answer`);
        end();
      },
    });
    call.leave = () => {
      call.isOpen = false;
      subscription.unsubscribe();
    };
    return call;
  }
}

/** The id of an item; without one, a value that sorts it last in either order. */
const idOf = ({ id }: Partial<Row>, none: number): number => id ?? none;

function plainModel(requestLull: number): new (root: Lib) => Held {
  return class Person extends DataModel {
    readonly id: Held['id'];
    readonly a: Held['a'];
    readonly b: Held['b'];

    constructor(root: Lib) {
      super({ url, requestLull }, root);
      this.id = root.observable<number | undefined>(undefined).map('id', this);
      this.a = root.observable('').map('a', this);
      this.b = root.observable('').map('b', this);
    }
  };
}

const schemaModel = (isLater: boolean, requestLull: number): new (root: Lib) => Held =>
  defineRecord<StandardSchema<Data>>({
    url,
    requestLull,
    schema: schemaOf(isLater),
    initial: { id: undefined, a: '', b: '' },
  });

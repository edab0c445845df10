import fc from 'fast-check';
import { BehaviorSubject, Subject, Subscription, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, ItemRecord, Lib, LibOptions, RequestOptions } from 'rivulet';
import { etags } from 'rivulet/etag';
import { followChanges } from 'rivulet/live';
import type { Change } from 'rivulet/live';
import { PagedCollection } from 'rivulet/paging';
import { authRefresh, concurrency, idempotencyKey, offlineHold, retry } from 'rivulet/resilience';
import { listOf } from 'rivulet/schema';
import type { StandardSchema } from 'rivulet/schema';
import { TestClock, TestServer } from 'rivulet/testing';
import type { TestRequest } from 'rivulet/testing';

import { law } from './law';
import { same } from './same';
import { step } from './steps';
import type { Step as StepOf } from './world';

interface Row {
  readonly id: number;
  readonly a: number;
  readonly b: number;
  readonly version: number;
}
type Held = ItemRecord<Row>;
type Step = StepOf<World>;

/** What an extra makes a list of, or its root; without anything, the list is plain. */
interface Extra {
  readonly isPaged?: boolean;
  readonly hasSchema?: boolean;
  readonly hasInterceptors?: boolean;
}

interface Setup {
  readonly requestLull: number;
  readonly timeout: number | undefined;
  readonly feed: 'none' | 'plain' | 'with versions';
}

const url = 'https://api.test/rows';

const acceptsAll: StandardSchema<Row> = {
  '~standard': { version: 1, vendor: 'law', validate: (value) => ({ value: value as Row }) },
};

/** Interceptors that have nothing to do, as long as nobody is offline or signed out. */
const idle = (): LibOptions['interceptors'] => [
  idempotencyKey(),
  authRefresh({ origins: ['https://api.test'], authorize: () => undefined, refresh: () => of(0) }),
  retry({ count: 0 }),
  concurrency(99),
  offlineHold(new BehaviorSubject(true)),
];

/** A list, its records and their server, and a log of all that anybody is told. */
class World {
  readonly log: string[] = [];
  readonly list: Collection<Row>;
  readonly held: Held[] = [];
  readonly changes$ = new Subject<Change<Row>>();
  readonly #clock = new TestClock();
  readonly #server = new TestServer();
  readonly #calls: Subscription[] = [];
  /** What subscribers do when they are told something, each once. */
  readonly #reactions: { readonly stage: string; readonly step: Step }[] = [];
  readonly #answers = new Map<TestRequest, Parameters<TestRequest['answer']>>();
  #rows: readonly Row[] = [1, 2, 3].map((id) => ({ id, a: id, b: id, version: 0 }));
  #controller = new AbortController();
  #count = 10;
  #depth = 0;

  constructor({ isPaged, hasSchema, hasInterceptors }: Extra, { requestLull, timeout, feed }: Setup) {
    const options = { transport: this.#server.transport, scheduler: this.#clock, timeout };
    const root: Lib = createLib(hasInterceptors ? etags({ ...options, interceptors: idle() }) : options);
    const plain = { url, requestLull, data: this.#rows };
    const config = hasSchema ? listOf({ ...plain, schema: acceptsAll }) : plain;
    this.list = isPaged
      ? new PagedCollection<Row>({ ...config, next: () => undefined }, root)
      : root.collection<Row>(config);
    const { isReading$, isCreating$, error$, delta$, edited$ } = this.list;
    this.#tell('list', { items: this.list, isReading$, isCreating$, error$, delta$, edited$ });
    if (feed === 'none') return;
    const version = feed === 'plain' ? undefined : (row: Partial<Row>) => row.version ?? 0;
    followChanges(this.list, this.changes$, { version }).subscribe();
  }

  /** A number that no row has had. */
  next(): number {
    return (this.#count += 1);
  }

  take(step: Step): void {
    this.log.push(`> ${String(step)}`);
    step.run(this);
    this.#serve();
  }

  hold(row: Row | undefined): void {
    if (!row) return;
    const record = this.list.record(row);
    if (this.held.includes(record)) return;
    this.held.push(record);
    const { data$, isDirty$, isSaving$, isReading$, isDeleting$, error$, conflicts$ } = record;
    const streams = { data$, isDirty$, isSaving$, isReading$, isDeleting$, error$, conflicts$ };
    this.#tell(`record ${String(this.held.length)}`, streams);
  }

  request(name: string, made$: Observable<Response> | undefined): void {
    if (!made$) return;
    const call = `${name} ${String(this.#calls.length)}`;
    const all = this.#calls;
    // Its place is taken before it begins: one that ends at once may lead to others.
    const at = all.push(Subscription.EMPTY) - 1;
    all[at] = made$.subscribe({
      next: ({ status }) => this.log.push(`${call}: ${String(status)}`),
      error: (error: unknown) => this.log.push(`${call}: ${String(error)}`),
      complete: () => this.log.push(`${call} is over`),
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(): void {
    const controller = this.#controller;
    this.#controller = new AbortController();
    controller.abort();
  }

  leave(back: number): void {
    this.#calls.at(-1 - back)?.unsubscribe();
  }

  wait(ms: number): void {
    this.#clock.advance(ms);
  }

  react(stage: string, step: Step): void {
    this.#reactions.push({ stage, step });
  }

  /** Somebody else changes a row, and the feed announces it. */
  changeThere(place: number, path: 'a' | 'b'): void {
    const before = this.#rows[place];
    if (!before) return;
    const item = { ...before, [path]: this.next(), version: this.next() };
    this.#rows = this.#rows.map((row) => (row === before ? item : row));
    this.changes$.next({ kind: 'put', item });
  }

  answer(back: number, outcome: 'served' | 'failed' | 'refused'): void {
    this.#serve();
    // Not one of those that are open: when exactly one that is given up stops being open, nobody is told.
    const request = this.#server.requests.at(-1 - back);
    if (request?.state !== 'open') return;
    if (outcome === 'failed') request.fail();
    else if (outcome === 'refused') request.answer({}, { status: 500 });
    else request.answer(...(this.#answers.get(request) ?? []));
  }

  dispose(): void {
    this.list.dispose();
    for (const record of this.held) record.dispose();
  }

  /** Lets the server carry out what has arrived since, in that order; the answers wait. */
  #serve(): void {
    for (const request of this.#server.requests.slice(this.#answers.size)) {
      this.log.push(`${String(request)} ${JSON.stringify(request.body)}`);
      this.#answers.set(request, this.#carriedOut(request));
    }
  }

  #carriedOut({ method, url: at, body }: TestRequest): Parameters<TestRequest['answer']> {
    const id = Number(at.slice(url.length + 1));
    if (method === 'POST') {
      const row = { ...(body as Row), id: this.next(), version: this.next() };
      this.#rows = [...this.#rows, row];
      return [row];
    }
    if (!id) return [this.#rows];
    const known = this.#rows.find((row) => row.id === id);
    if (!known) return [{}, { status: 404 }];
    if (method === 'GET') return [known];
    const after = method === 'DELETE' ? undefined : { ...known, ...(body as Row), version: this.next() };
    this.#rows = this.#rows.flatMap((row) => (row === known ? (after ?? []) : row));
    return [after];
  }

  /** Logs what streams emit, and lets reactions follow. */
  #tell(name: string, streams: Readonly<Record<string, Observable<unknown>>>): void {
    for (const [stage, stream$] of Object.entries(streams)) {
      stream$.subscribe({
        next: (value) => {
          this.log.push(`${name} ${stage}: ${textOf(value)}`);
          this.#reactTo(stage);
        },
        complete: () => this.log.push(`${name} ${stage} is over`),
      });
    }
  }

  #reactTo(stage: string): void {
    const place = this.#reactions.findIndex((reaction) => reaction.stage === stage);
    if (place < 0 || this.#depth > 1) return;
    this.#depth += 1;
    for (const { step } of this.#reactions.splice(place, 1)) step.run(this);
    this.#depth -= 1;
  }
}

/** Data as text; records and errors by what they say. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (part instanceof Error ? String(part) : part));

const place = fc.nat(3);
const path = fc.constantFrom('a', 'b');
const asked = fc.constantFrom<RequestOptions>(
  {},
  { patch: true },
  { keepEdits: true },
  { rollback: 'both' },
  { writeResponse: false },
  { attrs: { a: 7 } },
);

const ofList: fc.Arbitrary<Step>[] = [
  fc.boolean().map((isSignalled) =>
    step(isSignalled ? 'read with a signal' : 'read', (world) => {
      world.request('read', world.list.fetch$(isSignalled ? { signal: world.signal } : {}));
    }),
  ),
  fc.constant(
    step('create', (world) => {
      world.request('create', world.list.create$({ a: world.next(), b: 0, version: 0 }));
    }),
  ),
  fc.boolean().map((isListed) =>
    step(isListed ? 'hold a draft that is listed' : 'hold a draft', (world) => {
      const draft = { a: world.next(), b: 0, version: 0 } as Row;
      if (isListed) world.list.push(draft);
      world.hold(draft);
    }),
  ),
  fc.constantFrom('sort', 'reverse', 'pop').map((method) =>
    step(method, ({ list }) => {
      if (method === 'sort') list.sort((one, other) => other.a - one.a);
      else list[method as 'pop']();
    }),
  ),
  fc.tuple(place, path).map(([at, key]) =>
    step(`change ${key} of row ${String(at)} there`, (world) => {
      world.changeThere(at, key);
    }),
  ),
];

const ofRecord: fc.Arbitrary<Step>[] = [
  place.map((at) =>
    step(`hold row ${String(at)}`, (world) => {
      world.hold(world.list.value[at]);
    }),
  ),
  fc.tuple(place, path).map(([at, key]) =>
    step(`edit ${key} of record ${String(at)}`, (world) => {
      world.held[at]?.[key].next(world.next());
    }),
  ),
  fc
    .tuple(place, fc.constantFrom('save$', 'save$', 'fetch$', 'destroy$'), asked)
    .map(([at, method, options]) =>
      step(`${method} of record ${String(at)} with ${JSON.stringify(options)}`, (world) => {
        world.request(method, world.held[at]?.[method](options));
      }),
    ),
  fc.tuple(place, fc.constantFrom('reset', 'dispose')).map(([at, method]) =>
    step(`${method} record ${String(at)}`, (world) => {
      world.held[at]?.[method]();
    }),
  ),
];

const ofNetwork: fc.Arbitrary<Step>[] = [
  fc.nat(6).map((back) =>
    step(`leave call ${String(back)} from the end`, (world) => {
      world.leave(back);
    }),
  ),
  fc.constant(
    step('abort', (world) => {
      world.abort();
    }),
  ),
  fc.nat(20).map((ms) =>
    step(`wait ${String(ms)} ms`, (world) => {
      world.wait(ms);
    }),
  ),
];

const answer = fc
  .tuple(fc.nat(4), fc.constantFrom('served', 'served', 'served', 'failed', 'refused'))
  .map(([back, outcome]) =>
    step(`request ${String(back)} from the end is ${outcome}`, (world: World) => {
      world.answer(back, outcome);
    }),
  );

const action = fc.oneof(...ofList, ...ofRecord, ...ofNetwork);
const stage = fc.constantFrom(
  'items',
  'isReading$',
  'delta$',
  'error$',
  'edited$',
  'data$',
  'isSaving$',
  'isDirty$',
);
const reaction = fc.tuple(stage, fc.oneof(action, answer)).map(([at, next]) =>
  step(`when ${at} emits: ${String(next)}`, (world: World) => {
    world.react(at, next);
  }),
);
const steps = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: action },
    { weight: 3, arbitrary: answer },
    { weight: 1, arbitrary: reaction },
  ),
  { maxLength: 25, size: 'max' },
);
const setup = fc.record<Setup>({
  requestLull: fc.constantFrom(0, 8),
  timeout: fc.constantFrom(undefined, 15),
  feed: fc.constantFrom('none', 'plain', 'with versions'),
});

/** All that a list and its records tell during some steps. */
function toldBy(extra: Extra, given: Setup, taken: readonly Step[]): readonly string[] {
  const world = new World(extra, given);
  for (const each of taken) world.take(each);
  world.dispose();
  return world.log;
}

describe('an extra with nothing to do changes nothing that a list or a record tells:', () => {
  const extras: Record<string, Extra> = {
    'a list of one page': { isPaged: true },
    'a schema that accepts everything': { hasSchema: true },
    'interceptors that are idle': { hasInterceptors: true },
    'all of them': { isPaged: true, hasSchema: true, hasInterceptors: true },
  };
  for (const [name, extra] of Object.entries(extras)) {
    law(
      name,
      [setup, steps],
      (given, taken) => {
        same(toldBy(extra, given, taken), toldBy({}, given, taken), 'what was told');
      },
      150,
    );
  }
});

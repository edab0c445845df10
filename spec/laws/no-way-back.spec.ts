import fc from 'fast-check';
import { EMPTY, Subject } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe } from 'vitest';

import { DataModel, createLib } from 'rivulet';
import type { Collection, Lib, MappedField, RequestOptions } from 'rivulet';
import { followChanges } from 'rivulet/live';
import type { Change } from 'rivulet/live';
import { PagedCollection } from 'rivulet/paging';
import type { Page } from 'rivulet/paging';

import { raise } from '../hostile';
import { watch } from '../watch';

import { law } from './law';
import { same } from './same';
import { step } from './steps';
import { Wire } from './wire';
import type { Answer, Sent } from './wire';
import type { Step } from './world';

/** A row: `c` is what the server counts by itself, and what the model does not map. */
interface Row {
  readonly id: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
}

class Mapped extends DataModel {
  readonly id: MappedField<number, 'id'>;
  readonly a: MappedField<number, 'a'>;
  readonly b: MappedField<number, 'b'>;

  constructor(root: Lib) {
    super({}, root);
    this.id = root.observable(0).map('id', this);
    this.a = root.observable(0).map('a', this);
    this.b = root.observable(0).map('b', this);
  }
}

/** How the list is read, how the server answers to all that a run saves, and whether it announces what has changed. */
interface Setup {
  readonly isMapped: boolean;
  /** Whether each row is a page. */
  readonly isPaged: boolean;
  readonly answer: 'new' | 'part' | 'empty' | 'receipt';
  readonly isFollowed: boolean;
}

/**
 * A server that handles each request when it is sent, and answers it when told to. Nobody else saves a row while that is being
 * saved here: only the server could tell which came first.
 */
class World {
  readonly #setup: Setup;
  readonly #wire = new Wire({
    sent: (sent) => {
      this.#handle(sent);
    },
  });
  readonly #answers = new Map<Sent, [Answer, unknown]>();
  readonly #list: Collection<Row, Mapped>;
  readonly #readList: (options: RequestOptions) => Observable<Response>;
  readonly #records: Mapped[];
  readonly #changes = new Subject<Change<Row>>();
  #rows: readonly Row[] = [1, 2].map((id) => ({ id, a: 0, b: 0, c: 0 }));
  /** Since when the server has had a value, by row, key and value; all values differ. */
  readonly #since = new Map<string, number>();
  /** Since when it has had what was seen last, by place, row and key. */
  readonly #seen = new Map<string, number>();
  readonly #faults: string[] = [];
  readonly #announced: Row[] = [];
  #count = 0;
  #isRefusing = false;
  #isListDisposed = false;

  constructor(setup: Setup) {
    this.#setup = setup;
    const root = createLib({ transport: this.#wire.transport });
    const config = { url: '/rows', data: this.#rows, ...(setup.isMapped && { model: Mapped }) };
    if (setup.isPaged) {
      const next = ({ items }: Page<Row>) => items[0]?.id === 1 && { after: 1 };
      const paged = new PagedCollection<Row, Mapped>({ ...config, next }, root);
      for (const page$ of [paged.fetch$(), paged.more$()]) {
        watch(page$);
        this.deliver(0, false);
      }
      this.#list = paged;
      // Of two at a time, a page of the later may be older than one of the earlier.
      this.#readList = (options) => (paged.isReading$.value ? EMPTY : paged.refresh$(options));
    } else {
      this.#list = root.collection(config);
      this.#readList = (options) => this.#list.fetch$(options);
    }
    this.#records = [1, 2].map((id) => this.#list.record(id));
    if (setup.isFollowed) followChanges(this.#list, this.#changes).subscribe();
    this.#list.subscribe((rows) => {
      for (const row of rows)
        for (const key of ['a', 'b', 'c'] as const) this.#see('row', row.id, key, row[key]);
    });
    for (const { id, a, b } of this.#records) {
      a.remote$.subscribe((value) => {
        this.#see('record', id.value, 'a', value);
      });
      b.remote$.subscribe((value) => {
        this.#see('record', id.value, 'b', value);
      });
    }
  }

  edit(place: number, key: 'a' | 'b'): void {
    this.#recordAt(place)[key].next((this.#count += 1));
  }

  save(place: number, options: RequestOptions, isRefused: boolean): void {
    this.#isRefusing = isRefused;
    watch(this.#recordAt(place).save$({ patch: true, ...options }));
  }

  read(place: number, options: RequestOptions): void {
    watch(this.#records[place]?.fetch$(options) ?? this.#readList(options));
  }

  /** Somebody else saves a row. */
  change(place: number, key: 'a' | 'b' | 'c'): void {
    if (this.#records.every(({ isSaving$ }) => !isSaving$.value))
      this.#write(place + 1, { [key]: (this.#count += 1) });
  }

  /** Answers an open request, unless the answer is lost. */
  deliver(place: number, isLost: boolean): void {
    const { open } = this.#wire;
    const sent = open[place % open.length];
    if (!sent) return;
    const [how, data] = this.#answers.get(sent) ?? [];
    sent.respond(isLost || !how ? 'offline' : how, data);
  }

  /** Nothing that was seen was older than what had been seen there before, and rows show what their records have confirmed. */
  look(): void {
    for (const item of this.#announced.splice(0)) this.#changes.next({ kind: 'put', item });
    same(this.#faults, [], 'what went back');
    for (const { id, a, b, isSaving$ } of this.#records) {
      const row = this.#list.byId(id.value);
      if (!isSaving$.value && !this.#isListDisposed)
        same([row?.a, row?.b], [a.remote$.value, b.remote$.value], 'a row and its record');
    }
  }

  /** From then on, the list ignores what its records confirm. */
  disposeList(): void {
    this.#isListDisposed = true;
    this.#list.dispose();
  }

  get isOpen(): boolean {
    return this.#wire.open.length > 0;
  }

  #recordAt(place: number): Mapped {
    return this.#records[place] ?? raise(new Error(`no record #${String(place)}`));
  }

  #handle(sent: Sent): void {
    const id = Number(sent.request.url.split('/')[2]);
    if (sent.isWrite && this.#isRefusing) {
      this.#isRefusing = false;
      this.#answers.set(sent, ['refused', undefined]);
    } else if (sent.isWrite) {
      const row = this.#write(id, { c: (this.#count += 1), ...sent.body });
      const { answer } = this.#setup;
      const data = { new: row, part: { id, ...sent.body }, empty: undefined, receipt: { isDone: true } }[
        answer
      ];
      this.#answers.set(sent, [answer === 'empty' ? 'empty' : 'new', data]);
    } else this.#answers.set(sent, ['new', this.#rows.find((row) => row.id === id) ?? this.#rowsAt(sent)]);
  }

  #rowsAt({ request }: Sent): readonly Row[] {
    const isLater = request.url.endsWith('?after=1');
    return this.#setup.isPaged ? this.#rows.filter(({ id }) => id > 1 === isLater) : this.#rows;
  }

  #write(id: number, change: Partial<Row>): Row {
    const before = this.#rows.find((row) => row.id === id) ?? raise(new Error(`no row ${String(id)}`));
    const after = { ...before, ...change };
    this.#rows = this.#rows.map((row) => (row === before ? after : row));
    for (const key of ['a', 'b', 'c'] as const) {
      if (after[key] !== before[key]) this.#since.set(`${id} ${key} ${after[key]}`, (this.#count += 1));
    }
    this.#announced.push(after);
    return after;
  }

  #see(where: string, id: number, key: string, value: number): void {
    const place = `${where} ${id} ${key}`;
    const since = this.#since.get(`${id} ${key} ${value}`) ?? 0;
    if (since < (this.#seen.get(place) ?? 0)) this.#faults.push(`${place} to ${value}`);
    this.#seen.set(place, since);
  }
}

const place = fc.nat(1);
const requested = fc.constantFrom<RequestOptions[]>({}, {}, { writeResponse: false }, { rollback: 'error' });
const act: fc.Arbitrary<Step<World>> = fc.oneof(
  fc.tuple(place, fc.constantFrom('a' as const, 'b' as const)).map(([at, key]) =>
    step<World>(`edit ${key} of #${String(at)}`, (world) => {
      world.edit(at, key);
    }),
  ),
  fc.tuple(place, requested, fc.boolean()).map(([at, options, isRefused]) =>
    step<World>(`save #${String(at)} ${JSON.stringify(options)}${isRefused ? ', refused' : ''}`, (world) => {
      world.save(at, options, isRefused);
    }),
  ),
  fc.tuple(fc.nat(2), fc.boolean()).map(([at, keepEdits]) =>
    step<World>(
      `read ${at < 2 ? `#${String(at)}` : 'the list'}${keepEdits ? ' with edits' : ''}`,
      (world) => {
        world.read(at, { keepEdits });
      },
    ),
  ),
  fc.tuple(place, fc.constantFrom('a' as const, 'b' as const, 'c' as const)).map(([at, key]) =>
    step<World>(`somebody changes ${key} of #${String(at)}`, (world) => {
      world.change(at, key);
    }),
  ),
  {
    weight: 2,
    arbitrary: fc.tuple(fc.nat(5), fc.nat(9)).map(([at, luck]) =>
      step<World>(`${luck ? 'answer' : 'lose'} ${String(at)}`, (world) => {
        world.deliver(at, !luck);
      }),
    ),
  },
);

describe('what the server has confirmed', () => {
  law(
    'never goes back in a list or its records, whatever order the answers come in',
    [
      fc.record<Setup>({
        isMapped: fc.boolean(),
        isPaged: fc.boolean(),
        answer: fc.constantFrom('new', 'part', 'empty', 'receipt'),
        isFollowed: fc.boolean(),
      }),
      fc.array(
        fc.oneof(
          { weight: 25, arbitrary: act },
          {
            weight: 1,
            arbitrary: fc.constant(
              step<World>('dispose of the list', (world) => {
                world.disposeList();
              }),
            ),
          },
        ),
        { maxLength: 30, size: 'max' },
      ),
    ],
    (setup, steps) => {
      const world = new World(setup);
      for (const taken of steps) {
        taken.run(world);
        world.look();
      }
      for (let place = 0; world.isOpen; place += 7) {
        world.deliver(place, false);
        world.look();
      }
    },
  );
});

import { defer, of } from 'rxjs';
import type { Observable } from 'rxjs';

import { equal } from './equal';
import { RequestError } from './errors';
import { mappingOf } from './mapping';
import type { Entry, Mapping } from './mapping';
import { Claims } from './request/claims';
import { Lane } from './request/lane';
import { sync$, untilGivenUp } from './request/sync';
import { Resource } from './resource';
import type { Answer, Ticket } from './resource';
import type { Action, Concern, RequestOptions, ResourceConfig, Root, StateStream } from './types';

/** The values by entry that a request may replace: what a read found shown, what a write sent. */
type Base = Map<Entry, unknown>;

/** What stands behind a data model: its mapped fields, and what decides which answers are written to them. */
export class RecordResource extends Resource {
  readonly mapping: Mapping;
  readonly #claims = new Claims();
  readonly #lane = new Lane();
  /** The id that the write under way was made for. */
  #writing: unknown;

  constructor(concern: Concern, root: Root, config: ResourceConfig) {
    super(concern, root, config);
    this.mapping = mappingOf(concern);
    this.mapping.onChange = () => {
      this.states.refresh();
    };
  }

  get fields(): ReadonlyMap<string, Entry> {
    return this.mapping.entries;
  }

  get id(): unknown {
    return this.fields.get(this.idAttribute)?.value;
  }

  get isDirty(): boolean {
    return this.mapping.at().some((entry) => entry.isDirty);
  }

  flag(name: string, kind?: Action | 'save'): StateStream<boolean> {
    return this.state(name, () => this.busy.is(kind));
  }

  /** A read; may overlap with others and with writes. */
  read$(options: RequestOptions): Observable<Response> {
    return sync$(this, 'read', options).pipe(untilGivenUp(this, 'read', options), this.busy.during('read'));
  }

  /** A create or update, decided when all earlier writes have ended. */
  save$(options: RequestOptions): Observable<Response> {
    const save$ = defer(() => {
      const action = this.#saveAction;
      return sync$(this, action, options).pipe(this.busy.during(action));
    });
    return defer(() =>
      this.#lane
        .enter(save$)
        .pipe(untilGivenUp(this, this.#saveAction, options), this.busy.during('save')),
    );
  }

  /** A delete, after all earlier writes. */
  destroy$(options: RequestOptions): Observable<Response> {
    return this.#lane
      .enter(sync$(this, 'delete', options))
      .pipe(untilGivenUp(this, 'delete', options), this.busy.during('delete'));
  }

  begin(action: Action, options: RequestOptions): Ticket {
    if (!this.id && (action === 'read' || action === 'delete')) {
      throw new RequestError(
        'NO_ID',
        `${action} needs an id: "${this.idAttribute}" is not mapped or has no value (see idAttribute)`,
        { action },
      );
    }
    return action === 'read' ? this.#beginRead(options) : this.#beginWrite(action, options);
  }

  data(action: Action, options: RequestOptions): unknown {
    if (options.attrs !== undefined) return options.attrs;
    return options.patch && action === 'update' ? this.mapping.patch : this.mapping.collect();
  }

  override dispose(): void {
    super.dispose();
    this.mapping.onChange = undefined;
    for (const entry of this.mapping.at()) {
      entry.slot.release(entry);
      entry.slot.end();
    }
  }

  get #saveAction(): Action {
    return this.id ? 'update' : 'create';
  }

  #beginRead(options: RequestOptions): Ticket {
    const claim = this.#claims.issue(this.id);
    // Without edits to overwrite, only what is clean when the answer comes may be replaced.
    const base: Base = new Map(
      this.setting('keepEdits', options) ? [] : this.mapping.at().map((entry) => [entry, entry.value]),
    );
    // An answer that comes during a write may be older than it: whether it counts shows when the write has ended.
    const isBlocked = () =>
      !claim.isOvertaken && (this.#lane.size > 1 || (this.#lane.size > 0 && equal(this.#writing, this.id)));
    return {
      ready$: this.#lane.whileBusy(isBlocked),
      accept: (answer) => {
        if (claim.isOvertaken || !equal(this.id, claim.id)) return;
        this.#claims.overtake(claim.id, claim);
        this.#writeBack(answer, base);
      },
      refuse: () => undefined,
      end: () => {
        this.#claims.release(claim);
      },
    };
  }

  #beginWrite(action: Action, options: RequestOptions): Ticket {
    const id = (this.#writing = this.id);
    const sent = this.#sent(action, options);
    return {
      ready$: of(undefined),
      accept: (answer) => {
        if (!equal(this.id, id)) return;
        this.#claims.overtake(id);
        if (action === 'delete') this.#forget();
        else {
          for (const [entry, value] of sent) entry.confirmed = value;
          this.#writeBack(answer, sent);
        }
      },
      refuse: (why) => {
        const isWanted = options.rollback === why || options.rollback === 'both';
        if (isWanted && equal(this.id, id)) this.#giveBack(sent);
      },
      end: () => undefined,
    };
  }

  /** What a write carries, by entry. */
  #sent(action: Action, options: RequestOptions): Base {
    if (action === 'delete') return new Map();
    if (options.attrs !== undefined) return new Map(this.mapping.match(options.attrs));
    const isPatch = options.patch && action === 'update';
    const entries = this.mapping.at().filter((entry) => !isPatch || entry.isDirty);
    return new Map(entries.map((entry) => [entry, entry.value]));
  }

  /** Confirms what the answer holds, and shows it where nothing has been edited that the base does not know of. */
  #writeBack(answer: Answer | undefined, base: Base): void {
    const changes: [Entry, unknown][] = [];
    for (const [entry, theirs] of this.mapping.match(answer?.data)) {
      const mine = base.has(entry) ? base.get(entry) : entry.confirmed;
      if (equal(entry.value, mine)) changes.push([entry, theirs]);
      entry.confirmed = theirs;
    }
    this.mapping.write(changes);
  }

  /** After a delete: new, and clean. */
  #forget(): void {
    for (const entry of this.mapping.at()) entry.confirmed = entry.value;
    const id = this.fields.get(this.idAttribute);
    if (!id) return;
    id.confirmed = undefined;
    this.mapping.write([[id, undefined]]);
  }

  /** Takes back what a write carried, except where it was edited since. */
  #giveBack(sent: Base): void {
    const untouched = [...sent].filter(([entry, value]) => equal(entry.value, value));
    this.mapping.write(untouched.map(([entry]) => [entry, entry.confirmed]));
  }
}

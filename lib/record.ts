import { Conflicts } from './conflicts';
import { asShown, collect, confirm, entryOf, isDirty, match, release, shown } from './entry';
import type { Entry, Given, Mappable, Owner } from './entry';
import { equal } from './equal';
import { RequestError } from './errors';
import { isSameId } from './id';
import { isWithin, segmentsOf } from './paths';
import { Lane } from './request/lane';
import { Resource, resourceOf } from './resource';
import type { Kind, Read, Ticket } from './resource';
import { defer, finalize, map, of, takeUntil } from './rx';
import type { Observable } from './rx';
import { batch, tellLast } from './state';
import type { Action, Concern, DataModelConfig, RequestOptions } from './types';

/** A write under way. */
interface Writing {
  /** What it was made for. */
  readonly id: unknown;
  /** What a field must still show for the answer to replace it: not an edit that was not sent. */
  found: Map<Entry, unknown>;
  /** The fields that hold something newer than its answer. */
  newer: Set<unknown>;
  /** Called with what goes out, each time. */
  readonly carry: (sent: readonly Given[]) => void;
}

/** What stands behind a data model: its mapped fields, and what decides which answers are written to them. */
export class RecordResource extends Resource implements Owner {
  declare config: DataModelConfig;
  override fields: readonly Entry[] = [];
  #lane: Lane | undefined;
  #conflicts: Conflicts | undefined;
  /**
   * Called within each write of confirmed data: with the id that it was confirmed for, the fields (all after a delete),
   * what was answered, whether that was to a create, and by which read.
   */
  whenConfirmed:
    | ((id: unknown, entries: readonly Entry[], data?: unknown, isCreated?: boolean, read?: Read) => void)
    | undefined;
  /** Called after each write after which anything may be different. */
  whenChanged: (() => void) | undefined;
  /** The id that was shown when a request failed. */
  #failed: unknown;
  /** The write under way; none while the next has not begun. */
  #writing: Writing | undefined;
  /** The write that was accepted or refused last, by its turn: what is read from then on is no older. */
  #decided: number | undefined;

  override get lane(): Lane {
    return (this.#lane ??= new Lane());
  }

  get conflicts(): Conflicts {
    return (this.#conflicts ??= new Conflicts(this));
  }

  override changed(): void {
    this.#conflicts?.prune();
    // Why a request failed says nothing of another record.
    if (this.error && !isSameId(this.#failed, this.id)) this.error = null;
    if (this.whenChanged) tellLast(this.whenChanged);
    super.changed();
  }

  override fail(action: Action, reason: unknown): void {
    this.#failed = this.id;
    super.fail(action, reason);
  }

  get id(): unknown {
    return this.entry(this.idAttribute)?.field.value;
  }

  /** The id last confirmed: an edited one stands for no other record yet. */
  get confirmedId(): unknown {
    return this.entry(this.idAttribute)?.confirmed;
  }

  /**
   * Maps a field to a path; one that was mapped there before is let go.
   *
   * @throws TypeError where one path would lie inside the value of another.
   */
  map(path: string, field: Mappable): Entry {
    const segments = segmentsOf(path);
    const other = this.fields.find(
      (each) => each.path !== path && (isWithin(each.path, path) || isWithin(path, each.path)),
    );
    if (other)
      throw new TypeError(`map: "${path}" and "${other.path}" lie one inside the other, map only one`);
    this.unmap(path);
    const entry = { path, segments, field, record: this, confirmed: field.value };
    this.fields = this.fields.concat(entry);
    field.entries = field.entries.concat(entry);
    // To be mapped during a request is no edit.
    for (const { found } of this.reads) found?.set(...asShown(entry));
    this.#writing?.found.set(...asShown(entry));
    this.changed();
    return entry;
  }

  /** Lets a field go; false if none was mapped there. */
  unmap(path: string): boolean {
    const entry = this.entry(path);
    if (!entry) return false;
    release(entry);
    this.fields = this.fields.filter((each) => each !== entry);
    this.changed();
    return true;
  }

  /** The entry at exactly that path. */
  entry(path: string): Entry | undefined {
    return this.fields.find((entry) => entry.path === path);
  }

  /** The entries at a path and below; all without one, as when a method is called with an event. */
  at(path?: string): readonly Entry[] {
    return this.fields.filter((entry) => typeof path !== 'string' || isWithin(entry.path, path));
  }

  /** Writes several fields as one. A value equal to the one shown is not written: its object stays the same. */
  show(given: Iterable<Given>): void {
    batch(() => {
      for (const [{ field }, value] of given) if (!equal(field.value, value)) field.put(value);
      this.changed();
    });
  }

  /** Counts fields as newer than the answers to what is under way; to reads issued before a given one, or to all. */
  outdate(given: readonly Given[], by?: Read): void {
    for (const each of [...this.reads, this.#writing]) {
      if (each === by) return;
      for (const [entry] of given) each?.newer?.add(entry);
    }
  }

  /** Writes several fields as one, as confirmed: by the server, or else by word of the caller. */
  settle(given: readonly Given[], isAnswer = true): void {
    batch(() => {
      const id = this.confirmedId;
      this.show(given);
      confirm(given);
      // With another id it stands for another item, of which nothing was answered yet.
      if (isAnswer || isSameId(id, this.confirmedId))
        this.whenConfirmed?.(this.confirmedId, given.map(entryOf));
    });
  }

  /** Writes several fields as one, on behalf of the server: reads under way take that for what they found, not for edits. */
  #put(given: readonly Given[]): void {
    for (const { found } of this.reads) for (const each of given) found?.set(...each);
    this.show(given);
  }

  /** Gives back the values last confirmed. */
  restore(entries: readonly Entry[]): void {
    // What is as confirmed is not given back: what else is known of it stays so.
    const edited = this.fields.filter((entry) => entries.includes(entry) && isDirty(entry));
    this.#put(edited.map((entry) => [entry, entry.confirmed]));
  }

  actionOf(kind: Kind): Action {
    return kind !== 'save' ? kind : this.id ? 'update' : 'create';
  }

  data(action: Action, options: RequestOptions): unknown {
    const sent = this.#carried(action, options);
    // What a callback has written since the start goes out too.
    this.#writing?.carry(sent);
    return options.attrs !== undefined ? options.attrs : collect(sent.map(entryOf));
  }

  begin(action: Action, options: RequestOptions): Ticket {
    if (!this.id && (action === 'read' || action === 'delete')) {
      throw new RequestError(
        'NO_ID',
        action,
        `the record is new: "${this.idAttribute}", its idAttribute, is not mapped or has no value`,
      );
    }
    return action === 'read' ? this.#beginRead(options) : this.#beginWrite(action, options);
  }

  /**
   * Merges data that came without a request, as a read with `keepEdits` would. It overtakes no read, since it may be a
   * part; but as far as it goes it is newer than what reads will be answered.
   *
   * @param order 0 for a part of an older answer, which is of no age. Default: it is new.
   */
  receive$(data: unknown, order?: 0): Observable<unknown> {
    return defer(() => {
      const ticket = this.#beginRead({ keepEdits: true }, true, order);
      return ticket
        .ready$(() => false)
        .pipe(
          map(() => ticket.accept(data, true)),
          finalize(ticket.end),
        );
    }).pipe(takeUntil(this.disposed$));
  }

  /** Replaces what is clean or unchanged since the start, so what is edited meanwhile stays. */
  #beginRead(
    options: RequestOptions,
    isRow?: boolean,
    order?: number,
  ): Required<Pick<Ticket, 'accept' | 'end' | 'isCurrent' | 'ready$'>> {
    const keepsEdits = options.keepEdits ?? this.config.keepEdits ?? this.options.keepEdits;
    const found = new Map(this.fields.map(asShown));
    const newer = new Set();
    const read: Read = { id: this.id, isOvertaken: false, found, newer, order };
    const end = this.track(read);
    // A function, as it may change meanwhile: whoever is told in between may read anew.
    const isOvertaken = () => read.isOvertaken;
    const isCurrent = () => isSameId(this.id, read.id);
    const decided = this.#decided;
    return {
      end,
      isCurrent,
      ready$: (isEnded) =>
        this.#lane?.whileBlocked(
          // What has just ended the write ends this next.
          (size) => this.isDisposed || isEnded() || this.#mayBeOlder(read, decided, size),
        ) ?? of(0),
      accept: (data) => {
        if (!isCurrent() || isOvertaken()) return false;
        if (!isRow) this.overtake(read.id, read);
        let isWhole = false;
        batch(() => {
          isWhole = this.#merge(
            data,
            newer,
            (entry) => equal(shown(entry), found.get(entry)) && !(keepsEdits && isDirty(entry)),
          );
          this.whenConfirmed?.(read.id, match(this.fields, data).map(entryOf), data, false, read);
          // Fields that the row has brought, too.
          if (isRow && read.order) this.outdate(match(this.fields, data), read);
        });
        // Whoever was told may have read it anew.
        return !isOvertaken() && isWhole;
      },
    };
  }

  /** Whether an answer that is there may be older than a write: whether it counts shows when that has ended. */
  #mayBeOlder(read: Read, decided: number | undefined, size: number): boolean {
    // What waits behind the write that was decided when this was asked for was not sent yet.
    if (read.isOvertaken || !size || this.lane.turn === decided) return false;
    return size > 1 || !this.#writing || isSameId(this.#writing.id, this.id);
  }

  /** Confirms what was sent; then the answer replaces what is as it was, so what is edited meanwhile stays. */
  #beginWrite(action: Action, options: RequestOptions): Ticket {
    const { rollback } = options;
    let { id } = this;
    const isCurrent = () => isSameId(this.id, id);
    /** What goes out, and is still to be confirmed. At first a guess: a sync may send something else, more than once. */
    let sent = new Map(this.#carried(action, options));
    let isGuess = true;
    const unedited = (given: Iterable<Given>) =>
      new Map([...given, ...this.fields.filter((entry) => !isDirty(entry)).map(asShown)]);
    const writing: Writing = {
      id,
      found: unedited(sent),
      newer: new Set(),
      carry: (given) => {
        sent = new Map([...(isGuess ? [] : sent), ...given]);
        isGuess = false;
        writing.found = unedited(sent);
        writing.newer = new Set();
      },
    };
    this.#writing = writing;
    return {
      isCurrent,
      accept: (data) => {
        this.#decided = this.lane.turn;
        this.overtake(id);
        if (!isCurrent()) return false;
        let isWhole = true;
        batch(() => {
          let { fields } = this;
          if (action === 'delete') {
            this.show(this.at(this.idAttribute).map((entry) => [entry, undefined]));
            confirm(this.fields.map(asShown));
          } else {
            fields = [...sent.keys(), ...match(this.fields, data).map(entryOf)];
            confirm(sent);
            isWhole = this.#merge(
              data,
              writing.newer,
              (entry) => writing.found.has(entry) && equal(shown(entry), writing.found.get(entry)),
              sent,
            );
            sent = new Map();
            writing.found = unedited(sent);
          }
          this.whenConfirmed?.(id, fields, data, action === 'create');
        });
        id = this.id;
        return isWhole;
      },
      refuse: (why) => {
        this.#decided = this.lane.turn;
        if (!isCurrent() || (rollback !== why && rollback !== 'both')) return;
        this.restore(this.fields.filter((entry) => sent.has(entry) && equal(shown(entry), sent.get(entry))));
        id = this.id;
      },
      end: () => {
        this.#writing = undefined;
      },
    };
  }

  /**
   * Within a write: confirms what the data holds, and shows it where it may replace what is shown.
   *
   * @param newer The fields that hold something newer, which are left alone.
   * @param sent What the data answers: that the server made something else of it is no conflict. Default: nothing.
   * @returns Whether no field holds anything newer.
   */
  #merge(
    data: unknown,
    newer: ReadonlySet<unknown>,
    mayReplace: (entry: Entry) => boolean,
    sent: ReadonlyMap<Entry, unknown> = new Map(),
  ): boolean {
    const matched = match(this.fields, data);
    const answered = matched.filter(([entry]) => !newer.has(entry));
    const replaced: Given[] = [];
    const contested: Entry[] = [];
    for (const given of answered) {
      const [entry, theirs] = given;
      if (mayReplace(entry)) replaced.push(given);
      else if (!(sent.has(entry) || equal(entry.confirmed, theirs) || equal(shown(entry), theirs)))
        contested.push(entry);
    }
    this.#put(replaced);
    confirm(answered);
    for (const entry of contested) this.conflicts.add(entry);
    return answered.length === matched.length;
  }

  override dispose(): void {
    this.whenConfirmed = undefined;
    super.dispose();
    for (const entry of this.fields) {
      if (release(entry) && !entry.field.entries.length) entry.field.end();
    }
  }

  /** What a write sends. */
  #carried(action: Action, { attrs, patch }: RequestOptions): readonly Given[] {
    if (action === 'delete') return [];
    // JSON has no undefined: without its key a server is told that the field has no value only if it shows none.
    if (attrs !== undefined)
      return match(this.fields, attrs, true).filter(
        ([entry, value]) => value !== undefined || shown(entry) === undefined,
      );
    return this.fields.filter((entry) => !(patch && action === 'update') || isDirty(entry)).map(asShown);
  }
}

/** What stands behind an object; made when one of its fields is mapped or when it is booted, whichever comes first. */
export const recordOf = (owner: object): RecordResource =>
  (resourceOf(owner) ?? new RecordResource(owner as Concern)) as RecordResource;

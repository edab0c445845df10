import { batch } from './batch';
import { asShown, collect, confirm, entryOf, isDirty, match, shown } from './entry';
import type { Given } from './entry';
import { RequestError } from './errors';
import type { Kind } from './flags';
import { isSameId } from './id';
import { MappedResource } from './mapped-resource';
import { hasAt, readAt, segmentsOf, withAt } from './paths';
import type { RecordRead } from './pending';
import { Lane } from './request/lane';
import { resourceOf } from './resource';
import { defer, map, of, takeUntil, tap } from './rx';
import type { Observable } from './rx';
import { nextInOrder, plainTicket } from './ticket';
import type { Identity, Ticket } from './ticket';
import type { Action, Concern, DataModelConfig, RequestOptions } from './types';
import { Write } from './write';

/** What stands behind a data model: it decides which answers are written to its fields. */
export class RecordResource extends MappedResource {
  declare config: DataModelConfig;
  #lane: Lane | undefined;
  #identity: Identity | undefined;
  /** What the lane ran when a write was accepted or refused last: what is read from then on is no older. */
  #decided: unknown;

  override get lane(): Lane {
    return (this.#lane ??= new Lane());
  }

  override get identity(): Identity {
    if (!this.#identity || !isSameId(this.#identity.id, this.id)) this.#identity = { id: this.id };
    return this.#identity;
  }

  actionOf(kind: Kind): Action {
    return kind !== 'save' ? kind : this.id ? 'update' : 'create';
  }

  data(action: Action, options: RequestOptions): unknown {
    const sent = this.#carried(action, options);
    // What a callback has written since the start is sent, too.
    const isShown = options.attrs === undefined;
    this.writing?.carry(sent, isShown);
    return isShown ? collect(sent.map(entryOf)) : options.attrs;
  }

  begin(action: Action, options: RequestOptions, order: number, identity: Identity): Ticket {
    if (!this.id && (action === 'read' || action === 'delete')) {
      throw new RequestError(
        'NO_ID',
        action,
        `"${this.idAttribute}", the idAttribute, has no value: map it, or save a new record`,
      );
    }
    if (action === 'read') return this.#beginRead(options, order);
    // A save is for what is shown when its turn comes. A delete must not hit another record that is shown by then.
    return this.#beginWrite(action, options, action === 'delete' ? identity : this.identity, order);
  }

  /**
   * Merges data that came without a request, like a read with `keepEdits`. It overtakes no read, since it may be partial;
   * but the fields it contains are newer than the answers to reads under way.
   *
   * @param order 0 for a part of an older answer, which counts as neither older nor newer. Default: new.
   */
  receive$(data: unknown, order: number = nextInOrder()): Observable<unknown> {
    return defer(() => {
      const ticket = this.#beginRead({ keepEdits: true }, order, true);
      return ticket
        .ready$(() => false)
        .pipe(
          map(() => batch(() => ticket.accept(data, true))),
          tap({ finalize: ticket.end }),
        );
    }).pipe(takeUntil(this.disposed$));
  }

  /** Replaces what is clean or unchanged since the start, so edits made in the meantime stay. */
  #beginRead(options: RequestOptions, order: number, isRow?: boolean): Ticket {
    const keepsEdits = options.keepEdits ?? this.config.keepEdits ?? this.options.keepEdits;
    const read: RecordRead = {
      id: this.id,
      isOvertaken: false,
      expected: new Map(this.fields.map(asShown)),
      newer: new Set(),
      brought: new Set(),
      order,
    };
    const isCurrent = () => isSameId(this.id, read.id);
    const decided = this.#decided;
    return {
      ...plainTicket,
      read,
      end: this.track(read),
      isCurrent,
      ready$: (isEnded) =>
        this.#lane?.waitWhile(
          // Whatever has just ended the write is about to end this.
          (size) => this.isDisposed || isEnded() || this.#mayBeOlder(read, decided, size),
        ) ?? of(0),
      accept: (data) => {
        if (!isCurrent() || read.isOvertaken) return false;
        if (!isRow) this.overtake(read.id, read);
        const asked = isRow && this.#isRowOf(data) ? this.confirmedId : read.id;
        const answer = this.host?.withNewer(this, data, read) ?? data;
        const isWhole = this.merge(answer, read, keepsEdits);
        this.host?.confirmed(this, {
          id: asked,
          entries: match(this.fields, answer).map(entryOf),
          answer,
          read,
        });
        // Matched again: the row may have added fields.
        if (isRow && read.order) this.outdate(match(this.fields, answer), read);
        return isWhole && answer === data;
      },
    };
  }

  /** Whether a row belongs to the confirmed record, whatever id was typed in: it has the confirmed id, or none. */
  #isRowOf(row: unknown): boolean {
    const { confirmedId } = this;
    return !!confirmedId && isSameId(readAt(row, segmentsOf(this.idAttribute)) ?? confirmedId, confirmedId);
  }

  /** Whether an answer that has arrived may be older than a write: then the end of the write decides whether it counts. */
  #mayBeOlder(read: RecordRead, decided: unknown, size: number): boolean {
    // Writes behind the one that was decided when this read was issued were not sent yet.
    if (read.isOvertaken || !size || this.lane.running === decided) return false;
    return size > 1 || !this.writing || isSameId(this.writing.id, this.id);
  }

  /** Confirms what was sent; then the answer replaces what is unchanged, so edits made in the meantime stay. */
  #beginWrite(action: Action, options: RequestOptions, identity: Identity, issued: number): Ticket {
    const { rollback } = options;
    const { id } = identity;
    const isCurrent = () => isSameId(this.id, identity.id);
    const write = new Write(this, this.#carried(action, options), !!rollback);
    this.writing = write;
    const creation = action === 'create' ? this.host?.beginCreation() : undefined;
    return {
      ...plainTicket,
      isCurrent,
      accept: (answer) => {
        const data = action === 'update' ? this.#withId(answer, id) : answer;
        this.#decided = this.lane.running;
        const { sent } = write;
        const answered = match(this.fields, data).map(entryOf);
        // Without data, nothing is known of what was not sent: a read under way may bring that. Data for no field is none,
        // unless there is an item that it belongs to.
        const isEmpty = data === undefined || !(answered.length || this.host);
        const isOfSent = isEmpty && action !== 'delete' && isCurrent();
        if (isOfSent) this.outdate(sent, write);
        else this.overtake(id);
        if (!isCurrent()) return false;
        const entries = [...sent.keys(), ...answered];
        confirm(sent);
        if (action === 'delete') {
          this.show(this.at(this.idAttribute).map((entry) => [entry, undefined]));
          confirm(this.fields.map(asShown));
        }
        const isWhole = this.merge(data, write);
        this.failed = [];
        write.settle();
        identity.id = this.id;
        this.host?.confirmed(this, { id, entries, answer: data, creation, issued });
        return isWhole;
      },
      reject: (why) => {
        this.#decided = this.lane.running;
        // Not without end: somebody may type for hours without a network.
        this.failed = [write, ...this.failed].slice(0, 100);
        if (!why || !isCurrent() || (rollback !== why && rollback !== 'both')) return;
        batch(() => {
          this.restore(write.unedited);
          identity.id = this.id;
        });
      },
      end: () => {
        // If an `around` subscribes again, the next write has already begun.
        if (this.writing === write) this.writing = undefined;
        creation?.end();
      },
    };
  }

  /** An answer to an update: with the id asked for where it has an empty one, as if it were left out. */
  #withId(answer: unknown, id: unknown): unknown {
    const segments = segmentsOf(this.idAttribute);
    return hasAt(answer, segments) && !readAt(answer, segments) ? withAt(answer, segments, id) : answer;
  }

  /** What a write sends. */
  #carried(action: Action, { attrs, patch }: RequestOptions): readonly Given[] {
    if (action === 'delete') return [];
    // JSON has no undefined: leaving out the key tells the server that the field has no value only if it shows none.
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

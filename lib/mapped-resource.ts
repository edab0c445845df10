import { batch } from './batch';
import { Conflicts } from './conflicts';
import { asConfirmed, confirm, entryOf, isDirty, match, release, shown } from './entry';
import type { Entry, Given, Mappable, Owner } from './entry';
import { equal } from './equal';
import { isSameId } from './id';
import { isWithin, segmentsOf } from './paths';
import type { Pending, RecordRead } from './pending';
import { Resource } from './resource';
import type { Read } from './ticket';
import type { Action } from './types';
import type { Write } from './write';

/** An item that is being created in a list. */
export interface Creation {
  /**
   * Adds it, in place of a draft if that is in the list; unless since the creation began a read has listed it, or something
   * has become of it: then what the list has is no older.
   *
   * @returns What the list has then, if it has the item.
   */
  readonly add: (item: unknown, draft?: unknown) => unknown;
  readonly end: () => void;
}

/** What has confirmed something, unless it was the caller. */
export interface Confirmer {
  /** The read that it is the answer to. */
  readonly read?: Read;
  /** The place in the order of issue of the write that it is the answer to. */
  readonly issued?: number;
}

/** What the server has confirmed of a record, or the caller on its behalf. */
export interface RecordConfirmation extends Confirmer {
  /** The id that it was confirmed for. */
  readonly id: unknown;
  /** The fields that it is about; a delete is about all. */
  readonly entries: readonly Entry[];
  readonly answer?: unknown;
  /** The creation that it is the answer to. */
  readonly creation?: Creation | undefined;
}

/** What records that stand for items of a list notify, and ask. */
export interface Host {
  /** Called when a new record begins to be created. */
  beginCreation(): Creation;
  /** Where reads under way are added, for the list to tell them of newer ones. */
  readonly reads: Set<RecordRead>;
  /** Called within each write of confirmed data. */
  confirmed(record: MappedResource, confirmation: RecordConfirmation): void;
  /** Replaces in the answer to a read what a newer read of the list has brought, or what was announced since. */
  withNewer(record: MappedResource, answer: unknown, read: RecordRead): unknown;
  /** Called when anything may have changed, before that is announced. */
  changed(record: MappedResource): void;
}

/** What stands behind an object with mapped fields: what each of them shows, and what the server has confirmed. */
export abstract class MappedResource extends Resource implements Owner {
  override fields: readonly Entry[] = [];
  declare reads: readonly RecordRead[];
  #conflicts: Conflicts | undefined;
  /** Where it stands for an item, if it does. */
  host: Host | undefined;
  /** The id that was shown when a request failed. */
  #failedId: unknown;
  /** The write under way; undefined between two writes. */
  writing: Write | undefined;
  /** The latest writes that have failed since one succeeded: perhaps only their answers were lost. */
  protected failed: readonly Write[] = [];

  get conflicts(): Conflicts {
    return (this.#conflicts ??= new Conflicts(this));
  }

  override track(read: RecordRead): () => void {
    const untrack = super.track(read);
    const listed = this.host?.reads.add(read);
    return () => {
      untrack();
      listed?.delete(read);
    };
  }

  override changed(): void {
    this.writing?.notice();
    this.#conflicts?.prune();
    // The failure of a request does not concern another record.
    if (this.error && !isSameId(this.#failedId, this.id)) this.error = null;
    this.host?.changed(this);
    super.changed();
  }

  override fail(action: Action, reason: unknown, order?: number): void {
    this.#failedId = this.id;
    super.fail(action, reason, order);
  }

  get id(): unknown {
    return this.entry(this.idAttribute)?.field.value;
  }

  /** The id last confirmed: an edited one does not make it another record yet. */
  get confirmedId(): unknown {
    return this.entry(this.idAttribute)?.confirmed;
  }

  /**
   * Maps a field to a path; one that was mapped there before is released.
   *
   * @throws TypeError if one path would lie inside the value of another.
   */
  map(path: string, field: Mappable): Entry {
    const segments = segmentsOf(path);
    const other = this.near(path);
    if (other && other.path !== path)
      throw new TypeError(`map: "${path}" and "${other.path}" overlap: map only one`);
    this.unmap(path);
    const entry = { path, segments, field, record: this, confirmed: field.value };
    this.fields = this.fields.concat(entry);
    field._entries = field._entries.concat(entry);
    // Mapping a field during a request is no edit.
    for (const { expected } of this.#underWay) expected.set(entry, field.value);
    this.changed();
    return entry;
  }

  /** The entry at a path, or one that lies inside its value or around it. */
  near(path: string): Entry | undefined {
    // Usually a field is mapped at exactly that path, and found in a fraction of the time.
    return (
      this.entry(path) ?? this.fields.find((each) => isWithin(each.path, path) || isWithin(path, each.path))
    );
  }

  /** Releases a field; returns false if none was mapped there. */
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

  /** The entries at any of the paths and below; all if none is given, as when a method is called with an event. */
  at(wanted?: string | readonly string[]): readonly Entry[] {
    const paths = typeof wanted === 'string' ? [wanted] : wanted;
    return this.fields.filter(
      ({ path }) => !Array.isArray(paths) || paths.some((each: string) => isWithin(path, each)),
    );
  }

  /** Writes several fields as one. A value equal to the one shown is not written: its object stays the same. */
  show(given: Iterable<Given>): void {
    batch(() => {
      for (const [entry, value] of given) {
        // A field that was unmapped since (as when a conflict is decided late) is no longer this record's to write.
        if (entry.field._entries.includes(entry) && !equal(shown(entry), value)) entry.field._put(value);
      }
      this.changed();
    });
  }

  /** Counts fields as newer than the answers to requests under way: to reads issued before a given one, or to all. */
  outdate(given: Iterable<Given>, by?: Pending): void {
    for (const each of this.#underWay) {
      if (each === by) return;
      for (const [entry] of given) each.newer.add(entry);
    }
  }

  /** The reads in the order of issue, then the write. */
  get #underWay(): readonly Pending[] {
    return this.writing ? [...this.reads, this.writing] : this.reads;
  }

  /** Writes several fields as one, as confirmed: by the server, or else on behalf of the caller. */
  settle(given: readonly Given[], isAnswer = true): void {
    if (this.isDisposed) return;
    batch(() => {
      const id = this.confirmedId;
      this.show(given);
      confirm(given);
      // With another id it stands for another item, for which nothing was answered yet. A new record had none before.
      if (isAnswer || isSameId(id, this.confirmedId))
        this.host?.confirmed(this, { id: id ? this.confirmedId : id, entries: given.map(entryOf) });
    });
  }

  /** Writes several fields as one, on behalf of the server: reads under way expect the values, which are no edits. */
  #put(given: readonly Given[]): void {
    for (const { expected } of this.reads) for (const [entry, value] of given) expected.set(entry, value);
    this.show(given);
  }

  /** Restores the values last confirmed. */
  restore(entries: readonly Entry[]): void {
    // A clean field is not restored: what else is known of it stays so.
    this.#put(entries.filter(isDirty).map(asConfirmed));
  }

  /**
   * Within a write: confirms the data, except for fields that hold something newer, and shows it where the field shows what
   * is expected.
   *
   * @param keepsEdits Whether edits stay even if they are expected.
   * @returns Whether no field holds anything newer.
   */
  protected merge(data: unknown, { expected, newer, sent }: Pending, keepsEdits?: boolean): boolean {
    const replaced: Given[] = [];
    const confirmed: Given[] = [];
    const contested: Entry[] = [];
    let isWhole = true;
    for (const given of match(this.fields, data)) {
      const [entry, theirs] = given;
      const isSent = sent?.has(entry);
      const isNewer = newer.has(entry);
      const isAsExpected = expected.has(entry) && this.#shows(entry, expected.get(entry));
      if (isNewer) isWhole = false;
      else if (isAsExpected && !(keepsEdits && isDirty(entry))) replaced.push(given);
      else if (!isSent && !this.#known(entry).some((mine) => equal(mine, theirs))) contested.push(entry);
      // What was sent is as the server has stored it, even where something newer is shown by now.
      if (isSent || !isNewer) confirmed.push(given);
    }
    this.#put(replaced);
    confirm(confirmed);
    for (const entry of contested) this.conflicts.add(entry);
    return isWhole;
  }

  /** The values of a field that are no news from the server: also those sent by writes of which only the answer was lost. */
  #known(entry: Entry): readonly unknown[] {
    const tried = this.failed.filter(({ id, sent }) => sent.has(entry) && isSameId(id, this.id));
    return [entry.confirmed, shown(entry), ...tried.map(({ sent }) => sent.get(entry))];
  }

  /** Whether a field shows a value; an id may do so in another form. */
  #shows(entry: Entry, value: unknown): boolean {
    return entry.path === this.idAttribute ? isSameId(shown(entry), value) : equal(shown(entry), value);
  }

  override dispose(): void {
    super.dispose();
    // The list that it was in can be collected.
    this.host = undefined;
    for (const entry of this.fields) {
      if (release(entry) && !entry.field._entries.length) entry.field._end();
    }
  }
}

import type { RequestOptions } from 'rivulet';

import type { Answer, Sent as WireSent } from '../wire';

/** The mapped fields of the person. */
export const fieldNames = ['id', 'name', 'city'] as const;
export type FieldName = (typeof fieldNames)[number];

/** The data of a person as sent. */
export interface Data {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly address?: { readonly city?: unknown };
}

/** Values for some of the fields. */
export type Values = Partial<Record<FieldName, unknown>>;

/** The data as sent, from the values of some fields. */
export const dataOf = ({ city, ...data }: Values): Data =>
  city === undefined ? data : { ...data, address: { city } };

const valuesOf = ({ address = {}, ...values }: Data): Values => ({ ...values, ...address });

/** The relevant parts of a request, or of a row that arrives without one. */
type Sent = Pick<WireSent, 'at' | 'isWrite' | 'method' | 'answer' | 'data'>;

/** A request under way, in terms of the rules. */
interface Start {
  readonly id: unknown;
  readonly options: RequestOptions;
  /** The values shown at its start; a read's are updated with writes on behalf of the server, which are no edits. */
  readonly shown: Record<FieldName, unknown>;
  /** The values it sends. */
  readonly carried: Values;
  /** The fields that have shown those values ever since: only these may be rolled back. */
  readonly kept: Set<FieldName>;
  /** The values that fields must still show for the answer to a write to replace them. */
  readonly unedited: Values;
  /** The fields for which something newer than its answer has come from the server since then. */
  readonly newer: Set<FieldName>;
}

/** What a person must show and confirm: the rules of the README taken literally, and nothing else. */
export class Oracle {
  readonly shown: Record<FieldName, unknown>;
  readonly confirmed: Record<FieldName, unknown>;
  /** The expected body of each request. */
  readonly bodies: Data[] = [];
  /** Violations of the rules. */
  readonly faults: string[] = [];
  readonly #starts = new Map<Sent, Start>();
  /** The write under way. */
  #writing: Sent | undefined;
  /** All successes: earlier reads of the same id no longer count. */
  readonly #successes: { readonly id: unknown; readonly at: number }[] = [];

  constructor(id: unknown) {
    this.shown = { id, name: 'Ann', city: 'Bonn' };
    this.confirmed = { ...this.shown };
  }

  isDirty(field: FieldName): boolean {
    return this.shown[field] !== this.confirmed[field];
  }

  /** A field is edited. */
  edit(field: FieldName, value: unknown): void {
    this.shown[field] = value;
    for (const { carried, kept } of this.#starts.values()) if (carried[field] !== value) kept.delete(field);
  }

  /** A value comes from the server, newer than the requests under way. */
  set(field: FieldName, value: unknown): void {
    this.confirmed[field] = value;
    for (const { newer } of this.#starts.values()) newer.add(field);
  }

  /** All edits are discarded. */
  reset(): void {
    for (const field of fieldNames) if (this.isDirty(field)) this.#show(field, this.confirmed[field]);
  }

  /** A request is sent. */
  send(sent: Sent, options: RequestOptions): void {
    const { carried } = this.#begin(sent, options);
    this.bodies.push(dataOf(carried));
    if (sent.isWrite) this.#writing = sent;
  }

  /** A followed row arrives: a read with `keepEdits`, answered at once. Returns what to call when it is merged. */
  row(data: Data, at: number): () => void {
    const sent: Sent = { at, isWrite: false, method: 'GET', answer: 'new', data };
    this.#begin(sent, { keepEdits: true });
    return () => {
      if (!this.read(sent, true)) return;
      for (const [{ isWrite, at: asked }, { newer }] of this.#starts) {
        if (isWrite || asked > at) continue;
        for (const field of Object.keys(valuesOf(data))) newer.add(field as FieldName);
      }
    };
  }

  /** A write is answered. */
  written(sent: Sent, answer: Answer, data: unknown, now: number): void {
    const { id, options, unedited, carried, newer } = this.#start(sent);
    this.#writing = undefined;
    if (answer === 'refused' || answer === 'offline') {
      this.#rollBack(sent, 'error');
      return;
    }
    const isParsed = sent.method !== 'DELETE' && options.writeResponse !== false;
    if (isParsed && (answer === 'broken' || answer === 'unparsable')) return;
    const isOfSent =
      sent.method !== 'DELETE' && !(isParsed && answer !== 'empty') && isSameId(this.shown.id, id);
    // An answer without data says nothing of what was not sent, which a read under way may bring.
    if (isOfSent) {
      for (const [{ isWrite }, { newer: fresh }] of this.#starts)
        if (!isWrite) for (const field of Object.keys(carried)) fresh.add(field as FieldName);
    } else this.#successes.push({ id, at: now });
    if (!isSameId(this.shown.id, id)) return;
    if (sent.method === 'DELETE') {
      this.#show('id', undefined);
      Object.assign(this.confirmed, this.shown);
      return;
    }
    const answered = valuesOf((isParsed && answer !== 'empty' ? data : {}) as Data);
    Object.assign(this.confirmed, carried);
    // The server's version of what was sent is confirmed, even if something newer is shown.
    for (const [field, value] of Object.entries(answered)) {
      if (field in carried) this.confirmed[field as FieldName] = value;
    }
    this.#merge(answered, newer, (field) => field in unedited && this.#shows(field, unedited[field]));
  }

  /** A write is abandoned before it is answered. */
  abandoned(sent: Sent): void {
    this.#writing = undefined;
    this.#rollBack(sent, 'abort');
  }

  /** A read has ended with a response; false if the response is not to be written. */
  read(sent: Sent, isRow = false): boolean {
    const { id, options, shown, newer } = this.#start(sent);
    this.#starts.delete(sent);
    if (sent.answer === 'refused' || !isSameId(this.shown.id, id)) return false;
    if (this.#successes.some((success) => isSameId(success.id, id) && success.at > sent.at)) return false;
    if (!isRow) this.#successes.push({ id, at: sent.at });
    const isWriting = this.#writing && isSameId(this.#start(this.#writing).id, id);
    if (isWriting) this.faults.push('a read was written while it was open whether a write would succeed');
    this.#merge(
      valuesOf((sent.answer === 'empty' ? {} : sent.data) as Data),
      newer,
      (field) => this.#shows(field, shown[field]) && !(options.keepEdits && this.isDirty(field)),
    );
    return true;
  }

  #begin(sent: Sent, options: RequestOptions): Start {
    const carried = this.#carriedBy(sent, options);
    const clean = fieldNames.filter((field) => !this.isDirty(field));
    // An edit that was not sent is not covered by the answer.
    const unedited = {
      ...carried,
      ...Object.fromEntries(clean.map((field) => [field, this.shown[field]])),
    };
    const newer = new Set<FieldName>();
    const kept = new Set(Object.keys(carried) as FieldName[]);
    const start = { id: this.shown.id, options, shown: { ...this.shown }, carried, kept, unedited, newer };
    this.#starts.set(sent, start);
    return start;
  }

  /** An id in another form is no edit. */
  #shows(field: FieldName, value: unknown): boolean {
    return field === 'id' ? isSameId(this.shown.id, value) : this.shown[field] === value;
  }

  #start(sent: Sent): Start {
    const start = this.#starts.get(sent);
    if (!start) throw new Error('this was never sent');
    return start;
  }

  #carriedBy({ method }: Sent, { attrs, patch }: RequestOptions): Values {
    if (method === 'GET' || method === 'DELETE') return {};
    if (attrs !== undefined) return valuesOf(attrs as Data);
    const isPatch = patch && method !== 'POST';
    const carried = fieldNames.filter((field) => !isPatch || this.isDirty(field));
    return Object.fromEntries(carried.map((field) => [field, this.shown[field]]));
  }

  /** Confirms the answer, and shows it where it may replace what is shown; except where there is something newer. */
  #merge(answered: Values, newer: ReadonlySet<FieldName>, mayReplace: (field: FieldName) => boolean): void {
    for (const [name, value] of Object.entries(answered)) {
      const field = name as FieldName;
      if (newer.has(field)) continue;
      if (mayReplace(field)) this.#show(field, value);
      this.confirmed[field] = value;
    }
  }

  /** Restores the fields that were sent and were not edited since, even if they show what was sent again. */
  #rollBack(sent: Sent, why: 'error' | 'abort'): void {
    const { id, options, kept } = this.#start(sent);
    if (!isSameId(this.shown.id, id) || ![why, 'both'].includes(options.rollback ?? '')) return;
    for (const field of kept) if (this.isDirty(field)) this.#show(field, this.confirmed[field]);
  }

  /** A field is written on behalf of the server, or an edit is discarded: for the reads under way that is no edit. */
  #show(field: FieldName, value: unknown): void {
    this.edit(field, value);
    for (const [sent, { shown }] of this.#starts) if (!sent.isWrite) shown[field] = value;
  }
}

/** An id equals its text; no id at all is that of a new record. */
export const isSameId = (a: unknown, b: unknown): boolean => textOf(a) === textOf(b);

const textOf = (id: unknown): string =>
  typeof id === 'number' ? id.toString() : ((id as string | undefined) ?? '');

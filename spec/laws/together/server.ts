import type { WireRequest } from 'rivulet';

import { raise } from '../../hostile';

/** A row of the server. */
export interface Row {
  readonly id: number;
  readonly a: string;
  readonly b: string;
}

/** An answer before it becomes a `Response`. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The form of the server's answers to writes. It requires a condition for each: without one nothing is promised. */
export interface ServerKind {
  readonly writes: 'whole' | 'part' | 'empty';
  readonly hasWriteTags: boolean;
}

/** The change of one value by a write; undefined if the whole row was deleted. */
export interface Change {
  readonly path: 'a' | 'b';
  readonly before: string;
  readonly after: string | undefined;
  /** Whether the value had been accepted before, from anyone. */
  readonly isOld: boolean;
}

/** Called with the changes made by a conditional write. */
export type Wrote = (writer: string, changes: readonly Change[]) => void;

/** Rows with versions, which are never reused; repeated writes are recognized by their key. */
export class Server {
  readonly rows = new Map<number, Row>();
  readonly #versions = new Map<number, number>();
  readonly #answered = new Map<string, Reply>();
  /** How many rows each call has created. */
  readonly created = new Map<string, number>();
  /** The values accepted so far, from anyone. */
  readonly accepted = new Set<string>();
  /** The values that were accepted more than once. */
  readonly repeated = new Set<string>();
  /** The version at which a field of a row last received a value. */
  readonly #since = new Map<string, number>();
  /** The valid token of each client. */
  readonly tokens = new Map<string, number>();
  wrote: Wrote = () => undefined;
  readonly #kind: ServerKind;
  #version = 0;
  #ids = 0;

  constructor(kind: ServerKind) {
    this.#kind = kind;
  }

  get isTalkative(): boolean {
    return this.#kind.writes !== 'empty';
  }

  get list(): Row[] {
    return [...this.rows.values()];
  }

  /** Writes a row directly, as somebody who is not one of the clients may. */
  put(row: Omit<Row, 'id'>, id = (this.#ids += 1)): Row {
    const whole = { a: row.a, b: row.b, id };
    const before = this.rows.get(id);
    this.#versions.set(id, (this.#version += 1));
    for (const path of ['a', 'b'] as const) {
      if (before?.[path] === whole[path]) continue;
      this.accepted.add(whole[path]);
      this.#since.set(`${String(id)} ${path} ${whole[path]}`, this.#version);
    }
    this.rows.set(id, whole);
    return whole;
  }

  /** The version at which a row last received that value; undefined if it never did. */
  since(id: number, path: 'a' | 'b', value: string): number | undefined {
    return this.#since.get(`${String(id)} ${path} ${value}`);
  }

  remove(id: number): void {
    this.rows.delete(id);
    this.#version += 1;
  }

  handle(request: WireRequest): Reply {
    const { headers } = request;
    const client = headers.get('x-client') ?? '';
    if (headers.get('authorization') !== `Bearer ${String(this.tokens.get(client))}`) return refused(401);
    const key = headers.get('idempotency-key');
    const known = key && this.#answered.get(key);
    if (known) return known;
    const reply = this.#carryOut(request);
    if (key) this.#answered.set(key, reply);
    return reply;
  }

  #carryOut(request: WireRequest): Reply {
    const { method, headers } = request;
    const id = Number(new URL(request.url).pathname.split('/')[2] ?? 0);
    if (!id)
      return method === 'POST'
        ? this.#create(request)
        : this.#read(headers, `"l${this.#version}"`, this.list);
    const row = this.rows.get(id);
    if (!row) return refused(404);
    const tag = this.#tagOf(id);
    if (method === 'GET') return this.#read(headers, tag, row);
    const condition = headers.get('if-match');
    if (!condition) return refused(428);
    if (condition !== tag) return refused(412);
    const sent = method === 'DELETE' ? { a: undefined, b: undefined } : bodyOf(request);
    const changes = (['a', 'b'] as const).flatMap((path): Change[] => {
      const [before, after] = [row[path], sent[path]];
      if (!(path in sent) || before === after) return [];
      return [{ path, before, after, isOld: this.accepted.has(String(after)) }];
    });
    for (const { after, isOld } of changes) if (isOld && after !== undefined) this.repeated.add(after);
    if (method === 'DELETE') this.remove(id);
    else this.put({ ...row, ...(sent as Partial<Row>) }, id);
    if (condition) this.wrote(headers.get('x-writer') ?? '', changes);
    return method === 'DELETE' ? refused(204) : this.#written(id, 200, Object.keys(sent));
  }

  #create(request: WireRequest): Reply {
    const call = request.headers.get('x-call') ?? '';
    this.created.set(call, (this.created.get(call) ?? 0) + 1);
    const sent = bodyOf(request);
    const { id } = this.put({ a: '', b: '', ...sent });
    // A list can make an item only from the answer; so can a save of other data.
    const isOfList = request.headers.get('x-writer')?.endsWith('list');
    const isOther = !('a' in sent && 'b' in sent);
    return this.#written(id, 201, isOfList || isOther ? ['a', 'b'] : []);
  }

  #written(id: number, status: number, sent: readonly string[]): Reply {
    const { writes, hasWriteTags } = this.#kind;
    const headers = hasWriteTags ? { etag: this.#tagOf(id) } : ({} as Record<string, string>);
    const row = this.rows.get(id) ?? raise(new Error('no row'));
    if (writes === 'whole') return { status, headers, body: row };
    const part = Object.fromEntries(
      Object.entries(row).filter(([name]) => name === 'id' || sent.includes(name)),
    );
    return status === 201 || writes === 'part' ? { status, headers, body: part } : { status: 204, headers };
  }

  #read(headers: Headers, etag: string, body: unknown): Reply {
    const isKnown = headers.get('if-none-match') === etag;
    return isKnown ? { status: 304, headers: { etag } } : { status: 200, headers: { etag }, body };
  }

  #tagOf = (id: number): string => `"${String(this.#versions.get(id))}"`;
}

export const refused = (status: number, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status,
  headers,
});

const bodyOf = ({ body }: WireRequest): Partial<Row> => JSON.parse(body as string) as Partial<Row>;

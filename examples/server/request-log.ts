/** How many requests a log keeps; the oldest are dropped first. */
export const longestLog = 1000;

/** What a log records of each request on arrival. */
export interface Arrival {
  readonly method: string;
  /** Path and query, such as `/api/people?search=ada`. */
  readonly path: string;
  /** Some of the request's headers, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One request to `/api`. It is updated until the request ends, so read it again instead of keeping a copy. */
export interface RequestLog extends Arrival {
  /** The body as sent; `''` until it is read, if there is none, and if it is too long. */
  readonly body: string;
  /** Position of the arrival among all arrivals and ends, from 1: a count, not a time. */
  readonly startedAt: number;
  /** Position of the end in the same count, `null` while the request is under way. */
  readonly endedAt: number | null;
  /** The status of the answer, `null` while the request is under way or if the connection broke first. */
  readonly status: number | null;
  /** Whether the client disconnected before the server acted on the request, which then changed nothing. */
  readonly aborted: boolean;
}

/** Lets the server complete the log of a request. */
export interface Recording {
  body(text: string): void;
  /** @param status `null` if no answer could be sent. */
  end(status: number | null, aborted: boolean): void;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The requests that a server has seen, in order of arrival. */
export class RequestJournal {
  /** The last {@link longestLog} requests. Empty it with `splice(0)` to start afresh. */
  readonly requests: RequestLog[] = [];
  readonly #watchers = new Set<() => void>();
  #count = 0;

  /** Records the arrival of a request. */
  start(arrival: Arrival): Recording {
    const log: Mutable<RequestLog> = {
      ...arrival,
      body: '',
      startedAt: ++this.#count,
      endedAt: null,
      status: null,
      aborted: false,
    };
    this.requests.push(log);
    if (this.requests.length > longestLog) this.requests.shift();
    this.#changed();
    return {
      body: (body) => {
        log.body = body;
        this.#changed();
      },
      end: (status, aborted) => {
        Object.assign(log, { status, aborted, endedAt: ++this.#count });
        this.#changed();
      },
    };
  }

  /**
   * The first request in the log that matches, as soon as there is one: `(r) => r.method === 'PUT'` waits for
   * a PUT to arrive, `(r) => r.aborted` for a client to disconnect. Pending until one matches.
   */
  waitFor(matches: (request: RequestLog) => boolean): Promise<RequestLog> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.requests.find(matches);
        if (found === undefined) return;
        this.#watchers.delete(look);
        resolve(found);
      };
      this.#watchers.add(look);
      look();
    });
  }

  #changed(): void {
    for (const look of this.#watchers) look();
  }
}

/** Whether two requests were under way at the same time. */
export function overlap(one: RequestLog, other: RequestLog): boolean {
  return one.startedAt < (other.endedAt ?? Infinity) && other.startedAt < (one.endedAt ?? Infinity);
}

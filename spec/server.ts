import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll } from 'vitest';

/** A request as the server saw it, for comparing whole. */
export interface Seen {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: Headers;
  /** Decoded JSON, or text; undefined for none. */
  readonly body: unknown;
}

/** Answers one request: a response, or data to be answered as JSON with status 200. */
export type Answer = (request: Seen & { readonly signal: AbortSignal }) => unknown;

/** The origin of relative paths in specs: Node's `fetch` accepts absolute urls only. */
export const origin = 'http://api.test';

/**
 * A mock server for one spec file. `seen` lists the requests of the running test, `answer` says what to answer from now
 * on; without it a request is answered 204. Nothing leaves the machine: a request to elsewhere is an error.
 */
export function mockServer(): { readonly seen: Seen[]; answer(answer: Answer): void } {
  const seen: Seen[] = [];
  let current: Answer | undefined;
  const server = setupServer(
    http.all(`${origin}/*`, async ({ request }) => {
      const text = await request.clone().text();
      const arrived: Seen = {
        method: request.method,
        url: request.url.slice(origin.length),
        headers: request.headers,
        body: decoded(text),
      };
      seen.push(arrived);
      const answer = await current?.({ ...arrived, signal: request.signal });
      if (answer instanceof Response) return answer;
      return answer === undefined ? new HttpResponse(null, { status: 204 }) : Response.json(answer);
    }),
  );
  beforeAll(() => {
    server.listen({ onUnhandledFrame: 'error' });
  });
  afterEach(() => {
    seen.length = 0;
    current = undefined;
  });
  afterAll(() => {
    server.close();
  });
  return {
    seen,
    answer: (answer) => {
      current = answer;
    },
  };
}

function decoded(text: string): unknown {
  if (!text) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** A promise to be settled from outside. */
export interface Gate<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(reason: unknown): void;
}

/** Holds back an answer until the spec releases it. */
export function gate<T = void>(): Gate<T> {
  let resolve!: Gate<T>['resolve'];
  let reject!: Gate<T>['reject'];
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

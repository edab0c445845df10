import type { Transport } from '../index';

import { filter, firstValueFrom, Observable, startWith, Subject, timeout } from './peers';
import { TestRequest } from './test-request';

/**
 * Which request is meant: its url, its method and url (`'PUT /people/7'`), an expression that its method and url match, or a
 * function that returns true for it. Text may leave out the origin of a url.
 */
export type RequestMatch = string | RegExp | ((request: TestRequest) => boolean);

/** How long `next` waits for a request, in milliseconds. */
const patience = 1000;

/**
 * Stands in for the server in a test: holds each request until the test answers it, so that a test can look at what happens
 * during a request, and decide in which order overlapping ones are answered.
 *
 * Pass its `transport` to a root: `createLib({ transport: server.transport })`. Interceptors, options and urls are those of
 * the application; only the network is replaced.
 */
export class TestServer {
  readonly #requests: TestRequest[] = [];
  readonly #sent$ = new Subject<void>();

  /** Takes the place of `fetch`, in the options of a root. May be passed on detached. */
  readonly transport: Transport = (request) =>
    new Observable((receiver) => {
      this.#requests.push(new TestRequest(this.#requests.length, request, receiver));
      this.#sent$.next();
    });

  /** All that were sent, in that order. As text each is its method and url: `server.requests.map(String)`. */
  get requests(): readonly TestRequest[] {
    return this.#requests.slice();
  }

  /** Those that wait for an answer, in the order in which they were sent. */
  get open(): readonly TestRequest[] {
    return this.#requests.filter(({ state }) => state === 'open');
  }

  /**
   * The one request that waits for an answer and is meant; others may wait, too.
   *
   * @throws Error unless there is exactly one; its message lists all that were sent.
   */
  expectOne(match: RequestMatch): TestRequest {
    return this.#one('expectOne', match);
  }

  /**
   * All requests that wait for an answer, in the order in which they were sent: `const [older, newer] =
   * server.expectAll('GET /people', 'GET /people')`. Without arguments, checks that none waits.
   *
   * @param matches Which they must be, in that order.
   * @throws Error if they are not exactly these; its message lists all that were sent.
   */
  expectAll<const M extends readonly RequestMatch[]>(...matches: M): { [K in keyof M]: TestRequest } {
    const { open } = this;
    if (open.length === matches.length && open.every((each, place) => isMeant(each, matches[place])))
      return open as { [K in keyof M]: TestRequest };
    const wanted = matches.map(textOf).join(', ') || 'none';
    throw new Error(`expectAll: waiting for an answer must be ${wanted}; ${this.#report()}`);
  }

  /**
   * The one request that waits for an answer and is meant, as soon as it has been sent: for code that sends it only after a
   * promise, such as `await note.save(); await note.fetch();`.
   *
   * @returns Rejects if none has been sent after a second (of real time, or of fake timers that replace it), or if several
   *   are meant. It does not take the request: asked again before the answer, it returns the same.
   */
  async next(match: RequestMatch): Promise<TestRequest> {
    const isSent = () => this.open.some((each) => isMeant(each, match));
    const sent$ = this.#sent$.pipe(startWith(undefined), filter(isSent));
    // Without it, this says what is missing.
    await firstValueFrom(sent$.pipe(timeout({ first: patience, with: () => [undefined] })));
    return this.#one('next', match);
  }

  /**
   * Checks, usually at the end of a test, that no request waits for an answer. One that waits to be sent again, such as by
   * `retry`, does not count.
   *
   * @throws Error otherwise; its message lists all that were sent.
   */
  verify(): void {
    if (this.open.length) throw new Error(`verify: requests wait for an answer; ${this.#report()}`);
  }

  #one(call: string, match: RequestMatch): TestRequest {
    const [request, another] = this.open.filter((each) => isMeant(each, match));
    if (request && !another) return request;
    const problem = request ? 'more than one request that waits' : 'no request that waits';
    throw new Error(`${call}: ${problem} for an answer matches ${textOf(match)}; ${this.#report()}`);
  }

  #report(): string {
    const lines = this.#requests.map((each) => `${String(each)} (${each.state})`);
    return `sent: ${lines.join(', ') || 'none'}`;
  }
}

const textOf = (match: RequestMatch): string =>
  typeof match === 'function' ? 'the function' : String(match);

function isMeant(request: TestRequest, match: RequestMatch | undefined): boolean {
  if (typeof match === 'function') return match(request);
  const line = String(request);
  // Unlike `test`, `search` ignores the state that an expression keeps with the flags g and y.
  if (match instanceof RegExp) return line.search(match) >= 0;
  const lines = [line, request.url];
  const withoutOrigin = lines.map((each) => each.replace(/^(\S+ )?[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '$1'));
  return [...lines, ...withoutOrigin].includes(String(match));
}

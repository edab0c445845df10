import { Observable } from './peers';
import type { Transport } from './peers';
import { TestRequest } from './test-request';

/**
 * Which request is meant: its url, its method and url (`'PUT /people/7'`), an expression that its method and url match, or a
 * function that returns true for it.
 */
export type RequestMatch = string | RegExp | ((request: TestRequest) => boolean);

/**
 * Stands in for the server in a test: holds each request until the test answers it, so that a test can look at what happens
 * during a request, and decide in which order overlapping ones are answered.
 *
 * Pass its `transport` to a root: `createLib({ transport: server.transport })`. Interceptors, options and urls are those of
 * the application; only the network is replaced.
 */
export class TestServer {
  readonly #requests: TestRequest[] = [];

  /** Takes the place of `fetch`, in the options of a root. May be passed on detached. */
  readonly transport: Transport = (request) =>
    new Observable((receiver) => {
      this.#requests.push(new TestRequest(request, receiver));
    });

  /** All that were sent, in that order. As text each is its method and url: `server.requests.map(String)`. */
  get requests(): readonly TestRequest[] {
    return this.#requests.slice();
  }

  /** Those that wait for an answer, in the order in which they were sent. */
  get open(): readonly TestRequest[] {
    return this.#requests.filter(({ isOpen }) => isOpen);
  }

  /**
   * The one request that waits for an answer and is meant.
   *
   * @throws Error unless there is exactly one; its message lists those that wait. If several do, take yours from `open`.
   */
  expectOne(match: RequestMatch): TestRequest {
    const { open } = this;
    const [request, another] = open.filter((each) => isMeant(each, match));
    if (request && !another) return request;
    const meant = typeof match === 'function' ? 'the function' : String(match);
    throw new Error(
      `expectOne: ${request ? 'more than one request' : 'no request'} that waits for an answer matches ${meant}; waiting: ${list(open)}`,
    );
  }

  /**
   * Checks, usually at the end of a test, that no request waits for an answer.
   *
   * @throws Error otherwise; its message lists them.
   */
  verify(): void {
    const { open } = this;
    if (open.length) throw new Error(`verify: not answered: ${list(open)}`);
  }
}

const list = (requests: readonly TestRequest[]): string => requests.join(', ') || 'none';

function isMeant(request: TestRequest, match: RequestMatch): boolean {
  if (typeof match === 'function') return match(request);
  const line = String(request);
  // Unlike `test`, `search` ignores the state that an expression keeps with the flags g and y.
  return match instanceof RegExp ? line.search(match) >= 0 : match === line || match === request.url;
}

import type { Exchange, WireRequest } from '../index';

import type { Subscriber } from './peers';

/** A request that was sent to a `TestServer`, and that waits until the test answers it. */
export class TestRequest {
  /** Its place among all requests of the server, in the order in which they were sent: 0 for the first. */
  readonly index: number;
  /** The request as it was sent: the options of `fetch` and its signal, too. */
  readonly request: WireRequest;
  readonly #receiver: Subscriber<Exchange>;
  #end: 'answered' | 'failed' | undefined;

  /** @internal */
  constructor(index: number, request: WireRequest, receiver: Subscriber<Exchange>) {
    this.index = index;
    this.request = request;
    this.#receiver = receiver;
  }

  /** The method, in upper case. */
  get method(): string {
    return this.request.method;
  }

  /** The url as it was sent: with its parameters, and relative if it was configured so. */
  get url(): string {
    return this.request.url;
  }

  /** The headers as they were sent. */
  get headers(): Headers {
    return this.request.headers;
  }

  /**
   * The data that was sent: decoded if it is text said to be JSON, anything else as it is, undefined if there is none.
   *
   * @throws SyntaxError if it is said to be JSON, and is not.
   */
  get body(): unknown {
    const { body, headers } = this.request;
    const isJson = typeof body === 'string' && headers.get('content-type')?.includes('json');
    return isJson ? (JSON.parse(body) as unknown) : (body ?? undefined);
  }

  /**
   * `open` while it waits for an answer, then what has become of it: `aborted` if it was given up before (unsubscribed,
   * aborted, out of time). Its `signal` is aborted, too, when the body of an answer is given up.
   */
  get state(): 'open' | 'answered' | 'failed' | 'aborted' {
    return this.#end ?? (this.#receiver.closed ? 'aborted' : 'open');
  }

  /**
   * Answers the request. By the time it returns, the answer is written and each subscriber notified, unless an interceptor,
   * a `parse` or an `around` waits for something else.
   *
   * @param body The data, converted to JSON and back as if it had been sent. Without it, the answer has no body. A
   *   `Response`, for an answer that is not JSON, is passed on as it is; its body is read asynchronously, as that of `fetch`.
   * @param init Status and headers, as for the platform's `Response`; not used with one. Default: 200, or 204 without a body.
   * @throws Error if it does not wait any more; TypeError for what JSON cannot hold, or a body with a status that has
   *   none; RangeError for a status outside 200 to 599.
   */
  answer(body?: unknown, init?: ResponseInit): void {
    if (body instanceof Response) {
      this.#settle({ response: body, body: undefined });
    } else if (body === undefined) {
      this.#settle({ response: new Response(null, { status: 204, ...init }), body });
    } else {
      const response = Response.json(body, init);
      const data: unknown = response.ok ? JSON.parse(JSON.stringify(body)) : undefined;
      this.#settle({ response, body: data });
    }
  }

  /**
   * Fails the request as a broken connection does.
   *
   * @param reason What the request fails with. Default: a `TypeError`, as from the platform's `fetch`.
   * @throws Error if it does not wait any more.
   */
  fail(reason: unknown = new TypeError('Failed to fetch')): void {
    this.#close('fail', 'failed');
    this.#receiver.error(reason);
  }

  /** Its method and url, such as `'PUT /people/7'`: for messages, and to compare lists of requests. */
  toString(): string {
    return `${this.method} ${this.url}`;
  }

  #settle(answer: Omit<Exchange, 'request'>): void {
    this.#close('answer', 'answered');
    this.#receiver.next({ request: this.request, ...answer });
    this.#receiver.complete();
  }

  #close(call: string, end: 'answered' | 'failed'): void {
    const { state } = this;
    if (state !== 'open') throw new Error(`${call}: ${String(this)} was ${state} before`);
    this.#end = end;
  }
}

import { Observable } from 'rxjs';
import type { Subscriber } from 'rxjs';

import type { Exchange, Transport, WireRequest } from 'rivulet';

import { raise } from './hostile';

/**
 * One request that reached the transport and waits for its answer, which is sent synchronously.
 *
 * The body of `ok` counts as decoded; that of `respond`, if the response is ok, is decoded by the library first, which is
 * asynchronous.
 */
export class Held {
  readonly request: WireRequest;
  readonly #subscriber: Subscriber<Exchange>;

  constructor(request: WireRequest, subscriber: Subscriber<Exchange>) {
    this.request = request;
    this.#subscriber = subscriber;
  }

  /** Whether the answer is no longer awaited. */
  get isClosed(): boolean {
    return this.#subscriber.closed;
  }

  ok(body?: unknown): this {
    return this.#answer(body === undefined ? new Response(null, { status: 204 }) : Response.json(body), body);
  }

  refuse(status: number, body?: unknown): this {
    return this.respond(
      body === undefined ? new Response(null, { status }) : Response.json(body, { status }),
    );
  }

  respond(response: Response): this {
    return this.#answer(response, undefined);
  }

  fail(error: Error): this {
    this.#subscriber.error(error);
    return this;
  }

  #answer(response: Response, body: unknown): this {
    this.#subscriber.next({ request: this.request, response, body });
    this.#subscriber.complete();
    return this;
  }
}

/** A server that holds every request until the spec answers it. */
export class StubServer {
  /** The requests in the order in which they were sent. */
  readonly held: Held[] = [];

  /** Goes into the options of a root. */
  readonly transport: Transport = (request) =>
    new Observable((subscriber) => {
      this.held.push(new Held(request, subscriber));
    });

  /** The request at a position, 0 for the first. */
  at(place: number): Held {
    return this.held[place] ?? raise(new Error(`only ${String(this.held.length)} requests were sent`));
  }

  /** The requests, for comparing whole; JSON bodies are decoded. */
  get sent(): { method: string; url: string; body: unknown }[] {
    return this.held.map(({ request: { method, url, body } }) => ({
      method,
      url,
      body: typeof body === 'string' ? (JSON.parse(body) as unknown) : body,
    }));
  }

  /** The requests by method and url, for example `'GET /person/7'`. */
  get lines(): string[] {
    return this.held.map(({ request: { method, url } }) => `${method} ${url}`);
  }
}

import { createServer } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as received, to be answered in any way the spec needs. */
export class Exchange {
  /** Method, path and query: `'PUT /people/7'`. */
  readonly line: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly response: ServerResponse;
  /** Whether the client went away before the answer was complete. */
  isGone = false;
  /** Resolves when the client goes away before the answer is complete. */
  readonly gone: Promise<void>;

  constructor(request: IncomingMessage, body: string, response: ServerResponse) {
    this.line = lineOf(request);
    this.headers = request.headers;
    this.body = body;
    this.response = response;
    this.gone = new Promise((resolve) => {
      response.once('close', () => {
        if (response.writableFinished) return;
        this.isGone = true;
        resolve();
      });
    });
  }

  /** Answers with JSON. */
  json(data: unknown, headers: OutgoingHttpHeaders = {}, status = 200): void {
    this.begin(JSON.stringify(data), headers, status).response.end();
  }

  /** Answers with the headers and the beginning of a body. */
  begin(part: string | Uint8Array, headers: OutgoingHttpHeaders = {}, status = 200): this {
    this.response.writeHead(status, { 'content-type': 'application/json', ...headers }).write(part);
    return this;
  }
}

/** The files served beside the requests that a spec answers, by path: type and text. */
export type Files = Readonly<Record<string, readonly [type: string, text: string]>>;

/**
 * Serves two origins, and holds every request that is not for one of its files until the spec answers it.
 *
 * Preflights are answered at once, with `cors`; a file is sent with the `Content-Security-Policy` in its query.
 */
export class FaultServer {
  /** Headers that allow requests from other origins: sent with every answer. */
  cors: Readonly<Record<string, string>> = {};
  /** Answers requests as they arrive; without it they are held. */
  answer: ((exchange: Exchange) => void) | undefined;
  /** The lines of all requests so far, preflights included. */
  readonly lines: string[] = [];
  readonly #files: Files;
  readonly #servers: readonly Server[];
  readonly #waiting = new Set<{ readonly line: string; resolve(exchange: Exchange): void }>();
  #held: Exchange[] = [];

  constructor(files: Files) {
    this.#files = files;
    this.#servers = [this.#handle, this.#handle].map((handle) => createServer(handle));
  }

  /** Starts to listen; returns the ports. */
  async listen(): Promise<[number, number]> {
    const ports = this.#servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => {
            resolve((server.address() as AddressInfo).port);
          });
        }),
    );
    return (await Promise.all(ports)) as [number, number];
  }

  /** The first request with that line that has not been returned yet, once it has arrived completely. */
  arrived(line: string): Promise<Exchange> {
    const place = this.#held.findIndex((exchange) => exchange.line === line);
    const [held] = place < 0 ? [] : this.#held.splice(place, 1);
    if (held) return Promise.resolve(held);
    return new Promise((resolve) => {
      this.#waiting.add({ line, resolve });
    });
  }

  /** Forgets the previous spec. */
  reset(): void {
    this.cors = {};
    this.answer = undefined;
    this.lines.length = 0;
    this.#held = [];
    this.#waiting.clear();
  }

  close(): void {
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }

  readonly #handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const file = this.#files[pathname];
    if (file) {
      const [type, text] = file;
      response.setHeader('content-security-policy', searchParams.get('csp') ?? '');
      response.writeHead(200, { 'content-type': type }).end(text);
      return;
    }
    this.lines.push(lineOf(request));
    for (const [name, value] of Object.entries(this.cors)) response.setHeader(name, value);
    if (request.method === 'OPTIONS') {
      // Not cached by the browser: each spec sees its own.
      response.writeHead(204, { 'access-control-max-age': '0' }).end();
      return;
    }
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      this.#take(new Exchange(request, body, response));
    });
  };

  #take(exchange: Exchange): void {
    const waiting = [...this.#waiting].find(({ line }) => line === exchange.line);
    if (this.answer) this.answer(exchange);
    else if (waiting && this.#waiting.delete(waiting)) waiting.resolve(exchange);
    else this.#held.push(exchange);
  }
}

const lineOf = ({ method = '', url = '' }: IncomingMessage): string => `${method} ${url}`;

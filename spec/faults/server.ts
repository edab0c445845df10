import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { bodies } from './bodies.ts';
import { connections } from './connections.ts';
import { plain } from './plain.ts';
import { hasEnded } from './raw.ts';
import { redirects } from './redirects.ts';
import type { Arrival, Hit, Route, Routes } from './route.ts';
import { statuses } from './statuses.ts';
import { texts } from './texts.ts';

export type { Arrival } from './route.ts';

/** A server on the loopback interface that fails as its url requests: `/<fault>` or `/<fault>/<id>`. */
export interface FaultServer {
  readonly origin: string;
  /** The requests whose bodies have arrived, in that order. */
  readonly log: Arrival[];
  /** Sockets accepted since the start. */
  readonly connections: number;
  /** Sockets open now. */
  readonly openConnections: number;
  /** How many requests a gate holds now. */
  readonly held: number;
  /** Releases a request held by `/gate`; 0 is the oldest. */
  release(place: number): void;
  /** Waits for a condition, which is checked now and at every arrival, hold, connection and end of one. */
  until(condition: (server: FaultServer) => boolean | undefined): Promise<void>;
  /** Closes all connections, and the server. */
  close(): Promise<void>;
}

/** All routes but `gate`, which needs the server. */
export const routes: Routes = { ...plain, ...connections, ...bodies, ...texts, ...statuses, ...redirects };

const unknown: Route = ({ response }) => response.writeHead(404).end('no such fault');

/** Starts a fault server on a free port. */
export async function startFaultServer(): Promise<FaultServer> {
  const faults = new Faults();
  await faults.listen();
  return faults;
}

class Faults implements FaultServer {
  readonly log: Arrival[] = [];
  connections = 0;
  readonly #sockets = new Set<Socket>();
  readonly #gate: (() => void)[] = [];
  readonly #waiting = new Set<() => void>();
  // Urls may be long; and closing an idle connection would be an unintended fault.
  readonly #server: Server = createServer({ maxHeaderSize: 2 ** 20, keepAliveTimeout: 60_000 });

  constructor() {
    this.#server.on('connection', (socket: Socket) => {
      this.#meet(socket);
    });
    this.#server.on('request', (request, response) => {
      // The body broke off, or the url is invalid.
      this.#receive(request, response).catch(() => response.destroy());
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get openConnections(): number {
    return this.#sockets.size;
  }

  get held(): number {
    return this.#gate.length;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  release(place: number): void {
    const [answer] = this.#gate.splice(place, 1);
    if (!answer) throw new Error(`nothing is held at place ${place}`);
    answer();
  }

  until(condition: (server: FaultServer) => boolean | undefined): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition(this)) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }

  close(): Promise<void> {
    const closed = new Promise<void>((resolve) =>
      this.#server.close(() => {
        resolve();
      }),
    );
    this.#server.closeAllConnections();
    return closed;
  }

  #changed(): void {
    for (const look of [...this.#waiting]) look();
  }

  #meet(socket: Socket): void {
    this.connections += 1;
    this.#sockets.add(socket);
    // Errors that a client causes on its connection do not concern this server.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      this.#changed();
    });
    this.#changed();
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', rawHeaders: headers, socket } = request;
    const arrival: Arrival = { method, url, headers, body: await text(request), isAborted: false };
    const isFirst = !this.log.some((other) => other.url === url);
    this.log.push(arrival);
    response.on('close', () => {
      arrival.isAborted = !response.writableFinished && !hasEnded(socket);
      this.#changed();
    });
    const { pathname, searchParams: parameters } = new URL(url, this.origin);
    const [, name = '', id] = pathname.split('/').map(decodeURIComponent);
    const hit: Hit = { arrival, parameters, id, isFirst, response, socket };
    if (name === 'gate') this.#hold(hit);
    else (routes[name] ?? unknown)(hit);
    this.#changed();
  }

  /** Holds a request, then answers it as the route named by `then`. */
  #hold(hit: Hit): void {
    const route = routes[hit.parameters.get('then') ?? 'ok'] ?? unknown;
    const go = () => {
      route(hit);
    };
    this.#gate.push(go);
    hit.response.on('close', () => {
      const place = this.#gate.indexOf(go);
      if (place < 0) return;
      this.#gate.splice(place, 1);
      this.#changed();
    });
  }
}

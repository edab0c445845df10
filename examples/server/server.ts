import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DatabaseSync } from 'node:sqlite';
import { getRequestListener } from '@hono/node-server';
import { createApp } from './app.ts';
import { openDatabase } from './database.ts';
import type { App } from './environment.ts';
import { RequestJournal } from './request-log.ts';
import type { RequestLog } from './request-log.ts';

/** Options of a server, all optional. */
export interface ServerOptions {
  /** The port to listen on; 0, the default, takes a free one. */
  readonly port?: number | undefined;
  /** The address to listen on, `127.0.0.1` by default. */
  readonly hostname?: string | undefined;
  /** File of the database, created and filled if missing, or `:memory:`, the default. */
  readonly database?: string | undefined;
  /** Milliseconds before each answer under `/api`, 0 by default. */
  readonly delay?: number | undefined;
  /** Adds routes beside `/api`, such as pages and scripts. */
  readonly serveStatic?: ((app: App) => void) | undefined;
}

/** A running server. */
export interface RunningServer {
  /** Its address, without a trailing slash: `http://127.0.0.1:3000`. */
  readonly url: string;
  /** Its database, open until `close()`. */
  readonly database: DatabaseSync;
  /** The last requests to `/api`, in order of arrival, without CORS preflights. Empty it with `splice(0)`. */
  readonly requests: RequestLog[];
  /** The first logged request that matches, as soon as there is one; see {@link RequestJournal.waitFor}. */
  waitFor(matches: (request: RequestLog) => boolean): Promise<RequestLog>;
  /** Drops all connections at once, then closes the database. Further calls return the same promise. */
  close(): Promise<void>;
}

/**
 * Starts the example server: a REST API over people and groceries.
 *
 * @throws Error with the `code` `EADDRINUSE` if the port is taken, or from SQLite if the database cannot be
 * opened.
 */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { port = 0, hostname = '127.0.0.1', database: path = ':memory:', delay, serveStatic } = options;
  const database = openDatabase(path);
  const journal = new RequestJournal();
  const app = createApp(database, { delay, journal });
  const server = listener(app);
  try {
    serveStatic?.(app);
    server.listen(port, hostname);
    await once(server, 'listening');
  } catch (error) {
    database.close();
    throw error;
  }

  let closed: Promise<void> | undefined;
  return {
    url: urlOf(server),
    database,
    requests: journal.requests,
    waitFor: (matches) => journal.waitFor(matches),
    close: () => (closed ??= closeAll(server, database)),
  };
}

function listener(app: App): Server {
  // Otherwise the adapter replaces the global Request and Response, for the caller's code as well.
  const listen = getRequestListener((request, env) => app.fetch(request, env), {
    overrideGlobalObjects: false,
  });
  return createServer((incoming, outgoing) => void listen(incoming, outgoing));
}

function urlOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${String(port)}`;
}

async function closeAll(server: Server, database: DatabaseSync): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
  database.close();
}

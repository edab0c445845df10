import { afterEach, beforeAll, beforeEach } from 'vitest';

import type { RequestLog } from '../../examples/server/request-log';
import { startServer } from '../../examples/server/server';
import type { RunningServer, ServerOptions } from '../../examples/server/server';

/** The server of the running test. */
export let server: RunningServer;

/**
 * Starts a server for each test, with its own database and these pages: at a fixed address, so that the browser need not
 * compile them again.
 */
export function useServer(pages: () => Promise<ServerOptions['serveStatic']>): void {
  let serveStatic: ServerOptions['serveStatic'];
  let port = 0;

  beforeAll(async () => {
    serveStatic = await pages();
  });

  beforeEach(async () => {
    server = await startServer({ port, serveStatic });
    port = Number(new URL(server.url).port);
  });

  afterEach(() => server.close());
}

/** The requests that change something, in order of arrival. */
export function writes(): RequestLog[] {
  return server.requests.filter(({ method }) => method !== 'GET');
}

/** A row of the database; undefined for none. */
export function row(table: 'people' | 'groceries', where: string): Record<string, unknown> | undefined {
  const found = server.database.prepare(`SELECT * FROM ${table} WHERE ${where}`).get();
  return found && { ...found };
}

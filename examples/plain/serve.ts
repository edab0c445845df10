import { fileURLToPath } from 'node:url';
import type { App } from '../server/environment.ts';
import { startServer } from '../server/server.ts';
import type { RunningServer, ServerOptions } from '../server/server.ts';
import { staticPage } from '../shared/static-page.ts';

/** How to start the example; all of it may be left out. */
export interface ExampleOptions extends Pick<ServerOptions, 'port' | 'database' | 'delay'> {
  /** The file that `rivulet` stands for in the page: the built package unless given. */
  readonly library?: string | undefined;
}

/**
 * Starts the example: its page at `/`, and the server it talks to under `/api`.
 *
 * @throws Error when the library is not there, and what `startServer` throws.
 */
export async function startExample({ library, ...settings }: ExampleOptions = {}): Promise<RunningServer> {
  return startServer({ ...settings, serveStatic: await plainPage('/', library) });
}

/**
 * Makes the page ready to be served.
 *
 * @param path Where, with a slash at the end.
 * @param library The file that `rivulet` stands for in the page: the built package unless given.
 * @returns What adds it to a server.
 * @throws Error when the library is not there.
 */
export function plainPage(
  path: string,
  library = fileURLToPath(new URL('../../dist/index.js', import.meta.url)),
): Promise<(app: App) => void> {
  const folder = new URL('./', import.meta.url);
  return staticPage(path, { folder, styles: ['style.css'], library: { rivulet: library } });
}

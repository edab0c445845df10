import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { App } from '../server/environment.ts';
import { startServer } from '../server/server.ts';
import type { RunningServer, ServerOptions } from '../server/server.ts';

/** How to start the example; all of it may be left out. */
export interface ExampleOptions extends Pick<ServerOptions, 'port' | 'database' | 'delay'> {
  /** The file that `rivulet` stands for in the page: the built package unless given. */
  readonly library?: string | undefined;
}

/** What a browser may load and do on the page: nothing that is not the example's own. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'";

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
export async function plainPage(
  path: string,
  library = here('../../dist/index.js'),
): Promise<(app: App) => void> {
  const [page, style, script] = await Promise.all([
    readFile(here('index.html'), 'utf8'),
    readFile(here('style.css'), 'utf8'),
    bundle(library),
  ]);
  return (app) => {
    const send = (name: string, type: string, text: string) =>
      app.get(path + name, (c) =>
        c.body(text, 200, {
          'Content-Type': type,
          'Content-Security-Policy': policy,
          'Cache-Control': 'no-cache',
        }),
      );
    send('', 'text/html; charset=utf-8', page);
    send('style.css', 'text/css; charset=utf-8', style);
    send('main.js', 'text/javascript; charset=utf-8', script);
  };
}

/** The scripts of the page as one, with `rivulet` and `rxjs` in it. */
async function bundle(library: string): Promise<string> {
  if (!existsSync(library)) throw new Error(`${library} is missing. Make it with "npm run build".`);
  const { outputFiles } = await build({
    entryPoints: [here('main.ts')],
    alias: { rivulet: library },
    bundle: true,
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('');
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

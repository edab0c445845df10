import { readFile, readdir } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bigListPage } from '../big-list/serve.ts';
import { minimalPage } from '../minimal/serve.ts';
import { plainPage } from '../plain/serve.ts';
import type { App } from '../server/environment.ts';
import { startServer } from '../server/server.ts';
import type { RunningServer, ServerOptions } from '../server/server.ts';
import { isBuilt } from './build.ts';

/** What `src/server.ts` exports. */
interface Renderer {
  /** Renders the page for a request; null if the app has none. */
  readonly reqHandler: (request: Request) => Promise<Response | null>;
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

/**
 * Starts one server with everything: the pages, and the API that they use under `/api`.
 *
 * @throws What `appPages` and `startServer` throw.
 */
export async function startApp(
  settings: Pick<ServerOptions, 'port' | 'database' | 'delay'> = {},
): Promise<RunningServer> {
  return startServer({ ...settings, serveStatic: await appPages() });
}

/**
 * Prepares the pages for serving: the app, rendered on the server, and the pages without a framework at `/minimal/`,
 * `/plain/` and `/big-list/`.
 *
 * @returns A function that adds them to a server.
 * @throws Error if the app has not been built from the present library and sources.
 */
export async function appPages(): Promise<(app: App) => void> {
  if (!isBuilt()) throw new Error('The app is not built, or not from this. Run "npm run build:app".');
  const [addMinimalPage, addPlainPage, addBigListPage, files, { reqHandler }] = await Promise.all([
    minimalPage('/minimal/'),
    plainPage('/plain/'),
    bigListPage('/big-list/'),
    browserFiles(),
    import(new URL('dist/server/server.mjs', import.meta.url).href) as Promise<Renderer>,
  ]);
  return (app) => {
    addMinimalPage(app);
    addPlainPage(app);
    addBigListPage(app);
    for (const path of ['/minimal', '/plain', '/big-list']) app.get(path, (c) => c.redirect(`${path}/`));
    for (const { name, content } of files) {
      const headers = {
        'Content-Type': types[extname(name)] ?? 'application/octet-stream',
        // The name contains a hash of the content.
        'Cache-Control': 'public, max-age=31536000, immutable',
      };
      app.get(`/${name}`, (c) => c.body(content, 200, headers));
    }
    app.get('*', async (c, next) => {
      if (c.req.path.startsWith('/api/') || !isText(c.req.url)) return next();
      return (await reqHandler(c.req.raw)) ?? next();
    });
  };
}

/** Whether a URL can be decoded: its percent signs may be followed by anything. */
function isText(url: string): boolean {
  try {
    decodeURIComponent(new URL(url).pathname);
    return true;
  } catch {
    return false;
  }
}

/** The scripts and styles of the app. */
async function browserFiles(): Promise<{ name: string; content: string }[]> {
  const folder = fileURLToPath(new URL('dist/browser/', import.meta.url));
  const names = (await readdir(folder)).filter((name) => extname(name) in types);
  return Promise.all(names.map(async (name) => ({ name, content: await readFile(folder + name, 'utf8') })));
}

import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { App } from '../server/environment.ts';

/** The files to use for `rivulet` and its entries, by the name that the page imports. */
export type Library = Readonly<Record<string, string>>;

/** What a page is made of. */
export interface StaticPage {
  /** The folder with its `index.html` and `main.ts`, as a URL with a trailing slash. */
  readonly folder: URL;
  /** Its style sheets in order, relative to that folder. */
  readonly styles: readonly string[];
  readonly library: Library;
}

/** What a browser may load and do on the page: only what belongs to the example. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'";

/**
 * Prepares a page for serving, with its scripts bundled into one file and its styles into another.
 *
 * @param path Where to serve it, with a trailing slash.
 * @returns A function that adds it to a server.
 * @throws Error if the library is missing.
 */
export async function staticPage(
  path: string,
  { folder, styles, library }: StaticPage,
): Promise<(app: App) => void> {
  const read = (name: string) => readFile(new URL(name, folder), 'utf8');
  const [page, style, script] = await Promise.all([
    read('index.html'),
    Promise.all(styles.map(read)),
    bundle(new URL('main.ts', folder), library),
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
    send('style.css', 'text/css; charset=utf-8', style.join('\n'));
    send('main.js', 'text/javascript; charset=utf-8', script);
  };
}

/** Bundles a script with everything that it imports, including `rivulet` and `rxjs`. */
async function bundle(script: URL, library: Library): Promise<string> {
  const missing = Object.values(library).find((file) => !existsSync(file));
  if (missing) throw new Error(`${missing} is missing. Make it with "npm run build".`);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(script)],
    alias: library,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    sourcemap: 'inline',
    write: false,
    logLevel: 'silent',
  });
  return outputFiles.map(({ text }) => text).join('');
}

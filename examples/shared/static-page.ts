import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { App } from '../server/environment.ts';

/** The files that `rivulet` and its entries stand for in a page, by what the page imports. */
export type Library = Readonly<Record<string, string>>;

/** What a page is made of. */
export interface StaticPage {
  /** The folder with its `index.html` and `main.ts`, as a URL with a slash at the end. */
  readonly folder: URL;
  /** Its style sheets in their order, from that folder. */
  readonly styles: readonly string[];
  readonly library: Library;
}

/** What a browser may load and do on the page: nothing that is not the example's own. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'";

/**
 * Makes a page ready to be served, with its scripts as one file and its styles as another.
 *
 * @param path Where, with a slash at the end.
 * @returns What adds it to a server.
 * @throws Error when the library is not there.
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

/** A script and all that it imports as one, with `rivulet` and `rxjs` in it. */
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

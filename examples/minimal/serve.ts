import { fileURLToPath } from 'node:url';
import type { App } from '../server/environment.ts';
import { staticPage } from '../shared/static-page.ts';
import type { Library } from '../shared/static-page.ts';

const built = (name: string) => fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));

/**
 * Prepares the page for serving.
 *
 * @param path Where to serve it, with a trailing slash.
 * @param library The files to use for `rivulet` and its entries: by default those of the built package.
 * @returns A function that adds it to a server.
 * @throws Error if the library is missing.
 */
export function minimalPage(
  path: string,
  library: Library = { rivulet: built('index'), 'rivulet/autosave': built('autosave') },
): Promise<(app: App) => void> {
  return staticPage(path, { folder: new URL('./', import.meta.url), styles: ['style.css'], library });
}

import { fileURLToPath } from 'node:url';
import type { App } from '../server/environment.ts';
import { staticPage } from '../shared/static-page.ts';
import type { Library } from '../shared/static-page.ts';

/** The built package. */
const built: Library = {
  rivulet: here('../../dist/index.js'),
  'rivulet/views': here('../../dist/views.js'),
};

/**
 * Prepares the page for serving. It needs no API: it makes up its rows itself.
 *
 * @param path Where to serve it, with a trailing slash.
 * @param library The files to use for the library in the page: the built package by default.
 * @returns A function that adds it to a server.
 * @throws Error if the library is missing.
 */
export function bigListPage(path: string, library = built): Promise<(app: App) => void> {
  const styles = ['../plain/style.css', 'style.css'];
  return staticPage(path, { folder: new URL('./', import.meta.url), styles, library });
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

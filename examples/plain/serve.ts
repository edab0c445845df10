import { fileURLToPath } from 'node:url';
import type { App } from '../server/environment.ts';
import { staticPage } from '../shared/static-page.ts';

/**
 * Prepares the page for serving.
 *
 * @param path Where to serve it, with a trailing slash.
 * @param library The file to use for `rivulet` in the page: the built package by default.
 * @returns A function that adds it to a server.
 * @throws Error if the library is missing.
 */
export function plainPage(
  path: string,
  library = fileURLToPath(new URL('../../dist/index.js', import.meta.url)),
): Promise<(app: App) => void> {
  const folder = new URL('./', import.meta.url);
  return staticPage(path, { folder, styles: ['style.css'], library: { rivulet: library } });
}

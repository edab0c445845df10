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
 * Makes the page ready to be served. It needs no API: it makes its rows itself.
 *
 * @param path Where, with a slash at the end.
 * @param library The files that the library stands for in the page: the built package unless given.
 * @returns What adds it to a server.
 * @throws Error when the library is not there.
 */
export function bigListPage(path: string, library = built): Promise<(app: App) => void> {
  const styles = ['../plain/style.css', 'style.css'];
  return staticPage(path, { folder: new URL('./', import.meta.url), styles, library });
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

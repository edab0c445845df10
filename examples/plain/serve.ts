import { fileURLToPath } from 'node:url';
import type { App } from '../server/environment.ts';
import { staticPage } from '../shared/static-page.ts';

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

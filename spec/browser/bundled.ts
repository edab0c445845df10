import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import type { BuildOptions } from 'esbuild';

const entry = (name: string) => fileURLToPath(new URL(`../../lib/${name}.ts`, import.meta.url));

/** A script for pages and workers, with the library built from its sources. */
export async function bundled(source: Pick<BuildOptions, 'stdin' | 'entryPoints'>): Promise<string> {
  const { outputFiles } = await build({
    ...source,
    alias: {
      'rivulet/etag': entry('etag/index'),
      'rivulet/live': entry('live/index'),
      'rivulet/paging': entry('paging/index'),
      rivulet: entry('index'),
    },
    bundle: true,
    format: 'iife',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return String(outputFiles[0]?.text);
}

/** The same from a file beside this one. */
export const bundledFile = (name: string): Promise<string> =>
  bundled({ entryPoints: [fileURLToPath(new URL(name, import.meta.url))] });

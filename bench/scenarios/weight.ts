import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import type { Scenario } from '../scenario.ts';

/** The code that an application ships when it uses the same parts of a library as the adapter. */
export const weight: Scenario = {
  name: 'size',
  rounds: 1,
  lines: [{ id: 'size', title: 'minified + gzip, rxjs outside', unit: 'bytes', goal: { most: 5 * 1024 } }],
  prepare: async ({ imports }) => {
    if (!imports) return [];
    const { outputFiles } = await build({
      stdin: {
        contents: imports,
        resolveDir: fileURLToPath(new URL('../adapters', import.meta.url)),
        loader: 'js',
      },
      external: ['rxjs', '@angular/*'],
      bundle: true,
      minify: true,
      format: 'esm',
      target: 'es2022',
      define: { 'process.env.NODE_ENV': '"production"' },
      write: false,
      logLevel: 'error',
    });
    const size = gzipSync(outputFiles[0]?.contents ?? new Uint8Array(), { level: 9 }).byteLength;
    return [{ line: 'size', value: () => size }];
  },
};

import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

import base from '../vitest.config.ts';

/** The specs of `rivulet/angular`, which need a page: Stryker runs them against each of its mutants. */
export default defineConfig({
  resolve: base.resolve ?? {},
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Stryker works in a copy that uses the packages of the original, outside of the root.
  server: { fs: { strict: false } },
  test: {
    isolate: false,
    include: ['spec/angular/**/*.spec.ts'],
    environment: 'jsdom',
    setupFiles: ['./spec/setup.ts', '@angular/compiler', './spec/angular/setup.ts'],
  },
});

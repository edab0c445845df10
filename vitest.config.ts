import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { rivulet: fileURLToPath(new URL('lib/index.ts', import.meta.url)) } },
  test: {
    include: ['spec/**/*.spec.ts'],
    typecheck: { enabled: true, include: ['spec/**/*.spec-d.ts'] },
    reporters: ['default', './spec/reporter.ts'],
    coverage: {
      provider: 'v8',
      include: ['lib/**/*.ts'],
      // Types and lists of exports only: nothing in them runs.
      exclude: ['lib/{data-of,index,rx,types}.ts'],
      thresholds: { 100: true },
      reporter: ['text-summary', 'html'],
    },
  },
});

import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: {
    alias: {
      'rivulet/angular': fileURLToPath(new URL('lib/angular/index.ts', import.meta.url)),
      rivulet: fileURLToPath(new URL('lib/index.ts', import.meta.url)),
    },
  },
  test: {
    include: ['spec/**/*.spec.ts'],
    typecheck: { enabled: true, include: ['spec/**/*.spec-d.ts'] },
    reporters: ['default', './spec/reporter.ts'],
    coverage: { provider: 'v8', include: ['lib/**'] },
  },
});

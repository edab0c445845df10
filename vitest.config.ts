import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const lib = fileURLToPath(new URL('lib', import.meta.url));

/**
 * Specs that need a process of their own: to render pages on a server, Angular replaces parts of the platform, such as
 * `Event`; and memory is measured. Named so as to run before `core`: the slowest files must not be left to the end.
 */
const apart = ['spec/examples/**/*.spec.ts', 'spec/leaks.spec.ts'];

export default defineConfig({
  resolve: {
    alias: [
      { find: /^rivulet\/(\w+)$/, replacement: `${lib}/$1/index.ts` },
      { find: /^rivulet$/, replacement: `${lib}/index.ts` },
    ],
  },
  test: {
    // Specs that drive a browser mostly wait: run more files at once than there are processors.
    maxWorkers: 3,
    // The laws leave much garbage: more room for new objects makes the whole run a tenth faster.
    execArgv: ['--max-semi-space-size=64'],
    // Loading the library anew for each file would take a third longer. What specs replace is restored by setup.ts.
    isolate: false,
    setupFiles: './spec/setup.ts',
    // No spec measures time by this: it only ends what hangs.
    testTimeout: 30_000,
    // Waiting for a browser takes seconds while other specs use the processors.
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', './spec/reporter.ts'],
    coverage: {
      provider: 'istanbul',
      include: ['lib/**/*.ts'],
      // Only types and lists of exports: nothing in them runs.
      exclude: ['lib/{data-of,index,rx,types}.ts', 'lib/*/index.ts'],
      thresholds: { 100: true },
      reporter: ['text-summary', 'html'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'core',
          include: ['spec/**/*.spec.ts'],
          exclude: ['spec/angular/**', ...apart],
        },
      },
      {
        extends: true,
        test: { name: 'apart', include: apart, isolate: true },
      },
      {
        extends: true,
        test: {
          name: 'angular',
          include: ['spec/angular/**/*.spec.ts'],
          environment: 'jsdom',
          // Angular's packages compile themselves when loaded, so the compiler must be loaded first.
          setupFiles: ['@angular/compiler', './spec/angular/setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'types',
          include: [],
          typecheck: {
            enabled: true,
            only: true,
            include: ['spec/**/*.spec-d.ts'],
            // By path: other versions of TypeScript are installed too, each with its own `tsc`.
            checker: 'node_modules/typescript/bin/tsc',
            tsconfig: 'spec/tsconfig.types.json',
          },
        },
      },
    ],
  },
});

import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';

const lib = fileURLToPath(new URL('lib', import.meta.url));

/**
 * What needs a process of its own: to render pages on a server, Angular replaces what the platform has, such as `Event`;
 * and memory is measured. The project runs before `core`, by its name: what takes longest must not be left over at the end.
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
    // Those that drive a browser wait most of the time: more files at once than there are processors.
    maxWorkers: 3,
    // The laws leave much garbage: more room for what is new makes a tenth of all faster.
    execArgv: ['--max-semi-space-size=64'],
    // A process for each file, with the library loaded anew, would take a third longer. What specs replace, setup.ts gives back.
    isolate: false,
    setupFiles: './spec/setup.ts',
    // No spec measures time by this: it is only there to end what hangs.
    testTimeout: 30_000,
    // What is waited for in a browser takes seconds where others use the processors, too.
    expect: { poll: { timeout: 10_000 } },
    reporters: ['default', './spec/reporter.ts'],
    coverage: {
      provider: 'istanbul',
      include: ['lib/**/*.ts'],
      // Types and lists of exports only: nothing in them runs.
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
          // Angular's packages compile themselves as they are loaded, so the compiler has to be there first.
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
            // By its path: the oldest TypeScript supported is installed too, and has a `tsc` of its own.
            checker: 'node_modules/typescript/bin/tsc',
            tsconfig: 'spec/tsconfig.types.json',
          },
        },
      },
    ],
  },
});

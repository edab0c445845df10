import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'lib/index.ts',
    angular: 'lib/angular/index.ts',
    autosave: 'lib/autosave/index.ts',
    etag: 'lib/etag/index.ts',
    schema: 'lib/schema/index.ts',
    resilience: 'lib/resilience/index.ts',
    live: 'lib/live/index.ts',
    paging: 'lib/paging/index.ts',
    testing: 'lib/testing/index.ts',
    views: 'lib/views/index.ts',
  },
  tsconfig: 'lib/tsconfig.json',
  format: ['esm', 'cjs'],
  target: 'es2022',
  dts: true,
  splitting: true,
  treeshake: true,
  sourcemap: true,
  clean: true,
});

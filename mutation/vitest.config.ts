import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

import base from '../vitest.config.ts';

/** Stryker abandons a mutant at the first failure, so quick specs come first. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

/** The specs that mirror `lib`, and the laws, in one project without type tests: run by Stryker against each mutant. */
export default defineConfig({
  resolve: base.resolve ?? {},
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    isolate: false,
    setupFiles: './spec/setup.ts',
    sequence: { sequencer: QuickFirst },
    include: [
      'spec/*.spec.ts',
      'spec/{request,autosave,etag,live,paging,resilience,schema,testing,views}/*.spec.ts',
      'spec/laws/*.spec.ts',
    ],
    // Few and always the same: a surviving mutant must survive again.
    env: { RUNS: '1000', SEED: '1' },
    exclude: [
      'spec/{architecture,exports,leaks,links,package,readme,recipes,seed,size}.spec.ts',
      'spec/schema/law.spec.ts',
      // They read the docs, which are not copied.
      'spec/*/guide.spec.ts',
    ],
  },
});

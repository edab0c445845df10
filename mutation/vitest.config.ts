import { fileURLToPath } from 'node:url';

import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

import base from '../vitest.config.ts';

/** Stryker leaves a mutant at its first failure, so what is quick comes first. */
class QuickFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).reverse();
  }
}

/** The specs that mirror `lib` and the laws, in one project without type tests: what Stryker runs against each mutant. */
export default defineConfig({
  resolve: base.resolve ?? {},
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: {
    isolate: false,
    setupFiles: './spec/setup.ts',
    sequence: { sequencer: QuickFirst },
    include: [
      'spec/*.spec.ts',
      'spec/{request,etag,resilience,schema,views}/*.spec.ts',
      'spec/laws/*.spec.ts',
    ],
    // Few and always the same: a mutant that lives is to live again.
    env: { RUNS: '1000', SEED: '1' },
    exclude: [
      'spec/{architecture,exports,leaks,links,package,readme,recipes,seed,size}.spec.ts',
      'spec/schema/law.spec.ts',
    ],
  },
});

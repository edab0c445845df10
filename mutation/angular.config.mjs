import core from './stryker.config.json' with { type: 'json' };

const report = 'reports/mutation/angular';

/** The differences for `rivulet/angular`, whose specs need a page. */
export default {
  ...core,
  // The specs take the texts of problems from the example server.
  ignorePatterns: core.ignorePatterns.flatMap((each) =>
    each === 'examples' ? ['examples/angular', 'examples/node_modules'] : [each],
  ),
  mutate: ['lib/angular/*.ts', '!lib/angular/{index,peers}.ts'],
  vitest: { ...core.vitest, configFile: 'mutation/vitest.angular.config.ts' },
  incrementalFile: `${report}/incremental.json`,
  htmlReporter: { fileName: `${report}/index.html` },
  jsonReporter: { fileName: `${report}/mutation.json` },
};

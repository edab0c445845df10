import type { Reporter, TestModule } from 'vitest/node';

/** Ends the run with one plain line, which is what a script or a CI looks for. */
export default class TotalReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that does not load and an error outside of any test fail the run too.
    const broken = modules.filter((module) => module.errors().length > 0).length + unhandledErrors.length;
    const failed = count('failed') + broken;
    const skipped = count('skipped') ? `, ${String(count('skipped'))} skipped` : '';
    // What runs after the tests, such as the coverage, prints before this, and may fail the run as well.
    process.once('exit', (code) => {
      console.log(
        `${String(count('passed'))} passed, ${String(code ? Math.max(failed, 1) : failed)} failed${skipped}`,
      );
    });
  }
}

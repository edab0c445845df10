import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { systemNames } from './adapters/index.ts';
import type { Series } from './figures.ts';
import { measure } from './measure.ts';
import { detailsOf, reportOf, resultsOf } from './report.ts';
import type { Effort, Scenario } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { settingOf } from './setting.ts';

const results = new URL('RESULTS.md', import.meta.url);

const thorough: Effort = {
  size: { rows: 100_000, records: 20_000 },
  budget: 20,
  rounds: Infinity,
  warmUp: 1,
};
const quick: Effort = { size: { rows: 1000, records: 1000 }, budget: 1, rounds: 2, warmUp: 0 };

try {
  await run();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { isQuick, chosen, systems } = readArguments();
  const series: Series[] = [];
  for (const scenario of chosen) {
    const start = performance.now();
    series.push(...(await measure(scenario, systems, isQuick ? quick : thorough)));
    console.error(`\n${scenario.name}: ${Math.round((performance.now() - start) / 1000)} s`);
    console.error(detailsOf(resultsOf(scenario.lines, series)));
  }
  const lines = chosen.flatMap((scenario) => scenario.lines);
  const report = reportOf(settingOf(systems), lines, series);
  console.log(report);
  const isWhole = chosen.length === scenarios.length && systems.length === systemNames.length;
  if (isWhole && !isQuick) writeFileSync(results, report);
}

/** The scenarios and systems named on the command line; all of a kind if none is named. */
function readArguments(): { isQuick: boolean; chosen: readonly Scenario[]; systems: readonly string[] } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { quick: { type: 'boolean', default: false } },
  });
  const names = scenarios.map(({ name }) => name);
  const unknown = positionals.filter((name) => !names.includes(name) && !systemNames.includes(name));
  if (unknown.length) {
    throw new Error(
      `No scenario or system "${unknown.join('", "')}". Usage: npm run bench -- [--quick] [names]\n` +
        `Scenarios: ${names.join(', ')}\nSystems: ${systemNames.join(', ')}`,
    );
  }
  const chosen = scenarios.filter(({ name }) => positionals.includes(name));
  const isNamed = systemNames.some((name) => positionals.includes(name));
  return {
    isQuick: values.quick,
    chosen: chosen.length ? chosen : scenarios,
    // All others are compared with the floor.
    systems: systemNames.filter((name) => !isNamed || name === 'floor' || positionals.includes(name)),
  };
}

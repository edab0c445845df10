import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { expect, it } from 'vitest';

const { RUNS, SEED } = process.env;

/** The generators of the values with which a law is tried. */
type Arbitraries<T extends [unknown, ...unknown[]]> = { [K in keyof T]: fc.Arbitrary<T[K]> };

/** The assertion of a law about its values: throws where it does not hold. */
type Check<T extends unknown[]> = (...values: T) => void | Promise<void>;

/**
 * A spec of what holds for all values: it tries `RUNS` of them, drawn from `SEED` (a new one each time).
 *
 * Prints a line from which the run can be repeated. A failure shows the smallest values that it was found
 * with. An unhandled rejection fails the law too.
 *
 * How many to try without `RUNS`.
 */
export function law<T extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: Arbitraries<T>,
  check: Check<T>,
  runs = 500,
): void {
  const run = async () => {
    const numRuns = Number(RUNS ?? runs);
    const seed = Number(SEED ?? Math.floor(Math.random() * 2 ** 31));
    const begin = performance.now();
    try {
      await shortTraces(() =>
        fc.assert(fc.asyncProperty<T>(...arbitraries, heard(check)), { seed, numRuns }),
      );
    } finally {
      const title = expect.getState().currentTestName ?? name;
      const seconds = ((performance.now() - begin) / 1000).toFixed(1);
      process.stdout.write(`law: ${title}: SEED=${String(seed)} RUNS=${String(numRuns)}, ${seconds} s\n`);
    }
  };
  // No time limit, since the number of runs is open.
  it(name, run, 0);
}

/** The check, which also fails on an unhandled rejection. Node reports those once the queue of promises is empty. */
function heard<T extends unknown[]>(check: Check<T>) {
  return async (...values: T): Promise<void> => {
    const unheard: unknown[] = [];
    const listen = (reason: unknown) => unheard.push(reason);
    process.on('unhandledRejection', listen);
    try {
      await check(...values);
      await setImmediate();
    } finally {
      process.off('unhandledRejection', listen);
    }
    if (unheard.length) throw new Error('a rejection went unheard', { cause: unheard[0] });
  };
}

/** Long traces of the many failures that a law provokes would take as long as all the rest. */
async function shortTraces(run: () => Promise<void>): Promise<void> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 5;
  try {
    await run();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

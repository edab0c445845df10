import { setTimeout } from 'node:timers/promises';

import { Bench } from 'tinybench';

import type { TimedTask } from './scenario.ts';

/** Processor time of this process in milliseconds, over all its threads: other processes do not count. */
function processor(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Warms a task up for some milliseconds, and finds how many runs take two milliseconds, compared with which the cost of
 * reading the clock is negligible.
 */
export async function batchOf(task: TimedTask, warmUp: number): Promise<number> {
  if (task.isLong) return 1;
  let times = 1;
  for (let total = 0; times < 2 ** 20;) {
    await task.before?.(times);
    const start = processor();
    await task.run(times);
    const spent = processor() - start;
    await task.after?.();
    total += spent;
    if (spent < 2) times *= 2;
    else if (total > warmUp) break;
  }
  return times;
}

/** Collects garbage, and waits for the threads that sweep afterwards: their time would count as the task's. */
async function collect(): Promise<void> {
  globalThis.gc?.();
  await setTimeout(100);
}

/** The median time of one run in seconds, from as many batches as fit into the budget in milliseconds, at least one. */
export async function time(task: TimedTask, batch: number, budget: number): Promise<number> {
  const bench = new Bench({
    now: processor,
    time: budget,
    iterations: 1,
    // Between rounds a process returns memory; getting it back is not part of the task.
    warmup: task.isLong === true,
    warmupIterations: 1,
    warmupTime: 0,
    retainSamples: true,
    throws: true,
  });
  bench.add(
    task.line,
    async () => {
      const start = processor();
      await task.run(batch);
      return { overriddenDuration: processor() - start };
    },
    {
      async: true,
      beforeEach: async () => {
        await task.before?.(batch);
        if (task.isLong) await collect();
      },
      afterEach: async () => {
        await task.after?.();
      },
    },
  );
  const [{ result }] = await bench.run();
  if (result.state !== 'completed') throw new Error(`${task.line}: ${result.state}`);
  return result.latency.p50 / 1000 / batch;
}

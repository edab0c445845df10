import { Bench } from 'tinybench';

import type { TimedTask } from './scenario.ts';

/** Processor time of this process in milliseconds, all its threads together: what others do does not count. */
function processor(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Finds how many runs take about a millisecond once they are warm. */
export async function batchOf(task: TimedTask): Promise<number> {
  if (task.isLong) return 1;
  // What is made on first use would end the search too early.
  await doubled(task);
  return doubled(task);
}

async function doubled(task: TimedTask): Promise<number> {
  for (let times = 1; ; times *= 2) {
    await task.before?.(times);
    const start = processor();
    await task.run(times);
    const spent = processor() - start;
    await task.after?.();
    if (spent >= 1 || times >= 2 ** 16) return times;
  }
}

/** The median time of one run in seconds, from as many batches as fit into the budget of milliseconds, one at least. */
export async function time(task: TimedTask, batch: number, budget: number): Promise<number> {
  const bench = new Bench({
    now: processor,
    time: budget,
    iterations: 1,
    warmup: false,
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
        if (task.isLong) globalThis.gc?.();
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

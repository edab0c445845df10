import { check } from '../scenario.ts';
import type { Scenario, Task } from '../scenario.ts';

/** Bytes in use once all garbage is collected. */
async function heap(): Promise<number> {
  if (!globalThis.gc) throw new Error('run it with --expose-gc');
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc();
  }
  return process.memoryUsage().heapUsed;
}

/** The weight of a record without subscribers, as the share of many. */
export const memory: Scenario = {
  name: 'memory',
  rounds: 3,
  lines: [
    {
      id: 'memory',
      title: 'memory of a 10-field record, nobody subscribed',
      unit: 'bytes',
      goal: { most: 2048 },
    },
    {
      id: 'memory item',
      title: "memory of a 10-field record made for a collection's item, untouched",
      unit: 'bytes',
      goal: { most: 614 },
    },
  ],
  prepare: async ({ records, itemRecords }, size) => {
    const weigh = (line: string, make: (count: number) => unknown): Task => ({
      line,
      value: async () => {
        const before = await heap();
        const made: unknown = await make(size.records);
        const weight = ((await heap()) - before) / size.records;
        check(made != null, 'the records are held');
        return weight;
      },
    });
    const tasks = [
      ...(records ? [weigh('memory', records)] : []),
      ...(itemRecords ? [weigh('memory item', itemRecords)] : []),
    ];
    // Once without counting: what is created once for all does not belong to a record.
    for (const task of tasks) if ('value' in task) await task.value();
    return tasks;
  },
};

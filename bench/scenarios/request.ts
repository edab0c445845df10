import { textsOf } from '../data.ts';
import { check, repeated } from '../scenario.ts';
import type { Scenario, Task } from '../scenario.ts';
import type { Data, System } from '../system.ts';

import { startServer } from './server.ts';

const answers = [textsOf(0), textsOf(1)] as const;

/** One record of 2 KB read repeatedly without a network; each answer differs from the one before. */
export const request: Scenario = {
  name: 'request',
  rounds: 11,
  // A long pipeline needs some ten thousand requests until it is fully compiled.
  warmUp: 1500,
  lines: [
    {
      id: 'request',
      title: 'GET one record, 2 KB, 20 fields, parse, write back; stubbed fetch with a real Response',
      unit: 'time',
      goal: { ratio: 1.4 },
    },
  ],
  prepare: (system) => {
    const texts = answers.map((answer) => JSON.stringify(answer));
    const init = { headers: { 'content-type': 'application/json' } };
    let count = 0;
    globalThis.fetch = () => Promise.resolve(new Response(texts[++count % 2], init));
    return tasksOf(system, 'request', 'http://localhost/records');
  },
};

/** The same with a server in a separate process, whose time does not count. */
export const loopback: Scenario = {
  name: 'loopback',
  rounds: 9,
  warmUp: 1000,
  lines: [{ id: 'loopback', title: 'the same over loopback HTTP', unit: 'time', goal: { ratio: 1.15 } }],
  prepare: async (system) =>
    system.reader
      ? tasksOf(system, 'loopback', await startServer(answers.map((answer) => JSON.stringify(answer))))
      : [],
};

async function tasksOf({ reader }: System, line: string, url: string): Promise<Task[]> {
  if (!reader) return [];
  const { read, get, note } = await reader(url, answers[0]);
  const holds = (answer: Data) => Object.entries(answer).every(([name, value]) => get(name) === value);
  await read();
  const first = answers.findIndex(holds);
  await read();
  check(first >= 0 && holds(answers[1 - first]), 'the record holds what was answered last');
  return [{ line, run: repeated(read), note }];
}

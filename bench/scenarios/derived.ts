import { fieldNames, numbersOf } from '../data.ts';
import { check, repeated } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';
import type { Data } from '../system.ts';

/** One value computed from twenty fields that an answer changes all at once. */
export const derived: Scenario = {
  name: 'derived',
  rounds: 11,
  lines: [
    {
      id: 'derived',
      title: 'one value derived from 20 fields, per write-back',
      unit: 'time',
      goal: { ratio: 1.1 },
    },
    { id: 'derived runs', title: 'runs of it per write-back', unit: 'count', goal: { most: 1 } },
  ],
  prepare: async (system) => {
    let runs = 0;
    let sum = 0;
    const record = await system.derived?.(numbersOf(0), fieldNames, (get) => {
      runs += 1;
      sum = 0;
      for (const name of fieldNames) sum += get(name) as number;
    });
    if (!record) return [];
    const answers = [numbersOf(1), numbersOf(0)] as const;
    runs = 0;
    for (const answer of answers) {
      await record.apply(answer);
      check(sum === sumOf(answer), 'the value is that of the answer');
    }
    const each = runs / 2;
    return [
      { line: 'derived', run: repeated((count) => record.apply(answers[count % 2])) },
      { line: 'derived runs', value: () => each },
    ];
  },
};

const sumOf = (data: Data): number => fieldNames.reduce((sum, name) => sum + (data[name] as number), 0);

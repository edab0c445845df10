import { fieldNames, numbersOf } from '../data.ts';
import { check, repeated } from '../scenario.ts';
import type { Scenario, Task } from '../scenario.ts';
import type { Data, System, Watched } from '../system.ts';

/** The answers written in turn, and how many fields each of them changes. */
const kinds = [
  { id: 'all', title: 'all changed', changes: 20, answers: [numbersOf(1), numbersOf(0)], ratio: 2.2 },
  {
    id: 'one',
    title: 'one changed',
    changes: 1,
    answers: [{ ...numbersOf(0), field7: -1 }, numbersOf(0)],
    ratio: 1.25,
  },
  {
    id: 'none',
    title: 'none changed',
    changes: 0,
    answers: [numbersOf(0), { ...numbersOf(0) }],
    ratio: 1.15,
  },
] as const;

/** A record with a subscriber at each of its twenty fields; an answer must notify only those of changed fields. */
export const writeBack: Scenario = {
  name: 'write-back',
  rounds: 11,
  lines: [
    ...kinds.map(({ id, title, ratio }) => ({
      id: `write-back ${id}`,
      title: `write-back of 20 observed fields: ${title}`,
      unit: 'time' as const,
      goal: { ratio },
    })),
    {
      id: 'false notices',
      title: 'false notices of an equal nested value',
      unit: 'count',
      goal: { most: 0 },
    },
  ],
  prepare: async ({ watched }) => {
    if (!watched) return [];
    const tasks: Task[] = [];
    for (const { id, changes, answers } of kinds) {
      let notices = 0;
      const record = await watched(numbersOf(0), fieldNames, () => {
        notices += 1;
      });
      // Some systems have no earlier value to compare the first answer with.
      await checkAnswers(record, answers);
      notices = 0;
      await checkAnswers(record, answers);
      const note = notices === 2 * changes ? undefined : `${notices / 2} notices`;
      tasks.push({
        line: `write-back ${id}`,
        note,
        run: repeated((count) => record.apply(answers[count % 2])),
      });
    }
    const falsely = await falseNotices(watched);
    return [...tasks, { line: 'false notices', value: () => falsely }];
  },
};

async function checkAnswers({ apply, get }: Watched, answers: readonly Data[]): Promise<void> {
  for (const answer of answers) {
    await apply(answer);
    check(
      fieldNames.every((name) => get(name) === answer[name]),
      'every field holds what was answered',
    );
  }
}

/** How often a field emits when its new value is another object with the same content. */
async function falseNotices(watched: NonNullable<System['watched']>): Promise<number> {
  const make = () => ({ id: '1', tags: [{ name: 'a' }, { name: 'b' }] });
  let notices = 0;
  const { apply } = await watched(make(), ['tags'], () => {
    notices += 1;
  });
  await apply(make());
  notices = 0;
  await apply(make());
  return notices;
}

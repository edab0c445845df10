import { rowsOf } from '../data.ts';
import { check, repeated } from '../scenario.ts';
import type { Scenario, Task } from '../scenario.ts';
import type { List, Row } from '../system.ts';

import { filledList, isSame } from './fill.ts';

const cities = Array.from({ length: 10 }, (_, place) => `City ${place}`);

/** The same ten searches repeatedly; each finds one row in a hundred. */
export const search: Scenario = {
  name: 'search',
  rounds: 9,
  lines: [
    { id: 'where', title: 'where({ field }) over 100,000, repeated', unit: 'time', goal: { ratio: 1.2 } },
    { id: 'where indexed', title: 'the same with an index', unit: 'time', goal: { most: 1e-6 } },
    { id: 'byId', title: 'byId among 100,000', unit: 'time', goal: { most: 150e-9 } },
  ],
  prepare: async ({ list }, size) => {
    if (!list) return [];
    const rows = rowsOf(size.rows);
    const plain = await filledList(list, size);
    const tasks: Task[] = [];
    if (await checkWhere(plain, rows)) tasks.push(whereTask(plain, 'where'));
    const { byId } = plain;
    if (byId) {
      check(
        isSame(plain.plain?.((await byId(7)) as never) ?? (await byId(7)), rows[7]),
        'byId finds the row',
      );
      tasks.push({ line: 'byId', run: repeated((count) => byId((count * 7919) % size.rows)) });
    }
    const indexed = await filledList(list, size, { isIndexed: true });
    // If the system has no index, this would be the same search again.
    if (indexed.isIndexed && (await checkWhere(indexed, rows)))
      tasks.push(whereTask(indexed, 'where indexed'));
    return tasks;
  },
};

const whereTask = ({ where }: List, line: string): Task => ({
  line,
  run: repeated((count) => where?.(cities[count % cities.length])),
});

async function checkWhere({ where, plain = (row) => row }: List, rows: readonly Row[]): Promise<boolean> {
  if (!where) return false;
  for (const city of [...cities, 'nowhere']) {
    const found = Array.from(await where(city), (row) => (plain(row as never) as Row).id);
    const expected = rows.filter((row) => row.city === city).map(({ id }) => id);
    const isRight =
      found.length === expected.length && found.sort((a, b) => a - b).every((id, at) => id === expected[at]);
    check(isRight, `the rows of ${city} are found`);
  }
  return true;
}

import { rowsOf } from '../data.ts';
import { check } from '../scenario.ts';
import type { Scenario, Size, Task } from '../scenario.ts';
import type { List, Row, System } from '../system.ts';

/** A long list filled from the text of an answer. */
export const fill: Scenario = {
  name: 'fill',
  rounds: 4,
  lines: [
    { id: 'fill', title: 'fill of 100,000 rows × 8 from JSON text', unit: 'time', goal: { ratio: 1.05 } },
    { id: 'fill byId', title: 'the same with the first byId', unit: 'time', goal: { ratio: 1.35 } },
  ],
  prepare: async ({ list }, size) => {
    if (!list) return [];
    const rows = rowsOf(size.rows);
    const text = JSON.stringify(rows);
    const filled = await list({});
    await filled.fill(text);
    const canFind = await checkRows(filled, rows);
    await filled.close?.();
    const tasks = [taskOf(list, 'fill', (each) => each.fill(text))];
    if (canFind) {
      tasks.push(
        taskOf(list, 'fill byId', async (each) => {
          await each.fill(text);
          await each.byId?.(size.rows / 2);
        }),
      );
    }
    return tasks;
  },
};

/** Fills a new list each time. */
function taskOf(list: NonNullable<System['list']>, line: string, run: (list: List) => unknown): Task {
  let fresh: List;
  return {
    line,
    isLong: true,
    before: async () => {
      fresh = await list({});
    },
    run: async () => {
      await run(fresh);
    },
    after: () => fresh.close?.(),
  };
}

/** Finds some of the rows by id, and compares their values. */
async function checkRows({ byId, plain = (row) => row }: List, rows: readonly Row[]): Promise<boolean> {
  if (!byId) return false;
  for (const row of [rows[0], rows[rows.length >> 1], rows.at(-1)] as Row[]) {
    check(isSame(plain((await byId(row.id)) as never), row), `row ${row.id} is found as it was filled in`);
  }
  check((await byId(rows.length)) == null, 'no row is found by an id that is not there');
  return true;
}

/** Whether a row has the values of another; it may have more properties. */
export function isSame(row: unknown, other: Row): boolean {
  return Object.entries(other).every(
    ([name, value]) => (row as Record<string, unknown> | null)?.[name] === value,
  );
}

/** A list with all rows in it. */
export async function filledList(
  list: NonNullable<System['list']>,
  { rows }: Size,
  options: Parameters<typeof list>[0] = {},
): Promise<List> {
  const filled = await list(options);
  await filled.fill(JSON.stringify(rowsOf(rows)));
  return filled;
}

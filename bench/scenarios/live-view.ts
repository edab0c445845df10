import { firstFifty, randomFrom, rowOf, rowsOf } from '../data.ts';
import { check, repeated } from '../scenario.ts';
import type { Scenario, Task } from '../scenario.ts';
import type { List, Row, View } from '../system.ts';

import { filledList } from './fill.ts';

const title = 'live view (filter + sort + first 50 of 100,000)';

/** A view of a long list that is updated at each change. Every other change is visible in it. */
export const liveView: Scenario = {
  name: 'live-view',
  rounds: 5,
  lines: [
    { id: 'view update', title: `${title}: one update`, unit: 'time', goal: { most: 10e-6 } },
    { id: 'view insert', title: `${title}: one insert`, unit: 'time', goal: { most: 10e-6 } },
    { id: 'view remove', title: `${title}: one remove`, unit: 'time', goal: { most: 10e-6 } },
    { id: 'view open', title: 'opening that view', unit: 'time', goal: { ratio: 1.3 } },
  ],
  prepare: async ({ list }, size) => {
    if (!list) return [];
    const held = await filledList(list, size, { isIndexed: true });
    if (!held.open) return [];
    const view = await held.open();
    const changes = new Changes(held, rowsOf(size.rows));
    await checkView(view, held, changes);
    return [...changes.tasks(), openTaskOf(held)].map((task) => ({ ...task, note: view.note }));
  },
};

/** Opens another view each time, beside the one that stays open. */
function openTaskOf({ open }: List): Task {
  let opened: View | undefined;
  return {
    line: 'view open',
    isLong: true,
    run: async () => {
      opened = await open?.();
    },
    after: async () => {
      await opened?.close?.();
    },
  };
}

/** Writes to a list, and its expected rows afterwards. */
class Changes {
  readonly rows: Map<number, Row>;
  readonly #list: List;
  readonly #count: number;
  readonly #random = randomFrom(2);
  #next: number;
  /** Appended rows, which may be removed again. */
  #appended: Row[] = [];

  constructor(list: List, rows: readonly Row[]) {
    this.#list = list;
    this.rows = new Map(rows.map((row) => [row.id, row]));
    this.#count = rows.length;
    this.#next = rows.length;
  }

  /** Rows of the view under new names: each moves to its front, and with the next change to its end. */
  #updates(times: number): Row[] {
    let old = this.#anyActive();
    return Array.from({ length: times }, (_, place) => {
      if (place % 2 === 0) old = this.#anyActive();
      const row = { ...old, name: `${place % 2 === 0 ? 'a' : 'z'}${old.name.slice(1)}` };
      this.rows.set(row.id, row);
      return row;
    });
  }

  #anyActive(): Row {
    const row = this.rows.get(Math.floor(this.#random() * this.#count));
    return row?.active ? row : this.#anyActive();
  }

  #inserts(times: number): Row[] {
    const rows = Array.from({ length: times }, (_, place) => {
      const row = rowOf(this.#next++, this.#random);
      return place % 2 ? row : { ...row, active: true, name: `a${row.name}` };
    });
    for (const row of rows) this.rows.set(row.id, row);
    this.#appended.push(...rows);
    return rows;
  }

  /** The ids of all appended rows, in another order. */
  #removals(): number[] {
    const ids = this.#appended.map(({ id }) => id);
    this.#appended = [];
    for (const id of ids) this.rows.delete(id);
    for (let last = ids.length - 1; last > 0; last -= 1) {
      const place = Math.floor(this.#random() * (last + 1));
      [ids[last], ids[place]] = [ids[place], ids[last]];
    }
    return ids;
  }

  tasks(): Task[] {
    const { update, insert, remove } = this.#list;
    let rows: Row[] = [];
    let ids: number[] = [];
    let at = 0;
    const tasks: Task[] = [];
    if (update) {
      tasks.push({
        line: 'view update',
        before: (times) => {
          [rows, at] = [this.#updates(times), 0];
        },
        run: repeated(() => update(rows[at++])),
      });
    }
    if (insert && remove) {
      const insertAll = repeated(() => insert(rows[at++]));
      const removeAll = repeated(() => remove(ids[at++]));
      tasks.push(
        {
          line: 'view insert',
          before: (times) => {
            [rows, at] = [this.#inserts(times), 0];
          },
          run: insertAll,
          after: () => {
            [ids, at] = [this.#removals(), 0];
            return removeAll(ids.length);
          },
        },
        {
          line: 'view remove',
          before: async (times) => {
            [rows, at] = [this.#inserts(times), 0];
            await insertAll(times);
            [ids, at] = [this.#removals(), 0];
          },
          run: removeAll,
        },
      );
    }
    return tasks;
  }
}

/** Makes all kinds of changes, and compares the view with one computed from scratch. */
async function checkView(view: View, { plain = (row) => row }: List, changes: Changes): Promise<void> {
  const compare = (when: string) => {
    const shown = Array.from(view.rows(), (row) => plain(row as never) as Row);
    const expected = firstFifty([...changes.rows.values()]);
    const isRight = expected.every(({ id, name }, at) => shown[at]?.id === id && shown[at].name === name);
    check(isRight && shown.length === expected.length, `the view shows the first fifty ${when}`);
  };
  compare('when it is opened');
  for (const task of changes.tasks()) {
    if (!('run' in task)) continue;
    for (const times of [1, 4]) {
      await task.before?.(times);
      await task.run(times);
      compare(`after ${task.line}`);
      await task.after?.();
      compare(`once ${task.line} is over`);
    }
  }
}

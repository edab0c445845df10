import { changedOf, rowsOf } from '../data.ts';
import { check } from '../scenario.ts';
import type { Scenario } from '../scenario.ts';
import type { List, Row, Told } from '../system.ts';

import { isSame } from './fill.ts';

/** A long list read again, as new objects of which few differ from those held. */
export const refetch: Scenario = {
  name: 'refetch',
  rounds: 4,
  lines: [
    {
      id: 'refetch 1%',
      title: 'refetch of 100,000, 1 % changed, identities kept, deltas told',
      unit: 'time',
      goal: { ratio: 1.6 },
    },
    {
      id: 'refetch 0',
      title: 'refetch of 100,000, none changed, no delta',
      unit: 'time',
      goal: { ratio: 1.6 },
    },
  ],
  prepare: async ({ list }, size) => {
    const heard: Told[] = [];
    const held = await list?.({ tell: (told) => heard.push(told) });
    const { refetch: refetched } = held ?? {};
    if (!held || !refetched) return [];
    const rows = rowsOf(size.rows);
    const texts = [rows, changedOf(rows)].map((each) => JSON.stringify(each)) as [string, string];
    /** The text whose rows the list holds. */
    let place: 0 | 1 = 0;
    let fresh: Row[] = [];
    await held.fill(texts[0]);

    const before = await rowsAt(held);
    heard.length = 0;
    await refetched(JSON.parse(texts[1]) as Row[]);
    const after = await rowsAt(held);
    check(isSame(after[0], { ...rows[0], score: rows[0].score + 1 }), 'a changed row is written');
    check(isSame(after[1], rows[1]), 'an unchanged row is as before');
    const lost = before.raw[1] === after.raw[1] ? [] : ['identity lost'];
    const changes = noteOf(heard, Math.ceil(size.rows / 100));
    heard.length = 0;
    await refetched(JSON.parse(texts[1]) as Row[]);
    const changesNone = noteOf(heard, 0);
    place = 1;

    return [
      {
        line: 'refetch 1%',
        isLong: true,
        note: [...lost, ...changes].join(', '),
        before: () => {
          place = place ? 0 : 1;
          fresh = JSON.parse(texts[place]) as Row[];
        },
        run: () => refetched(fresh),
      },
      {
        line: 'refetch 0',
        isLong: true,
        note: [...lost, ...(changes.length ? changes : changesNone)].join(', '),
        before: () => {
          fresh = JSON.parse(texts[place]) as Row[];
        },
        run: () => refetched(fresh),
      },
    ];
  },
};

/** The values of the first two rows, and the objects that represent them. */
async function rowsAt({ byId, plain = (row) => row }: List): Promise<unknown[] & { raw: unknown[] }> {
  const raw = [await byId?.(0), await byId?.(1)];
  return Object.assign(
    raw.map((row) => plain(row as never)),
    { raw },
  );
}

/** A note if the deltas reported are not those of the change. */
function noteOf(heard: readonly Told[], changes: number): string[] {
  const total = (name: keyof Told) => heard.reduce((sum, told) => sum + told[name], 0);
  if (!heard.length) return changes ? ['no deltas'] : [];
  const isExact = total('changed') === changes && !total('added') && !total('removed');
  return isExact ? [] : [`told +${total('added')} ~${total('changed')} -${total('removed')}`];
}

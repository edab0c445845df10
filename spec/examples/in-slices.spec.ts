import { createLib } from 'rivulet';
import type { Collection, Delta } from 'rivulet';
import { describe, expect, it } from 'vitest';

import { inSlices } from '../../examples/big-list/in-slices.ts';
import { seeded } from '../../examples/big-list/random.ts';
import { makeRow, makeRows } from '../../examples/big-list/row.ts';
import type { Row } from '../../examples/big-list/row.ts';
import { marbles } from '../virtual-time';

const [one, two, three, four, five] = makeRows(5, seeded(1)) as [Row, Row, Row, Row, Row];
const six = makeRow(6, seeded(2));
const better = (row: Row): Row => ({ ...row, score: row.score + 1 });
const added = (...rows: Row[]): Delta<Row> => ({ added: rows, changed: [], removed: [] });

describe('inSlices', () => {
  it.each([
    [[], [added()]],
    [[one], [added(one)]],
    [
      [one, two, three, four],
      [added(one, two), added(three, four), added()],
    ],
    [
      [one, two, three, four, five],
      [added(one, two), added(three, four), added(five)],
    ],
  ])('emits a list two rows per frame, and reports when it is complete (%#)', (rows, slices) => {
    expect(toldOf(rows, slices.length)).toEqual({ told: slices, isWhole: true });
    expect(toldOf(rows, slices.length - 1)).toEqual({ told: slices.slice(0, -1), isWhole: false });
  });

  const first = added(one, two);
  it.each<[string, (rows: Collection<Row>) => void, Delta<Row>[]]>([
    [
      'reports a change of an emitted row',
      (rows) => rows.splice(0, 1, better(one)),
      [first, { ...added(), changed: [[one, better(one)]] }, added(three, four)],
    ],
    [
      'emits a waiting row as changed',
      (rows) => rows.splice(3, 1, better(four)),
      [first, added(), added(three, better(four))],
    ],
    [
      'reports the removal of an emitted row',
      (rows) => rows.remove(two),
      [first, { ...added(), removed: [two] }, added(three, four)],
    ],
    [
      'omits a waiting row that is removed',
      (rows) => rows.remove(three),
      [first, added(), added(four, five)],
    ],
    [
      'emits rows added in the meantime last',
      (rows) => rows.push(six),
      [first, added(), added(three, four), added(five, six), added()],
    ],
  ])('%s', (_, write, wanted) => {
    expect(toldOf([one, two, three, four, five], wanted.length - 1, write).told).toEqual(wanted);
  });

  it('emits new rows at once when the list is complete', () => {
    const { told } = toldOf([one], 1, (rows) => rows.push(six));
    expect(told).toEqual([added(one), added(six)]);
  });
});

/** The emissions of slices of two rows in some frames, with a write after the first. */
function toldOf(
  data: readonly Row[],
  frames: number,
  write?: (rows: Collection<Row>) => unknown,
): { told: Delta<Row>[]; isWhole: boolean } {
  const told: Delta<Row>[] = [];
  let isWhole = false;
  marbles(({ animate, cold }) => {
    const rows = createLib().collection({ data });
    const slices = inSlices(rows, 2);
    animate('--x'.repeat(frames));
    slices.isWhole$.subscribe((value) => (isWhole = value));
    slices.delta$.subscribe((delta) => told.push(delta));
    cold('---x').subscribe(() => write?.(rows));
  });
  return { told, isWhole };
}

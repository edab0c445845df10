import type { Collection } from 'rivulet';
import { EMPTY, animationFrames, filter, map, scan, switchMap, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import type { Random } from './random.ts';
import { makeRow } from './row.ts';
import type { Row } from './row.ts';

/** The most changes in one frame: a page that was in the background does not catch up on all it has missed. */
const mostInFrame = 20;

/**
 * Changes single rows while switched on, a few in each frame.
 *
 * @returns The number of changes in each frame that has made any.
 */
export function changes(
  rows: Collection<Row>,
  isOn$: Observable<boolean>,
  perSecond: number,
  random: Random,
): Observable<number> {
  const frames$ = animationFrames().pipe(
    scan(({ due }, { elapsed }) => ({ due: Math.floor((elapsed * perSecond) / 1000), count: due }), {
      due: 0,
      count: 0,
    }),
    map(({ due, count }) => Math.min(due - count, mostInFrame)),
    filter((count) => count > 0),
    tap((count) => {
      for (let made = 0; made < count; made += 1) change(rows, random);
    }),
  );
  return isOn$.pipe(switchMap((isOn) => (isOn ? frames$ : EMPTY)));
}

/** Makes one change: usually a player scores; one in ten times a player is added, and just as often one is removed. */
export function change(rows: Collection<Row>, random: Random): void {
  const kind = random();
  // A few players play often, most hardly ever.
  const place = Math.floor(random() ** 5 * rows.length);
  const row = rows.at(place);
  if (kind < 0.1 || !row) rows.push(makeRow((rows.at(-1)?.id ?? 0) + 1, random));
  else if (kind < 0.2) rows.remove(row);
  else {
    const score = row.score + Math.ceil(random() * 500);
    rows.splice(place, 1, { ...row, score, changes: row.changes + 1 });
  }
}

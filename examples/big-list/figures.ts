import type { Collection } from 'rivulet';
import type { View } from 'rivulet/views';
import { bufferTime, interval, map, merge, sample, scan, share, startWith, switchMap, take } from 'rxjs';
import type { Observable } from 'rxjs';

import { part, show } from '../plain/dom.ts';
import { longTasks } from './long-tasks.ts';
import type { LongTasks } from './long-tasks.ts';
import type { Row } from './row.ts';

/**
 * Shows how much there is, and how well it goes.
 *
 * @param changed$ How many changes were made, each time that some were.
 */
export function figures(
  element: HTMLElement,
  rows: Collection<Row>,
  view$: Observable<View<Row>>,
  changed$: Observable<number>,
): Observable<unknown> {
  // All at the same moments, so that they go together.
  const tick$ = interval(250).pipe(share());
  const number = (name: string, number$: Observable<number>) =>
    show(
      part(element, name),
      number$.pipe(
        sample(tick$),
        startWith(0),
        map((value) => numbers.format(value)),
      ),
    );
  return merge(
    number('shown', view$.pipe(switchMap((view) => view.pipe(map(({ length }) => length))))),
    number('matching', view$.pipe(switchMap(({ count$ }) => count$))),
    // By what changes: a subscriber of the collection itself would be handed a fresh array of all rows at each change.
    number(
      'total',
      rows.delta$.pipe(
        startWith(undefined),
        map(() => rows.length),
      ),
    ),
    number('changes', changed$.pipe(scan((sum, count) => sum + count, 0))),
    number('rate', changed$.pipe(bufferTime(1000), map(sumOf))),
    show(
      part(element, 'long-tasks'),
      // The first fill has made all the rows, and is no measure for what follows.
      view$.pipe(take(1), switchMap(longTasks), map(wordsFor)),
    ),
  );
}

const numbers = new Intl.NumberFormat('en');

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, number) => sum + number, 0);

function wordsFor({ count, longest }: LongTasks): string {
  return count ? `${count}, the longest ${Math.round(longest)} ms` : 'none';
}

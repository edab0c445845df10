import type { Collection } from 'rivulet';
import type { View } from 'rivulet/views';
import { bufferTime, interval, map, merge, sample, scan, share, startWith, switchMap, take } from 'rxjs';
import type { Observable } from 'rxjs';

import { part, show } from '../plain/dom.ts';
import { longTasks } from './long-tasks.ts';
import type { LongTasks } from './long-tasks.ts';
import type { Row } from './row.ts';

/**
 * Shows how many rows and changes there are, and how smoothly the page runs.
 *
 * @param changed$ The number of changes, each time some have been made.
 */
export function figures(
  element: HTMLElement,
  rows: Collection<Row>,
  view$: Observable<View<Row>>,
  changed$: Observable<number>,
): Observable<unknown> {
  // All are updated at the same moments, so that they match.
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
    // From `delta$`: a subscriber of the collection itself would receive a new array of all rows on each change.
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
      // Counted only after the first fill, which takes in all rows and says nothing about what follows.
      view$.pipe(take(1), switchMap(longTasks), map(wordsFor)),
    ),
  );
}

const numbers = new Intl.NumberFormat('en');

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, number) => sum + number, 0);

function wordsFor({ count, longest }: LongTasks): string {
  return count ? `${count}, the longest ${Math.round(longest)} ms` : 'none';
}

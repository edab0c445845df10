import { lib } from 'rivulet';
import { combineLatest, map, merge, share, shareReplay, startWith, switchMap, takeUntil } from 'rxjs';

import { busy, checked$, find, left$, part, searches, show } from '../plain/dom.ts';
import { bigTable } from './big-table.ts';
import { changes } from './changes.ts';
import { figures } from './figures.ts';
import { openView } from './open-view.ts';
import { seeded } from './random.ts';
import { makeRows } from './row.ts';
import { sortHeaders } from './sort-headers.ts';

const random = seeded(1);
const rows = lib.collection({ data: makeRows(100_000, random) });

const section = find(document, '#players', HTMLElement);
const text$ = searches(find(section, 'input[type=search]', HTMLInputElement)).pipe(
  startWith(''),
  map((text) => text.toLowerCase()),
);
const choice$ = combineLatest([text$, sortHeaders(part(section, 'table'))]).pipe(
  map(([text, sort]) => ({ text, ...sort })),
  shareReplay({ bufferSize: 1, refCount: true }),
);
// The previous view stays shown, and live, until the next one is complete.
const view$ = choice$.pipe(
  switchMap((choice) => openView(rows, choice)),
  shareReplay({ bufferSize: 1, refCount: true }),
);
const isOpening$ = merge(choice$.pipe(map(() => true)), view$.pipe(map(() => false))).pipe(
  // Replayed, because the first opening begins before the last subscriber is there.
  shareReplay({ bufferSize: 1, refCount: true }),
);
const changed$ = changes(rows, checked$(part(section, 'changes-on', HTMLInputElement)), 200, random).pipe(
  share(),
);

// This is the only `subscribe`.
merge(
  bigTable(part(section, 'box'), view$),
  busy(section, isOpening$),
  show(
    part(section, 'empty'),
    view$.pipe(
      switchMap(({ count$ }) => count$),
      map((count) => (count ? '' : 'Nobody here.')),
    ),
  ),
  show(part(section, 'status'), isOpening$.pipe(map((isOpening) => (isOpening ? 'Sorting…' : '')))),
  figures(part(section, 'figures'), rows, view$, changed$),
)
  .pipe(takeUntil(left$))
  .subscribe();

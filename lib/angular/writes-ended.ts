import type { DataModel } from '../index';

import { asapScheduler, debounceTime, first, merge } from './peers';
import type { Observable } from './peers';

/** Emits once no write of the record is under way or waiting for its turn: at once if none is, or when it is disposed of. */
export function writesEnded({ isSaving$, isDeleting$ }: DataModel): Observable<unknown> {
  const isIdle = () => !isSaving$.value && !isDeleting$.value;
  const flags$ = merge(isSaving$, isDeleting$);
  // A save that `saveLatest` holds back begins when another has ended, which is after the flag has fallen.
  return (isIdle() ? flags$ : flags$.pipe(debounceTime(0, asapScheduler))).pipe(first(isIdle, 0));
}

// All that this entry takes from the core (except types) and from RxJS.
export { saveLatest } from '../index';
export {
  asyncScheduler,
  concatMap,
  count,
  defer,
  distinctUntilChanged,
  EMPTY,
  filter,
  finalize,
  first,
  from,
  ignoreElements,
  lastValueFrom,
  map,
  merge,
  Observable,
  of,
  pairwise,
  Subject,
  switchMap,
  take,
  takeUntil,
  tap,
  throwError,
  timer,
} from 'rxjs';
export type { ObservableInput, SchedulerLike, Subscription, Unsubscribable } from 'rxjs';

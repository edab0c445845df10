// All that this entry takes from the core (except types) and from RxJS.
export { equal } from '../index';
export {
  asyncScheduler,
  catchError,
  concatMap,
  count,
  defer,
  distinctUntilChanged,
  EMPTY,
  endWith,
  exhaustMap,
  filter,
  from,
  fromEvent,
  map,
  merge,
  NEVER,
  Observable,
  of,
  startWith,
  switchMap,
  take,
  takeUntil,
  takeWhile,
  tap,
  timer,
} from 'rxjs';
export type { ObservableInput, SchedulerLike } from 'rxjs';

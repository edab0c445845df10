// All that this entry takes from the core (except types) and from RxJS.
export { equal } from '../index';
export {
  asyncScheduler,
  catchError,
  combineLatest,
  count,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  finalize,
  from,
  fromEvent,
  ignoreElements,
  interval,
  map,
  merge,
  of,
  startWith,
  Subject,
  takeUntil,
  tap,
} from 'rxjs';
export type { Observable, ObservableInput, SchedulerLike } from 'rxjs';

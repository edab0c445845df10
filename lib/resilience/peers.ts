// All that this entry takes from RxJS.
export {
  catchError,
  concatMap,
  defer,
  finalize,
  first,
  fromEvent,
  isObservable,
  map,
  Observable,
  of,
  ReplaySubject,
  retry,
  share,
  tap,
  timer,
} from 'rxjs';
export type { ObservableInput, SchedulerLike } from 'rxjs';

// All that this entry takes from the core and from RxJS, in one list: it shows what the entry depends on, and makes one
// import of many.
export type { Exchange, Interceptor, WireRequest } from '../index';
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

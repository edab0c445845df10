// All that this entry takes from the core and from RxJS, in one list: it shows what the entry stands on, and makes one
// import of many.
export type { Exchange, Interceptor, WireRequest } from '../index';
export {
  asyncScheduler,
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  every,
  finalize,
  fromEvent,
  ignoreElements,
  isObservable,
  map,
  NEVER,
  Observable,
  of,
  retry,
  share,
  take,
  takeWhile,
  tap,
  throwError,
  timer,
} from 'rxjs';
export type { ObservableInput, SchedulerLike } from 'rxjs';

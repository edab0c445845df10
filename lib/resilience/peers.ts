// All that this entry takes from the core and from RxJS, in one list: it shows what the entry stands on, and makes one
// import of many.
export type { Exchange, Interceptor, WireRequest } from '../index';
export {
  AsyncSubject,
  asyncScheduler,
  concat,
  concatMap,
  defer,
  EMPTY,
  finalize,
  fromEvent,
  ignoreElements,
  isObservable,
  map,
  materialize,
  NEVER,
  of,
  retry,
  share,
  switchMap,
  take,
  takeWhile,
  tap,
  throwError,
  timer,
} from 'rxjs';
export type { Observable, ObservableInput, SchedulerLike } from 'rxjs';

// All that this entry takes from the core (except types) and from RxJS.
export { Collection, lib, RequestError } from '../index';
export {
  concatMap,
  count,
  defer,
  distinctUntilChanged,
  EMPTY,
  endWith,
  filter,
  from,
  fromEvent,
  lastValueFrom,
  map,
  merge,
  of,
  repeat,
  share,
  Subject,
  take,
  takeUntil,
  takeWhile,
  tap,
} from 'rxjs';
export type { Observable, ObservableInput } from 'rxjs';

// All that this entry takes from the core and from RxJS.
export { Collection } from '../index';
export { concatMap, defer, identity, map, of, startWith, tap, withLatestFrom } from 'rxjs';
export type { MonoTypeOperatorFunction, Observable } from 'rxjs';

// All that this entry takes from the core (except types) and from RxJS.
export { equal, matcher } from '../index';
export { concatMap, defer, identity, tap } from 'rxjs';
export type { MonoTypeOperatorFunction } from 'rxjs';

// All that this entry takes from the core (except types) and from RxJS.
export { Collection, equal } from '../index';
export { concatMap, defer, identity, of, tap } from 'rxjs';
export type { MonoTypeOperatorFunction, Observable } from 'rxjs';

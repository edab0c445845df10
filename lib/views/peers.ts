// All that this entry takes from the core (except types) and from RxJS.
export { equal, Field, matcher } from '../index';
export { count, distinctUntilChanged, filter, map, ReplaySubject, share, takeUntil, tap } from 'rxjs';
export type { Observable } from 'rxjs';

// All that this entry takes from the core and from RxJS, in one list: it shows what the entry depends on, and makes one
// import of many.
export { equal, Field, matcher } from '../index';
export type { Collection, Criteria, Delta, StateStream } from '../index';
export { count, distinctUntilChanged, filter, map, ReplaySubject, share, takeUntil, tap } from 'rxjs';
export type { Observable } from 'rxjs';

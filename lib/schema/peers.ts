// All that this entry takes from the core (except types) and from RxJS, in one list: it shows what the entry depends on, and
// makes one import of many.
export { DataModel, equal, Field, lib } from '../index';
export { concat, defer, distinctUntilChanged, endWith, map, switchMap } from 'rxjs';
export type { Observable, ObservableInput } from 'rxjs';

// All that this entry takes from the core (except types), from Angular and from RxJS, in one list: it shows what the entry
// depends on, and makes one import of many.
export { createLib, equal, Field, ok } from '../index';
export { HttpClient, HttpErrorResponse, HttpHeaders } from '@angular/common/http';
export type { HttpResponse } from '@angular/common/http';
export {
  assertInInjectionContext,
  computed,
  DestroyRef,
  effect,
  inject,
  InjectionToken,
  Injector,
  makeEnvironmentProviders,
  PendingTasks,
  signal,
  untracked,
} from '@angular/core';
export type { EnvironmentProviders, Signal, WritableSignal } from '@angular/core';
export {
  asapScheduler,
  catchError,
  debounceTime,
  defer,
  first,
  lastValueFrom,
  map,
  merge,
  Observable,
  of,
  onErrorResumeNext,
  Subscription,
  switchMap,
  timeout,
} from 'rxjs';
export type { BehaviorSubject } from 'rxjs';

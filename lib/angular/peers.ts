// All that this entry takes from the core, from Angular and from RxJS, in one list: it shows what the entry stands on, and
// makes one import of many.
export { createLib, Field, ok } from '../index';
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
  combineLatest,
  debounceTime,
  defer,
  filter,
  finalize,
  lastValueFrom,
  map,
  of,
  onErrorResumeNext,
  Subscription,
  switchMap,
  take,
} from 'rxjs';
export type { BehaviorSubject, Observable } from 'rxjs';

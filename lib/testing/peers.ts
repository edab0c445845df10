// All that this entry takes from the core (types only) and from RxJS.
export type { Exchange, Transport, WireRequest } from '../index';
export { filter, firstValueFrom, Observable, startWith, Subject, timeout, VirtualTimeScheduler } from 'rxjs';
export type { Subscriber } from 'rxjs';

// All that this entry takes from the core (types only) and from RxJS.
export type { Exchange, Transport, WireRequest } from '../index';
export { Observable, VirtualTimeScheduler } from 'rxjs';
export type { Subscriber } from 'rxjs';

// All that this entry takes from RxJS.
export { filter, firstValueFrom, Observable, startWith, Subject, timeout, VirtualTimeScheduler } from 'rxjs';
export type { Subscriber } from 'rxjs';

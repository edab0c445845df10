import { guarded } from '../batch';
import { Observable, Subject } from '../rx';
import type { Subscription } from '../rx';

/**
 * A stream made by somebody else. What its teardown throws is reported as RxJS reports an error that nobody handles:
 * otherwise the operators behind it would stop halfway, and never finalize.
 */
export const shielded = <T>(source: Observable<T>): Observable<T> =>
  new Observable((subscriber) => {
    // Whoever made it may have given it up while doing so: begun now, nobody could end it.
    if (subscriber.closed) return;
    const passed$ = new Subject<T>();
    let subscription: Subscription | undefined;
    subscriber.add(() => {
      guarded(() => subscription?.unsubscribe());
    });
    passed$.subscribe(subscriber);
    new Observable<T>((inner) => {
      // Set before the source begins: it may be unsubscribed while it does.
      subscription = inner;
      source.subscribe(inner);
    }).subscribe(passed$);
  });

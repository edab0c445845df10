import { guarded } from '../batch';
import { Observable, Subject } from '../rx';
import type { Subscription } from '../rx';

/**
 * A stream that somebody else made, without what it throws when it is let go of: operators behind it would leave it at
 * that, and never come to their end. It is told as RxJS tells of an error that nobody handles.
 */
export const shielded = <T>(source: Observable<T>): Observable<T> =>
  new Observable((subscriber) => {
    const passed$ = new Subject<T>();
    let subscription: Subscription | undefined;
    subscriber.add(() => {
      guarded(() => subscription?.unsubscribe());
    });
    passed$.subscribe(subscriber);
    new Observable<T>((inner) => {
      // Known before the source begins: it may be let go of while it does.
      subscription = inner;
      source.subscribe(inner);
    }).subscribe(passed$);
  });

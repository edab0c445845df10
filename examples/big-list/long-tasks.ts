import { EMPTY, Observable, concatMap, scan, startWith } from 'rxjs';

/** Tasks of more than 50 ms, during which the page could neither scroll nor respond. */
export interface LongTasks {
  readonly count: number;
  /** The duration of the longest, in milliseconds; 0 if there was none. */
  readonly longest: number;
}

/** The long tasks from now on: none at first, then after each. Emits nothing if the browser does not report them. */
export function longTasks(): Observable<LongTasks> {
  if (!PerformanceObserver.supportedEntryTypes.includes('longtask')) return EMPTY;
  return new Observable<PerformanceEntryList>((subscriber) => {
    const observer = new PerformanceObserver((list) => {
      subscriber.next(list.getEntries());
    });
    observer.observe({ type: 'longtask' });
    return () => {
      observer.disconnect();
    };
  }).pipe(
    concatMap((entries) => entries),
    scan(
      ({ count, longest }, { duration }) => ({ count: count + 1, longest: Math.max(longest, duration) }),
      none,
    ),
    startWith(none),
  );
}

const none: LongTasks = { count: 0, longest: 0 };

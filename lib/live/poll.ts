import type { Concern, RequestOptions, StateStream } from '../index';

import {
  asyncScheduler,
  catchError,
  combineLatest,
  count,
  defer,
  distinctUntilChanged,
  EMPTY,
  exhaustMap,
  filter,
  fromEvent,
  interval,
  map,
  of,
  startWith,
  takeUntil,
} from './peers';
import type { Observable, SchedulerLike } from './peers';

/** How often {@link poll} reads, and when not. */
export interface PollOptions {
  /** The time from one read to the next, in milliseconds: more than 0, at most 2147483647. */
  readonly every: number;
  /** While its latest value is false, nothing is read. Default: whether the page is visible, where there is a document. */
  readonly while$?: Observable<boolean> | undefined;
  /** Options for each read. Unless they say otherwise, `keepEdits` is true, so that edits of a record stay. Default: none. */
  readonly options?: RequestOptions | undefined;
  /** The clock. Default: RxJS's `asyncScheduler`, whatever that of the root. */
  readonly scheduler?: SchedulerLike | undefined;
}

/** A record or a collection, as far as it is read. */
export interface Readable extends Pick<Concern, 'isReading$'> {
  /** Whether it is a record that has no id yet: then it is not read. */
  readonly isNew$?: StateStream<boolean> | undefined;
  /** Reads it. */
  fetch$(options?: RequestOptions): Observable<Response>;
}

/**
 * Reads a record or a collection again and again, for as long as it is subscribed: at once, then at a fixed interval.
 *
 * A tick that comes while a read of this poll is under way is skipped; one that comes during a pause (`while$`) is made up for
 * at its end. A record is not read while it is new. A failed read does not end it; `error$` has the reason. Completes when the
 * target is disposed of.
 *
 * @returns A cold stream of the responses, refused ones too. Unsubscribing aborts the read under way.
 * @throws RangeError if `every` is no such time.
 */
export function poll(
  target: Readable,
  { every, while$ = isVisible$, options, scheduler = asyncScheduler }: PollOptions,
): Observable<Response> {
  if (!(typeof every === 'number' && every > 0 && every < 2 ** 31)) {
    throw new RangeError(
      `poll: "every" must be milliseconds, more than 0, at most 2147483647, not ${String(every)}`,
    );
  }
  const asked = { ...options, keepEdits: options?.keepEdits ?? true };
  const read$ = defer(() => (target.isNew$?.value ? EMPTY : target.fetch$(asked))).pipe(
    catchError(() => EMPTY),
  );
  const ticks$ = interval(every, scheduler).pipe(startWith(-1));
  return combineLatest([ticks$, while$]).pipe(
    filter(([, isOn]) => isOn),
    // The end of a pause repeats the tick before it, which has been read unless it came during the pause.
    map(([tick]) => tick),
    distinctUntilChanged(),
    exhaustMap(() => read$),
    // Its streams complete when it is disposed of.
    takeUntil(target.isReading$.pipe(count())),
  );
}

const isVisible$: Observable<boolean> = /* @__PURE__ */ defer(() => {
  const { document } = globalThis as { readonly document?: Document };
  if (!document) return of(true);
  return fromEvent(document, 'visibilitychange').pipe(
    startWith(undefined),
    map(() => !document.hidden),
  );
});

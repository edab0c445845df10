import { equal } from './equal';
import {
  BehaviorSubject,
  EMPTY,
  Observable,
  distinctUntilChanged,
  filter,
  map,
  merge,
  mergeMap,
  of,
  throwError,
} from './rx';
import type { Observer, Subscription } from './rx';
import type { StateStream } from './types';

/** The values still to be told in the write under way, in their order; undefined between writes. */
let queue: ((() => void) | undefined)[] | undefined;
/** What is to be told when all of these are: each once, however often it is asked for. */
let lateQueue: Set<() => void>;

/**
 * Writes several values as one: all are set before the first subscriber is told of any, and whatever a subscriber
 * writes in answer is told after that. So nobody sees a half-made write, and all see all values in the same order.
 */
export function batch(set: () => void): void {
  if (queue) {
    set();
    return;
  }
  queue = [];
  // One for each write: of a set that lives on, engines keep each table that it has outgrown.
  lateQueue = new Set();
  try {
    set();
  } finally {
    // What was set before a failure is told all the same.
    flush(queue);
  }
}

function flush(values: NonNullable<typeof queue>): void {
  try {
    // Whoever is told may write more.
    for (let place = 0, told = 0; place < values.length || lateQueue.size; told += 1) {
      // Two that write each other in answer would go on for ever, and freeze the page.
      if (told > 2e6) {
        throw new RangeError(
          'next: subscribers write each other without end, let one pass on present values only',
        );
      }
      const [last] = lateQueue;
      const tell = values[place];
      if (tell) values[place++] = undefined;
      else lateQueue.delete(last as () => void);
      guarded(tell ?? (last as () => void));
    }
  } finally {
    queue = undefined;
  }
}

/** Runs what a subscriber may have a part in. What that throws is told as RxJS tells of an error that nobody handles. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    throwError(() => error).subscribe();
  }
}

/** Has something told at the end of the write under way, or now; once, however often it is asked for. */
export function notifyLast(tell: () => void): void {
  batch(() => lateQueue.add(tell));
}

/** A BehaviorSubject that is written as `batch` says, and that only its owner can end. */
export class BatchedSubject<T> extends BehaviorSubject<T> {
  #value: T;
  /** How many values were written, and how many of them told. */
  #written = 0;
  #told = 0;
  /** @internal Whether the owner was disposed of. */
  protected isEnded = false;

  constructor(value: T) {
    super(value);
    this.#value = value;
  }

  override getValue(): T {
    return this.#value;
  }

  /** Writes a value. Does nothing once the owner was disposed of. */
  override next(value: T): void {
    batch(() => {
      this.put(value);
    });
  }

  /** @internal Writes a value as part of a write. */
  put(value: T): void {
    if (this.isEnded) return;
    this.#value = value;
    this.announce();
  }

  /** Within a write: queues the notification of the present subscribers. Later ones begin with this value anyway. */
  protected announce(): void {
    const isAllTold = this.#told === this.#written;
    const count = (this.#written += 1);
    if (isAllTold && !this.observed) {
      // Nobody is subscribed: RxJS shall not keep the value that has been replaced.
      if (super.getValue() !== undefined) super.next(undefined as T);
      this.#told = count;
      return;
    }
    const value = this.getValue();
    queue?.push(() => {
      this.#told = count;
      super.next(value);
    });
  }

  // A newcomer in the middle of a write begins with the value written last, and is not told of it again.
  override subscribe(
    observerOrNext?: Partial<Observer<T>> | ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // An observer given to `tap` is called by `subscribe()` without arguments; nobody would end that subscription.
    if (!(observerOrNext ?? error ?? complete)) return EMPTY.subscribe();
    const begin = this.#written;
    const isTold = this.#told === begin;
    // Without subscribers values are not handed to RxJS: now they are.
    if (isTold && !this.observed) super.next(this.getValue());
    const told$ = new Observable<T>((subscriber) => super.subscribe(subscriber));
    const source$ = isTold ? told$ : merge(of(this.getValue()), told$.pipe(filter(() => this.#told > begin)));
    // eslint-disable-next-line @typescript-eslint/no-deprecated, rxjs-x/prefer-observer -- in any form that RxJS takes
    return source$.subscribe(observerOrNext as (value: T) => void, error, complete);
  }

  /** Does nothing: the end of a source piped into this must not end this. */
  override complete(): void {
    // see above
  }

  /** Does nothing: the failure of a source piped into this must not end this. */
  override error(): void {
    // see above
  }

  /** Does nothing: RxJS calls it on an observer that `tap` was given, which must not close this. */
  override unsubscribe(): void {
    // see above
  }

  /** @internal Completes; later writes are ignored. */
  end(): void {
    this.isEnded = true;
    notifyLast(() => {
      super.complete();
    });
  }
}

/**
 * A value derived from others: read anew whenever it is asked for, so never out of date, and told when it has changed
 * at a tick. An equal value stays the same object.
 */
export function derived<T>(tick$: Observable<unknown>, read: () => T): StateStream<T> {
  let last = read();
  const get = () => {
    const now = read();
    return equal(last, now) ? last : (last = now);
  };
  const derived$ = tick$.pipe(
    map(get),
    distinctUntilChanged(),
    // What a subscriber writes while it is notified is queued behind this, for all subscribers.
    mergeMap((value, place) => (place ? inLine(value) : of(value))),
  );
  return Object.defineProperty(derived$, 'value', { get }) as StateStream<T>;
}

/** A value that is told when what was written before has been. */
const inLine = <T>(value: T): Observable<T> =>
  new Observable((subscriber) => {
    batch(() =>
      queue?.push(() => {
        subscriber.next(value);
        subscriber.complete();
      }),
    );
  });

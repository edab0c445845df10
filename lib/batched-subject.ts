import { batch, notify, notifyLast } from './batch';
import { BehaviorSubject, EMPTY, Observable, filter, merge, of } from './rx';
import type { Observer, Subscription } from './rx';

/** A BehaviorSubject whose writes go through `batch`, and that only its owner can end. */
export class BatchedSubject<T> extends BehaviorSubject<T> {
  #value: T;
  /** How many values were written, and how many of them announced. */
  #written = 0;
  #told = 0;
  /** @internal Whether the owner was disposed of. */
  protected _isEnded = false;

  constructor(value: T) {
    super(value);
    this.#value = value;
  }

  /** The same as `value`. */
  override getValue(): T {
    return this.#value;
  }

  /** Writes a value. Does nothing once the owner was disposed of. */
  override next(value: T): void {
    batch(() => {
      this._put(value);
    });
  }

  /** @internal Writes a value as part of a write. */
  _put(value: T): void {
    if (this._isEnded) return;
    this.#value = value;
    this._announce();
  }

  /** @internal Within a write: queues the notification of the present subscribers. Later ones begin with this value anyway. */
  protected _announce(): void {
    const isAllTold = this.#told === this.#written;
    const count = (this.#written += 1);
    if (isAllTold && !this.observed) {
      // Nobody is subscribed: RxJS must not retain the value that has been replaced.
      if (super.getValue() !== undefined) super.next(undefined as T);
      this.#told = count;
      return;
    }
    const value = this.getValue();
    notify(() => {
      this.#told = count;
      super.next(value);
    });
  }

  /**
   * As in RxJS. A subscriber that joins in the middle of a write begins with the value written last, and is not notified of it
   * again.
   */
  override subscribe(
    observerOrNext?: Partial<Observer<T>> | ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    // On an observer that it is given, `tap` calls `subscribe()` without arguments; nobody would end that subscription.
    if (!(observerOrNext ?? error ?? complete)) return EMPTY.subscribe();
    const begin = this.#written;
    const isTold = this.#told === begin;
    // Without subscribers, values are not passed to RxJS: pass on the present one now.
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

  /** Does nothing: RxJS calls it on an observer given to `tap`, which must not close this. */
  override unsubscribe(): void {
    // see above
  }

  /** @internal Completes; later writes are ignored. */
  _end(): void {
    this._isEnded = true;
    notifyLast(() => {
      super.complete();
    });
  }
}

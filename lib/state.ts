import { BehaviorSubject, Observable } from 'rxjs';
import type { Observer, Subscription } from 'rxjs';

import type { StateStream } from './types';

/**
 * A BehaviorSubject that can show a value first and tell of it later, and tells every subscriber of every value in
 * the same order.
 *
 * Two steps, because whoever is told of one field may read another: a write to several sets them all, then tells.
 * In order, because a subscriber may answer a value by writing another: a plain subject would tell the later
 * subscribers of the second value first and leave them on the first.
 */
export class Ordered<T> extends BehaviorSubject<T> {
  #shown: T;
  #untold: T[] | undefined;
  #telling = false;
  #ended = false;

  constructor(value: T) {
    super(value);
    this.#shown = value;
  }

  override getValue(): T {
    return this.#shown;
  }

  /** @internal Shows a value without telling anybody yet. Does nothing after the end. */
  set(value: T): void {
    if (this.#ended) return;
    this.#shown = value;
    (this.#untold ??= []).push(value);
  }

  /** @internal Tells subscribers what was set and not told yet. */
  tell(): void {
    if (this.#telling || !this.#untold) return;
    this.#telling = true;
    try {
      for (let value; this.#untold.length > 0; super.next(value)) value = this.#untold.shift() as T;
    } finally {
      this.#telling = false;
      this.#untold = undefined;
    }
    this.onTold();
  }

  /** @internal Called when subscribers have been told of one or more values. */
  protected onTold(): void {
    // for whoever extends this
  }

  /** Writes a value. Does nothing once the owner was disposed of. */
  override next(value: T): void {
    this.set(value);
    this.tell();
  }

  /** Does nothing: the end of a source piped into this must not end this. */
  override complete(): void {
    // see above
  }

  /** Does nothing: the failure of a source piped into this must not end this. */
  override error(_error: unknown): void {
    // see above
  }

  /** @internal Completes; later writes are ignored. */
  end(): void {
    this.#ended = true;
    super.complete();
  }

  // Tells first: a newcomer in the middle of a write would otherwise begin with the value before it.
  override subscribe(
    observerOrNext?: Partial<Observer<T>> | ((value: T) => void) | null,
    error?: ((error: unknown) => void) | null,
    complete?: (() => void) | null,
  ): Subscription {
    this.tell();
    return super.subscribe(observerOrNext as (value: T) => void, error, complete);
  }
}

/**
 * A value derived from others, as a stream that cannot be written from outside.
 *
 * Computed whenever it is read, so it is never out of date; `refresh` tells subscribers when it has changed. Costs
 * nothing while nobody subscribes.
 */
export class State<T> extends Observable<T> implements StateStream<T> {
  readonly #read: () => T;
  /** @internal Tells subscribers the present value if they have not been told it yet. */
  readonly refresh: () => void;
  /** @internal Completes. */
  readonly end: () => void;

  constructor(read: () => T, same: (a: T, b: T) => boolean) {
    const told = new Ordered(read());
    const update = () => {
      const now = read();
      if (!same(told.value, now)) told.next(now);
    };
    super((subscriber) => {
      update();
      return told.subscribe(subscriber);
    });
    this.#read = read;
    this.refresh = () => {
      if (told.observed) update();
    };
    this.end = () => {
      told.end();
    };
  }

  /** The present value, without subscribing. */
  get value(): T {
    return this.#read();
  }
}

/** The derived values of one owner, each made when it is first asked for. */
export class States {
  readonly #made = new Map<string, State<never>>();
  #ended = false;

  /** The state of that name; two values that are the `same` are told once. */
  get<T>(name: string, read: () => T, same: (a: T, b: T) => boolean = Object.is): StateStream<T> {
    let state = this.#made.get(name) as State<T> | undefined;
    if (!state) {
      state = new State(read, same);
      if (this.#ended) state.end();
      this.#made.set(name, state as unknown as State<never>);
    }
    return state;
  }

  /** Tells subscribers of every state that has changed. */
  refresh(): void {
    for (const state of this.#made.values()) state.refresh();
  }

  /** Completes them all, those made later too. */
  end(): void {
    this.#ended = true;
    for (const state of this.#made.values()) state.end();
  }
}

import { notifyLast } from './batch';
import { derived } from './derived';
import { Flags } from './flags';
import type { Kind } from './flags';
import { isSameId } from './id';
import { isObject, ownCopy } from './objects';
import { segmentsOf } from './paths';
import type { Lane } from './request/lane';
import { BehaviorSubject, ReplaySubject, asyncScheduler } from './rx';
import type { SchedulerLike } from './rx';
import { nextInOrder } from './ticket';
import type { Identity, Read, Ticket } from './ticket';
import type { Action, Concern, LibOptions, RequestOptions, ResourceConfig, Root, StateStream } from './types';

/** Emits when a state may have changed. */
class Ticks extends BehaviorSubject<0> {
  /** One function, so that it is notified once for each write. */
  readonly tick = (): void => {
    this.next(0);
  };
}

/** All that the request pipeline knows of a record or collection. */
export abstract class Resource {
  readonly concern: Concern;
  // Own properties from the start: an inherited `root` must not make it look booted.
  root!: Root;
  config!: ResourceConfig;
  /** The values that `:name` in a url stands for, by path; undefined if urls are used as they are. */
  readonly fields:
    readonly { readonly path: string; readonly field: { readonly value: unknown } }[] | undefined;
  /** Reads under way, in the order of issue. */
  reads: readonly Read[] = [];
  /** Created with the first state that is used. */
  #ticks: Ticks | undefined;
  #disposed$: ReplaySubject<unknown> | undefined;
  /** The members of the concern that have been used. */
  readonly members: Record<PropertyKey, unknown> = ownCopy({});
  error: Error | null = null;
  /** The place of the newest request that has failed since the last success. */
  #newestFailed = 0;
  /** Whether it was disposed of. */
  isDisposed = false;
  /** Whether its url is that of the list that it is in. */
  isInList = false;
  #flags: Flags | undefined;

  /** @throws TypeError for an object of another copy of this package. */
  constructor(concern: Concern) {
    if (((concern as Signed)[copy] ?? resources) !== resources) {
      throw new TypeError('map: this is of another copy of rivulet: load it only once');
    }
    this.concern = concern;
    resources.set(concern, this);
  }

  /** Makes it ready for requests. */
  boot(root: Root, config: ResourceConfig = {}): void {
    if (this.root as unknown) throw new TypeError('boot: this is already a record: boot it only once');
    this.config = ownCopy(config);
    segmentsOf(this.idAttribute);
    this.root = root;
  }

  /** Where writes wait for each other; undefined where they need not. */
  get lane(): Lane | undefined {
    return undefined;
  }

  /** What a request that is made now is for; undefined if that cannot change. */
  get identity(): Identity | undefined {
    return undefined;
  }

  /**
   * Starts a request: records what its answer must be judged by. Throws if it cannot be made.
   *
   * @param order Its place in the order of issue.
   * @param identity What it was for when it was made: it may have waited since then.
   */
  abstract begin(
    action: Action,
    options: RequestOptions,
    order: number,
    identity: Identity | undefined,
  ): Ticket;

  /** The action that a request of that kind is now. */
  abstract actionOf(kind: Kind): Action;

  /** What a create or update sends. */
  abstract data(action: Action, options: RequestOptions): unknown;

  /** The path of the id. */
  get idAttribute(): string {
    return this.config.idAttribute ?? 'id';
  }

  /** The root's options, safe to read. */
  get options(): LibOptions {
    return ownCopy(this.root.options);
  }

  /** The clock for lulls and time limits. */
  get clock(): SchedulerLike {
    return this.options.scheduler ?? asyncScheduler;
  }

  /** Emits when the target is disposed of. */
  get disposed$(): ReplaySubject<unknown> {
    return (this.#disposed$ ??= new ReplaySubject(1));
  }

  /** Notifies the subscribers of every state that has changed. */
  changed(): void {
    if (this.#ticks) notifyLast(this.#ticks.tick);
  }

  /** A derived value of the record or collection. */
  derive<T>(read: () => T): StateStream<T> {
    return derived((this.#ticks ??= new Ticks(0)).asObservable(), read);
  }

  /**
   * Sets `error$` to a failure; a thrown value without a message is wrapped in an `Error`.
   *
   * @param order The place of the request in the order of issue. Default: the newest.
   */
  fail(action: Action, reason: unknown, order: number = nextInOrder()): void {
    this.#newestFailed = this.error ? Math.max(order, this.#newestFailed) : order;
    const text = isObject(reason) ? 'an object that is no Error' : String(reason);
    this.error =
      isObject(reason) && 'message' in reason
        ? (reason as unknown as Error)
        : new Error(`${action}: failed with ${text}`, { cause: reason });
    this.changed();
  }

  /** Clears `error$` after a request has succeeded, if only at its second answer, unless a newer one has failed. */
  succeed(order: number): void {
    if (order >= this.#newestFailed) this.error = null;
    this.changed();
  }

  /** Counts a read as under way, until the returned function is called. */
  track(read: Read): () => void {
    this.reads = [...this.reads, read];
    return () => {
      this.reads = this.reads.filter((each) => each !== read);
    };
  }

  /** Marks the reads of an id that are under way as overtaken: those issued before a given one, or all. */
  overtake(id: unknown, by?: Read): void {
    for (const read of this.reads) {
      if (read === by) return;
      read.isOvertaken ||= isSameId(read.id, id);
    }
  }

  /** The flags of its requests. */
  get flags(): Flags {
    return (this.#flags ??= new Flags(() => {
      this.changed();
    }));
  }

  /** Fails requests under way, lowers the flags, completes the states. */
  dispose(): void {
    this.isDisposed = true;
    this.disposed$.next(0);
    // A request that is only just beginning fails after this, too late to be announced.
    this.#flags = undefined;
    this.changed();
    const ticks = (this.#ticks ??= new Ticks(0));
    // Queued behind pending notifications, so that nobody misses the last values.
    notifyLast(() => {
      ticks.complete();
    });
  }
}

const resources = new WeakMap<object, Resource | ((concern: object) => void)>();

/** Marks objects with the copy of this package that made them: two copies in one process do not know each other's records. */
const copy: unique symbol = /* @__PURE__ */ Symbol.for('rivulet');

interface Signed {
  [copy]?: unknown;
}

/** Marks everything that inherits from a prototype as made by this copy. */
export function sign(prototype: Signed): void {
  prototype[copy] = resources;
}

/** Makes what stands behind an object on first use. */
export function registerLazily(concern: object, make: (concern: object) => void): void {
  resources.set(concern, make);
}

/** What stands behind a record or collection; undefined for anything else. */
export function resourceOf(concern: object): Resource | undefined {
  const found = resources.get(concern);
  if (typeof found !== 'function') return found;
  found(concern);
  return resourceOf(concern);
}

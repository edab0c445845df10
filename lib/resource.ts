import { Observable, Subject, defer, map, throwError } from 'rxjs';

import { RequestError } from './errors';
import { own } from './paths';
import { Busy } from './request/busy';
import { States } from './state';
import type { Action, Concern, RequestOptions, ResourceConfig, Root, StateStream, Sync } from './types';

/** The data of an ok answer that had any. */
export interface Answer {
  readonly data: unknown;
}

/** One request as its target sees it: made when the request starts, told how it ended. */
export interface Ticket {
  /** Emits once, when the answer may be written. */
  readonly ready$: Observable<unknown>;
  /** Writes an ok answer; undefined for one without data. */
  accept(answer: Answer | undefined): void;
  /** The server refused or was not reached, or the request was given up. */
  refuse(why: 'error' | 'abort'): void;
  /** The request is over. */
  end(): void;
}

/** All that the request pipeline knows of a record or collection. */
export abstract class Resource {
  readonly concern: Concern;
  readonly root: Root;
  readonly config: ResourceConfig;
  readonly states = new States();
  readonly busy: Busy;
  /** Methods bound to the concern by name, so that each time one is taken off it is the same function. */
  readonly bound = new Map<string, unknown>();
  /** Performs the requests; undefined for that of the root. */
  sync: Sync | undefined;
  #error: Error | null = null;
  #disposed$: Subject<void> | undefined;
  #isDisposed = false;

  constructor(concern: Concern, root: Root, config: ResourceConfig) {
    if (resources.has(concern)) throw new TypeError('boot: this record is booted already; boot it once');
    this.concern = concern;
    this.root = root;
    this.config = ownCopy(config);
    this.busy = new Busy(
      () => {
        this.states.refresh();
      },
      () => own(root.options, 'scheduler') as Root['options']['scheduler'],
    );
    resources.set(concern, this);
  }

  /** Starts a request: takes down what its answer must be judged by. Throws if it cannot be made. */
  abstract begin(action: Action, options: RequestOptions): Ticket;

  /** What a create or update sends. */
  abstract data(action: Action, options: RequestOptions): unknown;

  /** The values that `:name` in a url stands for; undefined where urls are taken as they are. */
  abstract readonly fields: ReadonlyMap<string, { readonly value: unknown }> | undefined;

  /** The path of the id. */
  get idAttribute(): string {
    return this.config.idAttribute ?? 'id';
  }

  /** An option that the request, the configuration and the root may each set; the nearest wins. */
  setting(name: 'timeout' | 'keepEdits', options: RequestOptions): unknown {
    return own(options, name) ?? own(this.config, name) ?? own(this.root.options, name);
  }

  /** A state of the record or collection, made when first asked for. */
  state<T>(name: string, read: () => T, same?: (a: T, b: T) => boolean): StateStream<T> {
    return this.states.get(name, read, same);
  }

  get error$(): StateStream<Error | null> {
    return this.state('error$', () => this.#error);
  }

  /** Sets what `error$` shows: a failure, or null after a success. */
  fail(error: Error | null): void {
    this.#error = error;
    this.states.refresh();
  }

  /** Fails with `DISPOSED` as soon as the target is disposed of. */
  disposal(action: Action): Observable<never> {
    const disposed = () =>
      new RequestError('DISPOSED', `${action}: the record or collection was disposed of`, { action });
    return defer(() =>
      this.#isDisposed
        ? throwError(disposed)
        : (this.#disposed$ ??= new Subject()).pipe(
            map(() => {
              throw disposed();
            }),
          ),
    );
  }

  /** Fails what is under way, lowers the flags, ends the states. */
  dispose(): void {
    this.#isDisposed = true;
    this.#disposed$?.next();
    this.busy.end();
    this.states.end();
  }
}

const resources = new WeakMap<object, Resource>();

/** What stands behind a record or collection; undefined for anything else. */
export function resourceOf(concern: object): Resource | undefined {
  return resources.get(concern);
}

/** A copy of an object's own properties that inherits nothing, so that reading it never finds a foreign option. */
export function ownCopy<T extends object>(source: T | undefined): T {
  return Object.assign(Object.create(null), source) as T;
}

/**
 * Makes the methods of a class work when taken off their object (`const { save } = person`, a click handler): reading
 * one gives a function bound to the object, the same at each reading.
 */
export function bindMethods(prototype: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value !== 'function' || name === 'constructor') continue;
    const method = value as (...args: unknown[]) => unknown;
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: object): unknown {
        const bound = resourceOf(this)?.bound;
        if (bound && !bound.has(name)) bound.set(name, method.bind(this));
        return bound?.get(name) ?? method;
      },
      set(this: object, own: unknown): void {
        Object.defineProperty(this, name, { value: own, configurable: true, enumerable: true, writable: true });
      },
    });
  }
}

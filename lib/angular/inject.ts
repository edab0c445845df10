import type { Collection, CollectionConfig, ItemRecord, Lib } from '../index';

import { scopeOf } from './context';
import type { ContextOptions } from './context';
import { injectRivulet } from './root';

/** Anything that has to be disposed of: a record, a collection, or an object that holds some. */
export interface Disposable {
  /** Aborts what is under way and ends all streams. */
  dispose(): void;
}

/** Refuses a class that takes no root: its records would be of `lib`, and send past `HttpClient` and its interceptors. */
type TakesRoot<C extends new (root: Lib) => unknown> =
  ConstructorParameters<C> extends [] ? 'take the root, and pass it on to super({ … }, root)' : unknown;

/**
 * Makes a record that is disposed of together with the component or service that makes it: requests under way are then
 * aborted.
 *
 * Not for a live record of a collection, which others may hold. In a guard or resolver it would live as long as the
 * application.
 *
 * @param type A function that takes the root and returns the record.
 * @param options `injector`: needed outside an injection context. The function is called without entering its context:
 *   `inject` inside it needs one.
 */
export function injectRecord<R extends Disposable>(type: (root: Lib) => R, options?: ContextOptions): R;
/**
 * Makes a record of a class that is disposed of together with the component or service that makes it: requests under way
 * are then aborted.
 *
 * Not for a live record of a collection, which others may hold. In a guard or resolver it would live as long as the
 * application.
 *
 * @param type A class that takes the root, to pass it on to `super(config, root)`: the compiler refuses one that takes none.
 * @param options `injector`: needed outside an injection context. The class is constructed without entering its context:
 *   `inject` inside it needs one.
 */
export function injectRecord<C extends new (root: Lib) => Disposable>(
  type: C & TakesRoot<C>,
  options?: ContextOptions,
): InstanceType<C>;
export function injectRecord<R extends Disposable>(
  type: (new (root: Lib) => R) | ((root: Lib) => R),
  options?: ContextOptions,
): R {
  return kept(injectRecord, options, (root) => (isClass(type) ? new type(root) : type(root)));
}

/**
 * Makes a collection that is disposed of together with the component or service that makes it.
 *
 * @param config As for `lib.collection`.
 * @param options `injector`: needed outside an injection context.
 */
export function injectCollection<T, M extends object = ItemRecord<T>>(
  config: readonly T[] | CollectionConfig<T, M>,
  options?: ContextOptions,
): Collection<T, M> {
  return kept(injectCollection, options, (root) => root.collection(config));
}

/** Makes something that is disposed of with the injection context of the caller. */
function kept<D extends Disposable>(
  caller: (...args: never[]) => unknown,
  options: ContextOptions | undefined,
  make: (root: Lib) => D,
): D {
  const scope = scopeOf(caller, options);
  const made = make(injectRivulet(options));
  scope.add(() => {
    made.dispose();
  });
  return made;
}

/** Arrow functions have no prototype; what a `function` returns, `new` returns too. */
const isClass = <R>(type: (new (root: Lib) => R) | ((root: Lib) => R)): type is new (root: Lib) => R =>
  'prototype' in type;

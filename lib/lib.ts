import { Collection } from './collection';
import type { BaseCollectionConfig } from './collection';
import { boot, setDefaultRoot } from './data-model';
import type { DataModel } from './data-model';
import type { ItemRecord } from './item-record';
import { forward } from './members';
import { ownCopy } from './objects';
import { Field } from './observable';
import { send } from './request/send';
import type { DataModelConfig, LibOptions, Root, Sync } from './types';

/** What a collection is configured with. */
export interface CollectionConfig<T, M extends object = ItemRecord<T>> extends BaseCollectionConfig<T, M> {
  /**
   * The class of the records that `record()` makes, called as `new model(root)` with the collection's root:
   * `class Person extends DataModel` with a constructor that passes it on to `super`. A class whose constructor takes
   * something else is refused by its type; one that takes no root, or does not pass it on, by `record()`: its records would
   * belong to another. Default: a record with a field for each key of the item, created on first use.
   */
  readonly model?: (new (root: Lib) => M) | undefined;
}

/** A root: makes records and collections that share its options and `sync`, but nothing with other roots. */
export interface Lib extends Root {
  /** Options for all requests, read anew at each. May be changed or replaced at any time. */
  options: LibOptions;
  /** Performs every request of records and collections; assign a function to keep the data elsewhere. */
  sync: Sync;
  /** Makes an observable value: a `BehaviorSubject` that `.map(path, record)` makes part of a record. */
  observable<T>(value: T): Field<T>;
  /** Makes an observable value that is undefined at first. */
  observable<T>(): Field<T | undefined>;
  /** Records: how to make them, and what performs their requests. */
  readonly dataModel: {
    /**
     * Turns an object, usually `this` in its constructor, into a record: gives it the members of `DataModel`, except those
     * its own class defines. Fields may be mapped before or after.
     *
     * @returns The same object.
     * @throws TypeError without an object, for one that cannot be extended or is already a record, and if `idAttribute` is
     *   not a path.
     */
    boot<I extends object>(instance: I, config?: DataModelConfig): I & DataModel;
    /** Performs every request of records; by default forwards to the root's `sync` at request time. */
    sync: Sync;
  };
  /**
   * Makes an observable array, of some items or as configured.
   *
   * @throws TypeError if the items are not an array, or `idAttribute` is not a path.
   */
  collection<T, M extends object = ItemRecord<T>>(
    source?: readonly T[] | CollectionConfig<T, M>,
  ): Collection<T, M>;
}

/**
 * Makes an isolated root: one per server-side request, per test, or per injector. Roots share no state.
 *
 * @param options As in `lib.options`; copied, so roots made from one object share nothing. To change them later, use
 *   `options` of the root. Default `{}`.
 * @param base What holds even if the options change later: a `transport` that replaces the platform's `fetch` if they name
 *   none, and an `around` that wraps theirs. For code that binds a root to a framework. Default: nothing.
 */
export function createLib(options: LibOptions = {}, base: Lib['base'] = {}): Lib {
  const root: Lib = {
    options: { ...options },
    base: ownCopy(base),
    sync: send,
    observable: <T>(value?: T) => new Field(value as T),
    dataModel: {
      boot: (instance, config) => boot(instance, config, root),
      sync: forward(() => root),
    },
    collection: <T, M extends object>(source?: readonly T[] | CollectionConfig<T, M>) =>
      new Collection<T, M>(source, root),
  };
  return root;
}

/** The default root: all you need in a browser. On a server use `createLib()`, since all requests would share this. */
export const lib: Lib = createLib();
setDefaultRoot(lib);

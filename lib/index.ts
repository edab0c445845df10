/**
 * Records and collections held on a remote endpoint, as RxJS streams.
 *
 * @module
 */

// Making records and collections
export { createLib, lib } from './lib';
export type { CollectionConfig, Lib } from './lib';

// Records and their fields
export { DataModel } from './data-model';
export { Field } from './observable';
export type { MappedField } from './observable';
export type { Conflict } from './conflicts';
export type { DataOf, MappedPath, PartOf, PatchOf, PathOf, PickedOf, ValueAt } from './data-of';

// Collections
export { Collection } from './collection';
export type { NewItem } from './collection';
export type { ItemRecord } from './item-record';
export type { Delta } from './items';
export { matcher } from './where';
export type { Comparator, Criteria } from './where';
export { equal } from './equal';

// Composing requests
export { ok } from './ok';
export { saveLatest } from './save-latest';

// Failures
export { RequestError } from './errors';
export type { RequestErrorCode } from './errors';

// Options, and what stands between a record and the server
export type {
  Action,
  Around,
  AroundContext,
  Concern,
  DataModelConfig,
  EventLike,
  Exchange,
  FetchOptions,
  FetchOptionsSource,
  Interceptor,
  LibOptions,
  Parse,
  ReceivedOptions,
  RequestContext,
  RequestLull,
  RequestOptions,
  ResourceConfig,
  Root,
  SetOptions,
  StateStream,
  Sync,
  Transport,
  Url,
  UrlByAction,
  UrlCallback,
  WireRequest,
} from './types';

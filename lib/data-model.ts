import { lastValueFrom, defer } from 'rxjs';
import type { Observable } from 'rxjs';

import type { DataOf, PatchOf, PathOf, ValueAt } from './data-of';
import { equal, isObject } from './equal';
import { readAt, segmentsOf, writeAt } from './paths';
import { RecordResource } from './record';
import { callOptions } from './request/options';
import { bindMethods, resourceOf } from './resource';
import type { RequestOptions, ResourceConfig, Root, StateStream, Sync } from './types';

/** What a record is configured with. */
export interface DataModelConfig extends ResourceConfig {
  /** Whether reads leave dirty fields alone. Default: as in `lib.options`, then false. */
  readonly keepEdits?: boolean | undefined;
}

/**
 * One record held on an endpoint: its mapped fields, what is dirty, and the requests that create, read, update and
 * delete it.
 *
 * Requests come in pairs: the `$` form is cold (nothing is sent before it is subscribed, each subscription is a
 * request, unsubscribing aborts it), the plain form subscribes at once and gives a promise. Both give the
 * server's `Response` once it has been written to the fields, a refused one (`ok` false) too. They fail with the
 * platform's own error if the server could not be reached, with what a callback threw, or with a `RequestError`; they
 * never throw. All methods may be taken off the record and used as event handlers.
 */
export class RemoteRecord {
  /** Performs this record's requests; assign a function to replace it. By default `lib.dataModel.sync`. */
  declare sync: Sync;

  constructor(config: DataModelConfig | undefined, root: Root) {
    new RecordResource(this, root, config ?? {});
  }

  /**
   * Reads the record: `GET <url>/<id>`, and writes the answer to the fields.
   *
   * Replaces edits made before the call, unless `keepEdits`; those made since stay, and stay dirty. Of overlapping
   * reads the newest wins; one that overlaps a successful save is not written. Fails with `NO_ID` without an id.
   */
  fetch(options?: RequestOptions | Event): Promise<Response> {
    return lastValueFrom(this.fetch$(options));
  }

  /** Like `fetch`, as a cold stream: sends on subscription, aborts on unsubscription, emits once. */
  fetch$(options?: RequestOptions | Event): Observable<Response> {
    return defer(() => recordOf(this).read$(callOptions(options)));
  }

  /**
   * Sends the record: `POST <url>` with a falsey id, else `PUT <url>/<id>`, the mapped data as JSON; and writes the
   * answer to the fields.
   *
   * What is edited while the request is under way stays, and stays dirty. Writes of one record run one after the
   * other, each made up when its turn comes: two saves of a new record are one POST and one PUT.
   */
  save(options?: RequestOptions | Event): Promise<Response> {
    return lastValueFrom(this.save$(options));
  }

  /** Like `save`, as a cold stream: sends on subscription, aborts on unsubscription, emits once. */
  save$(options?: RequestOptions | Event): Observable<Response> {
    return defer(() => recordOf(this).save$(callOptions(options)));
  }

  /**
   * Deletes the record: `DELETE <url>/<id>`. On any ok answer the id becomes undefined and the record clean; the other
   * fields keep their values, so a save would create it anew. Fails with `NO_ID` without an id.
   */
  destroy(options?: RequestOptions | Event): Promise<Response> {
    return lastValueFrom(this.destroy$(options));
  }

  /** Like `destroy`, as a cold stream: sends on subscription, aborts on unsubscription, emits once. */
  destroy$(options?: RequestOptions | Event): Observable<Response> {
    return defer(() => recordOf(this).destroy$(callOptions(options)));
  }

  /** The whole data, as a new object in the mapped structure. Fields that are undefined are there as keys. */
  get(): DataOf<this>;
  /** The value at a mapped path, or the object that holds mapped paths; undefined for any other path. */
  get<const P extends PathOf<this>>(path: P): ValueAt<DataOf<this>, P>;
  /** The data at some paths only, in the mapped structure. */
  get<const P extends PathOf<this>>(paths: readonly P[]): PatchOf<DataOf<this>>;
  get(path?: string | readonly string[]): unknown {
    const data = recordOf(this).mapping.collect();
    if (path === undefined) return data;
    if (typeof path === 'string') return readAt(data, path.split('.'));
    const part = {};
    for (const segments of path.map(segmentsOf)) {
      const value = readAt(data, segments);
      if (value !== undefined) writeAt(part, segments, value);
    }
    return part;
  }

  /**
   * Writes data into the mapped fields and counts it as confirmed, as if a server had answered it: one emission of
   * `data$`. Keys that are not mapped, absent or undefined are skipped.
   *
   * @param options `keepDirty`: leaves what is confirmed as it was, so that the changes count as edits. Default false.
   */
  set(data: PatchOf<DataOf<this>>, options?: { readonly keepDirty?: boolean }): this {
    const { mapping } = recordOf(this);
    const values = mapping.match(data);
    if (!options?.keepDirty) for (const [entry, value] of values) entry.confirmed = value;
    mapping.write(values);
    return this;
  }

  /** The data, for `JSON.stringify`. */
  toJSON(): DataOf<this> {
    return this.get();
  }

  /** Counts the values shown as confirmed: those at a path and below, or all. */
  clean(path?: PathOf<this>): this {
    const { mapping } = recordOf(this);
    for (const entry of mapping.at(path)) entry.confirmed = entry.value;
    mapping.refresh();
    return this;
  }

  /** Takes all edits back: writes the values last confirmed. */
  reset(): this {
    const { mapping } = recordOf(this);
    mapping.write(mapping.at().map((entry) => [entry, entry.confirmed]));
    return this;
  }

  /** For each mapped path, whether its value differs from the one last confirmed. */
  dirtyMap(): Record<string, boolean> {
    return Object.fromEntries(
      recordOf(this)
        .mapping.at()
        .map((entry) => [entry.path, entry.isDirty]),
    );
  }

  /** Whether a field is mapped at exactly that path. */
  hasMappedField(path: string): boolean {
    return recordOf(this).fields.has(path);
  }

  /** Takes a field out of the record: it is neither sent nor written any more. False if there was none. */
  unmap(path: string): boolean {
    return recordOf(this).mapping.remove(path);
  }

  /**
   * Ends the record: aborts what is under way (pending and later requests fail with `DISPOSED`), completes all streams
   * and its fields, ignores later writes to them. A field that another record holds too lives on.
   */
  dispose(): void {
    recordOf(this).dispose();
  }

  /** The whole data; emits once per write, never half old and half new. */
  get data$(): StateStream<DataOf<this>> {
    const record = recordOf(this);
    return record.state('data$', () => record.mapping.snapshot as DataOf<this>);
  }

  /** What is dirty now, as a patch: begins with the present one, `{}` when clean. */
  get changes$(): Observable<PatchOf<DataOf<this>>> {
    const record = recordOf(this);
    return record.state('changes$', () => record.mapping.patch as PatchOf<DataOf<this>>, equal);
  }

  /** Whether the id is falsey, so that a save creates. */
  get isNew$(): StateStream<boolean> {
    const record = recordOf(this);
    return record.state('isNew$', () => !record.id);
  }

  /** Whether any field differs from its confirmed value. */
  get isDirty$(): StateStream<boolean> {
    const record = recordOf(this);
    return record.state('isDirty$', () => record.isDirty);
  }

  /** True while the record is being created. */
  get isCreating$(): StateStream<boolean> {
    return recordOf(this).flag('isCreating$', 'create');
  }

  /** True while the record is being read. */
  get isReading$(): StateStream<boolean> {
    return recordOf(this).flag('isReading$', 'read');
  }

  /** The same as `isReading$`. */
  get isReading(): StateStream<boolean> {
    return this.isReading$;
  }

  /** True while the record is being updated. */
  get isUpdating$(): StateStream<boolean> {
    return recordOf(this).flag('isUpdating$', 'update');
  }

  /** True while the record is being deleted, or a delete waits for earlier writes. */
  get isDeleting$(): StateStream<boolean> {
    return recordOf(this).flag('isDeleting$', 'delete');
  }

  /** True while the record is being created or updated, or a save waits for earlier writes. */
  get isSaving$(): StateStream<boolean> {
    return recordOf(this).flag('isSaving$', 'save');
  }

  /** True while any request of the record is under way. */
  get requestInProgress$(): StateStream<boolean> {
    return recordOf(this).flag('requestInProgress$');
  }

  /** Why the last request failed, a refusal included; null after a success. An abort by the caller does not count. */
  get error$(): StateStream<Error | null> {
    return recordOf(this).error$;
  }
}

Object.defineProperty(RemoteRecord.prototype, 'sync', {
  configurable: true,
  get(this: object): Sync {
    const record = recordOf(this);
    return record.sync ?? ((action, concern, options) => record.root.dataModel.sync(action, concern, options));
  },
  set(this: object, sync: Sync) {
    recordOf(this).sync = sync;
  },
});
bindMethods(RemoteRecord.prototype);

function recordOf(record: object): RecordResource {
  const resource = resourceOf(record);
  if (resource instanceof RecordResource) return resource;
  throw new TypeError('dataModel: this object is not a record yet; pass it to lib.dataModel.boot() first');
}

/** The prototype of a booted instance for each prototype it had before. */
const booted = new WeakMap<object, object>();

/**
 * Makes an object a record in place: gives it the members of a record, except those its own class defines.
 *
 * The object's class is left as it is; the members come from a prototype put between the two.
 */
export function boot<I extends object>(
  instance: I,
  config: DataModelConfig | undefined,
  root: Root,
): I & RemoteRecord {
  if (!isObject(instance)) {
    throw new TypeError('boot: needs the instance to make a record of, usually "this"');
  }
  const record = instance as unknown as I & RemoteRecord;
  new RecordResource(record, root, config ?? {});
  const prototype = Object.getPrototypeOf(instance) as object;
  let between = booted.get(prototype);
  if (!between) booted.set(prototype, (between = Object.create(prototype, membersFor(prototype)) as object));
  Object.setPrototypeOf(instance, between);
  return record;
}

function membersFor(prototype: object): PropertyDescriptorMap {
  const members = Object.getOwnPropertyDescriptors(RemoteRecord.prototype) as PropertyDescriptorMap;
  for (const name of Object.keys(members)) {
    const isOwnOfClass = name in prototype && !(name in Object.prototype);
    if (name === 'constructor' || isOwnOfClass) Reflect.deleteProperty(members, name);
  }
  return members;
}

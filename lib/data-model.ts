import type { Conflict } from './conflicts';
import type { DataOf, PartOf, PathOf, PickedOf, ValueAt } from './data-of';
import { asShown, collect, isDirty, match } from './entry';
import { define, flag, forward, promise, request } from './members';
import type { Members, SharedMember } from './members';
import { isObject } from './objects';
import { readAt } from './paths';
import { recordOf } from './record';
import type { RecordResource } from './record';
import { defer, map, mergeMap, takeUntil } from './rx';
import type { Observable, ObservableInput } from './rx';
import type {
  DataModelConfig,
  EventLike,
  RequestOptions,
  Root,
  SetOptions,
  StateStream,
  Sync,
} from './types';

/**
 * One record held on an endpoint: its mapped fields, what is dirty, and the requests that create, read, update and
 * delete it.
 *
 * Requests come in pairs: the `$` form is cold (nothing is sent before it is subscribed, each subscription is a request,
 * unsubscribing aborts it), the plain form subscribes at once and returns a promise. Both deliver the server's `Response`
 * once it has been written to the fields, including a refused one (`ok` false). They fail with the platform's own error if
 * the server could not be reached, with what a callback threw, or with a `RequestError`; they never throw. All methods may
 * be detached from the record and used as event handlers.
 */
// Declared as an interface, so that a subclass may override a method with a method; `define` below adds the members.
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the members come from `define`
export interface DataModel {
  /** Performs this record's requests; assign a function to replace it. By default `lib.dataModel.sync`. */
  sync: Sync;
  /** The (dotted) path of the id, as configured. */
  readonly idAttribute: string;
  /**
   * The whole data; emits once per write, never half old and half new. All readers share one object: to change it, copy it
   * or call `get()`.
   */
  readonly data$: StateStream<DataOf<this>>;
  /** The dirty fields, as a patch: begins with the present one, `{}` when clean. Shared by all, as in `data$`. */
  readonly changes$: Observable<PartOf<this>>;
  /** Whether the id is falsey, so that a save creates. */
  readonly isNew$: StateStream<boolean>;
  /** Whether any field differs from its confirmed value. */
  readonly isDirty$: StateStream<boolean>;
  /** True while the record is being created. */
  readonly isCreating$: StateStream<boolean>;
  /** True while the record is being read. */
  readonly isReading$: StateStream<boolean>;
  /** The same as `isReading$`. */
  readonly isReading: StateStream<boolean>;
  /** True while the record is being updated. */
  readonly isUpdating$: StateStream<boolean>;
  /** True while the record is being deleted, or a delete waits for earlier writes. */
  readonly isDeleting$: StateStream<boolean>;
  /** True while the record is being created or updated, or a save waits for earlier writes. */
  readonly isSaving$: StateStream<boolean>;
  /** True while any request of the record is under way. */
  readonly requestInProgress$: StateStream<boolean>;
  /**
   * Why a request failed, set by every failure when it happens, a refusal included; null again when a request issued after
   * that one succeeds, or the record has another id. An abort by the caller does not count, nor does a request for an id other
   * than the present one.
   */
  readonly error$: StateStream<Error | null>;

  /**
   * Reads the record: `GET <url>/<id>`, and writes the answer to the fields.
   *
   * Replaces edits made before the call, unless `keepEdits`; later ones stay, and stay dirty. If reads overlap, the newest
   * wins; one that overlaps a successful save is not written, or, if the save was answered without data, only to the fields
   * that it did not send. Fails with `NO_ID` without an id.
   */
  fetch(options?: RequestOptions | EventLike): Promise<Response>;

  /**
   * Like `fetch`, as a cold stream.
   *
   * Each subscription sends a request; unsubscribing aborts it. Emits the response once, after write-back, including a
   * refused one (`ok` false). Fails with a `RequestError`, with the platform's own error, or with what a callback threw.
   */
  fetch$(options?: RequestOptions | EventLike): Observable<Response>;

  /**
   * Sends the mapped data as JSON, `POST <url>` if the id is falsey, else `PUT <url>/<id>`, and writes the answer to the
   * fields.
   *
   * Edits made while the request is under way stay, and stay dirty. Writes of one record run one after the other, each built
   * when its turn comes: two saves of a new record become one POST and one PUT.
   */
  save(options?: RequestOptions | EventLike): Promise<Response>;

  /**
   * Like `save`, as a cold stream; waits for its turn among the writes of the record.
   *
   * Each subscription sends a request; unsubscribing aborts it. Emits the response once, after write-back, including a
   * refused one (`ok` false). Fails with a `RequestError`, with the platform's own error, or with what a callback threw.
   */
  save$(options?: RequestOptions | EventLike): Observable<Response>;

  /**
   * Deletes the record: `DELETE <url>/<id>`. On any ok answer the id becomes undefined and the record clean; the other
   * fields keep their values, so a save would create it again. Fails with `NO_ID` without an id, and with `BAD_ID` if the
   * record was given another id while the destroy waited for its turn.
   */
  destroy(options?: RequestOptions | EventLike): Promise<Response>;

  /**
   * Like `destroy`, as a cold stream; waits for its turn among the writes of the record.
   *
   * Each subscription sends a request; unsubscribing aborts it. Emits the response once, after write-back, including a
   * refused one (`ok` false). Fails with a `RequestError`, with the platform's own error, or with what a callback threw.
   */
  destroy$(options?: RequestOptions | EventLike): Observable<Response>;

  /** The whole data, as a new object in the mapped structure. Undefined fields are present as keys. */
  get(): DataOf<this>;
  /** The value at a mapped path, or the object that holds mapped paths; undefined for any other path. */
  get<const P extends PathOf<this>>(path: P): ValueAt<DataOf<this>, P>;
  /** The data at some paths only, in the mapped structure. */
  get<const P extends readonly PathOf<this>[]>(paths: P): PickedOf<this, P>;

  /**
   * Writes data into the mapped fields and confirms it, as if a server had just answered with it: `data$` emits once, and
   * answers to requests under way do not reach these fields. A field that a save under way has sent becomes dirty when that
   * save is accepted: the server may hold either value. Unmapped or absent keys are skipped, undefined ones too unless
   * `unset`.
   */
  set(data: PartOf<this>, options?: SetOptions): this;

  /** The data, for `JSON.stringify`. */
  toJSON(): DataOf<this>;

  /** Confirms the values shown: those at a path and below, or all. */
  clean(path?: PathOf<this>): this;

  /**
   * Lets any Observable act as the server: merges each row it emits like the answer to a read with `keepEdits`. So edits
   * stay (`conflicts$` emits those that the row contradicts), and a row that arrives during a save counts only if the save
   * fails, or, if it is answered without data, for the fields that it did not send. For the fields it contains, a row is newer
   * than the answers to reads under way; these still bring the rest. A row that may come late, like the echo of an earlier
   * save, must be left out, by its version.
   *
   * @param rows$ Rows in the mapped structure, whole or in part: from a live query of IndexedDB or a WebSocket, say.
   * @returns A cold stream of the data after each row; fails as `rows$` does, and with a `TypeError` if that is no
   *   `ObservableInput`. Follows nothing until subscribed.
   */
  follow(rows$: ObservableInput<PartOf<this>>): Observable<DataOf<this>>;

  /**
   * Emits when the server confirms a value that contradicts an edit (in a read with `keepEdits`, or one during which the
   * field was edited, in a followed row, an answer to a save that did not send the field, or a list that the record is in):
   * both values, and the choice. Emits after the write. Begins with the open ones: each is open until it is decided, the edit
   * is saved, given up or typed back, or another record is shown.
   */
  readonly conflicts$: Observable<Conflict>;
  /**
   * All conflicts that are open now, in the order in which they arose: for showing them as a list, and for waiting until all
   * are decided. Emits when one is added, decided or ends in another way, and when its edit changes.
   */
  readonly openConflicts$: StateStream<readonly Conflict[]>;

  /** Discards all edits: restores the values last confirmed. */
  reset(): this;

  /** For each mapped path, whether its value differs from the one last confirmed. */
  dirtyMap(): Record<string, boolean>;

  /** Whether a field is mapped at exactly that path. */
  hasMappedField(path: string): boolean;

  /** Removes a field from the record: it is no longer sent or written. Returns false if there was none. */
  unmap(path: string): boolean;

  /**
   * Ends the record: aborts requests under way (pending and later ones fail with `DISPOSED`), completes all its streams and
   * fields, ignores later writes to them. A field that is also mapped into another record lives on.
   */
  dispose(): void;
}

/**
 * A record as a class: `class Person extends DataModel { constructor() { super({ url: '/person' }); } }`, with its
 * fields mapped in class fields.
 */
// eslint-disable-next-line @typescript-eslint/no-unsafe-declaration-merging -- the members come from `define`
export class DataModel {
  /**
   * @param config Where the record is, and its options. Default: none, so that it can be filled but not requested.
   * @param root The root it belongs to. Default: `lib`.
   * @throws TypeError if `idAttribute` is not a path.
   */
  constructor(config?: DataModelConfig, root: Root = defaultRoot) {
    recordOf(this).boot(root, config);
  }
}

/** Set where the default root is made: that stands above this. */
let defaultRoot: Root;

export function setDefaultRoot(root: Root): void {
  defaultRoot = root;
}

const members = {
  sync: ({ root }: RecordResource) => forward(() => root.dataModel),

  data$: (record: RecordResource) => record.derive(() => collect(record.fields)),
  changes$: (record: RecordResource) => record.derive(() => collect(record.fields.filter(isDirty))),
  isNew$: (record: RecordResource) => record.derive(() => !record.id),
  isDirty$: (record: RecordResource) => record.derive(() => record.fields.some(isDirty)),
  isUpdating$: flag('update'),
  isDeleting$: flag('delete'),
  isSaving$: flag('create', 'update', 'save'),

  fetch$: request('read'),
  save$: request('save'),
  destroy$: request('delete'),
  fetch: promise('fetch$'),
  save: promise('save$'),
  destroy: promise('destroy$'),

  get: (record: RecordResource) => (wanted?: string | readonly string[]) => {
    const data = collect(record.at(wanted));
    return typeof wanted === 'string' ? readAt(data, wanted.split('.')) : data;
  },
  toJSON: (record: RecordResource) => () => collect(record.fields),
  set:
    (record: RecordResource, owner: DataModel) =>
    (data: unknown, { keepDirty, unset }: SetOptions = {}) => {
      const given = match(record.fields, data, unset);
      if (keepDirty) record.show(given);
      else {
        record.outdate(given);
        record.settle(given);
      }
      return owner;
    },
  clean: (record: RecordResource, owner: DataModel) => (path?: string) => {
    record.settle(record.at(path).filter(isDirty).map(asShown), false);
    return owner;
  },
  follow: (record: RecordResource) => (rows$: ObservableInput<unknown>) =>
    defer(() => rows$).pipe(
      mergeMap((row) => record.receive$(row)),
      map(() => collect(record.fields)),
      takeUntil(record.disposed$),
    ),
  conflicts$: (record: RecordResource) => record.conflicts.stream$.pipe(takeUntil(record.disposed$)),
  openConflicts$: (record: RecordResource) => record.derive(() => record.conflicts.open),
  reset: (record: RecordResource, owner: DataModel) => () => {
    record.restore(record.fields);
    return owner;
  },
  dirtyMap: (record: RecordResource) => () =>
    Object.fromEntries(record.fields.map((entry) => [entry.path, isDirty(entry)])),
  hasMappedField: (record: RecordResource) => (path: string) => !!record.entry(path),
  unmap: (record: RecordResource) => (path: string) => record.unmap(path),
} satisfies Members<Exclude<keyof DataModel, SharedMember>>;

define(DataModel.prototype, members);

/** For each prototype of a booted object, the one inserted in front of it. */
const between = new WeakMap<object, object>();

/**
 * Turns an object into a record in place: gives it the members of a record, except those its own class defines.
 *
 * The object's class is unchanged; the members come from a prototype inserted between the two.
 */
export function boot<I extends object>(
  instance: I,
  config: DataModelConfig | undefined,
  root: Root,
): I & DataModel {
  if (!isObject(instance) || !Object.isExtensible(instance)) {
    throw new TypeError('boot: needs the instance, usually "this", not frozen');
  }
  recordOf(instance).boot(root, config);
  const prototype = (Object.getPrototypeOf(instance) ?? Object.prototype) as object;
  const extended = between.get(prototype) ?? define(Object.create(prototype) as object, members, prototype);
  between.set(prototype, extended);
  return Object.setPrototypeOf(instance, extended) as I & DataModel;
}

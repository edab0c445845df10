import type { Observable, SchedulerLike } from './rx';

/** What a request does to its target. The HTTP method follows from it: POST, GET, PUT, DELETE. */
export type Action = 'create' | 'read' | 'update' | 'delete';

/**
 * A value to watch but not to write: emits the present value on subscription, then each new one.
 *
 * Completes when what it belongs to is disposed of, and does not fail; only streams of views do, with what a function of
 * the caller's throws.
 */
export interface StateStream<T> extends Observable<T> {
  /** The present value, without subscribing. Never older than what a subscriber has been told. */
  readonly value: T;
}

/** What callbacks are told about the record or collection a request is made for; also their `this`. */
export interface Concern {
  /** True while a read is under way. */
  readonly isReading$: StateStream<boolean>;
  /** True while any request is under way. */
  readonly requestInProgress$: StateStream<boolean>;
  /** Why the last request failed, or null. */
  readonly error$: StateStream<Error | null>;
  /** The data: a record's mapped fields, or a collection's items. */
  toJSON(): unknown;
  /** Aborts what is under way and ends all streams. */
  dispose(): void;
}

/**
 * The options of the platform's `fetch`, as in the Fetch standard's `RequestInit`.
 *
 * Headers of several levels are merged by name, signals add up, everything else replaces as a whole; an `undefined`
 * value never overrides. The object is only read: it may be frozen or shared.
 */
export type FetchOptions = {
  readonly [K in Exclude<keyof RequestInit, 'headers'>]?: RequestInit[K] | undefined;
} & {
  /** `Headers`, pairs or a plain object. */
  // By `RequestInit`, which the types of Node have too: they have no `HeadersInit`.
  readonly headers?:
    NonNullable<RequestInit['headers']> | Readonly<Record<string, string | undefined>> | undefined;
};

/** The options of one request: everything `fetch` takes, and what only a record or collection understands. */
export type RequestOptions = FetchOptions & {
  /**
   * Whether the answer is written. Default true. With false it is neither parsed nor written; what a save sent counts as
   * confirmed all the same.
   */
  readonly writeResponse?: boolean | undefined;
  /**
   * Data that a save sends instead of the record's own: any value JSON can carry. What it holds of mapped fields counts as
   * confirmed once the save is accepted. Beside a `body` it is not sent, and says what that holds. Default: the mapped data.
   */
  readonly attrs?: unknown;
  /** Sends only the dirty fields of an existing record, with PATCH. Default false. */
  readonly patch?: boolean | undefined;
  /**
   * Milliseconds, 1 to 2147483647, from the beginning (interceptors included) to the end of the body; then the request is
   * aborted and fails with a `TimeoutError`. What waits for its turn, or for a write, is not counted. Anything but a whole
   * number of these fails with `BAD_OPTION`. Default: `timeout` of the configuration, then of `lib.options`, then no limit.
   */
  readonly timeout?: number | undefined;
  /** Whether a read leaves dirty fields alone. Default: as configured, then as in `lib.options`, then false. */
  readonly keepEdits?: boolean | undefined;
  /**
   * When a save gives back what it carried: after a refusal, a network failure, a time limit or an abort by a signal of the
   * configuration or root (`'error'`), when it is aborted by its own signal or unsubscribed (`'abort'`), or after either
   * (`'both'`). Fields edited since are left alone; nothing is given back once the server has accepted, before its turn
   * has come, or where no request could be made of url, options and data. Default: never.
   */
  readonly rollback?: 'error' | 'abort' | 'both' | undefined;
};

/** What a click or a submit hands to its handler: given as the options of a request it counts as none. */
export interface EventLike {
  preventDefault(): void;
}

/**
 * Fetch options, or a function that gives them.
 *
 * The function is called anew for each request (each subscription), before it is sent; it may return nothing. What it
 * throws, the request fails with. It cannot be asynchronous: a promise fails the request with `BAD_OPTION`.
 */
export type FetchOptionsSource =
  | FetchOptions
  | ((
      this: Concern,
      action: Action,
      concern: Concern,
      options: RequestOptions,
    ) => FetchOptions | null | undefined);

/** Gives the url of one request; called anew for each, with the caller's options and the action. */
export type UrlCallback = (
  this: Concern,
  options: RequestOptions,
  action: Action,
) => string | URL | UrlByAction | null | undefined;

/**
 * A url for each action, used exactly as written: no id is appended, `:id` says where it goes. Only a live record of a
 * collection is read at that of `read`, which is the list's, with the id behind.
 */
export type UrlByAction = Readonly<Partial<Record<Action, string | URL | UrlCallback | undefined>>>;

/**
 * Where the endpoint is.
 *
 * A string may begin with a method word (`'PATCH /person'`), of which GET and HEAD go for reads only. A record's string
 * gets `/<id>` for read, update and delete, unless it names the id itself; `:name` at the start of a path segment or query
 * value is replaced by that mapped field, percent-encoded.
 */
export type Url = string | URL | UrlCallback | UrlByAction;

/**
 * Prepares the data of each ok answer that has any, but for a destroy's and with `writeResponse: false`: receives the
 * decoded body and the action, returns the data to use, or a promise of it. `this` is the record or collection, of which it
 * must not wait for another request.
 */
export type Parse = (this: Concern, response: unknown, requestType: Action) => unknown;

/**
 * Least time, in milliseconds, that a busy flag stays true once a request was sent, so that a spinner does not
 * flicker. Holds the flag only, never the data or the promise. Default 0; what is not a positive, finite number is none.
 * A function is asked anew before each request is sent.
 */
export type RequestLull = number | ((this: Concern, action: Action) => number | null | undefined);

/** Configuration that records and collections share. */
export interface ResourceConfig {
  /** Where the endpoint is. Needed for any request that the default `sync` sends. */
  readonly url?: Url | undefined;
  /** The (dotted) path of the id. Default `'id'`. */
  readonly idAttribute?: string | undefined;
  /** Options for all requests of this target; the request's own override them, they override the global ones. */
  readonly fetchOptions?: FetchOptionsSource | undefined;
  /** Prepares the data of each ok answer, for example unwraps an envelope. */
  readonly parse?: Parse | undefined;
  /** Least time the busy flags stay true. Default 0 ms. */
  readonly requestLull?: RequestLull | undefined;
  /** Time limit of each request in milliseconds. Default: that of `lib.options`, or none. */
  readonly timeout?: number | undefined;
}

/** How `set` writes. */
export interface SetOptions {
  /** Leaves what is confirmed as it was, so that the changes count as edits. Default false. */
  readonly keepDirty?: boolean | undefined;
  /** Writes keys whose value is undefined, too. Default false. */
  readonly unset?: boolean | undefined;
}

/** What a record is configured with. */
export interface DataModelConfig extends ResourceConfig {
  /** Whether reads leave dirty fields alone. Default: as in `lib.options`, then false. */
  readonly keepEdits?: boolean | undefined;
}

/** A request as it goes to the transport: what `fetch` takes, in one plain object that can be spread and changed. */
export interface WireRequest extends Omit<RequestInit, 'headers' | 'method' | 'signal'> {
  /** The whole url, query included; relative where it was configured so. */
  readonly url: string;
  /** Upper case. */
  readonly method: string;
  /** Those of all levels, and the content type of a body that was made here. A request's own: to change them, copy them. */
  readonly headers: Headers;
  /** Aborted when the request is unsubscribed, aborted by the caller, timed out or disposed of. */
  readonly signal: AbortSignal;
}

/** A request with its answer, on the way back up the pipeline. */
export interface Exchange {
  /** The request, as it was sent. */
  readonly request: WireRequest;
  /** The answer; its body is there to be read by the caller, too. */
  readonly response: Response;
  /**
   * The decoded data; undefined where the answer carries none (empty, refused, or not to be parsed). Where it is left
   * undefined with another response than came, an ok one that nobody has read is read and decoded, for the interceptors
   * around it too.
   */
  readonly body: unknown;
}

/**
 * Carries a request to the server. Cold: sends on subscription, aborts on unsubscription, emits one exchange and
 * completes, with which the request ends; to end without one fails it with `BAD_OPTION`.
 *
 * A transport that leaves `body` undefined has its response read and decoded for it; one that decodes itself
 * (Angular's `HttpClient`) sets it.
 */
export type Transport = (request: WireRequest) => Observable<Exchange>;

/** What a request is made for. */
export interface RequestContext {
  /** What the request does. */
  readonly action: Action;
  /** The record or collection. */
  readonly concern: Concern;
  /** The clock of the root (`lib.options.scheduler`), for an interceptor that waits; `around` is not told it. */
  readonly scheduler?: SchedulerLike | undefined;
}

/** What a request is made for, and what has become of its answer. */
export interface AroundContext extends RequestContext {
  /** Whether the answer counts: false before it is there, if it was refused, and if something newer came before it. */
  readonly isWritten: boolean;
}

/**
 * Stands between a request and the transport, in Angular's sense: may change the request, call `next` once, again or
 * not at all, and change what comes back. The first of the list is the outermost. What it throws when it is let go of, as
 * in RxJS's `finalize`, is told as an error that nobody handles, and holds nothing up.
 */
export type Interceptor = (
  request: WireRequest,
  next: (request: WireRequest) => Observable<Exchange>,
  context: RequestContext,
) => Observable<Exchange>;

/**
 * Stands around a whole request, from the making of its url to the write-back: for what has to know when a request is
 * really over (Angular's pending tasks, a progress bar). Called when one begins, for a write when its turn has come;
 * gives back the stream, usually with an operator on it. Its failure is the request's; to end without an answer fails that
 * with `BAD_OPTION`. It may ask again, and read the record once a write has been answered.
 */
export type Around = (request$: Observable<Response>, context: AroundContext) => Observable<Response>;

/**
 * Performs one request: the step that can be replaced to keep data elsewhere.
 *
 * Receives the action, the record or collection (also as `this`), and a copy of the caller's options whose `signal` is
 * aborted when the request is given up; for a collection's `create` their `attrs` is the item. A create should answer the
 * id, or the record stays new. Returns a `Response`, an `Exchange`, plain data (an ok answer's decoded body) or undefined
 * (an ok answer without data), or a promise, Observable or async generator of any of these, so also what it has another
 * `sync` give. What it throws or rejects with, the request fails with. Of several answers each is written, and the
 * last is given to the caller; to end without one fails a write with `BAD_OPTION`.
 */
export type Sync = (
  action: Action,
  concern: Concern,
  options: RequestOptions & { readonly signal: AbortSignal },
) => unknown;

/** Options for all requests of a root, read anew at each request. */
export interface LibOptions {
  /** Fetch options for all records and collections; the configuration and the request override them. */
  fetchOptions?: FetchOptionsSource | undefined;
  /** Carries the requests. Default: the platform's `fetch`. */
  transport?: Transport | undefined;
  /** Stand between every request and the transport, the first outermost. Default: none. */
  interceptors?: readonly Interceptor[] | undefined;
  /** Stands around each whole request, parsing and write-back included. Default: nothing. */
  around?: Around | undefined;
  /** The clock for lulls, time limits and interceptors that wait. Default: RxJS's `asyncScheduler`. */
  scheduler?: SchedulerLike | undefined;
  /** Time limit of each request in milliseconds, 1 to 2147483647. Default: none. */
  timeout?: number | undefined;
  /** Whether reads leave dirty fields alone. Default false. */
  keepEdits?: boolean | undefined;
}

/** What records and collections share: one set of options and of replaceable `sync` functions. */
export interface Root {
  /** Options for all requests, read anew at each. */
  options: LibOptions;
  /** What holds however the options are changed: their default `transport`, and an `around` that stands outside of theirs. */
  readonly base: Readonly<Pick<LibOptions, 'transport' | 'around'>>;
  /** Performs every request of records and collections; assign a function to replace it. */
  sync: Sync;
  /** What performs the requests of records. */
  readonly dataModel: {
    /** Performs every request of records; by default hands on to the root's `sync` at request time. */
    sync: Sync;
  };
}

import type { Observable, SchedulerLike } from './rx';

/** What a request does to its target. The HTTP method follows from it: POST, GET, PUT, DELETE. */
export type Action = 'create' | 'read' | 'update' | 'delete';

/**
 * A read-only value: emits the present value on subscription, then each new one.
 *
 * Completes when its owner is disposed of. Never fails, except for streams of views, which fail with what a caller's
 * function throws.
 */
export interface StateStream<T> extends Observable<T> {
  /** The present value, without subscribing. Never older than what a subscriber has received. */
  readonly value: T;
}

/** The record or collection that a request is made for, as callbacks see it; also their `this`. */
export interface Concern {
  /** True while a read is under way. */
  readonly isReading$: StateStream<boolean>;
  /** True while any request is under way. */
  readonly requestInProgress$: StateStream<boolean>;
  /** Why the last request failed, or null. */
  readonly error$: StateStream<Error | null>;
  /** The data: a record's mapped fields, or a collection's items. */
  toJSON(): unknown;
  /** Aborts requests under way and completes all streams. */
  dispose(): void;
}

/**
 * The options of the platform's `fetch`, as in the Fetch standard's `RequestInit`.
 *
 * Headers of all levels are merged by name, a signal of any level aborts, everything else is replaced as a whole; an
 * `undefined` value never overrides. The object is never written to, so it may be frozen or shared.
 */
export type FetchOptions = {
  readonly [K in Exclude<keyof RequestInit, 'headers'>]?: RequestInit[K] | undefined;
} & {
  /** `Headers`, pairs or a plain object. */
  // Taken from `RequestInit`, since Node's types have no `HeadersInit`.
  readonly headers?:
    | NonNullable<RequestInit['headers']>
    | readonly (readonly [name: string, value: string])[]
    | Readonly<Record<string, string | undefined>>
    | undefined;
};

/**
 * The options of one request: everything `fetch` takes, plus what only a record or collection understands. A plain object:
 * anything else, such as an instance of a class, counts as none, as an event does.
 */
export type RequestOptions = FetchOptions & {
  /**
   * Whether the answer is written. Default true. If false, it is neither parsed nor written; what a save sent still counts
   * as confirmed.
   */
  readonly writeResponse?: boolean | undefined;
  /**
   * Data that a save sends instead of the record's own: any value JSON can carry. Values in it for mapped fields count as
   * confirmed once the save is accepted. With a `body` it is not sent, but says what that holds. Default: the mapped data.
   */
  readonly attrs?: unknown;
  /** Sends only the dirty fields of an existing record, with PATCH. Default false. */
  readonly patch?: boolean | undefined;
  /**
   * Time limit in whole milliseconds, 1 to 2147483647, from the start (interceptors included) to the end of the body; then
   * the request is aborted and fails with a `TimeoutError`. Waiting for its turn, or for a write, does not count. Any other
   * value fails with `BAD_OPTION`. Default: `timeout` of the configuration, then of `lib.options`, then none.
   */
  readonly timeout?: number | undefined;
  /** Whether a read leaves dirty fields alone. Default: as configured, then as in `lib.options`, then false. */
  readonly keepEdits?: boolean | undefined;
  /**
   * When a save restores the confirmed values of the fields it sent: after a refusal, a network failure, a time limit, an
   * abort by a signal of the configuration or root, or what an interceptor or a `sync` throws (`'error'`); when it is aborted
   * by its own signal, unsubscribed or disposed of (`'abort'`); or in either case (`'both'`). Fields edited since are left
   * alone; nothing is restored once the server has accepted, before the save's turn has come, if no request could be built
   * from url, options and data, or after a `RequestError` with its action and without a response, which says that nothing was
   * sent. Default: never.
   */
  readonly rollback?: 'error' | 'abort' | 'both' | undefined;
  /** @internal Called when the turn of the request has come, each time it is sent: a save carries what is shown by then. */
  readonly begun?: (() => void) | undefined;
};

/**
 * A call's own options as callbacks and a `sync` receive them: typed so that they can be passed on to `fetch` as they are. Only
 * a header that was given as `undefined` is then sent as that text.
 */
export type ReceivedOptions = RequestOptions & RequestInit;

/** The event that a click or a submit passes to its handler; ignored if passed as the options of a request. */
export interface EventLike {
  /** What tells an event from options. */
  preventDefault(): void;
}

/**
 * Fetch options, or a function that returns them.
 *
 * The function is called for each request (each subscription), before it is sent; it may return nothing. If it throws, the
 * request fails with that error. It cannot be asynchronous: a promise fails the request with `BAD_OPTION`.
 */
export type FetchOptionsSource =
  | FetchOptions
  | ((
      this: Concern,
      action: Action,
      concern: Concern,
      options: ReceivedOptions,
    ) => FetchOptions | null | undefined);

/**
 * Returns the url of one request; called for each, with the caller's options and the action. None fails it with `NO_URL`.
 */
export type UrlCallback = (
  this: Concern,
  options: ReceivedOptions,
  action: Action,
) => string | URL | UrlByAction | null | undefined;

/**
 * A url for each action, used exactly as written: no id is appended, `:id` says where it goes. The one exception: a live
 * record of a collection is read at the url of `read`, which is the list's, with the id appended.
 */
export type UrlByAction = Readonly<Partial<Record<Action, string | URL | UrlCallback | undefined>>>;

/**
 * Where the endpoint is.
 *
 * A string may begin with a method word (`'PATCH /person'`); GET and HEAD apply to reads only. A record's url gets `/<id>`
 * appended for read, update and delete, unless it names the id itself; `:name` at the start of a path segment or query value
 * is replaced by that mapped field, percent-encoded.
 */
export type Url = string | URL | UrlCallback | UrlByAction;

/**
 * Prepares the data of each ok answer that has any, except for a destroy or with `writeResponse: false`: receives the
 * decoded body and the action, returns the data to use, or a promise of it. `this` is the record or collection; do not wait
 * for another request of it here.
 */
export type Parse = (this: Concern, response: unknown, requestType: Action) => unknown;

/**
 * Minimum time, in milliseconds, that a busy flag stays true once a request is sent, so that a spinner does not flicker.
 * Delays only the flag, never the data or the promise. Default 0, as is anything but a positive, finite number. A function
 * is called before each request is sent.
 */
export type RequestLull = number | ((this: Concern, action: Action) => number | null | undefined);

/** Configuration that records and collections share. */
export interface ResourceConfig {
  /** Where the endpoint is. Required for any request that the default `sync` sends. */
  readonly url?: Url | undefined;
  /** The (dotted) path of the id. Default `'id'`. */
  readonly idAttribute?: string | undefined;
  /** Options for all requests of this target; the request's own override them, they override the global ones. */
  readonly fetchOptions?: FetchOptionsSource | undefined;
  /** Prepares the data of each ok answer, for example unwraps an envelope. */
  readonly parse?: Parse | undefined;
  /** Minimum time the busy flags stay true, in milliseconds. Default 0. */
  readonly requestLull?: RequestLull | undefined;
  /** Time limit of each request in milliseconds. Default: that of `lib.options`, or none. */
  readonly timeout?: number | undefined;
}

/** How `set` writes. */
export interface SetOptions {
  /** Does not confirm the values, so they count as edits. Default false. */
  readonly keepDirty?: boolean | undefined;
  /** Also writes keys whose value is undefined. Default false. */
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
  /** Those of all levels, plus the content type of a body serialized here. One object per request: copy before changing. */
  readonly headers: Headers;
  /** Aborted when the request is unsubscribed, aborted by the caller or timed out, or its target is disposed of. */
  readonly signal: AbortSignal;
}

/** A request with its answer, on the way back up the pipeline. */
export interface Exchange {
  /** The request, as it was sent. */
  readonly request: WireRequest;
  /** The answer; its body stays readable for the caller. */
  readonly response: Response;
  /**
   * The decoded data; undefined if the answer carries none (empty, refused, or not to be parsed). If an interceptor returns
   * a response of its own and leaves this undefined, an ok, unread response is decoded, also for the outer interceptors.
   */
  readonly body?: unknown;
}

/**
 * Carries a request to the server. Cold: sends on subscription, aborts on unsubscription, emits one exchange and completes,
 * which ends the request; completing without one fails it with `BAD_OPTION`.
 *
 * If a transport leaves `body` undefined, its response is read and decoded for it; one that decodes itself (Angular's
 * `HttpClient`) sets it.
 */
export type Transport = (request: WireRequest) => Observable<Exchange>;

/** What a request is made for. */
export interface RequestContext {
  /** What the request does. */
  readonly action: Action;
  /** The record or collection. */
  readonly concern: Concern;
  /** The clock of the root (`lib.options.scheduler`), for an interceptor that waits; not passed to `around`. */
  readonly scheduler?: SchedulerLike | undefined;
  /**
   * The root of the record or collection, for an interceptor that keeps something: on a server, another root may be that of
   * another user. Not passed to `around`.
   */
  readonly root?: Root | undefined;
}

/** What a request is made for, and what became of its answer. */
export interface AroundContext extends RequestContext {
  /** Whether the answer counts: false until it arrives, if it was refused, and if something newer came first. */
  readonly isWritten: boolean;
  /**
   * Registers what is to be called with each answer that counts, when its data is written, before anybody is notified of that:
   * to keep what goes with the data, such as its version.
   */
  readonly whenWritten: (tell: (response: Response) => void) => void;
}

/**
 * Stands between a request and the transport, like an interceptor in Angular: may change the request, call `next` once,
 * again or not at all, and change what comes back. The first in the list is the outermost. What it throws when unsubscribed,
 * as in RxJS's `finalize`, is reported as an unhandled error, and holds nothing up.
 */
export type Interceptor = (
  request: WireRequest,
  next: (request: WireRequest) => Observable<Exchange>,
  context: RequestContext,
) => Observable<Exchange>;

/**
 * Wraps a whole request, from building its url to the write-back: for code that has to know when a request is really over
 * (Angular's pending tasks, a progress bar). Called when a request begins, for a write when its turn has come; returns the
 * stream, usually with an operator on it. If that fails, the request fails with its error; completing without an answer
 * fails it with `BAD_OPTION`. It may subscribe again, and fetch the record once a write has been answered.
 */
export type Around = (request$: Observable<Response>, context: AroundContext) => Observable<Response>;

/**
 * Performs one request: the step to replace in order to keep data elsewhere.
 *
 * Receives the action, the record or collection (also as `this`, which TypeScript takes for what the function is assigned to),
 * and a copy of the caller's options whose `signal` is aborted when the request is given up; for a collection's `create`,
 * their `attrs` is the item. A create should answer with the id, or the record stays new. Returns a `Response`, an `Exchange`,
 * plain data (an ok answer's decoded body) or undefined (an ok answer without data), or a promise, Observable or async
 * generator of any of these, so also what another `sync` returns. If it throws or rejects, the request fails with that error.
 * If there are several answers, each is written and the caller gets the last; completing without one fails a write with
 * `BAD_OPTION`.
 */
export type Sync = (
  action: Action,
  concern: Concern,
  options: ReceivedOptions & { readonly signal: AbortSignal },
) => unknown;

/** Options for all requests of a root, read anew at each request. */
export interface LibOptions {
  /** Fetch options for all records and collections; the configuration and the request override them. */
  fetchOptions?: FetchOptionsSource | undefined;
  /** Carries the requests. Default: the platform's `fetch`. */
  transport?: Transport | undefined;
  /** Stand between every request and the transport, the first outermost. Default: none. */
  interceptors?: readonly Interceptor[] | undefined;
  /** Wraps each whole request, parsing and write-back included. Default: nothing. */
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
  /** What holds even if the options change: their default `transport`, and an `around` that wraps theirs. */
  readonly base: Readonly<Pick<LibOptions, 'transport' | 'around'>>;
  /** Performs every request of records and collections; assign a function to replace it. */
  sync: Sync;
  /** What performs the requests of records. */
  readonly dataModel: {
    /** Performs every request of records; by default forwards to the root's `sync` at request time. */
    sync: Sync;
  };
}

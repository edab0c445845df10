import type { Observable } from '../rx';
import type { Exchange, ReceivedOptions, RequestOptions } from '../types';

/** The options passed to a `sync`. */
export type SyncOptions = ReceivedOptions & { readonly signal: AbortSignal };

/** What `send` has to know about a request, and what it reports about it. */
export interface Sending {
  /** The caller's own options, as callbacks receive them. */
  readonly called: RequestOptions;
  /** Whether the target still stands for what the request was begun for. */
  isCurrent: () => boolean;
  /** Whether it is being made, or could not be: then nothing was sent. */
  isUnmade: boolean;
  /** The signals that the root and the configuration set for it. */
  signals: readonly (AbortSignal | null)[];
  /** What the default `sync` last returned for it, if it was called. */
  sent$: Observable<Exchange> | undefined;
  /** The responses that were examined for it: none is decoded twice, since whoever passes it on decides about its data. */
  readonly decoded: WeakSet<object>;
  /** Those of them that were ok, and whose data has not been read yet, or could not be. */
  readonly unread: Set<object>;
  /** Aborts the bodies of the answers that it received. */
  readonly answered: AbortController[];
}

/**
 * The key under which the signal added to the options for `sync` holds the state of its request. A weak map would do, but
 * costs V8 more garbage collection: a sixth of the time of a read.
 */
const sendingKey: unique symbol = /* @__PURE__ */ Symbol('rivulet');

interface KeyedSignal extends AbortSignal {
  [sendingKey]?: Sending;
}

/** The state of the request that a signal was added for; for any other signal, the state before a request is made. */
export const sendingOf = (called: RequestOptions, signal?: KeyedSignal): Sending =>
  signal?.[sendingKey] ?? {
    called,
    isCurrent: () => true,
    isUnmade: false,
    signals: [],
    sent$: undefined,
    decoded: new WeakSet(),
    unread: new Set(),
    answered: [],
  };

/** A copy of the options for `sync`, with the signal of this request, by which `send` identifies it. */
export function withSignal(options: RequestOptions, signal: KeyedSignal, sending: Sending): SyncOptions {
  signal[sendingKey] = sending;
  return { ...(options as ReceivedOptions), signal };
}

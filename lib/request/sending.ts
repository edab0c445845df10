import { EMPTY } from '../rx';
import type { Observable } from '../rx';
import type { RequestOptions } from '../types';

/** The options that a `sync` is given. */
export type SyncOptions = RequestOptions & { readonly signal: AbortSignal };

/** What `send` has to know of a request, and tells of it. */
export interface Sending {
  /** The caller's own options, as callbacks are to see them. */
  readonly called: RequestOptions;
  /** Whether the target still stands for what the request was begun for. */
  isCurrent: () => boolean;
  /** Whether it is being made, or could not be: then nothing was sent. */
  isUnmade: boolean;
  /** The signals that root and configuration have for it. */
  signals: readonly (AbortSignal | null)[];
  /** What the default `sync` gave for it last. */
  sent$: Observable<unknown>;
  /** The responses that were looked at for it, and whether their data were had. */
  readonly decoded: Map<unknown, boolean>;
  /** What ends the bodies of the answers that it has had. */
  readonly answered: AbortController[];
}

/**
 * Where the signal that is added to the options for `sync` has what is known of its request. A weak map would do, but has
 * V8 take longer at collecting garbage: a sixth of the time of a read.
 */
const sendingKey: unique symbol = /* @__PURE__ */ Symbol('rivulet');

interface KeyedSignal extends AbortSignal {
  readonly [sendingKey]?: Sending;
}

/** What is known of the request that a signal was added for; of any other what is known before it is made. */
export const sendingOf = (called: RequestOptions, signal?: KeyedSignal): Sending =>
  signal?.[sendingKey] ?? {
    called,
    isCurrent: () => true,
    isUnmade: false,
    signals: [],
    sent$: EMPTY,
    decoded: new Map(),
    answered: [],
  };

/** A copy of the options for `sync`, with the signal of this request, by which `send` knows it. */
export function withSignal(options: RequestOptions, signal: AbortSignal, sending: Sending): SyncOptions {
  Object.defineProperty(signal, sendingKey, { value: sending });
  return { ...options, signal };
}

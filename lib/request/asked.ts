import type { Resource } from '../resource';
import type { Identity } from '../ticket';
import type { AroundContext, RequestOptions } from '../types';

/** Sets `error$` to a failure, unless the target has been given another id in the meantime. `order`: of issue. */
export type Fail = (reason: unknown, isCurrent?: boolean, order?: number) => void;

/** What is requested, and where a failure is reported. */
export interface Asked {
  readonly resource: Resource;
  readonly identity: Identity | undefined;
  readonly context: AroundContext & { isWritten: boolean };
  /** What `around` has registered by `whenWritten`. */
  readonly listeners: readonly ((response: Response) => void)[];
  /** The caller's own options, as callbacks receive them. */
  readonly called: RequestOptions;
  /** The same plus what the method adds (the `attrs` of a collection's `create`), safe to read. */
  readonly options: RequestOptions;
  readonly fail: Fail;
}

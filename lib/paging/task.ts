import type { Action, Concern, ReceivedOptions, Url, UrlByAction, UrlCallback } from '../index';

import type { NextPage, Page } from './page';
import { pageUrl } from './page-url';

/** A page that was read, and what `next` returned for it. */
export interface PageRead<T> {
  readonly page: Page<T>;
  readonly next: NextPage;
  /** The url that was configured when the list began; undefined if nobody knows any more. */
  readonly listUrl: unknown;
}

/** What a request reads. */
export interface Task {
  /** The page that it continues; undefined if the list begins anew. */
  readonly previous?: PageRead<unknown> | undefined;
  /** How many pages, as far as there are. */
  readonly count: () => number;
  /** The page before the one that is requested now; undefined for the first. Set for each. */
  before?: PageRead<unknown> | undefined;
}

/** The key under which the options of a request hold its task: sent again, it reads the same. */
const taskKey: unique symbol = /* @__PURE__ */ Symbol('pages');

/** Options with which the core calls back. */
export type ReadOptions = ReceivedOptions & { readonly [taskKey]?: Task };

/** The options of a request with a task. */
export function withTask(options: object | undefined, task: Task): object {
  return { ...(isPlain(options) && options), [taskKey]: task };
}

/** What a request reads; by default the first page. */
export const taskOf = (options: ReadOptions): Task => options[taskKey] ?? { count: () => 1 };

/**
 * The configured url, for the list and its live records; or that of the page to read. A page that follows belongs to the list
 * that is there, even if a callback would return the url of another one by now.
 *
 * @param tellUrl For the first page of a list: called with the url of that.
 */
export function urlFor(
  configured: Url | undefined,
  concern: Concern,
  options: ReadOptions,
  action: Action,
  tellUrl: ((listUrl: unknown) => void) | undefined,
): ReturnType<UrlCallback> {
  const valueOf = (url: unknown): unknown =>
    typeof url === 'function' ? (url as UrlCallback).call(concern, options, action) : url;
  const { before } = taskOf(options);
  const url = before?.listUrl ?? valueOf(configured);
  if (!before && !tellUrl) return url as ReturnType<UrlCallback>;
  const isByAction = typeof url === 'object' && url && !(url instanceof URL);
  const read = isByAction ? valueOf(Object.hasOwn(url, 'read') ? (url as UrlByAction).read : undefined) : url;
  const listUrl = read instanceof URL ? read.href : read;
  tellUrl?.(listUrl);
  return (before ? pageUrl(before.next, before.page, listUrl) : listUrl) as string;
}

/** Whether a value is options: as for the core, anything but a plain object counts as none, and so does an event. */
function isPlain(options: object | undefined): boolean {
  const given = Object(options) as object;
  const prototype: unknown = Object.getPrototypeOf(given);
  return !('preventDefault' in given || Object.getPrototypeOf(prototype ?? Object.prototype));
}

import type { WireRequest } from '../index';

/** One page of a list, as it was read. */
export interface Page<T> {
  /** Its place among the pages read since the list began: 0 for the first. */
  readonly index: number;
  /** Its items, after `parse`: fewer than were sent if that leaves some out. */
  readonly items: readonly T[];
  /** The decoded body, before `parse`: an envelope may name a cursor or the total. */
  readonly body: unknown;
  /** The request as it was sent, interceptors included. */
  readonly request: WireRequest;
  /** The answer, for its headers. */
  readonly response: Response;
}

/**
 * Where the next page is:
 *
 * - query parameters that are set in the configured url (`null` or undefined removes one): `{ cursor: 'f3a' }`; if none has a
 *   value, such as the id of the last item of an empty page, this was the last page;
 * - a url as the server names it, absolute or relative to that of the page; one of another origin than the page's is refused,
 *   since the request may carry credentials;
 * - a `URL` object, requested whatever its origin; like the others by the method word of the configured url;
 * - or nothing (anything falsey), if this was the last page.
 */
export type NextPage =
  | string
  | URL
  | Readonly<Record<string, string | number | bigint | boolean | null | undefined>>
  | false
  | 0
  | null
  | undefined;

import type { Action, Concern } from '../index';

import { Collection } from './peers';

/** A version of a record or list that the server has given, and what was there when it had been written. */
interface Version {
  readonly tag: string;
  /** Where it was read from; undefined where a create has given it, before that was known. */
  readonly url: string | undefined;
  readonly shown: unknown;
}

/** Takes down the version that an answer has brought, once its data has been written. */
export type Told = (concern: Concern, response: Response, url: string | undefined) => void;

/** What is known of one record or list. */
export class Versions {
  #latest: Version | undefined;
  /** How many requests were sent; and which of them has told the latest version. */
  #sent = 0;
  #toldBy = 0;
  /** How many writes have succeeded. */
  #written = 0;

  /** A request begins; gives what is called when it has succeeded. */
  begin(action: Action): Told {
    const place = (this.#sent += 1);
    const written = this.#written;
    return (concern, response, url) => {
      // The data of an overtaken read is not written: its version would hide what came between from the next save.
      if (written < this.#written || place < this.#toldBy) return;
      if (action !== 'read') this.#written += 1;
      this.#toldBy = place;
      if (response.status === 304) return;
      const tag = response.headers.get('etag');
      const latest = { url: action === 'create' ? undefined : url, shown: shownBy(concern) };
      this.#latest = tag ? { ...latest, tag } : undefined;
    };
  }

  /** The version that a write is meant for; a weak tag cannot say (RFC 9110, 13.1.1). */
  toMatch(url: string): string | undefined {
    const latest = this.#latest;
    // How it was asked for does not count: the query of a write may be another.
    if (!latest || (latest.url !== undefined && pathOf(latest.url) !== pathOf(url))) return undefined;
    return latest.tag.startsWith('W/') ? undefined : latest.tag;
  }

  /** The version that a read would bring again, while nothing of it has been changed here. */
  toRenew(concern: Concern, url: string): string | undefined {
    const latest = this.#latest;
    if (!latest || (latest.url !== undefined && latest.url !== url)) return undefined;
    return latest.shown === shownBy(concern) && !isDirty(concern) ? latest.tag : undefined;
  }
}

/** A url without query and fragment. */
const pathOf = (url: string): string => url.replace(/[?#].*/s, '');

/** What can be compared to see whether anything was changed: of a list its array, of a record its data as text. */
const shownBy = (concern: Concern): unknown =>
  concern instanceof Collection ? concern.value : JSON.stringify(concern);

const isDirty = (concern: Concern): boolean =>
  (concern as { readonly isDirty$?: { readonly value: boolean } }).isDirty$?.value ?? false;

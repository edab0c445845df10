import type { Action, Concern } from '../index';

import { Collection } from './peers';
import type { Observable } from './peers';

/** A version of a record or list that the server has given, and what was there when it had been written. */
interface Version {
  readonly tag: string;
  readonly id: string;
  /** Where it was read from; undefined where a create has given it, before that was known. */
  readonly url: string | undefined;
  readonly shown: unknown;
}

/** Takes down the version that an answer has brought, once its data has been written; without data no url is given. */
export type Told = (response: Response, url: string | undefined) => void;

/** What is known of one record or list. */
export class Versions {
  readonly #concern: Concern;
  #latest: Version | undefined;
  /** The latest after which no conflict was open: what is shown then is an answer to it. */
  #agreed: Version | undefined;
  /** How many requests were sent; and which of them has told the latest version. */
  #sent = 0;
  #toldBy = 0;
  /** How many writes have succeeded. */
  #written = 0;

  constructor(concern: Concern) {
    this.#concern = concern;
  }

  /** A request begins; gives what is called when it has succeeded. */
  begin(action: Action): Told {
    const asked = idOf(this.#concern);
    const place = (this.#sent += 1);
    const written = this.#written;
    this.#agree();
    return (response, url) => {
      // The data of an overtaken read is not written: its version would hide what came between from the next save.
      if (written < this.#written || place < this.#toldBy) return;
      if (action !== 'read') this.#written += 1;
      this.#toldBy = place;
      const id = idOf(this.#concern);
      // Nor is the answer for another id.
      if (!url || (id !== asked && !/create|delete/.test(action))) return;
      const tag = response.headers.get('etag');
      const latest = { id, url: action === 'create' ? undefined : url, shown: shownBy(this.#concern) };
      this.#latest = tag ? { ...latest, tag } : undefined;
      this.#agree();
    };
  }

  #agree(): void {
    if (!isContested(this.#concern)) this.#agreed = this.#latest;
  }

  /** The version that a write is meant for; a weak tag cannot say (RFC 9110, 13.1.1). */
  toMatch(url: string): string | undefined {
    // With the latest, a server would take what nobody has decided on.
    const version = isContested(this.#concern) ? this.#agreed : this.#latest;
    // How it was asked for does not count: the query of a write may be another.
    const tag = this.#current(version, (known) => pathOf(known) === pathOf(url))?.tag;
    return tag?.startsWith('W/') ? undefined : tag;
  }

  /** The version that a read would bring again, while nothing of it has been changed here. */
  toRenew(url: string): string | undefined {
    const latest = this.#current(this.#latest, (known) => known === url);
    const isAsRead = latest?.shown === shownBy(this.#concern) && !isDirty(this.#concern);
    return isAsRead ? latest?.tag : undefined;
  }

  #current(version: Version | undefined, isSameUrl: (url: string) => boolean): Version | undefined {
    if (version?.id !== idOf(this.#concern)) return undefined;
    return version.url === undefined || isSameUrl(version.url) ? version : undefined;
  }
}

/** Whether a record holds an edit of a field that others have changed too, and nobody has decided. */
export function isContested(concern: Concern): boolean {
  const { conflicts$ } = concern as { readonly conflicts$?: Observable<unknown> };
  let isOpen = false;
  conflicts$
    // Those that are open come at once.
    ?.subscribe(() => {
      isOpen = true;
    })
    .unsubscribe();
  return isOpen;
}

/** A record's id as text, which a server may answer a number as; of a list always the same. */
export const idOf = (concern: Concern): string => {
  const { get, idAttribute } = concern as { get?: (path?: string) => unknown; idAttribute?: string };
  return String(get?.(idAttribute));
};

/** A url without query and fragment. */
const pathOf = (url: string): string => url.replace(/[?#].*/s, '');

/** What can be compared to see whether anything was changed: of a list its array, of a record its data as text. */
const shownBy = (concern: Concern): unknown =>
  concern instanceof Collection ? concern.value : JSON.stringify(concern);

const isDirty = (concern: Concern): boolean =>
  (concern as { readonly isDirty$?: { readonly value: boolean } }).isDirty$?.value ?? false;

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

/** What is known of one record or list. */
export class Versions {
  readonly #concern: Concern;
  #latest: Version | undefined;

  constructor(concern: Concern) {
    this.#concern = concern;
  }

  /** Takes down the version that an answer has brought, once its data has been written; without data no url is given. */
  tell(action: Action, response: Response, url: string | undefined): void {
    if (!url) return;
    const tag = response.headers.get('etag');
    const latest = {
      id: idOf(this.#concern),
      url: action === 'create' ? undefined : url,
      // What is edited is not of that version.
      shown: isDirty(this.#concern) ? undefined : shownBy(this.#concern),
    };
    this.#latest = tag ? { ...latest, tag } : undefined;
  }

  /** The version that a write is meant for; a weak tag cannot say (RFC 9110, 13.1.1). */
  toMatch(url: string): string | undefined {
    // With the latest, or with none, a server would take what nobody has decided on: so one that no version has.
    if (isContested(this.#concern)) return '"undecided"';
    // How it was asked for does not count: the query of a write may be another.
    const tag = this.#current((known) => pathOf(known) === pathOf(url))?.tag;
    return tag?.startsWith('W/') ? undefined : tag;
  }

  /** The version that a read would bring again, while nothing of it has been changed here. */
  toRenew(url: string): string | undefined {
    const latest = this.#current((known) => known === url);
    return latest?.shown === shownBy(this.#concern) ? latest?.tag : undefined;
  }

  #current(isSameUrl: (url: string) => boolean): Version | undefined {
    const version = this.#latest;
    if (version?.id !== idOf(this.#concern)) return undefined;
    return version.url === undefined || isSameUrl(version.url) ? version : undefined;
  }
}

/** Whether a record holds an edit of a field that others have changed too, and nobody has decided. */
export function isContested(concern: Concern): boolean {
  const { conflicts$ } = concern as Concern & { readonly conflicts$: Observable<unknown> };
  let isOpen = false;
  conflicts$
    // Those that are open come at once.
    .subscribe(() => {
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

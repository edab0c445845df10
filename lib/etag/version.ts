import type { Action, Concern } from '../index';

import { equal } from './peers';
import type { Observable } from './peers';

/** A version of a record or list that the server has given, and what was there when it had been written. */
export interface Version {
  readonly tag: string;
  readonly id: string;
  /** Where it was read from; undefined where a create has given it, before that was known. */
  readonly url: string | undefined;
  readonly shown: unknown;
}

/** The version that an answer has brought, once its data has been written; undefined where it names none. */
export function versionOf(
  concern: Concern,
  action: Action,
  response: Response,
  url: string,
): Version | undefined {
  const tag = response.headers.get('etag');
  if (!tag) return undefined;
  return {
    tag,
    id: idOf(concern),
    url: action === 'create' ? undefined : url,
    // What is edited is not of that version; nor, maybe, what a write does not bring: what the server itself, or somebody
    // else before, made of other fields.
    shown: action === 'read' && !isDirty(concern) ? shownBy(concern) : undefined,
  };
}

/** The tag that a request names: of what a read would bring again, or of what a write is meant for. */
export function tagFor(
  version: Version | undefined,
  concern: Concern,
  action: Action,
  url: string,
): string | undefined {
  const isRead = action === 'read';
  // With the latest, or with none, a server would take what nobody has decided on: so one that no version has.
  if (!isRead && isContested(concern)) return '"undecided"';
  // How it was asked for does not count for a write, whose query may be another.
  const placeOf = isRead ? String : pathOf;
  if (version?.id !== idOf(concern) || placeOf(version.url ?? url) !== placeOf(url)) return undefined;
  // What was changed here would be lost to a 304; a weak tag, or `*`, cannot say what is meant (RFC 9110, 13.1.1).
  // Where nothing is edited, what is shown is what is confirmed.
  const isFit = isRead
    ? !isDirty(concern) && equal(version.shown, shownBy(concern))
    : !/^(w\/|\*$)/i.test(version.tag);
  return isFit ? version.tag : undefined;
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

/** What can be compared to see whether anything was changed. */
const shownBy = (concern: Concern): unknown => (concern as { toJSON?: () => unknown }).toJSON?.();

const isDirty = (concern: Concern): boolean =>
  (concern as { readonly isDirty$?: { readonly value: boolean } }).isDirty$?.value ?? false;

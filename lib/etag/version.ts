import type { AroundContext, Concern, DataModel } from '../index';

import { equal } from './peers';

/** A version of a record or list that the server sent, and what was shown once it had been written. */
export interface Version {
  readonly tag: string;
  readonly id: string;
  /** The url it belongs to; none after a create, whose answer does not name it. */
  readonly url: string | false;
  readonly shown: unknown;
}

/**
 * The version that an answer brought; undefined if it names none.
 *
 * @param isShown Whether it is that of what is shown. Otherwise it is one that no server has.
 */
export function versionOf(
  { action, concern }: AroundContext,
  response: Response,
  url: string,
  isShown: boolean,
): Version | undefined {
  // A stand-in for a response may lack them, or have a plain object.
  const tag = (response.headers as Partial<Headers> | undefined)?.get?.('etag');
  if (!tag) return undefined;
  return {
    tag: isShown ? tag : refusedTag,
    id: idOf(concern),
    url: action !== 'create' && url,
    // Edits are not of that version. Nor, after a write, may other fields be: the server, or somebody else before, may have
    // changed them.
    shown: isShown && action === 'read' && !isDirty(concern) && concern.toJSON(),
  };
}

/** A tag that no version has, so that a server refuses what names it: a conflict is undecided, or the version unknown. */
const refusedTag = '"undecided"';

/** What tells a record from others; a list has no `get`. */
interface Identified {
  get?(path?: string): unknown;
  readonly idAttribute?: string;
}

/** The tag for a request to name: that of what a read would bring again, or of what a write is meant for; false if none. */
export function tagFor(
  version: Version | undefined,
  concern: Concern,
  isRead: boolean,
  url: string,
): string | false {
  // With the latest tag, or with none, a server would accept what nobody has decided: so a tag that no version has.
  if (!isRead && isContested(concern)) return refusedTag;
  // For a write only the path counts: its query may be another.
  const placeOf = isRead ? String : pathOf;
  const isOfIt = version?.id === idOf(concern) && placeOf(version.url || url) === placeOf(url);
  // A 304 would not replace what was changed here; a weak tag, or `*`, cannot identify what is meant (RFC 9110,
  // 13.1.1). Where nothing is edited, what is shown is what is confirmed.
  const isFit =
    isOfIt &&
    (isRead ? !isDirty(concern) && equal(version.shown, concern.toJSON()) : !/^(w\/|\*$)/i.test(version.tag));
  return isFit && version.tag;
}

/** Whether a record has an undecided conflict: an edit of a field that others have changed too. */
export const isContested = (concern: Concern): boolean =>
  !!(concern as Partial<Pick<DataModel, 'openConflicts$'>>).openConflicts$?.value.length;

/** A record's id as text, as which a server may answer a number; empty for a new record (any falsey id), and for a list. */
export const idOf = (concern: Concern & Identified): string =>
  String((concern.get?.(concern.idAttribute) as string | number) || '');

/** A url without query and fragment. */
const pathOf = (url: string): string | undefined => url.split(/[?#]/)[0];

/** Whether a record has edits; undefined for a list. */
export const isDirty = (concern: Concern): boolean | undefined =>
  (concern as Partial<Pick<DataModel, 'isDirty$'>>).isDirty$?.value;

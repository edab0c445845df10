import { createHash } from 'node:crypto';
import { ProblemError } from './problem.ts';

/** A strong entity tag for an answer: two answers with the same tag have the same body. */
export function entityTag(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
}

/** Whether the client already has this version, according to its If-None-Match. */
export function isHeld(ifNoneMatch: string | undefined, tag: string): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || tagsIn(ifNoneMatch).includes(tag));
}

/** Throws a 412 problem with the current tag if a write was meant for another version. */
export function requireCurrent(ifMatch: string | undefined, tag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return;
  // If-Match compares strongly, so a weak tag never matches.
  if (ifMatch.split(',').some((one) => one.trim() === tag)) return;
  throw new ProblemError(412, 'The row has changed since the version that If-Match names.', {
    type: '/problems/stale',
    title: 'The row has changed',
    headers: { ETag: tag },
  });
}

function tagsIn(header: string): string[] {
  return header.split(',').map((one) => one.trim().replace(/^W\//, ''));
}

/**
 * Versions that a server sends with its answers (`ETag`): conditional requests, and how a save goes on after a conflict.
 *
 * @module
 */

export { etags } from './etags';
export { mergeConflicts } from './merge-conflicts';
export type { MergeConflictsOptions } from './merge-conflicts';

/**
 * Data that changes by itself: lists that follow what others change, events of a server, and reads that repeat.
 *
 * @module
 */

export type { Change } from './change';
export { followChanges } from './follow-changes';
export type { FollowOptions } from './follow-changes';
export { poll } from './poll';
export type { PollOptions, Readable } from './poll';
export type { Version } from './versions';
export { serverEvents } from './server-events';
export type { ServerEvent, ServerEventsOptions } from './server-events';

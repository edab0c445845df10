/**
 * What an application does around `fetch`, as interceptors: each is an idea of its own, and none knows of the others.
 *
 * Each keeps what it knows to itself, such as who waits, so make it once for each root.
 *
 * @module
 */

// Sending again
export { retry } from './retry';
export type { RetryOptions } from './retry';
export { idempotencyKey } from './idempotency-key';
export type { IdempotencyKeyOptions } from './idempotency-key';

// Sending less
export { concurrency } from './concurrency';
export { dedupe } from './dedupe';
export { offlineHold } from './offline-hold';

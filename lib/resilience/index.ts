/**
 * What an application does around `fetch`, as interceptors for `lib.options.interceptors`. None knows of the others. Of those
 * that are used this is the order, the first outermost:
 *
 * | Interceptor        | Why it stands there                                                             |
 * | ------------------ | ------------------------------------------------------------------------------- |
 * | `idempotencyKey()` | names a write before anything can send it twice                                 |
 * | `authRefresh(…)`   | what it sends again goes through all that follows; credentials make a read what  |
 * | `dedupe()`         | compares; those who share a read share its repetitions                          |
 * | `retry(…)`         | its waits hold no place among those that are being sent                         |
 * | `concurrency(n)`   | counts what is being sent, or would be if there were a network                  |
 * | `offlineHold()`    | holds what had to wait too, so that nothing is used up while there is no network |
 *
 * Each keeps to itself what it knows, such as who waits for the refresh that runs: make one for each root.
 *
 * @module
 */

// Sending again
export { retry } from './retry';
export type { RetryOptions } from './retry';
export { idempotencyKey } from './idempotency-key';
export type { IdempotencyKeyOptions } from './idempotency-key';

// Credentials
export { authRefresh } from './auth-refresh';
export type { AuthRefreshOptions } from './auth-refresh';

// Sending less
export { concurrency } from './concurrency';
export { dedupe } from './dedupe';
export { offlineHold } from './offline-hold';

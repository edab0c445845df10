/**
 * What applications need around `fetch`, as interceptors for `lib.options.interceptors`. None knows of the others. List
 * those that you use in this order, the first outermost:
 *
 * | Interceptor        | Why it comes there                                                              |
 * | ------------------ | ------------------------------------------------------------------------------- |
 * | `idempotencyKey()` | gives a write its key before anything can send it twice                         |
 * | `authRefresh(…)`   | what it repeats passes all that follow; `dedupe` compares the credentials       |
 * | `dedupe()`         | requests that share a read share its retries                                    |
 * | `retry(…)`         | while it waits, it takes up no place in `concurrency`                           |
 * | `concurrency(n)`   | counts what is being sent, or would be if there were a network                  |
 * | `offlineHold()`    | also holds what had to wait, so that nothing is used up without a network       |
 *
 * With credentials in cookies, `dedupe()` comes before `authRefresh(…)`: it cannot compare them.
 *
 * Each keeps state of its own, such as the requests that wait for a refresh: make one for each root.
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

import type { Interceptor } from '../index';

import { discard, isRepeatable } from './exchange';
import { check, isBetween, isListOf, methodsOf, optionsOf } from './options';
import { defer, retry as retrying, tap, timer } from './peers';
import type { SchedulerLike } from './peers';
import { retryAfter } from './retry-after';

/** What {@link retry} sends again, how often and when. */
export interface RetryOptions {
  /** How many times a request is sent again at most. A whole number, 0 or more. Default 3. */
  readonly count?: number | undefined;
  /** The wait before the first repetition, in milliseconds, 0 or more; it doubles with each further one. Default 500. */
  readonly delay?: number | undefined;
  /** The longest wait, whatever the server asks for, in milliseconds, 0 to 2147483647. Default 30000. */
  readonly maxDelay?: number | undefined;
  /**
   * The share of each wait that is random, 0 to 1, so that clients that failed together do not return together: with 0.5 a
   * wait takes between half and all of its time; `true` is 1, `false` 0. A wait that `Retry-After` asks for is not
   * shortened. Default 0.5.
   */
  readonly jitter?: number | boolean | undefined;
  /**
   * The methods that may be sent twice. A request with an `Idempotency-Key` may be, whatever its method. Default: those that
   * RFC 9110 §9.2.2 defines as idempotent and `fetch` sends: GET, HEAD, OPTIONS, PUT, DELETE.
   */
  readonly methods?: readonly string[] | undefined;
  /**
   * The statuses after which to send again. Default: the transient ones: 408, 425 (RFC 8470), 429 (RFC 6585), 502, 503, 504.
   */
  readonly statuses?: readonly number[] | undefined;
  /**
   * Whether a valid `Retry-After` (seconds, or a date of any form of RFC 9110 §5.6.7) replaces the wait, up to `maxDelay`.
   * Default true.
   */
  readonly respectRetryAfter?: boolean | undefined;
  /** The clock for the waits. Default: that of the root (`lib.options.scheduler`). */
  readonly scheduler?: SchedulerLike | undefined;
}

/**
 * Sends a request again if the server is busy or cannot be reached: after some statuses, and after the `TypeError` with
 * which `fetch` reports a network failure (and an invalid url, which it does not tell apart). Waits longer each time, or as
 * long as the server asks for.
 *
 * Only what may be sent twice is sent again: an idempotent method, or an `Idempotency-Key`; and no body that is a stream,
 * which the first attempt uses up. Aborts, time limits and answers that are not JSON are final. The last answer or failure
 * is passed on as it is, the body of a refused answer unread; those before are cancelled.
 *
 * `timeout` spans all attempts and waits. Unsubscribing ends a wait, and nothing more is sent. A DELETE that was carried out
 * but whose answer got lost may be answered with 404 when it is repeated.
 *
 * @throws TypeError for an invalid number, list of methods or list of statuses.
 */
export function retry(options: RetryOptions = {}): Interceptor {
  const {
    count = 3,
    delay = 500,
    maxDelay = 30_000,
    jitter = 0.5,
    methods = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'],
    statuses = [408, 425, 429, 502, 503, 504],
    respectRetryAfter = true,
    scheduler,
  } = optionsOf('retry', options);
  check(Number.isInteger(count) && count >= 0, 'retry', 'count', 'a whole number, 0 or more');
  check(isBetween(delay, 0, Infinity), 'retry', 'delay', 'a number of milliseconds, 0 or more');
  check(isBetween(maxDelay, 0, longestTimer), 'retry', 'maxDelay', `0 to ${longestTimer} milliseconds`);
  check(typeof jitter === 'boolean' || isBetween(jitter, 0, 1), 'retry', 'jitter', 'a number from 0 to 1');
  check(isListOf(statuses, Number.isInteger), 'retry', 'statuses', 'a list of status codes');
  const idempotent = methodsOf('retry', methods);
  const transient = new Set(statuses);

  return (request, next, context) => {
    const isIdempotent = idempotent.has(request.method) || request.headers.has('idempotency-key');
    if (!isIdempotent || !isRepeatable(request)) return next(request);
    const clock = scheduler ?? context.scheduler;
    return defer(() => {
      let sent = 0;
      let backoff = delay;
      /** How long to wait after the latest attempt, in milliseconds. */
      let wait: number;
      return defer(() => {
        sent += 1;
        wait = Math.min(backoff, maxDelay) * (1 - Number(jitter) * Math.random());
        backoff *= 2;
        return next(request);
      }).pipe(
        tap(({ response }) => {
          if (sent > count || !transient.has(response.status)) return;
          const asked = retryAfter(response.headers.get('retry-after') ?? '', (clock ?? Date).now());
          if (respectRetryAfter && asked >= 0) wait = Math.min(asked, maxDelay);
          discard(response);
          // RxJS retries only after errors: as if the server had not been reached. No subscriber sees this one.
          throw new TypeError();
        }),
        retrying({
          count,
          delay: (reason: unknown) => {
            // What `fetch` fails with on a network failure; by its name, since each page and frame has its own class.
            if ((reason as Error | null)?.name === 'TypeError') return timer(wait, clock);
            throw reason;
          },
        }),
      );
    });
  };
}

/** Longer timers fire at once. */
const longestTimer = 2 ** 31 - 1;

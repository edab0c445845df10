import timers from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import { DroppedError } from './dropped.ts';
import type { Environment, Exchange } from './environment.ts';
import { ProblemError } from './problem.ts';

/** The longest delay that a client can ask for, in milliseconds: a minute. */
export const longestDelay = 60_000;

/**
 * Lets a client slow down its own request or make it fail, with `?_delay=` and `?_fail=` (see the README).
 * Runs before the routes, so a request that it refuses has not been carried out.
 *
 * @param delay Milliseconds before each answer, unless the request has a `?_delay=`.
 */
export function faults(delay: number): MiddlewareHandler<Environment> {
  /** How often each request with `?_times=` has arrived, by method and URL. */
  const arrivals = new Map<string, number>();
  const isSpent = (c: Exchange): boolean => {
    const times = wholeNumber(c, '_times') ?? Infinity;
    const request = `${c.req.method} ${c.req.url}`;
    const arrived = (arrivals.get(request) ?? 0) + 1;
    if (times < Infinity) arrivals.set(request, arrived);
    return arrived > times;
  };

  return async (c, next) => {
    const milliseconds = wholeNumber(c, '_delay') ?? delay;
    await pause(Math.min(milliseconds, longestDelay), c.req.raw.signal);

    requireToken(c, c.req.query('_token'));
    const fault = isSpent(c) ? undefined : c.req.query('_fail');
    switch (fault) {
      case undefined:
        return next();
      case 'after':
        await next();
        throw disconnect(c);
      case 'reset':
        throw disconnect(c);
      case 'text':
        return c.text('OK');
      case 'html':
        return c.html('<!doctype html><title>Sign in</title><h1>Sign in to go on</h1>');
      default:
        throw failure(fault, wholeNumber(c, '_retry_after'));
    }
  };
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  try {
    if (milliseconds > 0) await timers.setTimeout(milliseconds, undefined, { signal });
    signal.throwIfAborted();
  } catch (error) {
    throw new DroppedError('client', error);
  }
}

/** Refuses a request that lacks the token named by its `_token`, as in RFC 6750. */
function requireToken(c: Exchange, token: string | undefined): void {
  if (token === undefined || c.req.header('Authorization') === `Bearer ${token}`) return;
  throw new ProblemError(401, 'The request asked for a token by _token, and does not show it.', {
    headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  });
}

function disconnect(c: Exchange): DroppedError {
  c.env.incoming.socket.destroy();
  return new DroppedError('server');
}

function failure(fault: string, retryAfter: number | undefined): ProblemError {
  if (!/^[45]\d\d$/.test(fault)) {
    return new ProblemError(400, '_fail must be a status from 400 to 599, or reset, text, html or after.');
  }
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return new ProblemError(Number(fault), `The request asked for this by _fail=${fault}.`, { headers });
}

function wholeNumber(c: Exchange, name: string): number | undefined {
  const text = c.req.query(name);
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) throw new ProblemError(400, `${name} must be a whole number.`);
  return Number(text);
}

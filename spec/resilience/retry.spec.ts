import { Readable } from 'node:stream';

import { NEVER, Observable, VirtualTimeScheduler, map, of, throwError } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import type { Interceptor } from 'rivulet';
import { retry } from 'rivulet/resilience';
import type { RetryOptions } from 'rivulet/resilience';

import { withPerson } from '../person';
import type { PersonSetup } from '../person';
import { advance } from '../virtual-time';
import { watch } from '../watch';

/** A person in virtual time, whose requests are sent again, by default without jitter. */
function withRetry(options: RetryOptions = {}, setup: PersonSetup = {}) {
  const scheduler = new VirtualTimeScheduler();
  const interceptors = [retry({ jitter: 0, ...options })];
  const given = withPerson({ ...setup, options: { scheduler, interceptors, ...setup.options } });
  const pass = (to: number) => {
    advance(scheduler, to);
  };
  return { ...given, pass };
}

/** A refusal that may ask for a wait. */
const busy = (retryAfter?: string) =>
  new Response('busy', {
    status: 503,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
  });

const failure = () => new TypeError('fetch failed');

describe('a refused request', () => {
  it.each([408, 425, 429, 502, 503, 504])('with %i is sent again', (status) => {
    const { person, server, pass } = withRetry();
    const { responses, error } = watch(person.fetch$());

    server.at(0).refuse(status);
    pass(500);
    server.at(1).ok({ name: 'Bo' });

    expect(server.lines).toStrictEqual(['GET /person/7', 'GET /person/7']);
    expect({ name: person.name.value, status: responses[0]?.status, error }).toStrictEqual({
      name: 'Bo',
      status: 200,
      error: undefined,
    });
  });

  it.each([400, 401, 404, 409, 412, 422, 500, 501])('with %i is not sent again', (status) => {
    const { person, server, pass } = withRetry();
    const { responses } = watch(person.fetch$());

    server.at(0).refuse(status);
    pass(1e6);

    expect(responses[0]?.status).toBe(status);
    expect(server.held).toHaveLength(1);
  });

  it('is sent again after the statuses of the options only', () => {
    const { person, server, pass } = withRetry({ statuses: [423] });
    watch(person.fetch$());
    server.at(0).refuse(423);
    pass(500);
    server.at(1).refuse(503);
    pass(1e6);
    expect(server.held).toHaveLength(2);
  });

  it('emits its last answer, which can be read, after the allowed retries', async () => {
    const { person, server, pass } = withRetry({ count: 2 });
    const { responses } = watch(person.fetch$());
    for (const [place, time] of [500, 1_500].entries()) {
      server.at(place).refuse(503, place);
      pass(time);
    }

    server.at(2).refuse(503, 'the last');
    pass(1e6);

    expect(server.held).toHaveLength(3);
    await expect(responses[0]?.json()).resolves.toBe('the last');
    expect(person.error$.value).toMatchObject({ code: 'HTTP' });
  });

  it('cancels the bodies of dropped answers, not that of the last', () => {
    const { person, server, pass } = withRetry({ count: 1 });
    const cancelled: number[] = [];
    const open = (place: number) =>
      new Response(new ReadableStream({ cancel: () => void cancelled.push(place) }), { status: 503 });
    watch(person.fetch$());

    server.at(0).respond(open(0));
    pass(500);
    server.at(1).respond(open(1));

    expect(cancelled).toStrictEqual([0]);
  });

  it('is not sent again with a count of 0', () => {
    const { person, server, pass } = withRetry({ count: 0 });
    const { responses } = watch(person.fetch$());
    server.at(0).refuse(503);
    pass(1e6);
    expect({ sent: server.held.length, status: responses[0]?.status }).toStrictEqual({
      sent: 1,
      status: 503,
    });
  });
});

describe('a failed request', () => {
  it('is sent again if the network failed', () => {
    const { person, server, pass } = withRetry();
    watch(person.fetch$());
    server.at(0).fail(failure());
    pass(500);
    server.at(1).ok({ name: 'Bo' });
    expect(person.name.value).toBe('Bo');
  });

  it('emits the last failure unchanged', () => {
    const { person, server, pass } = withRetry({ count: 1 });
    const watched = watch(person.fetch$());
    server.at(0).fail(failure());
    pass(500);
    const last = failure();
    server.at(1).fail(last);
    expect(watched.error).toBe(last);
  });

  it.each<[string, Error]>([
    ['an abort', new DOMException('given up', 'AbortError')],
    ['a time limit', new DOMException('too long', 'TimeoutError')],
    ['an interceptor’s own failure', new Error('no token')],
  ])('by %s is not sent again', (_name, error) => {
    const { person, server, pass } = withRetry();
    const watched = watch(person.fetch$());
    server.at(0).fail(error);
    pass(1e6);
    expect(watched.error).toBe(error);
    expect(server.held).toHaveLength(1);
  });

  it('by null is not sent again', () => {
    // A transport may fail with anything.
    const { person } = withRetry(
      {},
      {
        options: {
          transport: () =>
            new Observable((subscriber) => {
              subscriber.error(null);
            }),
        },
      },
    );
    const watched = watch(person.fetch$());
    expect(watched.error).toBeNull();
  });

  it('whose answer is not JSON is not sent again', async () => {
    const { person, server } = withRetry();
    const answered = person.fetch();
    server.at(0).respond(new Response('<html>'));
    await expect(answered).rejects.toMatchObject({ code: 'PARSE' });
    expect(server.held).toHaveLength(1);
  });
});

describe('sending again', () => {
  it.each([
    ['GET', 1],
    ['HEAD', 1],
    ['OPTIONS', 1],
    ['PUT', 1],
    ['DELETE', 1],
    ['POST', 0],
    ['PATCH', 0],
    ['QUERY', 0],
  ])('happens for %s: %i times', (method, times) => {
    const { person, server, pass } = withRetry({ count: 1 });
    watch(person.fetch$({ method }));
    server.at(0).refuse(503);
    pass(500);
    expect(server.held).toHaveLength(1 + times);
  });

  it('happens for any request with an Idempotency-Key', () => {
    const { person, server, pass } = withRetry({}, { values: { id: undefined } });
    watch(person.save$({ headers: { 'Idempotency-Key': '"1"' } }));
    server.at(0).fail(failure());
    pass(500);
    expect(server.lines).toStrictEqual(['POST /person', 'POST /person']);
  });

  it('follows the option methods, in any case', () => {
    const { person, server, pass } = withRetry({ methods: ['query'] });
    watch(person.fetch$({ method: 'QUERY' }));
    server.at(0).refuse(503);
    pass(500);
    watch(person.fetch$());
    server.at(2).refuse(503);
    pass(1e6);
    expect(server.held).toHaveLength(3);
  });

  it.each<[string, () => BodyInit, number]>([
    ['a stream, which is used up', () => new ReadableStream(), 1],
    ['a stream of Node', () => Readable.from(['x']) as unknown as BodyInit, 1],
    ['FormData', () => new FormData(), 2],
    ['text', () => 'x', 2],
  ])('depends on the body: %s', (_name, body, sent) => {
    const { person, server, pass } = withRetry();
    const { error } = watch(person.save$({ body: body() }));
    server.at(0).fail(failure());
    pass(500);
    expect({ sent: server.held.length, error }).toStrictEqual({ sent, error: undefined });
  });
});

describe('the wait', () => {
  /** The times at which a request that is always refused was sent. */
  function times(options: RetryOptions, answer: () => Response = busy): number[] {
    const scheduler = new VirtualTimeScheduler();
    const sent: number[] = [];
    const { person } = withPerson({
      options: {
        interceptors: [retry({ jitter: 0, scheduler, ...options })],
        transport: (request) =>
          of(request).pipe(
            map(() => {
              sent.push(scheduler.now());
              return { request, response: answer(), body: undefined };
            }),
          ),
      },
    });
    watch(person.fetch$());
    advance(scheduler, 1e9);
    return sent;
  }

  it('doubles each time', () => {
    expect(times({})).toStrictEqual([0, 500, 1_500, 3_500]);
    expect(times({ delay: 10, count: 2 })).toStrictEqual([0, 10, 30]);
  });

  it('is no longer than maxDelay', () => {
    expect(times({ delay: 1_000, maxDelay: 1_500, count: 4 })).toStrictEqual([0, 1_000, 2_500, 4_000, 5_500]);
    expect(times({ delay: 1e300, maxDelay: 20, count: 2_000 }).at(-1)).toBe(40_000);
  });

  it.each([
    [undefined, 0, 1_000],
    [undefined, 0.5, 750],
    [0.25, 0.5, 875],
    [1, 0.75, 250],
    [0, 0.75, 1_000],
    [true, 0.75, 250],
    [false, 0.75, 1_000],
  ])('with a jitter of %s and the random number %d is %d of 1000 ms', (jitter, chance, wait) => {
    vi.spyOn(Math, 'random').mockReturnValue(chance);
    expect(times({ jitter, delay: 1_000, count: 1 })).toStrictEqual([0, wait]);
  });

  it('uses the clock of its options before that of the root', () => {
    const own = new VirtualTimeScheduler();
    const { person, server, pass } = withRetry({ scheduler: own });
    watch(person.fetch$());
    server.at(0).refuse(503);
    pass(10_000);
    expect(server.held).toHaveLength(1);
    advance(own, 500);
    expect(server.held).toHaveLength(2);
  });

  it('is cut by jitter at maxDelay, too', () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    expect(times({ delay: 1_000, maxDelay: 100, jitter: 1, count: 1 })).toStrictEqual([0, 50]);
  });

  it.each([
    ['seconds', '2', 2_000],
    ['no time', '0', 0],
    ['a date', 'Thu, 01 Jan 1970 00:00:09 GMT', 9_000],
    ['a date of RFC 850', 'Thursday, 01-Jan-70 00:00:09 GMT', 9_000],
    ['a date of asctime', 'Thu Jan  1 00:00:09 1970', 9_000],
    ['a date that has passed', 'Wed, 31 Dec 1969 00:00:00 GMT', 0],
    ['more than maxDelay', '86400', 30_000],
    ['an invalid text', 'in a while', 500],
    ['nothing', undefined, 500],
  ])('is what Retry-After asks for: %s', (_name, retryAfter, wait) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    const answer = () => busy(retryAfter);
    const jitter = wait === 500 ? 0 : 1;
    expect(times({ count: 1, jitter }, answer)).toStrictEqual([0, wait]);
  });

  it('ignores Retry-After if respectRetryAfter is false', () => {
    expect(times({ count: 1, respectRetryAfter: false }, () => busy('9'))).toStrictEqual([0, 500]);
  });

  it.each<[string, Interceptor]>([
    ['of the root', retry()],
    [
      'for an interceptor called by hand',
      (request, next, { action, concern }) => retry()(request, next, { action, concern }),
    ],
  ])('passes in real time without a scheduler %s', async (_name, interceptor) => {
    vi.useFakeTimers();
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    const { person, server } = withPerson({ options: { interceptors: [interceptor] } });
    watch(person.fetch$());
    server.at(0).refuse(503);
    await vi.advanceTimersByTimeAsync(374);
    expect(server.held).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(server.held).toHaveLength(2);
  });
});

describe('during the wait', () => {
  it('unsubscribing ends it, and nothing more is sent', () => {
    const { person, server, pass } = withRetry();
    const { subscription } = watch(person.fetch$());
    server.at(0).refuse(503);
    subscription.unsubscribe();
    pass(1e6);
    expect(server.held).toHaveLength(1);
    expect(person.isReading$.value).toBe(false);
  });

  it('the signal of the call ends it', () => {
    const { person, server, pass } = withRetry();
    const abort = new AbortController();
    const watched = watch(person.fetch$({ signal: abort.signal }));
    server.at(0).refuse(503);
    abort.abort('enough');
    pass(1e6);
    expect({ error: watched.error, sent: server.held.length }).toStrictEqual({ error: 'enough', sent: 1 });
  });

  it('the time limit ends it, which spans all attempts', () => {
    const { person, server, pass } = withRetry();
    const watched = watch(person.fetch$({ timeout: 1_000 }));
    server.at(0).refuse(503);
    pass(500);
    server.at(1).refuse(503);
    pass(999);
    expect(watched.error).toBeUndefined();
    pass(1_000);
    expect(watched.error).toMatchObject({ name: 'TimeoutError' });
    pass(1e6);
    expect(server.held).toHaveLength(2);
  });

  it('the flag stays up, and further writes of the record wait', () => {
    const { person, server, pass } = withRetry();
    watch(person.save$());
    watch(person.save$());
    server.at(0).refuse(503);
    expect({ isSaving: person.isSaving$.value, sent: server.held.length }).toStrictEqual({
      isSaving: true,
      sent: 1,
    });
    pass(500);
    server.at(1).ok();
    expect(server.held).toHaveLength(3);
  });
});

it('counts retries per subscription', () => {
  const { person, server, pass } = withRetry({ count: 1 });
  const read$ = person.fetch$();
  for (const begin of [0, 500]) {
    watch(read$);
    server.held.at(-1)?.refuse(503);
    pass(begin + 500);
    server.held.at(-1)?.refuse(503);
  }
  expect(server.held).toHaveLength(4);
});

it('calls the next interceptor each time', () => {
  const scheduler = new VirtualTimeScheduler();
  let calls = 0;
  const { person } = withPerson({
    options: {
      interceptors: [
        retry({ jitter: 0, scheduler }),
        () => {
          calls += 1;
          return calls === 1 ? throwError(failure) : NEVER;
        },
      ],
    },
  });
  watch(person.fetch$());
  advance(scheduler, 500);
  expect(calls).toBe(2);
});

it.each<[RetryOptions, RegExp]>([
  [{ count: -1 }, /^retry: "count" must be a whole number, 0 or more$/],
  [{ count: 1.5 }, /"count"/],
  [{ count: '3' as unknown as number }, /"count"/],
  [{ delay: -1 }, /^retry: "delay" must be a number of milliseconds, 0 or more$/],
  [{ delay: NaN }, /"delay"/],
  [{ maxDelay: -1 }, /"maxDelay"/],
  [{ maxDelay: 2 ** 31 }, /^retry: "maxDelay" must be 0 to 2147483647 milliseconds$/],
  [{ jitter: '1' as unknown as number }, /"jitter"/],
  [{ jitter: 1.1 }, /^retry: "jitter" must be a number from 0 to 1$/],
  [{ methods: 'GET' as unknown as string[] }, /^retry: "methods" must be a list of method names$/],
  [{ methods: [7 as unknown as string] }, /"methods"/],
  [{ statuses: ['503' as unknown as number] }, /^retry: "statuses" must be a list of status codes$/],
  [3 as unknown as RetryOptions, /^retry: "options" must be an object$/],
])('refuses the options %o', (options, message) => {
  expect(() => retry(options)).toThrow(TypeError);
  expect(() => retry(options)).toThrow(message);
});

it('treats undefined as the default', () => {
  expect(() => retry({ count: undefined, delay: undefined })).not.toThrow();
});

it('accepts 0 for each number', () => {
  expect(() => retry({ count: 0, delay: 0, maxDelay: 0, jitter: 0 })).not.toThrow();
});

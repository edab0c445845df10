import { isDeepStrictEqual } from 'node:util';

import { tap } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { LibOptions, RequestOptions } from 'rivulet';
import { TestClock, TestRequest, TestServer } from 'rivulet/testing';

import { raise } from '../hostile';
import { watch } from '../watch';

interface Item {
  readonly id?: number;
  readonly name: string;
  readonly at?: unknown;
}

function withPeople(options: LibOptions = {}) {
  const server = new TestServer();
  const people = createLib({ transport: server.transport, ...options }).collection<Item>({ url: '/people' });
  return { people, server, last: () => server.requests.at(-1) ?? raise(new Error('nothing was sent')) };
}

describe('a test request', () => {
  it('shows what was sent', () => {
    const { last, people } = withPeople();
    watch(people.create$({ name: 'Bo' }, { headers: { 'x-a': '1' } }));

    expect(last()).toBeInstanceOf(TestRequest);
    expect(last()).toMatchObject({
      method: 'POST',
      url: '/people',
      body: { name: 'Bo' },
      state: 'open',
    });
    expect(last().headers.get('x-a')).toBe('1');
    expect([last().index, last().headers]).toStrictEqual([0, last().request.headers]);
    expect(String(last())).toBe('POST /people');
  });

  it.each<[RequestOptions, unknown]>([
    [{ method: 'get' }, undefined],
    [{ body: null }, undefined],
    [{ body: '{"a":1}' }, '{"a":1}'],
    [{ body: '{"a":1}', headers: { 'content-type': 'application/merge-patch+json' } }, { a: 1 }],
    [{ body: '[1]', headers: { 'content-type': 'application/xml' } }, '[1]'],
    [{ body: new URLSearchParams('a=1') }, new URLSearchParams('a=1')],
    [{ attrs: 0 }, 0],
  ])('has for %o the body %o', (options, body) => {
    const { last, people } = withPeople();
    watch(people.record({ name: 'Bo' }).save$(options));

    expect(last().body).toStrictEqual(body);
  });

  it('throws for a body that is said to be JSON, and is not', () => {
    const { last, people } = withPeople();
    watch(people.create$({ name: 'Bo' }, { body: '{', headers: { 'content-type': 'application/json' } }));

    expect(() => last().body).toThrow(SyntaxError);
  });

  it.each<[string, (people: ReturnType<typeof withPeople>['people'], clock: TestClock) => void]>([
    [
      'unsubscribed',
      (people) => {
        watch(people.fetch$()).subscription.unsubscribe();
      },
    ],
    [
      'disposed of',
      (people) => {
        watch(people.fetch$());
        people.dispose();
      },
    ],
    [
      'out of time',
      (people, clock) => {
        watch(people.fetch$({ timeout: 5 }));
        clock.advance(5);
      },
    ],
    [
      'aborted by a signal',
      (people) => {
        const controller = new AbortController();
        watch(people.fetch$({ signal: controller.signal }));
        controller.abort();
      },
    ],
  ])('is aborted if it was %s; it can no longer be answered', (_, giveUp) => {
    const clock = new TestClock();
    const { last, people } = withPeople({ scheduler: clock });
    giveUp(people, clock);

    expect([last().state, last().request.signal.aborted]).toStrictEqual(['aborted', true]);
    expect(() => {
      last().answer([]);
    }).toThrow(new Error('answer: GET /people was aborted before'));
    expect(() => {
      last().fail();
    }).toThrow(new Error('fail: GET /people was aborted before'));
  });

  it('has an aborted signal if it was given up while its body was being read', () => {
    const clock = new TestClock();
    const { last, people } = withPeople({ scheduler: clock });
    const read = watch(people.fetch$({ timeout: 5 }));
    last().answer(new Response(new ReadableStream()));
    expect(last().request.signal.aborted).toBe(false);

    clock.advance(5);

    expect(read.error).toMatchObject({ name: 'TimeoutError' });
    expect([last().state, last().request.signal.aborted]).toStrictEqual(['answered', true]);
  });

  it('is not equal to another one for the same, since it knows its place', () => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    watch(people.fetch$());

    expect(server.requests.map(({ index }) => index)).toStrictEqual([0, 1]);
    expect(isDeepStrictEqual(server.requests[0], server.requests[1])).toBe(false);
  });

  it.each([
    ['answered', 'answer'],
    ['failed', 'fail'],
  ] as const)('is not aborted once %s; it can no longer be answered', (state, end) => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    const request = server.expectOne('/people');
    request[end]();

    expect(request.state).toBe(state);
    expect(() => {
      request.answer([]);
    }).toThrow(new Error(`answer: GET /people was ${state} before`));
    expect(() => {
      request.fail();
    }).toThrow(new Error(`fail: GET /people was ${state} before`));
  });
});

describe('answer', () => {
  it('is written when it returns', () => {
    const { last, people } = withPeople();
    const read = watch(people.fetch$());

    last().answer([{ id: 1, name: 'Ann' }]);

    expect(people.value).toStrictEqual([{ id: 1, name: 'Ann' }]);
    expect([read.isComplete, people.isReading$.value]).toStrictEqual([true, false]);
  });

  it('brings data as JSON does, and none of the objects of the test', () => {
    const { last, people } = withPeople();
    const at = new Date(0);
    const given = [{ id: 1, name: 'Ann', at, left: undefined }];
    watch(people.fetch$());

    last().answer(given);

    expect(people.value).toStrictEqual([{ id: 1, name: 'Ann', at: at.toISOString() }]);
  });

  it('can be read by the caller, with the status and the headers given', async () => {
    const { last, people } = withPeople();
    const read = watch(people.fetch$());

    last().answer([{ id: 1, name: 'Ann' }], { status: 203, headers: { etag: '"1"' } });

    const [response] = read.responses;
    expect([response?.status, response?.headers.get('etag')]).toStrictEqual([203, '"1"']);
    expect(await response?.json()).toStrictEqual([{ id: 1, name: 'Ann' }]);
  });

  it.each([
    [undefined, 204],
    [{ status: 200 }, 200],
    [{ headers: { 'x-a': '1' } }, 204],
    [{ status: 500 }, 500],
  ])('without data and with %o has the status %i and no body', async (init, status) => {
    const { last, people } = withPeople();
    const read = watch(people.fetch$());

    last().answer(undefined, init);

    expect(read.responses.map((response) => response.status)).toStrictEqual([status]);
    expect(await read.responses[0]?.text()).toBe('');
  });

  it('of null is data', () => {
    const { last, people } = withPeople();
    const read = watch(people.fetch$());

    last().answer(null);

    expect(read.error).toMatchObject({ code: 'SHAPE' });
  });

  it('that refuses has no data for interceptors, like that of any transport', () => {
    const bodies: unknown[] = [];
    const { last, people } = withPeople({
      interceptors: [(request, next) => next(request).pipe(tap(({ body }) => bodies.push(body)))],
    });
    watch(people.fetch$());

    last().answer({ message: 'busy' }, { status: 503 });

    expect(bodies).toStrictEqual([undefined]);
  });

  it('that refuses is not written, and can be read by the caller', async () => {
    const { last, people } = withPeople();
    const create = watch(people.create$({ name: '' }));

    last().answer({ message: 'name: too short' }, { status: 422 });

    expect(people.value).toStrictEqual([]);
    expect(people.error$.value).toMatchObject({ code: 'HTTP' });
    expect(await create.responses[0]?.json()).toStrictEqual({ message: 'name: too short' });
  });

  it('may be a response of any kind, which is read as that of fetch', async () => {
    const { last, people } = withPeople();
    const reading = people.fetch();

    last().answer(new Response('<html>'));

    await expect(reading).rejects.toMatchObject({ code: 'PARSE' });
  });

  it.each([
    [1n, undefined],
    [() => 1, undefined],
    [{}, { status: 204 }],
  ])('throws for %o with %o, and the request waits on', (body, init) => {
    const { last, people } = withPeople();
    watch(people.fetch$());

    expect(() => {
      last().answer(body, init);
    }).toThrow(TypeError);
    expect(last().state).toBe('open');
  });
});

describe('fail', () => {
  it.each([
    [undefined, new TypeError('Failed to fetch')],
    [new Error('lost'), new Error('lost')],
  ])('with %o fails the request with %o', (reason, error) => {
    const { last, people } = withPeople();
    const read = watch(people.fetch$());

    last().fail(reason);

    expect(read.error).toStrictEqual(error);
    expect(people.error$.value).toBe(read.error);
  });
});

import { VirtualTimeScheduler, retry as again } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { idempotencyKey, retry } from 'rivulet/resilience';
import type { IdempotencyKeyOptions } from 'rivulet/resilience';

import { withPerson } from '../person';
import type { StubServer } from '../stub';
import { advance } from '../virtual-time';
import { watch } from '../watch';

const keysOf = (server: StubServer) =>
  server.held.map(({ request }) => request.headers.get('idempotency-key'));

describe('a key', () => {
  it.each([
    ['POST', true],
    ['PATCH', true],
    ['PUT', false],
    ['DELETE', false],
    ['GET', false],
  ])('is sent with %s: %s', (method, is) => {
    const { person, server } = withPerson({ options: { interceptors: [idempotencyKey()] } });
    watch(person.save$({ method }));
    expect(keysOf(server)[0] !== null).toBe(is);
  });

  it('is sent with no read, whatever its method', () => {
    const { person, server } = withPerson({ options: { interceptors: [idempotencyKey()] } });
    watch(person.fetch$({ method: 'POST' }));
    expect(keysOf(server)).toStrictEqual([null]);
  });

  it('is sent with the methods of the options, in any case', () => {
    const { person, server } = withPerson({
      options: { interceptors: [idempotencyKey({ methods: ['put'] })] },
    });
    watch(person.save$());
    expect(keysOf(server)).toStrictEqual([expect.any(String)]);
  });

  it('is a Structured Field string of 128 random bits', () => {
    const { person, server } = withPerson({ options: { interceptors: [idempotencyKey()] } });
    watch(person.save$({ method: 'POST' }));
    expect(keysOf(server)[0]).toMatch(/^"\d+-\d+-\d+-\d+"$/);
  });

  it('has as many parts for small random numbers, so that no two are the same text', () => {
    vi.spyOn(crypto, 'getRandomValues').mockImplementation((numbers) => numbers);
    const { person, server } = withPerson({ options: { interceptors: [idempotencyKey()] } });
    watch(person.save$({ method: 'POST' }));
    expect(keysOf(server)).toStrictEqual(['"0-0-0-0"']);
  });

  it('is new for each write, and for each subscription', () => {
    const { person, server } = withPerson({ options: { interceptors: [idempotencyKey()] } });
    const save$ = person.save$({ method: 'POST' });
    for (const place of [0, 1, 2]) {
      watch(save$);
      server.at(place).ok();
    }
    expect(new Set(keysOf(server)).size).toBe(3);
  });

  it('is the same in each retry, which it allows', () => {
    const scheduler = new VirtualTimeScheduler();
    const { person, server } = withPerson({
      options: { interceptors: [idempotencyKey(), retry({ scheduler })] },
      values: { id: undefined },
    });
    watch(person.save$());
    server.at(0).fail(new TypeError('fetch failed'));
    advance(scheduler, 500);
    server.at(1).ok({ id: 7 });

    expect(server.lines).toStrictEqual(['POST /person', 'POST /person']);
    expect(new Set(keysOf(server)).size).toBe(1);
    expect(person.id.value).toBe(7);
  });

  it('is the same if an interceptor before it subscribes again', () => {
    const { person, server } = withPerson({
      options: { interceptors: [(request, next) => next(request).pipe(again(1)), idempotencyKey()] },
    });
    watch(person.save$({ method: 'POST' }));
    server.at(0).fail(new TypeError('fetch failed'));
    expect(server.held).toHaveLength(2);
    expect(new Set(keysOf(server)).size).toBe(1);
  });

  it('of the caller is kept', () => {
    const { person, server } = withPerson({ options: { interceptors: [idempotencyKey()] } });
    watch(person.save$({ method: 'POST', headers: { 'Idempotency-Key': '"mine"' } }));
    expect(keysOf(server)).toStrictEqual(['"mine"']);
  });

  it('is not written into headers that others hold', () => {
    let before: Headers | undefined;
    const { person, server } = withPerson({
      options: {
        interceptors: [
          (request, next) => {
            before = request.headers;
            return next(request);
          },
          idempotencyKey(),
        ],
      },
    });
    watch(person.save$({ method: 'POST' }));
    expect(server.held).toHaveLength(1);
    expect(before?.has('idempotency-key')).toBe(false);
  });
});

it.each<[IdempotencyKeyOptions, RegExp]>([
  [{ methods: 'POST' as unknown as string[] }, /^idempotencyKey: "methods" must be a list of method names$/],
  [null as unknown as IdempotencyKeyOptions, /^idempotencyKey: "options" must be an object$/],
])('refuses the options %o', (options, message) => {
  expect(() => idempotencyKey(options)).toThrow(message);
});

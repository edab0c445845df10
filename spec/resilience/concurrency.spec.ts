import { of } from 'rxjs';
import type { Subscription } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Transport } from 'rivulet';
import { concurrency } from 'rivulet/resilience';

import { Person, withPerson } from '../person';
import { StubServer } from '../stub';
import { watch } from '../watch';

/** Persons whose requests are sent two at a time. */
function withTwo(...urls: string[]) {
  const server = new StubServer();
  const root = createLib({ transport: server.transport, interceptors: [concurrency(2)] });
  const reads = urls.map((url) => watch(new Person(root, { url }, {}).fetch$()));
  return { server, reads };
}

describe('requests', () => {
  it('are sent up to the limit at a time, the others in order of arrival', () => {
    const { server } = withTwo('/a', '/b', '/c', '/d');
    expect(server.lines).toStrictEqual(['GET /a/7', 'GET /b/7']);
    server.at(1).ok({});
    expect(server.lines.slice(2)).toStrictEqual(['GET /c/7']);
    server.at(0).ok({});
    expect(server.lines.slice(3)).toStrictEqual(['GET /d/7']);
  });

  it.each<[string, (server: StubServer, reads: readonly { subscription: Subscription }[]) => void]>([
    ['is answered', (server) => server.at(0).ok({})],
    ['is refused', (server) => server.at(0).refuse(500)],
    ['fails', (server) => server.at(0).fail(new Error('no'))],
    ['is unsubscribed', (_server, reads) => reads[0]?.subscription.unsubscribe()],
  ])('make room when one %s', (_name, end) => {
    const { server, reads } = withTwo('/a', '/b', '/c');
    end(server, reads);
    expect(server.held).toHaveLength(3);
  });

  it('make room when the answer has been read to its end', async () => {
    const { server } = withTwo('/a', '/b', '/c');
    let body!: ReadableStreamDefaultController;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        body = controller;
      },
    });
    server.at(0).respond(new Response(stream));
    body.enqueue(new TextEncoder().encode('{}'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.held).toHaveLength(2);
    body.close();
    await vi.waitFor(() => {
      expect(server.held).toHaveLength(3);
    });
  });

  it('continue by the thousands if each is answered at once', () => {
    const server = new StubServer();
    const transport: Transport = (request) =>
      server.held.length
        ? of({ request, response: new Response(null, { status: 204 }), body: undefined })
        : server.transport(request);
    const root = createLib({ transport, interceptors: [concurrency(1)] });
    const reads = Array.from({ length: 2_000 }, () => watch(new Person(root, { url: '/a' }, {}).fetch$()));

    server.at(0).ok({});

    expect(reads.filter(({ isComplete }) => isComplete)).toHaveLength(2_000);
  });

  it('that are unsubscribed while waiting make no room', () => {
    const { server, reads } = withTwo('/a', '/b', '/c', '/d');
    reads[3]?.subscription.unsubscribe();
    expect(server.held).toHaveLength(2);
  });

  it('that are unsubscribed while waiting do not hold up the others', () => {
    const { server, reads } = withTwo('/a', '/b', '/c', '/d');
    reads[2]?.subscription.unsubscribe();
    server.at(0).ok({});
    expect(server.lines.slice(2)).toStrictEqual(['GET /d/7']);
    server.at(1).ok({});
    server.at(2).ok({});
    expect(server.held).toHaveLength(3);
  });

  it('are counted by origin', () => {
    const { server } = withTwo('http://a.test/1', 'http://a.test/2', 'http://a.test/3', 'http://b.test/1');
    expect(server.lines).toStrictEqual([
      'GET http://a.test/1/7',
      'GET http://a.test/2/7',
      'GET http://b.test/1/7',
    ]);
  });

  it('to relative urls are counted with those to the page', () => {
    vi.stubGlobal('location', { href: 'http://a.test/' });
    const { server } = withTwo('http://a.test/1', '/2', '/3', 'http://a.test/4');
    expect(server.held).toHaveLength(2);
  });

  it('to a url that cannot be parsed are counted too', () => {
    const { server } = withTwo('http://[', 'http://[', 'http://[');
    expect(server.held).toHaveLength(2);
  });

  it('that are never subscribed to take no slot', () => {
    const server = new StubServer();
    const one = concurrency(1);
    const { person } = withPerson({ options: { transport: server.transport, interceptors: [one] } });
    person.fetch$();
    watch(person.fetch$());
    expect(server.held).toHaveLength(1);
  });

  it('make room if the next interceptor throws', () => {
    const { person } = withPerson({
      options: {
        interceptors: [
          concurrency(1),
          () => {
            throw new Error('broken');
          },
        ],
      },
    });
    const errors = [1, 2].map(() => watch(person.fetch$()).error);
    expect(errors).toStrictEqual([new Error('broken'), new Error('broken')]);
  });
});

it.each([0, -1, 1.5, NaN, Infinity, '2', undefined])('refuses a limit of %o', (limit) => {
  expect(() => concurrency(limit as number)).toThrow(
    new TypeError('concurrency: "limit" must be a whole number, 1 or more'),
  );
});

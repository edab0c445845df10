import { NEVER, delay, map, of, take, tap } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib, lib } from 'rivulet';
import type { Interceptor, Transport } from 'rivulet';
import { dedupe } from 'rivulet/resilience';

import { Person } from '../person';
import { StubServer } from '../stub';
import type { Held } from '../stub';
import { watch } from '../watch';

/** Two persons of one root, which share identical reads. */
function withPersons(...outer: Interceptor[]) {
  const server = new StubServer();
  const root = createLib({ transport: server.transport, interceptors: [...outer, dedupe()] });
  const one = new Person(root, {}, {});
  const other = new Person(root, {}, {});
  return { server, root, one, other };
}

/** An answer whose body stays open, and a spy on its cancellation. */
function slowAnswer(status = 200) {
  const cancel = vi.fn();
  const response = new Response(new ReadableStream({ cancel }), { status });
  return { response, cancel };
}

describe('identical reads', () => {
  it('are sent once, and all are answered', () => {
    const { server, one, other } = withPersons();
    const reads = [watch(one.fetch$()), watch(other.fetch$())];

    server.at(0).ok({ name: 'Bo' });

    expect(server.lines).toStrictEqual(['GET /person/7']);
    expect([one.name.value, other.name.value]).toStrictEqual(['Bo', 'Bo']);
    expect(reads.map(({ isComplete }) => isComplete)).toStrictEqual([true, true]);
  });

  it('are each answered with a Response of their own, with the url', async () => {
    const { server, one, other } = withPersons();
    const reads = [watch(one.fetch$()), watch(other.fetch$())];
    const answer = Response.json({ name: 'Bo' }, { status: 203, headers: { etag: '"1"' } });
    Object.defineProperty(answer, 'url', { value: 'http://api.test/person/7' });

    server.at(0).respond(answer);

    await vi.waitFor(() => {
      expect(reads.flatMap(({ responses }) => responses)).toHaveLength(2);
    });
    for (const { responses } of reads) {
      const [response] = responses;
      expect(response).toMatchObject({ ok: true, status: 203, url: 'http://api.test/person/7' });
      expect(response?.headers.get('etag')).toBe('"1"');
      await expect(response?.json()).resolves.toStrictEqual({ name: 'Bo' });
    }
  });

  it('are each answered with data of their own', () => {
    const { server, root } = withPersons();
    const articles = [1, 2].map(() => {
      const tags = lib.observable<string[]>([]);
      const id = lib.observable(1);
      const article = root.dataModel.boot({}, { url: '/article' });
      id.map('id', article);
      tags.map('tags', article);
      watch(article.fetch$());
      return tags;
    });

    server.at(0).ok({ tags: ['new'] });
    articles[0]?.value.push('changed');

    expect(articles.map(({ value }) => value)).toStrictEqual([['new', 'changed'], ['new']]);
  });

  it('share what an interceptor behind has made of their data, such as an instance of a class', () => {
    class Money {
      readonly cents = 5;
      readonly show = () => this.cents;
    }
    const revive: Interceptor = (request, next) =>
      next(request).pipe(
        map((exchange) => ({ ...exchange, body: { name: new Money(), tags: [null, 'x'] } })),
      );
    const server = new StubServer();
    const root = createLib({ transport: server.transport, interceptors: [dedupe(), revive] });
    const people = [new Person(root, {}, {}), new Person(root, {}, {})];
    for (const person of people) watch(person.fetch$());

    server.at(0).ok({});

    expect(people.map(({ name }) => (name.value as unknown) instanceof Money)).toStrictEqual([true, true]);
  });

  it('share the answer itself if it cannot be copied: a stand-in, or one already read', async () => {
    const standIn = { ok: true, status: 200, json: () => Promise.resolve({ name: 'Bo' }) };
    const used = Response.json({ name: 'Bo' });
    await used.json();
    for (const [response, body] of [
      [standIn as Response, undefined],
      [used, { name: 'Bo' }],
    ] as const) {
      const transport: Transport = (request) => of({ request, response, body }).pipe(delay(0));
      const root = createLib({ transport, interceptors: [dedupe()] });
      const people = [new Person(root, {}, {}), new Person(root, {}, {})];

      const responses = await Promise.all(people.map((person) => person.fetch()));

      expect(responses).toStrictEqual([response, response]);
      expect(people.map(({ name }) => name.value)).toStrictEqual(['Bo', 'Bo']);
    }
  });

  it('are all refused', async () => {
    const { server, one, other } = withPersons();
    const reads = [watch(one.fetch$()), watch(other.fetch$())];
    server.at(0).refuse(404, 'gone');
    for (const { responses } of reads) {
      expect(responses[0]?.status).toBe(404);
      await expect(responses[0]?.json()).resolves.toBe('gone');
    }
  });

  it('all fail', () => {
    const { server, one, other } = withPersons();
    const reads = [watch(one.fetch$()), watch(other.fetch$())];
    const failure = new TypeError('fetch failed');
    server.at(0).fail(failure);
    expect(reads.map(({ error }) => error)).toStrictEqual([failure, failure]);
  });

  it('are sent anew once answered, even if asked for during the answer', () => {
    const { server, one, other } = withPersons();
    watch(one.fetch$());
    one.name.subscribe((name) => {
      if (name === 'Bo') watch(other.fetch$());
    });

    server.at(0).ok({ name: 'Bo' });
    server.at(1).ok({ name: 'Cy' });
    watch(one.fetch$());

    expect(server.held).toHaveLength(3);
    expect(other.name.value).toBe('Cy');
  });

  it('are sent anew after a failure, even if asked for during it', () => {
    const { server, one, other } = withPersons();
    one.fetch$().subscribe({ error: () => watch(other.fetch$()) });
    server.at(0).fail(new TypeError('fetch failed'));
    watch(one.fetch$());
    expect(server.held).toHaveLength(2);
    server.at(1).ok({ name: 'Cy' });
    expect([one.name.value, other.name.value]).toStrictEqual(['Cy', 'Cy']);
  });

  it.each<[string, (write: Held) => void]>([
    ['is accepted', (write) => write.ok()],
    ['is refused', (write) => write.refuse(409)],
    ['fails, though the server may have accepted it', (write) => write.fail(new TypeError('network'))],
  ])('are sent anew once a write %s, since earlier answers may be stale', (_how, end) => {
    const { server, one } = withPersons();
    watch(one.fetch$());
    watch(one.save$());

    end(server.at(1));
    watch(one.fetch$());

    expect(server.lines).toStrictEqual(['GET /person/7', 'PUT /person/7', 'GET /person/7']);
  });

  it('are sent anew if asked for as a write fails', () => {
    const { server, one } = withPersons();
    watch(one.fetch$());
    one.save$().subscribe({ error: () => watch(one.fetch$()) });

    server.at(1).fail(new TypeError('network'));

    expect(server.held).toHaveLength(3);
  });

  it('are sent anew once a write is unsubscribed, which the server may have accepted', () => {
    const { server, one } = withPersons();
    watch(one.fetch$());
    one.save$().subscribe().unsubscribe();

    watch(one.fetch$());

    expect(server.held).toHaveLength(3);
  });

  it('are sent anew if asked for as a write is answered', () => {
    const { server, one, other } = withPersons();
    watch(one.fetch$());
    watch(other.save$());
    other.name.subscribe((name) => {
      if (name === 'Bo') watch(other.fetch$());
    });

    server.at(1).ok({ name: 'Bo' });

    expect(server.lines).toStrictEqual(['GET /person/7', 'PUT /person/7', 'GET /person/7']);
  });

  it('may use the method HEAD', () => {
    const { server, one, other } = withPersons();
    for (const person of [one, other]) watch(person.fetch$({ method: 'HEAD' }));
    expect(server.lines).toStrictEqual(['HEAD /person/7']);
  });

  it('may have options and headers in any order', () => {
    const { server, one, other } = withPersons();
    watch(one.fetch$({ cache: 'no-store', mode: 'cors', headers: { b: '1', a: '2' } }));
    watch(other.fetch$({ mode: 'cors', cache: 'no-store', headers: { a: '2', b: '1' } }));
    expect(server.held).toHaveLength(1);
  });

  it.each<[string, object, object]>([
    ['method', {}, { method: 'HEAD' }],
    ['header', { headers: { authorization: 'Bearer 1' } }, { headers: { authorization: 'Bearer 2' } }],
    ['set of headers', {}, { headers: { accept: 'text/plain' } }],
    ['credentials', { credentials: 'omit' }, { credentials: 'include' }],
    ['cache', {}, { cache: 'no-store' }],
    ['option of an environment', { next: { revalidate: 1 } }, { next: { revalidate: 1 } }],
  ])('exclude those that differ in their %s', (_name, a, b) => {
    const { server, one, other } = withPersons();
    watch(one.fetch$(a));
    watch(other.fetch$(b));
    watch(one.fetch$(a));
    expect(server.held).toHaveLength(2);
  });

  it('exclude those that differ in their url', () => {
    const { server, one, other } = withPersons();
    other.id.next(8);
    watch(one.fetch$());
    watch(other.fetch$());
    expect(server.held).toHaveLength(2);
  });
});

describe('sharing', () => {
  it('excludes writes, whatever their method', () => {
    const { server, one, other } = withPersons();
    for (const person of [one, other]) watch(person.save$());
    for (const person of [one, other]) watch(person.save$({ method: 'GET' }));
    expect(server.lines).toStrictEqual(['PUT /person/7', 'PUT /person/7']);
    server.at(0).ok();
    server.at(1).ok();
    expect(server.lines.slice(2)).toStrictEqual(['GET /person/7', 'GET /person/7']);
  });

  it('excludes writes with the method of a read, even of each other', () => {
    const { server, one, other } = withPersons();
    for (const person of [one, other]) watch(person.save$({ method: 'GET' }));
    expect(server.held).toHaveLength(2);
  });

  it('excludes reads with other methods', () => {
    const { server, one, other } = withPersons();
    for (const person of [one, other]) watch(person.fetch$({ method: 'POST', body: '{}' }));
    expect(server.held).toHaveLength(2);
  });

  it('passes on the answer itself once all others have left', () => {
    const { server, one, other } = withPersons();
    const left = watch(other.fetch$());
    const { responses } = watch(one.fetch$());
    left.subscription.unsubscribe();
    const answer = new Response(null, { status: 404 });
    server.at(0).respond(answer);
    expect(responses[0]).toBe(answer);
  });
});

describe('unsubscribing', () => {
  it('ends a read for that caller only, even the one that began it', () => {
    const { server, one, other } = withPersons();
    const { subscription } = watch(one.fetch$());
    const { responses } = watch(other.fetch$());

    subscription.unsubscribe();

    expect({ isAborted: server.at(0).request.signal.aborted, isClosed: server.at(0).isClosed }).toStrictEqual(
      {
        isAborted: false,
        isClosed: false,
      },
    );
    server.at(0).ok({ name: 'Bo' });
    expect([one.name.value, other.name.value]).toStrictEqual(['Ann', 'Bo']);
    expect(responses).toHaveLength(1);
  });

  it('by a signal ends it for that caller only', () => {
    const { server, one, other } = withPersons();
    const abort = new AbortController();
    const left = watch(one.fetch$({ signal: abort.signal }));
    watch(other.fetch$());
    abort.abort('enough');
    server.at(0).ok({ name: 'Bo' });
    expect({ left: left.error, name: other.name.value }).toStrictEqual({ left: 'enough', name: 'Bo' });
  });

  it('aborts the request when no subscriber is left, and the next read is sent anew', () => {
    const { server, one, other } = withPersons();
    const reads = [watch(one.fetch$()), watch(other.fetch$())];
    for (const { subscription } of reads) subscription.unsubscribe();
    expect({ isAborted: server.at(0).request.signal.aborted, isClosed: server.at(0).isClosed }).toStrictEqual(
      {
        isAborted: true,
        isClosed: true,
      },
    );
    watch(one.fetch$());
    expect(server.held).toHaveLength(2);
    expect(server.at(1).request.signal.aborted).toBe(false);
  });

  it('aborts the signal that inner interceptors received when no subscriber is left', () => {
    const signals: AbortSignal[] = [];
    const behind: Interceptor = ({ signal }) => {
      signals.push(signal);
      return NEVER;
    };
    const root = createLib({ interceptors: [dedupe(), behind] });
    const reads = [1, 2].map(() => watch(new Person(root, {}, {}).fetch$()));
    reads[0]?.subscription.unsubscribe();
    const isAborted = signals.map(({ aborted }) => aborted);
    reads[1]?.subscription.unsubscribe();
    expect([isAborted, signals.map(({ aborted }) => aborted)]).toStrictEqual([[false], [true]]);
  });

  it('on the answer leaves its body to the reader', () => {
    const early: Interceptor = (request, next) => next(request).pipe(take(1));
    const { server, one, other } = withPersons(early);
    for (const person of [one, other]) watch(person.fetch$());
    const { response } = slowAnswer(404);
    server.at(0).respond(response);
    expect(server.at(0).request.signal.aborted).toBe(false);
  });
});

describe('the body of an answer', () => {
  it('is cancelled once all who share it have cancelled', async () => {
    const { server, one, other } = withPersons();
    const reads = [watch(one.fetch$()), watch(other.fetch$())];
    const { response, cancel } = slowAnswer(404);
    server.at(0).respond(response);

    const [first, second] = reads.map(({ responses }) => responses[0]?.body);
    // The promise of one copy is fulfilled only once all are cancelled.
    first?.cancel().catch(() => undefined);
    await Promise.resolve();
    expect(cancel).not.toHaveBeenCalled();
    await second?.cancel();
    expect(cancel).toHaveBeenCalledOnce();
  });

  it('stays unread for a single subscriber', () => {
    const { server, one, other } = withPersons();
    watch(other.fetch$()).subscription.unsubscribe();
    watch(one.fetch$());
    const { response, cancel } = slowAnswer(404);
    server.at(1).respond(response);
    expect(cancel).not.toHaveBeenCalled();
    expect(response.bodyUsed).toBe(false);
  });
});

describe('shared data', () => {
  it('may refer to itself, have a key named __proto__, or have no prototype', () => {
    const body = JSON.parse('{"name":"Bo","address":{"__proto__":1}}') as { address: object; self?: unknown };
    body.self = body;
    const bare = Object.assign(Object.create(null) as object, { a: 1 });
    const data = { ...body, bare, list: [bare] };
    const linked: Interceptor = (request, next) =>
      next(request).pipe(map((exchange) => ({ ...exchange, body: data })));
    const bodies: Record<string, unknown>[] = [];
    const outer: Interceptor = (request, next) =>
      next(request).pipe(tap((exchange) => bodies.push(exchange.body as Record<string, unknown>)));
    const server = new StubServer();
    const root = createLib({ transport: server.transport, interceptors: [outer, dedupe(), linked] });
    const reads = [1, 2].map(() => watch(new Person(root, {}, {}).fetch$()));
    server.at(0).ok({});

    expect(reads.map(({ error }) => error)).toStrictEqual([undefined, undefined]);
    const [one, other] = bodies;
    expect(one?.self).not.toBe(other?.self);
    expect([one?.list, Object.keys(one?.address as object)]).toEqual([[{ a: 1 }], ['__proto__']]);
    expect((one?.list as object[])[0]).toBe(one?.bare);
  });
});

describe('reads of different roots', () => {
  it('share no answer, which may be for another user', () => {
    const server = new StubServer();
    const options = { transport: server.transport, interceptors: [dedupe()] };
    const people = [1, 2].map(() => new Person(createLib(options), {}, {}));
    for (const person of people) watch(person.fetch$());
    server.at(0).ok({ name: 'Bo' });
    server.at(1).ok({ name: 'Eve' });

    expect(people.map(({ name }) => name.value)).toStrictEqual(['Bo', 'Eve']);
  });
});

import { NEVER, of, retry, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { RequestError, ok } from 'rivulet';

import { withPerson } from './person';
import { marbles } from './virtual-time';
import { watch } from './watch';

describe('ok', () => {
  it('turns a refused answer into a failure', () => {
    const { person, server } = withPerson();
    const saved = watch(person.save$().pipe(ok()));

    server.at(0).refuse(409);

    expect(saved).toMatchObject({
      responses: [],
      error: { name: 'RequestError', code: 'HTTP', response: { status: 409 } },
    });
  });

  it('fails with the same error that error$ holds', () => {
    const { person, server } = withPerson();
    const saved = watch(person.save$().pipe(ok()));

    server.at(0).refuse(409);

    expect(saved.error).toBe(person.error$.value);
    expect(saved.error).toMatchObject({ action: 'update' });
  });

  it('states the action of each request that the same answer refuses', () => {
    const { root, person } = withPerson();
    const response = new Response(null, { status: 409 });
    root.sync = () => response;

    const actions = [person.fetch$(), person.save$()].map(
      (request$) => (watch(request$.pipe(ok())).error as RequestError).action,
    );

    expect(actions).toStrictEqual(['read', 'update']);
  });

  it('lets an ok answer pass', () => {
    const { person, server } = withPerson();
    const saved = watch(person.save$().pipe(ok()));

    server.at(0).ok();

    expect(saved).toMatchObject({ responses: [{ status: 204 }], error: undefined, isComplete: true });
  });

  it('passes on the same response', () => {
    const response = Response.json({});

    expect(watch(of(response).pipe(ok())).responses[0]).toBe(response);
  });

  it('fails with an error that carries the same response and states its status', () => {
    const response = new Response('taken', { status: 409, statusText: 'Conflict' });

    const { error } = watch(of(response).pipe(ok()));

    expect(error).toBeInstanceOf(RequestError);
    expect((error as RequestError).response).toBe(response);
    expect(error).toMatchObject({ message: 'the server answered 409 Conflict', action: undefined });
  });

  it('leaves the body of a refused answer to the caller', async () => {
    const { error } = watch(of(new Response('taken', { status: 409 })).pipe(ok()));

    expect(await (error as RequestError).response?.text()).toBe('taken');
  });

  it('passes on a failure of the stream unchanged', () => {
    const failure = new TypeError('network');

    expect(watch(throwError(() => failure).pipe(ok())).error).toBe(failure);
  });

  it('follows the timing of its source: one, many, none, never, unsubscription', () => {
    const [yes, no] = [new Response(), Response.error()];
    marbles(({ hot, cold, expectObservable, expectSubscriptions }) => {
      const source$ = hot('-y-y-n-y-|', { y: yes, n: no });

      expectObservable(source$.pipe(ok()), '^---!').toBe('-y-y', { y: yes });
      expectObservable(cold<Response>('--|').pipe(ok())).toBe('--|');
      expectObservable(NEVER.pipe(ok())).toBe('-');
      expectSubscriptions(source$.subscriptions).toBe('^---!');
    });
  });

  it('ends the stream at the first refused answer', () => {
    const source$ = of(new Response(), new Response(null, { status: 500 }), new Response());

    expect(watch(source$.pipe(ok()))).toMatchObject({
      responses: [{ status: 200 }],
      error: { code: 'HTTP' },
    });
  });

  it('lets retry send a refused request again', () => {
    const { person, server } = withPerson();
    const saved = watch(person.save$().pipe(ok(), retry(1)));

    server.at(0).refuse(503);
    server.at(1).ok();

    expect({ lines: server.lines, statuses: saved.responses.map(({ status }) => status) }).toStrictEqual({
      lines: ['PUT /person/7', 'PUT /person/7'],
      statuses: [204],
    });
  });

  it('leaves the failure in error$ as the record reported it', () => {
    const { person, server } = withPerson();
    const saved = watch(person.save$().pipe(ok()));

    server.at(0).refuse(409);

    expect(person.error$.value).toMatchObject({ code: 'HTTP', action: 'update' });
    expect((person.error$.value as RequestError).response).toBe((saved.error as RequestError).response);
  });
});

import {
  EMPTY,
  NEVER,
  Observable,
  VirtualTimeScheduler,
  concatMap,
  defer,
  finalize,
  from,
  map,
  retry,
  switchMap,
  tap,
  throwError,
  timer,
} from 'rxjs';
import type { UnsubscriptionError } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { ok } from 'rivulet';
import type { Around, Concern, DataModel, LibOptions } from 'rivulet';

import { raise } from '../hostile';
import { Person, withPerson } from '../person';
import type { StubServer } from '../stub';
import { unhandledOf } from '../unhandled';
import { advance } from '../virtual-time';
import { watch } from '../watch';
import type { Watched } from '../watch';

describe('around', () => {
  it('is called when a request begins, with its action and record', () => {
    const around = vi.fn((request$: Observable<Response>) => request$);
    const { person, server } = withPerson({ options: { around } });

    watch(person.fetch$());
    server.at(0).ok({ id: 7 });

    expect(around).toHaveBeenCalledExactlyOnceWith(expect.any(Observable), {
      action: 'read',
      concern: person,
      isWritten: true,
      whenWritten: expect.any(Function) as unknown,
    });
  });

  it('receives isWritten false as long as there is no answer', () => {
    const told: boolean[] = [];
    const around: Around = (request$, context) => {
      told.push(context.isWritten);
      return request$;
    };
    const { person, server } = withPerson({ options: { around } });

    watch(person.fetch$());
    server.at(0).ok({ id: 7 });

    expect(told).toStrictEqual([false]);
  });

  /** A person, and whether each answer was reported as written. */
  const withTold = () => {
    const told: boolean[] = [];
    const around: Around = (request$, context) =>
      request$.pipe(
        tap(() => {
          told.push(context.isWritten);
        }),
      );
    return { told, ...withPerson({ options: { around } }) };
  };

  it.each<[string, boolean, (server: StubServer, person: Person) => void]>([
    ['an answer with data', true, (server) => server.at(0).ok({ id: 7 })],
    ['an answer without data', true, (server) => server.at(0).ok()],
    ['a refused answer', false, (server) => server.at(0).refuse(404)],
    [
      'an answer that a newer read has overtaken',
      false,
      (server, person) => {
        watch(person.fetch$());
        server.at(1).ok({ id: 7 });
        server.at(0).ok({ id: 7 });
      },
    ],
    [
      'an answer with an older value of a field that was set in the meantime',
      false,
      (server, person) => {
        person.set({ name: 'Newer' });
        server.at(0).ok({ id: 7, name: 'Older' });
      },
    ],
    [
      'an answer for an id other than the one shown',
      false,
      (server, person) => {
        person.id.next(8);
        server.at(0).ok({ id: 7 });
      },
    ],
  ])('receives with the response whether it was written: %s', (_, isWritten, answer) => {
    const { told, person, server } = withTold();

    watch(person.fetch$());
    answer(server, person);

    expect(told.at(-1)).toBe(isWritten);
  });

  it('receives this for the last answer when it asks again', () => {
    const told: boolean[] = [];
    const around: Around = (request$, context) =>
      request$.pipe(
        concatMap(() => request$),
        tap(() => told.push(context.isWritten)),
      );
    const { person, server } = withPerson({ options: { around } });

    watch(person.fetch$());
    server.at(0).ok({ id: 7 });
    server.at(1).refuse(500);

    expect(told).toStrictEqual([false]);
  });

  it('receives isWritten false for an answer overtaken during its notification', () => {
    const { told, person, server } = withTold();
    person.name.subscribe((name) => {
      if (name !== 'Older') return;
      watch(person.fetch$());
      server.at(1).ok({ id: 7, name: 'Newer' });
    });

    watch(person.fetch$());
    server.at(0).ok({ id: 7, name: 'Older' });

    expect([person.name.value, told]).toStrictEqual(['Newer', [true, false]]);
  });

  it('can be told when the answer was written, before its subscribers are', () => {
    const log: unknown[] = [];
    const around: Around = (request$, context) => {
      context.whenWritten(({ status }) => log.push([context.isWritten, status, person.name.value]));
      context.whenWritten(() => log.push('and again'));
      return request$;
    };
    const { person, server } = withPerson({ options: { around } });
    person.name.subscribe((name) => log.push(name));
    watch(person.fetch$());
    server.at(0).ok({ id: 7, name: 'Eve' });
    watch(person.fetch$());
    server.at(1).refuse(500);

    expect(log).toStrictEqual(['Ann', [true, 200, 'Eve'], 'and again', 'Eve']);
  });

  it('is not told of an answer that is older than another', () => {
    const tell = vi.fn();
    const around: Around = (request$, context) => {
      context.whenWritten(tell);
      return request$;
    };
    const { person, server } = withPerson({ options: { around } });
    watch(person.fetch$());
    watch(person.fetch$());
    server.at(1).ok({ id: 7, name: 'Newer' });
    server.at(0).ok({ id: 7, name: 'Older' });

    expect(tell).toHaveBeenCalledOnce();
  });

  it('receives isWritten false for the answer to a save of an id no longer shown', () => {
    const { told, person, server } = withTold();

    watch(person.save$());
    person.id.next(8);
    server.at(0).ok({ id: 7 });

    expect(told).toStrictEqual([false]);
  });

  it.each(['save$', 'fetch$', 'destroy$'] as const)(
    'may end the request, which then is not sent, by its signal or by disposal: %s',
    (method) => {
      for (const isDisposed of [false, true]) {
        const controller = new AbortController();
        const around: Around = (request$) => {
          if (isDisposed) person.dispose();
          else controller.abort();
          return request$;
        };
        const { person, server } = withPerson({ options: { around } });

        const { error } = watch(person[method]({ signal: controller.signal }));

        expect(error).toMatchObject(isDisposed ? { code: 'DISPOSED' } : { name: 'AbortError' });
        expect([server.sent, person.id.value]).toStrictEqual([[], 7]);
      }
    },
  );

  it.each(['a transport', 'an interceptor'])('is not alone in that: so may %s', (maker) => {
    const controller = new AbortController();
    let begun = 0;
    const make = () => {
      controller.abort();
      return defer(() => {
        begun += 1;
        return NEVER;
      });
    };
    const { person } = withPerson({
      options: maker === 'a transport' ? { transport: make } : { interceptors: [make] },
    });

    const { error } = watch(person.fetch$({ signal: controller.signal }));

    expect([error, begun]).toMatchObject([{ name: 'AbortError' }, 0]);
  });

  it('is called for a write when its turn has come', () => {
    const actions: string[] = [];
    const around: Around = (request$, { action }) => {
      actions.push(action);
      return request$;
    };
    const { person, server } = withPerson({ options: { around }, values: { id: undefined } });

    watch(person.save$());
    watch(person.save$());
    expect(actions).toStrictEqual(['create']);

    server.at(0).ok({ id: 7 });
    expect(actions).toStrictEqual(['create', 'update']);
  });

  it('sees a request end after the answer was written', () => {
    const names: string[] = [];
    const around: Around = (request$) => request$.pipe(finalize(() => names.push(person.name.value)));
    const { person, server } = withPerson({ options: { around } });

    watch(person.fetch$());
    server.at(0).ok({ id: 7, name: 'Bo' });

    expect(names).toStrictEqual(['Bo']);
  });

  it('sees a request that is given up', () => {
    const ended = vi.fn();
    const { person } = withPerson({ options: { around: (request$) => request$.pipe(finalize(ended)) } });

    watch(person.fetch$()).subscription.unsubscribe();

    expect(ended).toHaveBeenCalledOnce();
  });

  it('that asks again keeps data set during the second request', () => {
    const around: Around = (request$) =>
      request$.pipe(concatMap((response) => (response.ok ? [response] : request$)));
    const { person, server } = withPerson({ options: { around } });
    person.name.next('Bo');
    watch(person.save$({ patch: true }));
    server.at(0).refuse(409);

    person.set({ address: { city: 'Rome' } });
    server.at(1).ok({ id: 7, name: 'Bo', address: { city: 'Bonn' } });

    expect([person.city.value, person.isDirty$.value]).toStrictEqual(['Rome', false]);
  });

  it('may ask again', () => {
    const { person, server } = withPerson({ options: { around: (request$) => request$.pipe(retry(1)) } });

    const watched = watch(person.save$());
    server.at(0).fail(new TypeError('offline'));
    server.at(1).ok({ id: 7, name: 'Bo' });

    expect([watched.isComplete, person.name.value, person.error$.value]).toStrictEqual([true, 'Bo', null]);
  });

  it.each<[string, Around]>([
    ['throws', () => raise(new Error('around'))],
    ['fails', () => throwError(() => new Error('around'))],
  ])('that %s fails the request, also in error$, and the flags fall', (_how, around) => {
    const { person, server } = withPerson({ options: { around } });

    const watched = watch(person.save$());

    expect([watched.error, person.error$.value]).toStrictEqual([new Error('around'), new Error('around')]);
    expect([server.sent, person.requestInProgress$.value]).toStrictEqual([[], false]);
  });

  it.each<[string, unknown]>([
    ['ends without an answer', EMPTY],
    ['returns nothing', undefined],
    ['returns null', null],
    ['returns no stream', {}],
  ])('that %s fails the request with BAD_OPTION, also in error$', (_how, given) => {
    const { person } = withPerson({ options: { around: () => given as never } });

    const watched = watch(person.save$());

    expect(watched.error).toMatchObject({ code: 'BAD_OPTION', action: 'update' });
    expect(person.error$.value).toBe(watched.error);
  });

  it.each<[string, (person: Person, abort: AbortController, watched: Watched) => void, unknown]>([
    [
      'disposal',
      (person) => {
        person.dispose();
      },
      expect.objectContaining({ code: 'DISPOSED' }),
    ],
    [
      'the signal',
      (_, abort) => {
        abort.abort('enough');
      },
      'enough',
    ],
    [
      'unsubscribing',
      (_, __, { subscription }) => {
        subscription.unsubscribe();
      },
      undefined,
    ],
  ])('that waits to ask again is ended by %s, and does not ask again', (_by, end, error) => {
    const scheduler = new VirtualTimeScheduler();
    const around: Around = (request$) => request$.pipe(ok(), retry({ delay: () => timer(20, scheduler) }));
    const { person, server } = withPerson({ options: { around } });
    const abort = new AbortController();
    const watched = watch(person.save$({ signal: abort.signal }));
    server.at(0).refuse(503);

    end(person, abort, watched);
    advance(scheduler, 100);

    expect([server.lines, watched.error, person.isSaving$.value]).toStrictEqual([
      ['PUT /person/7'],
      error,
      false,
    ]);
  });

  it('that has asked again aborts the second request on unsubscribing', () => {
    const { person, server } = withPerson({
      options: { around: (request$) => request$.pipe(ok(), retry(1)) },
    });
    const { subscription } = watch(person.save$());
    server.at(0).refuse(503);

    subscription.unsubscribe();

    expect(server.held.map(({ request }) => request.signal.aborted)).toStrictEqual([false, true]);
  });

  it.each<[string, (server: StubServer) => void]>([
    ['accepted', (server) => server.at(0).ok()],
    ['refused', (server) => server.at(0).refuse(409)],
  ])('may read the record once its save was %s, while others wait', (_how, answer) => {
    const around: Around = (request$, { action, concern }) =>
      action === 'read'
        ? request$
        : request$.pipe(
            switchMap((response) =>
              (concern as Concern & Pick<DataModel, 'fetch$'>).fetch$().pipe(map(() => response)),
            ),
          );
    const { person, server } = withPerson({ options: { around } });
    const saves = [watch(person.save$()), watch(person.save$())];

    answer(server);
    server.at(1).ok({ id: 7, name: 'Read' });

    expect([saves.map(({ isComplete }) => isComplete), person.name.value, server.lines]).toStrictEqual([
      [true, false],
      'Read',
      ['PUT /person/7', 'GET /person/7', 'PUT /person/7'],
    ]);
  });

  it('that withholds the response is ended by disposal', () => {
    const { person, server } = withPerson({
      options: { around: (request$) => request$.pipe(switchMap(() => NEVER)) },
    });
    const watched = watch(person.save$());
    server.at(0).ok();

    person.dispose();

    expect(watched.error).toMatchObject({ code: 'DISPOSED' });
  });

  it('is ended by disposal even if it never ends', () => {
    const { person } = withPerson({ options: { around: () => NEVER } });

    const watched = watch(person.fetch$());
    person.dispose();

    expect(watched.error).toMatchObject({ code: 'DISPOSED' });
  });
});

describe('a teardown that throws', () => {
  const teardown = new Error('teardown');
  const failing = <T>(source$: Observable<T>) => source$.pipe(finalize(() => raise(teardown)));
  /** The errors thrown on unsubscribing, as reported. */
  const toldOf = (run: () => void) =>
    unhandledOf(run).flatMap((error) => (error as UnsubscriptionError).errors as unknown[]);

  const places: [string, (server: StubServer) => LibOptions][] = [
    ['a transport', (server) => ({ transport: (request) => failing(server.transport(request)) })],
    ['an interceptor', () => ({ interceptors: [(request, next) => failing(next(request))] })],
    ['around', () => ({ around: failing })],
  ];
  const ends: [string, (request: Watched, abort: AbortController, server: StubServer) => void][] = [
    [
      'unsubscribing',
      ({ subscription }) => {
        subscription.unsubscribe();
      },
    ],
    [
      'an abort',
      (_request, abort) => {
        abort.abort();
      },
    ],
    ['success', (_request, _abort, server) => server.at(0).ok({ name: 'Bo' })],
    ['a refusal', (_request, _abort, server) => server.at(0).refuse(409)],
    ['a failure', (_request, _abort, server) => server.at(0).fail(new Error('network'))],
  ];

  it.each(places.flatMap(([place, make]) => ends.map(([end, act]) => [place, end, make, act] as const)))(
    'in %s, ended by %s, leaves no flag up and no write waiting, and is reported as unhandled',
    (_place, _end, make, act) => {
      const { person, root, server } = withPerson();
      root.options = { ...root.options, ...make(server) };
      const abort = new AbortController();
      const told = toldOf(() => {
        act(watch(person.save$({ signal: abort.signal })), abort, server);
      });
      const flag = person.requestInProgress$.value;
      root.options = { transport: server.transport };

      const next = watch(person.save$());
      server.held.at(-1)?.ok({ name: 'Cy' });

      expect([flag, person.requestInProgress$.value]).toStrictEqual([false, false]);
      expect(next.isComplete).toBe(true);
      expect(person.name.value).toBe('Cy');
      expect(told).toStrictEqual([teardown]);
    },
  );

  it('in the stream of a sync leaves no flag up and no write waiting', () => {
    const { person, root, server } = withPerson();
    person.sync = (...args) => failing(from(root.sync(...args) as Observable<unknown>));
    const saves = [watch(person.save$()), watch(person.save$())];

    const told = toldOf(() => {
      server.at(0).ok();
      server.at(1).ok();
    });

    expect(saves).toMatchObject([{ isComplete: true }, { isComplete: true }]);
    expect(person.requestInProgress$.value).toBe(false);
    expect(told).toStrictEqual([teardown, teardown]);
  });

  it('hides neither the failure of a request nor the reason of its abort', () => {
    const { person, server } = withPerson({
      options: { interceptors: [(request, next) => failing(next(request))] },
    });
    const [abort, reason, failure] = [new AbortController(), new Error('enough'), new Error('network')];
    const aborted = watch(person.fetch$({ signal: abort.signal }));
    const failed = watch(person.fetch$());
    const told = toldOf(() => {
      abort.abort(reason);
      server.at(1).fail(failure);
    });

    expect([aborted.error, failed.error, person.error$.value]).toStrictEqual([reason, failure, failure]);
    expect(told).toStrictEqual([teardown, teardown]);
  });
});

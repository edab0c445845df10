import { NEVER, Subject, VirtualTimeScheduler, lastValueFrom, map, retry, skip, takeUntil, tap } from 'rxjs';
import type { Observable } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';
import { describe, expect, it, vi } from 'vitest';

import { RequestError, createLib } from 'rivulet';
import type { Collection, CollectionConfig, DataModelConfig, Exchange, Sync } from 'rivulet';

import { resourceOf } from '../lib/resource';

import { raise } from './hostile';
import { ann, withPeople } from './people';
import type { Item } from './people';
import { withPerson } from './person';
import type { Person } from './person';
import type { Held, StubServer } from './stub';
import { advance } from './virtual-time';
import { valuesOf, watch } from './watch';
import type { Watched } from './watch';

describe('flags of a record', () => {
  const flagsOf = (person: Person) => ({
    isCreating: person.isCreating$.value,
    isReading: person.isReading$.value,
    isUpdating: person.isUpdating$.value,
    isDeleting: person.isDeleting$.value,
    isSaving: person.isSaving$.value,
    requestInProgress: person.requestInProgress$.value,
  });

  const down = {
    isCreating: false,
    isReading: false,
    isUpdating: false,
    isDeleting: false,
    isSaving: false,
    requestInProgress: false,
  };

  const during: [string, 'save$' | 'fetch$' | 'destroy$', unknown, Partial<typeof down>][] = [
    ['a create', 'save$', undefined, { isCreating: true, isSaving: true, requestInProgress: true }],
    ['a read', 'fetch$', 7, { isReading: true, requestInProgress: true }],
    ['an update', 'save$', 7, { isUpdating: true, isSaving: true, requestInProgress: true }],
    ['a delete', 'destroy$', 7, { isDeleting: true, requestInProgress: true }],
  ];

  it.each(during)('are true during %s, and no others', (_name, method, id, up) => {
    const { person } = withPerson({ values: { id } });

    watch(person[method]());

    expect(flagsOf(person)).toStrictEqual({ ...down, ...up });
  });

  it.each(during)('are true when %s reaches the transport', (_name, method, id, up) => {
    const { root, person } = withPerson({ values: { id } });
    let seen: unknown;
    root.options.transport = () => {
      seen = flagsOf(person);
      return NEVER;
    };

    watch(person[method]());

    expect(seen).toStrictEqual({ ...down, ...up });
  });

  it.each(during)('are false after %s has succeeded', (_name, method, id) => {
    const { person, server } = withPerson({ values: { id } });
    watch(person[method]());

    server.at(0).ok();

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are false after %s was refused', (_name, method, id) => {
    const { person, server } = withPerson({ values: { id } });
    watch(person[method]());

    server.at(0).refuse(500);

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are false after %s has failed', (_name, method, id) => {
    const { person, server } = withPerson({ values: { id } });
    watch(person[method]());

    server.at(0).fail(new Error('network'));

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are false after %s was unsubscribed', (_name, method, id) => {
    const { person } = withPerson({ values: { id } });

    watch(person[method]()).subscription.unsubscribe();

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are false after %s was aborted', (_name, method, id) => {
    const { person } = withPerson({ values: { id } });
    const controller = new AbortController();
    watch(person[method]({ signal: controller.signal }));

    controller.abort();

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it.each(during)('are false after %s could not be sent', (_name, method, id) => {
    const { person } = withPerson({ config: { url: undefined }, values: { id } });

    watch(person[method]());

    expect(flagsOf(person)).toStrictEqual(down);
  });

  it('are true until the last of overlapping requests has ended', () => {
    const { person, server } = withPerson();
    const states = valuesOf(person.isReading$);
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(1).ok();
    const between = person.isReading$.value;
    server.at(0).ok();

    expect({ between, states }).toStrictEqual({ between: true, states: [false, true, false] });
  });

  it('fall after values, isDirty$ and the emission, and before completion and the promise', async () => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    const log: string[] = [];
    person.name.subscribe((name) => log.push(`name ${name}`));
    person.isDirty$.subscribe((is) => log.push(`isDirty ${String(is)}`));
    person.isUpdating$.subscribe((is) => log.push(`isUpdating ${String(is)}`));
    const done = lastValueFrom(
      person.save$().pipe(tap({ next: () => log.push('emission'), complete: () => log.push('completion') })),
    ).then(() => log.push('promise'));
    log.length = 0;

    server.at(0).ok({ name: 'Eve' });
    await done;

    expect(log).toStrictEqual([
      'name Eve',
      'isDirty false',
      'emission',
      'isUpdating false',
      'completion',
      'promise',
    ]);
  });

  it.each(['isUpdating$', 'isSaving$', 'requestInProgress$'] as const)(
    'fall after error$ is set: %s',
    (flag) => {
      const { person, server } = withPerson();
      const failure = new Error('network');
      const seen: unknown[] = [];
      watch(person.save$());
      person[flag].subscribe((is) => seen.push([is, person.error$.value]));

      server.at(0).fail(failure);

      expect(seen).toStrictEqual([
        [true, null],
        [false, failure],
      ]);
    },
  );

  it('fall before the failure is passed on', () => {
    const { person, server } = withPerson();
    let atError: boolean | undefined;
    person.fetch$().subscribe({
      error: () => {
        atError = person.isReading$.value;
      },
    });

    server.at(0).fail(new Error('network'));

    expect(atError).toBe(false);
  });

  it('are still true when the response is emitted', () => {
    const { person, server } = withPerson();
    let atEmission: boolean | undefined;
    person.fetch$().subscribe(() => {
      atEmission = person.isReading$.value;
    });

    server.at(0).ok();

    expect(atEmission).toBe(true);
  });

  it('requestInProgress$ stays true from one kind of request to the next', () => {
    const { person, server } = withPerson();
    const states = valuesOf(person.requestInProgress$);
    watch(person.fetch$());
    watch(person.save$());

    server.at(0).ok();
    server.at(1).ok();

    expect(states).toStrictEqual([false, true, false]);
  });
});

describe('flags of a record whose writes wait for each other', () => {
  it.each<['save$' | 'destroy$', 'isSaving$' | 'isDeleting$' | 'requestInProgress$']>([
    ['save$', 'isSaving$'],
    ['save$', 'requestInProgress$'],
    ['destroy$', 'isDeleting$'],
    ['destroy$', 'requestInProgress$'],
  ])('stay true from one %s to the next: %s', (method, flag) => {
    const { person, server } = withPerson();
    const states = valuesOf(person[flag]);
    watch(person[method]());
    watch(person[method]());

    server.at(0).refuse(500);
    server.at(1).refuse(500);

    expect(states).toStrictEqual([false, true, false]);
  });
});

describe('flags of a collection', () => {
  it('report reading', () => {
    const { people, server } = withPeople();
    const read = () => [people.isReading$.value, people.isCreating$.value, people.requestInProgress$.value];

    watch(people.fetch$());
    const during = read();
    server.at(0).ok([]);

    expect([during, read()]).toStrictEqual([
      [true, false, true],
      [false, false, false],
    ]);
  });

  it('report creating', () => {
    const { people, server } = withPeople();
    const read = () => [people.isReading$.value, people.isCreating$.value, people.requestInProgress$.value];

    watch(people.create$(ann));
    const during = read();
    server.at(0).ok();

    expect([during, read()]).toStrictEqual([
      [false, true, true],
      [false, false, false],
    ]);
  });

  it.each<[string, (held: Held, fetched: Watched) => void]>([
    ['refusal', (held) => held.refuse(500)],
    ['failure', (held) => held.fail(new Error('network'))],
    ['wrong shape', (held) => held.ok({})],
    [
      'unsubscription',
      (_held, fetched) => {
        fetched.subscription.unsubscribe();
      },
    ],
  ])('fall after a %s', (_name, end) => {
    const { people, server } = withPeople();
    const flips = valuesOf(people.isReading$);
    const fetched = watch(people.fetch$());

    end(server.at(0), fetched);

    expect(flips).toStrictEqual([false, true, false]);
  });
});

describe('requestLull of a record', () => {
  const lulled = (requestLull: DataModelConfig['requestLull'], id: unknown = 7) => {
    const scheduler = new VirtualTimeScheduler();
    return { ...withPerson({ options: { scheduler }, config: { requestLull }, values: { id } }), scheduler };
  };

  it('holds the flag but neither the data nor the end of the stream', () => {
    const { person, server, scheduler } = lulled(500);
    const fetched = watch(person.fetch$());
    server.at(0).ok({ name: 'Eve' });

    advance(scheduler, 499);
    const before = person.isReading$.value;
    advance(scheduler, 500);

    expect({
      before,
      after: person.isReading$.value,
      name: person.name.value,
      isComplete: fetched.isComplete,
    }).toStrictEqual({
      before: true,
      after: false,
      name: 'Eve',
      isComplete: true,
    });
  });

  it('does not hold the flag of a request that could not be made', () => {
    const { person } = withPerson({ config: { url: undefined, requestLull: 500 } });

    const failed = watch(person.fetch$());

    expect([failed.error, person.isReading$.value]).toMatchObject([{ code: 'NO_URL' }, false]);
  });

  it.each<[action: string, id: unknown, own: 'isCreating$' | 'isUpdating$']>([
    ['a create', null, 'isCreating$'],
    ['an update', 7, 'isUpdating$'],
  ])('holds every flag of %s', (_action, id, own) => {
    const { person, server, scheduler } = lulled(500, id);
    watch(person.save$());
    server.at(0).ok();
    const read = () => [person[own].value, person.isSaving$.value, person.requestInProgress$.value];

    advance(scheduler, 499);
    const before = read();
    advance(scheduler, 500);

    expect([before, read()]).toStrictEqual([
      [true, true, true],
      [false, false, false],
    ]);
  });

  it('holds the flag of a failed request too', () => {
    const { person, server, scheduler } = lulled(500);
    watch(person.fetch$());
    server.at(0).fail(new Error('network'));

    const before = person.isReading$.value;
    advance(scheduler, 500);

    expect([before, person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('adds nothing to a request that takes longer', () => {
    const { person, server, scheduler } = lulled(500);
    watch(person.fetch$());

    advance(scheduler, 600);
    server.at(0).ok();

    expect(person.isReading$.value).toBe(false);
  });

  it('of overlapping requests ends with the last', () => {
    const { person, server, scheduler } = lulled(500);
    watch(person.fetch$());
    advance(scheduler, 300);
    watch(person.fetch$());
    server.at(0).ok();
    server.at(1).ok();

    advance(scheduler, 799);
    const before = person.isReading$.value;
    advance(scheduler, 800);

    expect([before, person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('of an earlier request is not cut short by a shorter one', () => {
    const lulls = [500, 100];
    const { person, server, scheduler } = lulled(() => lulls.shift());
    watch(person.fetch$());
    watch(person.fetch$());
    server.at(0).ok();
    server.at(1).ok();

    advance(scheduler, 499);
    const before = person.isReading$.value;
    advance(scheduler, 500);

    expect([before, person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('keeps at most one timer per flag', () => {
    const { person, server, scheduler } = lulled(500);

    for (let turn = 0; turn < 5; turn += 1) {
      watch(person.fetch$());
      server.at(turn).ok();
    }

    expect(scheduler.actions).toHaveLength(1);
  });

  it.each([
    [0],
    [-5],
    [Number.NaN],
    [Infinity],
    [null],
    [undefined],
    [() => 0],
    [() => undefined],
    [() => -1],
  ])('of %o means no lull', (requestLull) => {
    const { person, server, scheduler } = lulled(requestLull as number);
    watch(person.fetch$());

    server.at(0).ok();

    expect([person.isReading$.value, scheduler.actions.length]).toStrictEqual([false, 0]);
  });

  it('callback receives the action, with the record as this, before the request is sent', () => {
    const requestLull = vi.fn(() => 100);
    const { root, person } = lulled(requestLull);
    let callsWhenSent = 0;
    root.options.transport = () => {
      callsWhenSent = requestLull.mock.calls.length;
      return NEVER;
    };

    watch(person.fetch$());

    expect({ calls: requestLull.mock.calls, callsWhenSent }).toStrictEqual({
      calls: [['read']],
      callsWhenSent: 1,
    });
    expect(requestLull.mock.contexts[0]).toBe(person);
  });

  it('callback that throws fails the request, and nothing is sent', () => {
    const failure = new Error('lull');
    const { person, server } = lulled(() => raise(failure));

    const { error } = watch(person.fetch$());

    expect(error).toBe(failure);
    expect([server.sent, person.isReading$.value]).toStrictEqual([[], false]);
  });

  it('that is longer than a timer can wait is cut to that limit', () => {
    const { person, server, scheduler } = lulled(1e12);
    watch(person.fetch$());
    server.at(0).ok();

    advance(scheduler, 2 ** 31 - 2);
    const before = person.isReading$.value;
    advance(scheduler, 2 ** 31 - 1);

    expect([before, person.isReading$.value]).toStrictEqual([true, false]);
  });

  it('ends with the record', () => {
    const { person, server, scheduler } = lulled(500);
    const states = valuesOf(person.isReading$);
    watch(person.fetch$());
    server.at(0).ok();

    person.dispose();

    expect({ states, timers: scheduler.actions.length }).toStrictEqual({
      states: [false, true, false],
      timers: 0,
    });
  });
});

describe('requestLull of a collection', () => {
  const lulled = (requestLull: CollectionConfig<Item>['requestLull']) => {
    const scheduler = new VirtualTimeScheduler();
    return { ...withPeople({ options: { scheduler }, config: { requestLull } }), scheduler };
  };

  it('holds the flag, not the data', () => {
    const { people, server, scheduler } = lulled(500);
    const fetched = watch(people.fetch$());
    server.at(0).ok([ann]);

    advance(scheduler, 499);
    const before = people.isReading$.value;
    advance(scheduler, 500);

    expect([before, people.isReading$.value, people.value, fetched.isComplete]).toStrictEqual([
      true,
      false,
      [ann],
      true,
    ]);
  });

  it('of overlapping requests ends when all have ended and every lull is over', () => {
    const { people, server, scheduler } = lulled(500);
    watch(people.fetch$());
    advance(scheduler, 300);
    watch(people.fetch$());
    server.at(0).ok([]);
    server.at(1).ok([]);

    advance(scheduler, 799);
    const before = people.isReading$.value;
    advance(scheduler, 800);

    expect([before, people.isReading$.value]).toStrictEqual([true, false]);
  });

  it('adds nothing to a request that takes longer', () => {
    const { people, server, scheduler } = lulled(500);
    watch(people.fetch$());

    advance(scheduler, 501);
    const during = people.isReading$.value;
    server.at(0).ok([]);

    expect([during, people.isReading$.value]).toStrictEqual([true, false]);
  });

  it('callback receives the action, with the collection as this, for each request', () => {
    const requestLull = vi.fn(() => 0);
    const { people } = lulled(requestLull);

    watch(people.fetch$());
    watch(people.create$(ann));

    expect(requestLull.mock.calls).toStrictEqual([['read'], ['create']]);
    expect(requestLull.mock.contexts).toStrictEqual([people, people]);
  });

  it('keeps at most one timer per flag', () => {
    const { people, server, scheduler } = lulled(500);

    for (let turn = 0; turn < 5; turn += 1) {
      watch(people.fetch$());
      server.at(turn).ok([]);
    }

    expect(scheduler.actions).toHaveLength(1);
  });

  it('lowers the flag in marble time, long after the data', () => {
    const scheduler = new TestScheduler((actual, expected) => {
      expect(actual).toStrictEqual(expected);
    });
    scheduler.run(({ cold, expectObservable }) => {
      const answer = { request: undefined as never, response: Response.json([ann]), body: [ann] };
      const transport = () => cold<Exchange>('-----(a|)', { a: answer });
      const { people } = withPeople({ options: { scheduler, transport }, config: { requestLull: 20 } });

      expectObservable(people.isReading$).toBe('(ft) 16ms f', { t: true, f: false });
      expectObservable(people.pipe(map(({ length }) => length))).toBe('n----m', { n: 0, m: 1 });
      expectObservable(people.fetch$().pipe(map(({ status }) => status))).toBe('-----(r|)', { r: 200 });
    });
  });
});

describe('error$ of a record', () => {
  it('emits a failure, and null after a success', () => {
    const { person, server } = withPerson();
    const errors = valuesOf(person.error$);
    const network = new TypeError('network');
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(0).fail(network);
    server.at(1).ok();

    expect(errors).toStrictEqual([null, network, null]);
  });

  it.each<[how: string, answer: (held: Held) => void, error: unknown]>([
    ['a success', (held) => held.ok(), null],
    ['a refusal', (held) => held.refuse(500), expect.any(RequestError)],
  ])('reflects %s before the response is emitted', (_how, answer, error) => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    server.at(0).fail(new TypeError('network'));
    const log: unknown[] = [];
    person.fetch$().subscribe(() => log.push('emission'));
    person.error$.pipe(skip(1)).subscribe((told) => log.push(told));

    answer(server.at(1));

    expect(log).toStrictEqual([error, 'emission']);
  });

  it('keeps a failure when an older request succeeds, until a newer one does', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    watch(person.fetch$());
    watch(person.fetch$());
    server.at(1).refuse(503);
    const failure = person.error$.value;
    const errors = valuesOf(person.error$);

    server.at(0).ok({ name: 'Eve' });
    expect([person.name.value, errors]).toStrictEqual(['Eve', [failure]]);
    server.at(2).ok();

    expect(errors).toStrictEqual([failure, null]);
  });

  it('keeps the failure of a save when an older read succeeds', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    watch(person.save$());

    server.at(1).refuse(422);
    server.at(0).ok();

    expect(person.error$.value).toMatchObject({ code: 'HTTP', action: 'update' });
  });

  it('shows the failure of an older request, and then still waits for a success of the newest', () => {
    const { person, server } = withPerson();
    const failure = new TypeError('network');
    for (let count = 0; count < 4; count += 1) watch(person.fetch$());
    server.at(2).refuse(503);

    server.at(0).fail(failure);
    server.at(1).ok();

    expect(person.error$.value).toBe(failure);
    server.at(3).ok();
    expect(person.error$.value).toBeNull();
  });

  it('counts a request that "around" repeats as newer than what was sent in the meantime', () => {
    const { person, server } = withPerson({
      options: { around: (request$) => request$.pipe(retry(1)) },
    });
    watch(person.fetch$());
    watch(person.save$());
    server.at(1).refuse(422);
    server.at(0).fail(new TypeError('network'));

    server.at(2).ok();

    expect(person.error$.value).toBeNull();
  });

  it.each<[string, DataModelConfig, unknown, 'save$' | 'fetch$' | 'destroy$', string]>([
    ['a missing url', { url: undefined }, 7, 'fetch$', 'NO_URL'],
    ['a missing id', {}, undefined, 'destroy$', 'NO_ID'],
    ['a bad id', {}, '..', 'save$', 'BAD_ID'],
    ['a bad option', { timeout: 0 }, 7, 'save$', 'BAD_OPTION'],
  ])('reports a failure before sending: %s', (_name, config, id, method, code) => {
    const { person } = withPerson({ config, values: { id } });

    const { error } = watch(person[method]());

    expect(error).toBeInstanceOf(RequestError);
    expect(person.error$.value).toBe(error);
    expect(person.error$.value).toMatchObject({ code });
  });

  it('does not report unsubscribing', () => {
    const { person } = withPerson();

    watch(person.fetch$()).subscription.unsubscribe();

    expect(person.error$.value).toBeNull();
  });
});

describe('error$ of a collection', () => {
  it('emits a refusal with its response, and null after a success', () => {
    const { people, server } = withPeople();
    const errors = valuesOf(people.error$);
    const fetched = watch(people.fetch$());

    server.at(0).refuse(503);
    watch(people.fetch$());
    server.at(1).ok([]);

    expect(errors).toMatchObject([null, { name: 'RequestError', code: 'HTTP', action: 'read' }, null]);
    expect((errors[1] as RequestError).response).toBe(fetched.responses[0]);
  });

  it('holds what the network failed with', () => {
    const { people, server } = withPeople();
    const failure = new TypeError('network');
    watch(people.fetch$());

    server.at(0).fail(failure);

    expect(people.error$.value).toBe(failure);
  });

  it.each<[string, CollectionConfig<Item>]>([
    ['a missing url', { url: undefined }],
    ['a callback that throws', { url: () => raise(new Error('callback')) }],
    ['a bad timeout', { timeout: 0 }],
  ])('reports %s', (_name, config) => {
    const { people } = withPeople({ config });

    const { error } = watch(people.fetch$());

    expect(error).toBeInstanceOf(Error);
    expect(people.error$.value).toBe(error);
  });

  it('does not report unsubscribing', () => {
    const { people } = withPeople();

    watch(people.fetch$()).subscription.unsubscribe();

    expect(people.error$.value).toBeNull();
  });
});

describe('dispose of a record', () => {
  it('rejects a pending request with DISPOSED, aborts it and writes nothing', async () => {
    const { person, server } = withPerson();

    const done = person.fetch();
    person.dispose();
    server.at(0).ok({ name: 'Eve' });

    await expect(done).rejects.toMatchObject({ name: 'RequestError', code: 'DISPOSED', action: 'read' });
    expect([server.at(0).request.signal.aborted, person.name.value]).toStrictEqual([true, 'Ann']);
  });

  it.each(['save', 'fetch', 'destroy'] as const)('rejects a later %s with DISPOSED', async (method) => {
    const { person, server } = withPerson();

    person.dispose();

    await expect(person[method]()).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(server.sent).toStrictEqual([]);
  });

  it('leaves what is shown, confirmed and dirty as it was, whatever is set or cleaned later', () => {
    const { person } = withPerson();
    const state = () => [person.name.value, person.name.remote$.value, person.isDirty$.value];
    person.name.next('edited');
    person.dispose();

    person.set({ name: 'set' });
    person.clean();
    person.reset();

    expect(state()).toStrictEqual(['edited', 'Ann', true]);
  });

  it('completes all streams of the record', () => {
    const { person } = withPerson();
    const ended: string[] = [];
    const streams = {
      data$: person.data$,
      changes$: person.changes$,
      isNew$: person.isNew$,
      isDirty$: person.isDirty$,
      isCreating$: person.isCreating$,
      isReading$: person.isReading$,
      isUpdating$: person.isUpdating$,
      isDeleting$: person.isDeleting$,
      isSaving$: person.isSaving$,
      requestInProgress$: person.requestInProgress$,
      error$: person.error$,
    };
    for (const [name, stream] of Object.entries<Observable<unknown>>(streams)) {
      stream.subscribe({ complete: () => ended.push(name) });
    }

    person.dispose();

    expect(ended.sort()).toStrictEqual(Object.keys(streams).sort());
  });

  it('leaves the flags false', () => {
    const { person } = withPerson();
    const states = valuesOf(person.isReading$);
    watch(person.fetch$());

    person.dispose();

    expect({ states, value: person.isReading$.value }).toStrictEqual({
      states: [false, true, false],
      value: false,
    });
  });

  it('may be called twice', () => {
    const { person } = withPerson();
    person.dispose();

    expect(() => {
      person.dispose();
    }).not.toThrow();
  });
});

describe('dispose of a collection', () => {
  it('rejects a pending request with DISPOSED, aborts it and writes nothing', async () => {
    const { people, server } = withPeople();

    const done = people.fetch();
    people.dispose();
    server.at(0).ok([ann]);

    await expect(done).rejects.toMatchObject({ name: 'RequestError', code: 'DISPOSED', action: 'read' });
    expect([server.at(0).request.signal.aborted, people.value]).toStrictEqual([true, []]);
  });

  it.each(['fetch', 'create'] as const)('rejects a later %s with DISPOSED', async (method) => {
    const { people, server } = withPeople();

    people.dispose();

    await expect(method === 'fetch' ? people.fetch() : people.create(ann)).rejects.toMatchObject({
      code: 'DISPOSED',
    });
    expect(server.sent).toStrictEqual([]);
  });

  it('completes all streams of the collection', () => {
    const { people } = withPeople();
    const ended: string[] = [];
    const streams = {
      items: people,
      delta$: people.delta$,
      where$: people.where$({}),
      find$: people.find$({}),
      isReading$: people.isReading$,
      isCreating$: people.isCreating$,
      requestInProgress$: people.requestInProgress$,
      error$: people.error$,
    };
    for (const [name, stream] of Object.entries<Observable<unknown>>(streams)) {
      stream.subscribe({ complete: () => ended.push(name) });
    }

    people.dispose();

    expect(ended.sort()).toStrictEqual(Object.keys(streams).sort());
  });

  it('leaves the flags false', () => {
    const { people } = withPeople();
    const flips = valuesOf(people.isReading$);
    watch(people.fetch$());

    people.dispose();

    expect({ flips, value: people.isReading$.value }).toStrictEqual({
      flips: [false, true, false],
      value: false,
    });
  });

  it('cancels the lull', () => {
    const scheduler = new VirtualTimeScheduler();
    const { people, server } = withPeople({ options: { scheduler }, config: { requestLull: 500 } });
    watch(people.fetch$());
    server.at(0).ok([]);

    people.dispose();

    expect([people.isReading$.value, scheduler.actions.length]).toStrictEqual([false, 0]);
  });

  it('may be called twice', () => {
    const { people } = withPeople();
    people.dispose();

    expect(() => {
      people.dispose();
    }).not.toThrow();
  });
});

describe('a read', () => {
  it.each<[string, () => { readonly target: Collection<Item> | Person; readonly server: StubServer }]>([
    [
      'a record',
      () => {
        const { person: target, server } = withPerson();
        return { target, server };
      },
    ],
    [
      'a collection',
      () => {
        const { people: target, server } = withPeople();
        return { target, server };
      },
    ],
  ])('of %s that has ended is no longer tracked', (_name, make) => {
    const { target, server } = make();
    const open = () => resourceOf(target)?.reads.length;
    watch(target.fetch$());
    const during = open();

    server.at(0).ok();

    expect([during, open()]).toStrictEqual([1, 0]);
  });
});

describe('the failure of a record', () => {
  it('is not cleared by the answer for an id no longer shown', () => {
    const { person, server } = withPerson();
    const failed = watch(person.fetch$());
    person.id.next(8);
    watch(person.fetch$());
    person.id.next(7);
    server.at(0).fail(new Error('offline'));

    server.at(1).ok({ id: 8 });

    expect(person.error$.value).toBe(failed.error);
  });

  it('is cleared before a subscriber is notified that the record shows another id', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    server.at(0).refuse(500);
    const told: unknown[] = [];
    person.id.subscribe((id) => {
      told.push([id, (person.error$.value as { code?: unknown } | null)?.code]);
    });

    person.id.next(8);

    expect(told).toStrictEqual([
      [7, 'HTTP'],
      [8, undefined],
    ]);
  });
});

describe('a flag whose own subscriber ends the request', () => {
  it('falls, and nothing is sent', () => {
    const { person, server } = withPerson();
    const stop$ = new Subject<void>();
    person.isReading$.subscribe((isReading) => {
      if (isReading) stop$.next();
    });

    person.fetch$().pipe(takeUntil(stop$)).subscribe();

    expect([person.isReading$.value, server.lines]).toStrictEqual([false, []]);
  });
});

describe('dispose of a record', () => {
  it('a second time keeps a field alive that another record holds', () => {
    const root = createLib();
    const [one, other] = [root.dataModel.boot({}), root.dataModel.boot({})];
    const field = root.observable(1);
    field.map('x', one);
    field.map('x', other);
    const states = valuesOf(other.isDirty$);
    one.dispose();
    one.dispose();

    field.next(2);

    expect([field.value, states]).toStrictEqual([2, [false, true]]);
  });

  it('a second time keeps a field alive that another record has unmapped', () => {
    const root = createLib();
    const [one, other] = [root.dataModel.boot({}), root.dataModel.boot({})];
    const field = root.observable(1).map('x', one).map('x', other);
    one.dispose();
    other.unmap('x');
    one.dispose();

    field.next(2);

    expect(field.value).toBe(2);
  });

  it('inside a subscriber still emits the last values to all', () => {
    const { person } = withPerson();
    const cities = valuesOf(person.city);
    person.name.pipe(skip(1)).subscribe(() => {
      person.dispose();
    });

    person.set({ name: 'Eve', address: { city: 'Rome' } });

    expect(cities).toStrictEqual(['Bonn', 'Rome']);
  });

  it('in response to a save does not make it fail', () => {
    const { person, server } = withPerson();
    const failures: unknown[] = [];
    person.save$().subscribe({
      next: () => {
        person.dispose();
      },
      error: (error: unknown) => failures.push(error),
    });

    server.at(0).ok();

    expect(failures).toStrictEqual([]);
  });
});

describe('a save ended by a subscriber to its flag', () => {
  it('never reaches sync', () => {
    const { person, root } = withPerson();
    const sync = vi.fn<Sync>(() => NEVER);
    root.sync = sync;
    const stop$ = new Subject<void>();
    person.isUpdating$.subscribe((isUpdating) => {
      if (isUpdating) stop$.next();
    });

    person.save$().pipe(takeUntil(stop$)).subscribe();

    expect([sync.mock.calls.length, person.isUpdating$.value, person.isSaving$.value]).toStrictEqual([
      0,
      false,
      false,
    ]);
  });
});

describe('a disposal by a subscriber', () => {
  it('lowers the flag for all subscribers that it was just raised for', () => {
    const { person } = withPerson();
    person.isReading$.subscribe((isReading) => {
      if (isReading) person.dispose();
    });
    const seen = valuesOf(person.isReading$);

    watch(person.fetch$());

    expect([seen.at(-1), person.isReading$.value]).toStrictEqual([false, false]);
  });

  it('lowers the flag even if another subscriber sends a request during it', () => {
    const { person, server } = withPerson({ values: { id: undefined } });
    person.id.subscribe((id) => {
      if (id) person.dispose();
    });
    person.name.subscribe((name) => {
      if (name === 'Bo') watch(person.save$({ patch: true }));
    });
    const seen = valuesOf(person.isSaving$);

    watch(person.save$());
    server.at(0).ok({ id: 7, name: 'Bo' });

    expect(seen.at(-1)).toBe(false);
  });
});

describe('a request made in response to the flags during disposal', () => {
  it('is not sent', async () => {
    const { person, server } = withPerson();
    const errors: unknown[] = [];
    watch(person.fetch$());
    person.requestInProgress$.pipe(skip(1)).subscribe((isBusy) => {
      if (!isBusy) watch(person.save$().pipe(tap({ error: (error: unknown) => errors.push(error) })));
    });
    person.dispose();
    expect(server.lines).toStrictEqual(['GET /person/7']);
    expect(errors).toMatchObject([{ code: 'DISPOSED' }]);
    await expect(person.save()).rejects.toMatchObject({ code: 'DISPOSED' });
  });
});

import { setImmediate } from 'node:timers/promises';

import {
  NEVER,
  Subject,
  VirtualTimeScheduler,
  concat,
  defer,
  forkJoin,
  map,
  mergeAll,
  of,
  skip,
  switchMap,
  take,
  throwError,
} from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { RequestError } from 'rivulet';
import type { Interceptor, LibOptions, Parse, RequestOptions, Sync } from 'rivulet';

import { raise } from './hostile';
import { withPerson } from './person';
import type { Person, PersonSetup } from './person';
import type { Held, StubServer } from './stub';
import { advance } from './virtual-time';
import { valuesOf, watch } from './watch';
import type { Watched } from './watch';

describe('save', () => {
  it('keeps an edit made during it, dirty against what the server confirmed', () => {
    const { person, server } = withPerson();
    person.name.next('sent');
    watch(person.save$());

    person.name.next('typed');
    server.at(0).ok({ name: 'confirmed' });

    expect({
      name: person.name.value,
      remote: person.name.remote$.value,
      dirty: person.dirtyMap(),
    }).toStrictEqual({
      name: 'typed',
      remote: 'confirmed',
      dirty: { id: false, name: true, 'address.city': false },
    });
  });

  it('shows the answer as confirmed from the first notification on', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    const told: unknown[] = [];
    person.name.pipe(skip(1)).subscribe((name) => {
      told.push([name, person.name.isDirty$.value, person.name.remote$.value]);
    });

    server.at(0).ok({ name: 'confirmed' });

    expect(told).toStrictEqual([['confirmed', false, 'confirmed']]);
  });

  it('writes the answer to the fields that were not edited during it', () => {
    const { person, server } = withPerson();
    watch(person.save$());

    person.name.next('typed');
    server.at(0).ok({ name: 'confirmed', address: { city: 'Ulm' } });

    expect(person.get()).toStrictEqual({ id: 7, name: 'typed', address: { city: 'Ulm' } });
  });

  it('counts a field that is back at the value sent as unedited', () => {
    const { person, server } = withPerson();
    person.name.next('sent');
    watch(person.save$());

    person.name.next('typed');
    person.name.next('sent');
    server.at(0).ok({ name: 'confirmed' });

    expect({ name: person.name.value, isDirty: person.isDirty$.value }).toStrictEqual({
      name: 'confirmed',
      isDirty: false,
    });
  });

  it('counts an edit equal to the confirmed value as clean', () => {
    const { person, server } = withPerson();
    watch(person.save$());

    person.name.next('same');
    server.at(0).ok({ name: 'same' });

    expect({ name: person.name.value, isDirty: person.isDirty$.value }).toStrictEqual({
      name: 'same',
      isDirty: false,
    });
  });

  it.each<[string, unknown]>([
    ['an answer without data', undefined],
    ['an answer with part of the data', { id: 7 }],
    ['an answer that is text', 'ok'],
    ['an answer that is a list', [{ name: 'Eve' }]],
    ['an answer that is null', null],
    ['an answer that is a number', 5],
  ])('leaves the record clean after %s', (_name, answer) => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    watch(person.save$());

    server.at(0).ok(answer);

    expect({
      data: person.get(),
      isDirty: person.isDirty$.value,
      remote: person.name.remote$.value,
    }).toStrictEqual({
      data: { id: 7, name: 'Bo', address: { city: 'Bonn' } },
      isDirty: false,
      remote: 'Bo',
    });
  });

  it('keeps an edit made during it when the answer has no data, dirty against what was sent', () => {
    const { person, server } = withPerson();
    person.name.next('sent');
    watch(person.save$());

    person.name.next('typed');
    server.at(0).ok();

    expect({
      name: person.name.value,
      remote: person.name.remote$.value,
      isDirty: person.isDirty$.value,
    }).toStrictEqual({
      name: 'typed',
      remote: 'sent',
      isDirty: true,
    });
  });

  it('with writeResponse false writes nothing but confirms what was sent', () => {
    const { person, server } = withPerson();
    person.name.next('sent');
    person.city.next('sent');
    watch(person.save$({ writeResponse: false }));

    person.city.next('typed');
    server.at(0).ok({ name: 'confirmed', address: { city: 'confirmed' } });

    expect({
      data: person.get(),
      remote: [person.name.remote$.value, person.city.remote$.value],
      dirty: person.dirtyMap(),
    }).toStrictEqual({
      data: { id: 7, name: 'sent', address: { city: 'typed' } },
      remote: ['sent', 'sent'],
      dirty: { id: false, name: false, 'address.city': true },
    });
  });

  it('that is refused writes nothing, keeps edits and id, and sets error$', () => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    const saved = watch(person.save$());

    server.at(0).refuse(500, { id: 8, name: 'Eve' });

    expect({ data: person.get(), isDirty: person.isDirty$.value, error: person.error$.value }).toMatchObject({
      data: { id: 7, name: 'Bo' },
      isDirty: true,
      error: {
        name: 'RequestError',
        code: 'HTTP',
        action: 'update',
        response: saved.responses[0],
      },
    });
    expect(saved).toMatchObject({ responses: [{ status: 500 }], isComplete: true });
  });

  it.each([[null], [0], ['']])(
    'that is answered with the id %j leaves the record as it is: it is not created again',
    (id) => {
      const { person, server } = withPerson();
      person.name.next('Bob');
      watch(person.save$({ patch: true }));
      server.at(0).ok({ id, name: 'Rob' });
      watch(person.save$());

      expect(server.lines).toStrictEqual(['PATCH /person/7', 'PUT /person/7']);
      expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Rob', false]);
    },
  );

  it('that is refused leaves error$ null once the id changes, even if it changes back', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    server.at(0).refuse(500);
    const told = valuesOf(person.error$);

    person.id.next('7');
    person.id.next(8);
    person.id.next(7);

    expect(told).toMatchObject([{ code: 'HTTP' }, null]);
  });

  it.each(['save$', 'fetch$'] as const)(
    'shows a failure once if a subscriber reacts to it by changing the id: %s',
    (method) => {
      const { person, server } = withPerson();
      person.error$.subscribe((error) => {
        if (error) person.id.next(undefined);
      });
      const told = valuesOf(person.error$);
      watch(person[method]());

      server.at(0).fail(new Error('offline'));

      expect([person.id.value, person.error$.value]).toStrictEqual([undefined, null]);
      expect(told.filter(Boolean).length).toBeLessThan(2);
    },
  );

  it('drops the whole answer if the id changes during it', () => {
    const { person, server } = withPerson();
    person.name.next('sent');
    const saved = watch(person.save$());

    person.id.next(8);
    server.at(0).ok({ id: 7, name: 'confirmed' });

    expect({
      data: person.get(),
      remote: person.name.remote$.value,
      count: saved.responses.length,
    }).toStrictEqual({
      data: { id: 8, name: 'sent', address: { city: 'Bonn' } },
      remote: 'Ann',
      count: 1,
    });
  });

  it('drops the answer of a create if an id is set during it', () => {
    const { person, server } = withPerson({ values: { id: undefined } });
    watch(person.save$());

    person.id.next(8);
    server.at(0).ok({ id: 9, name: 'confirmed' });

    expect(person.get()).toStrictEqual({ id: 8, name: 'Ann', address: { city: 'Bonn' } });
  });

  it('stays new after a create whose answer has no id', () => {
    const { person, server } = withPerson({ values: { id: undefined } });
    watch(person.save$());

    server.at(0).ok({ name: 'Ann' });

    expect(person.isNew$.value).toBe(true);
  });

  it('with patch confirms what it sent and keeps edits made during it', () => {
    const { person, server } = withPerson();
    person.city.next('Ulm');
    watch(person.save$({ patch: true }));

    person.name.next('typed');
    server.at(0).ok();

    expect(person.dirtyMap()).toStrictEqual({ id: false, name: true, 'address.city': false });
  });

  it('notifies only fields whose value changes', () => {
    const { root, person, server } = withPerson();
    const tags = root.observable(['a', { b: 1 }]).map('tags', person);
    const [seenTags, seenNames] = [valuesOf(tags), valuesOf(person.name)];
    const before = tags.value;

    watch(person.save$());
    server.at(0).ok({ name: 'Eve', tags: ['a', { b: 1 }] });

    expect([seenTags.length, seenNames]).toStrictEqual([1, ['Ann', 'Eve']]);
    expect(tags.value).toBe(before);
  });
});

describe('rollback', () => {
  const edited = (
    rollback: RequestOptions['rollback'],
    options: RequestOptions = {},
    libOptions: LibOptions = {},
  ) => {
    const all = withPerson({ options: libOptions });
    all.person.name.next('Bo');
    all.person.city.next('Ulm');
    return { ...all, saved: watch(all.person.save$({ ...options, rollback })) };
  };

  const shown = ({ name, city }: Person) => [name.value, city.value];

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Ann'],
    ['abort', 'Bo'],
    ['both', 'Ann'],
  ])('%s after a refusal shows %s', (rollback, expected) => {
    const { person, server } = edited(rollback);

    server.at(0).refuse(409);

    expect(person.name.value).toBe(expected);
  });

  it.each<[string, (server: StubServer) => void]>([
    ['a refusal', (server) => server.at(0).refuse(409)],
    ['a network failure', (server) => server.at(0).fail(new TypeError('network'))],
  ])('is done by the time the error of %s is told', (_, end) => {
    const { person, server } = edited('both');
    const told: unknown[] = [];
    person.error$.pipe(skip(1)).subscribe(() => told.push(...shown(person)));

    end(server);

    expect(told).toStrictEqual(['Ann', 'Bonn']);
  });

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Ann'],
    ['abort', 'Bo'],
    ['both', 'Ann'],
  ])('%s after a network failure shows %s', (rollback, expected) => {
    const { person, server } = edited(rollback);

    server.at(0).fail(new TypeError('network'));

    expect(person.name.value).toBe(expected);
  });

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Ann'],
    ['abort', 'Bo'],
    ['both', 'Ann'],
  ])('%s after a timeout shows %s', (rollback, expected) => {
    const scheduler = new VirtualTimeScheduler();
    const { person } = edited(rollback, { timeout: 10 }, { scheduler });

    advance(scheduler, 10);

    expect(person.name.value).toBe(expected);
  });

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Bo'],
    ['abort', 'Ann'],
    ['both', 'Ann'],
  ])('%s after unsubscribing shows %s', (rollback, expected) => {
    const { person, saved } = edited(rollback);

    saved.subscription.unsubscribe();

    expect(person.name.value).toBe(expected);
  });

  it.each<[rollback: RequestOptions['rollback'], expected: string]>([
    [undefined, 'Bo'],
    ['error', 'Bo'],
    ['abort', 'Ann'],
    ['both', 'Ann'],
  ])("%s after the caller's abort shows %s", (rollback, expected) => {
    const controller = new AbortController();
    const { person } = edited(rollback, { signal: controller.signal });

    controller.abort();

    expect(person.name.value).toBe(expected);
  });

  it('restores no field that was edited since, even back to what was sent, which is saved next', () => {
    const { person, server } = withPerson();
    const toggle = (name: string) => {
      person.name.next(name);
      watch(person.save$({ patch: true, rollback: 'error' }));
    };
    for (const name of ['on', 'off', 'on']) toggle(name);

    server.at(0).refuse(503);

    expect(person.name.value).toBe('on');
    expect(server.sent[1]).toMatchObject({ body: { name: 'on' } });
  });

  it('restores only fields that were not edited since', () => {
    const { person, server } = edited('error');

    person.city.next('typed');
    server.at(0).refuse(409);

    expect({ shown: shown(person), dirty: person.dirtyMap() }).toStrictEqual({
      shown: ['Ann', 'typed'],
      dirty: { id: false, name: false, 'address.city': true },
    });
  });

  it('restores only fields that the save sent', () => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    watch(person.save$({ patch: true, rollback: 'error' }));

    person.city.next('typed');
    server.at(0).refuse(409);

    expect(shown(person)).toStrictEqual(['Ann', 'typed']);
  });

  it('does nothing if the id changes in the meantime', () => {
    const { person, server } = edited('error');

    person.id.next(8);
    server.at(0).refuse(409);

    expect(shown(person)).toStrictEqual(['Bo', 'Ulm']);
  });

  it('does nothing after a refused destroy, which sends no data', () => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    watch(person.destroy$({ rollback: 'both' }));

    server.at(0).refuse(409);

    expect(person.name.value).toBe('Bo');
  });

  it('does nothing after a success', () => {
    const { person, server } = edited('both');

    server.at(0).ok();

    expect(shown(person)).toStrictEqual(['Bo', 'Ulm']);
  });

  it('keeps what a first answer accepted when a second one refuses', () => {
    const { person } = withPerson();
    const answers$ = new Subject<unknown>();
    person.sync = () => answers$;
    person.name.next('Bo');
    watch(person.save$({ rollback: 'error' }));

    answers$.next({ id: 7, name: 'Bob' });
    person.name.next('Bo');
    answers$.next(new Response(null, { status: 500 }));

    expect(shown(person)[0]).toBe('Bo');
  });
});

describe('overlapping reads', () => {
  it('end with the newest issued, even if it is answered first', () => {
    const { person, server } = withPerson();
    const older = watch(person.fetch$());
    watch(person.fetch$());

    server.at(1).ok({ name: 'newer' });
    server.at(0).ok({ name: 'older' });

    expect({ name: person.name.value, status: older.responses[0]?.status }).toStrictEqual({
      name: 'newer',
      status: 200,
    });
  });

  it('show an older answer that arrives while the newer is pending', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    watch(person.fetch$());
    const names = valuesOf(person.name);

    server.at(0).ok({ name: 'older' });
    server.at(1).ok({ name: 'newer' });

    expect(names).toStrictEqual(['Ann', 'older', 'newer']);
  });

  it.each<[string, (held: Held, newer: Watched) => void]>([
    ['fails', (held) => held.fail(new Error('network'))],
    ['is refused', (held) => held.refuse(500)],
    [
      'is unsubscribed',
      (_held, newer) => {
        newer.subscription.unsubscribe();
      },
    ],
  ])('write the older if the newer %s', (_name, end) => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    const newer = watch(person.fetch$());

    end(server.at(1), newer);
    server.at(0).ok({ name: 'older' });

    expect(person.name.value).toBe('older');
  });

  it('write the older if the newer could not be sent', () => {
    let count = 0;
    const { person, server } = withPerson({ config: { url: () => ((count += 1) === 1 ? '/person' : null) } });
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(0).ok({ name: 'older' });

    expect(person.name.value).toBe('older');
  });

  it('write the older if parse fails for the newer', () => {
    const parse = (response: unknown) => (response === 'bad' ? raise(new Error('parse')) : response);
    const { person, server } = withPerson({ config: { parse } });
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(1).ok('bad');
    server.at(0).ok({ name: 'older' });

    expect(person.name.value).toBe('older');
  });

  it('drop the older after a newer without data', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(1).ok();
    server.at(0).ok({ name: 'older' });

    expect(person.name.value).toBe('Ann');
  });

  it('drop the older if its data arrives after the newer, even if its headers do not', async () => {
    const { person, server } = withPerson({ config: { parse: (response) => response } });
    let resolve: (data: unknown) => void = raise;
    const older = person.fetch();
    server.at(0).ok(new Promise((resolved) => (resolve = resolved)));
    watch(person.fetch$());

    server.at(1).ok({ name: 'newer' });
    resolve({ name: 'older' });
    await older;

    expect(person.name.value).toBe('newer');
  });
});

describe('an answer for a previous id', () => {
  it.each(['fetch$', 'save$'] as const)('to %s leaves error$ unchanged', (method) => {
    const { person, server } = withPerson();
    watch(person[method]());
    person.id.next(8);
    watch(person.fetch$());
    server.at(1).refuse(503);

    server.at(0).ok({ id: 7, name: 'Anna' });

    expect(person.error$.value).toMatchObject({ code: 'HTTP' });
  });
});

describe('a read that overlaps a write', () => {
  it('is not written if it was sent before and answered after a write that succeeded', () => {
    const { person, server } = withPerson();
    person.name.next('saved');
    const read = watch(person.fetch$());
    watch(person.save$());

    server.at(1).ok();
    server.at(0).ok({ name: 'before the save' });

    expect({
      name: person.name.value,
      isDirty: person.isDirty$.value,
      count: read.responses.length,
    }).toStrictEqual({
      name: 'saved',
      isDirty: false,
      count: 1,
    });
  });

  it('is written if the write was refused', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    watch(person.save$());

    server.at(1).refuse(500);
    server.at(0).ok({ name: 'Eve' });

    expect(person.name.value).toBe('Eve');
  });

  it.each([['before'], ['after']])('is held while a write sent %s it is pending', (order) => {
    const { person, server } = withPerson();
    const isAfter = order === 'after';
    if (!isAfter) watch(person.save$());
    const read = watch(person.fetch$());
    if (isAfter) watch(person.save$());

    server.at(isAfter ? 0 : 1).ok({ name: 'Eve' });

    expect({
      name: person.name.value,
      count: read.responses.length,
      isReading: person.isReading$.value,
    }).toStrictEqual({
      name: 'Ann',
      count: 0,
      isReading: true,
    });
  });

  it.each([['before'], ['after']])('is dropped, and resolves, when a write sent %s it succeeds', (order) => {
    const { person, server } = withPerson();
    const isAfter = order === 'after';
    if (!isAfter) watch(person.save$());
    const read = watch(person.fetch$());
    if (isAfter) watch(person.save$());
    server.at(isAfter ? 0 : 1).ok({ name: 'Eve' });

    server.at(isAfter ? 1 : 0).ok();

    expect({
      name: person.name.value,
      count: read.responses.length,
      isReading: person.isReading$.value,
    }).toStrictEqual({
      name: 'Ann',
      count: 1,
      isReading: false,
    });
  });

  it.each<[string, readonly ('read' | 'write')[]]>([
    ['under way', ['read', 'write']],
    ['that is over by then', ['write', 'read']],
  ])('still brings what a write %s has neither sent nor answered', (_, order) => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    person.name.next('Bea');
    watch(person.save$({ patch: true }));

    for (const each of order) {
      if (each === 'read') server.at(0).ok({ name: 'Eve', address: { city: 'Rome' } });
      else server.at(1).ok();
    }

    expect([person.name.value, person.city.value, person.isDirty$.value]).toStrictEqual([
      'Bea',
      'Rome',
      false,
    ]);
  });

  it('brings nothing of a record that was destroyed since, even if its id is shown again', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    watch(person.destroy$());
    server.at(1).ok();
    person.id.next(7);

    server.at(0).ok({ id: 7, name: 'Eve' });

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Ann', true]);
  });

  it('is not what a further answer of a save counts as', () => {
    const { person } = withPerson();
    person.sync = () => of(undefined, { name: 'Trimmed' });
    person.name.next(' Trimmed ');

    watch(person.save$());

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Trimmed', false]);
  });

  it.each([[[{ id: 7, name: 'Bea' }]], [{ success: true }], [true], [null], [{}]])(
    'still brings what a write did not send that is answered with %j, which says nothing of the record',
    (receipt) => {
      const { person, server } = withPerson();
      watch(person.fetch$());
      person.name.next('Bea');
      watch(person.save$({ patch: true }));
      server.at(1).ok(receipt);

      server.at(0).ok({ name: 'Eve', address: { city: 'Rome' } });

      expect([person.name.value, person.city.value]).toStrictEqual(['Bea', 'Rome']);
    },
  );

  it('is dropped by a write that is answered with data, however little', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    watch(person.save$({ attrs: { name: 'Bea' } }));
    server.at(1).ok({ name: 'Bea' });

    server.at(0).ok({ name: 'Eve', address: { city: 'Rome' } });

    expect([person.name.value, person.city.value]).toStrictEqual(['Bea', 'Bonn']);
  });

  it.each<[string, (held: Held, write: Watched) => void]>([
    ['is refused', (held) => held.refuse(500)],
    ['fails', (held) => held.fail(new Error('network'))],
    [
      'is unsubscribed',
      (_held, write) => {
        write.subscription.unsubscribe();
      },
    ],
  ])('is written when the write it was held for %s', (_name, end) => {
    const { person, server } = withPerson();
    const write = watch(person.save$());
    const read = watch(person.fetch$());
    server.at(1).ok({ name: 'Eve' });

    end(server.at(0), write);

    expect({ name: person.name.value, count: read.responses.length }).toStrictEqual({
      name: 'Eve',
      count: 1,
    });
  });

  it('is held until the last waiting write has ended', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    watch(person.save$());
    const read = watch(person.fetch$());
    server.at(1).ok({ name: 'Eve' });

    server.at(0).refuse(500);
    const between = read.responses.length;
    server.at(2).refuse(500);

    expect([between, read.responses.length, person.name.value]).toStrictEqual([0, 1, 'Eve']);
  });

  it('is held for a waiting write too, even if the one under way is for another id', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    person.id.next(8);
    person.name.next('mine');
    watch(person.save$());
    watch(person.fetch$());

    server.at(1).ok({ id: 8, name: 'Eight' });
    server.at(0).ok();
    server.at(2).ok();

    expect([server.sent[2], person.name.value]).toStrictEqual([
      { method: 'PUT', url: '/person/8', body: { id: 8, name: 'mine', address: { city: 'Bonn' } } },
      'mine',
    ]);
  });

  it('never leaves the fields of an accepted save dirty', () => {
    const { person, server } = withPerson();
    person.name.next('saved');
    watch(person.save$());
    watch(person.fetch$());

    server.at(1).ok({ name: 'Ann' });
    server.at(0).ok({ name: 'saved' });

    expect({
      name: person.name.value,
      isDirty: person.isDirty$.value,
      remote: person.name.remote$.value,
    }).toStrictEqual({
      name: 'saved',
      isDirty: false,
      remote: 'saved',
    });
  });

  it('is written if it was sent after the write had ended', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    server.at(0).ok();
    watch(person.fetch$());

    server.at(1).ok({ name: 'Eve' });

    expect(person.name.value).toBe('Eve');
  });

  it('does not bring back a record destroyed in the meantime', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    watch(person.destroy$());

    server.at(1).ok();
    server.at(0).ok({ id: 7, name: 'Eve' });

    expect([person.id.value, person.name.value]).toStrictEqual([undefined, 'Ann']);
  });

  it('is written at once if the write was for another id', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    person.id.next(8);
    watch(person.fetch$());

    server.at(1).ok({ id: 8, name: 'Eight' });
    const during = person.name.value;
    server.at(0).ok({ id: 7, name: 'Seven' });

    expect([during, person.get()]).toStrictEqual([
      'Eight',
      { id: 8, name: 'Eight', address: { city: 'Bonn' } },
    ]);
  });

  it('writes nothing if it is unsubscribed while it is held', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    const read = watch(person.fetch$());
    server.at(1).ok({ name: 'Eve' });

    read.subscription.unsubscribe();
    server.at(0).refuse(500);

    expect([person.name.value, person.isReading$.value]).toStrictEqual(['Ann', false]);
  });
});

describe('an id that is written in another form during a request', () => {
  it.each([null, '', 0])('is still that of a new record: %j, so the next save is a PUT', (blank) => {
    const { person, server } = withPerson({ values: { id: undefined } });
    watch(person.save$());
    watch(person.save$());
    person.id.next(blank);

    server.at(0).ok({ id: 5 });

    expect(server.lines).toStrictEqual(['POST /person', 'PUT /person/5']);
    expect([person.id.value, person.isNew$.value]).toStrictEqual([5, false]);
  });

  it('takes the form of the answer', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    person.id.next('7');

    server.at(0).ok({ id: 7, name: 'Anna' });

    expect([person.id.value, person.name.value, person.isDirty$.value]).toStrictEqual([7, 'Anna', false]);
  });
});

describe('an id that the server sends as another type', () => {
  it('means the same record: the newest read wins', () => {
    const { person, server } = withPerson({ values: { id: '1' } });
    watch(person.fetch$());
    watch(person.fetch$());

    server.at(0).ok({ id: 1, name: 'older' });
    server.at(1).ok({ id: 1, name: 'newer' });

    expect(person.name.value).toBe('newer');
  });
});

describe('rollback once the server has accepted', () => {
  const accepted = (parse: Parse) => {
    const { person, server } = withPerson({ config: { parse } });
    person.name.next('Bo');
    const saved = watch(person.save$({ rollback: 'both' }));
    server.at(0).ok({});
    return { person, saved };
  };

  it('discards nothing if parse fails', () => {
    const { person } = accepted(() => raise(new Error('parse')));

    expect(person.name.value).toBe('Bo');
  });

  it('discards nothing if unsubscribed during parse', () => {
    const { person, saved } = accepted(() => NEVER);

    saved.subscription.unsubscribe();

    expect(person.name.value).toBe('Bo');
  });
});

describe('rollback while the body of an accepted save is read', () => {
  /** A save answered with 200 whose body is still to come. */
  function withBody(options: RequestOptions = {}) {
    const { person, server, root } = withPerson({ options: { scheduler: new VirtualTimeScheduler() } });
    let body!: ReadableStreamDefaultController<Uint8Array>;
    const stream = new ReadableStream<Uint8Array>({
      start: (controller) => {
        body = controller;
      },
    });
    person.name.next('Bo');
    const saved = watch(person.save$({ rollback: 'both', ...options }));
    server.at(0).respond(new Response(stream));
    return { person, root, saved, body };
  }

  it.each<[string, (given: ReturnType<typeof withBody>, abort: AbortController) => void]>([
    [
      'by unsubscribing',
      ({ saved }) => {
        saved.subscription.unsubscribe();
      },
    ],
    [
      'by a signal',
      (_, abort) => {
        abort.abort();
      },
    ],
    [
      'by a timeout',
      ({ root }) => {
        advance(root.options.scheduler as VirtualTimeScheduler, 50);
      },
    ],
    [
      'by a network error',
      ({ body }) => {
        body.error(new TypeError('terminated'));
      },
    ],
  ])('discards nothing when it ends %s', async (_, end) => {
    const abort = new AbortController();
    const given = withBody({ signal: abort.signal, timeout: 50 });

    end(given, abort);
    await setImmediate();

    expect(given.saved.responses).toStrictEqual([]);
    expect([given.person.name.value, given.person.name.isDirty$.value]).toStrictEqual(['Bo', true]);
  });

  it('discards edits when an interceptor that has read the data fails', async () => {
    const failing: Interceptor = (request, next) =>
      next(request).pipe(map(() => raise(new Error('in data'))));
    const { person, server } = withPerson({ options: { interceptors: [failing] } });
    person.name.next('Bo');

    const saved = person.save({ rollback: 'error' });
    server.at(0).respond(Response.json({ errors: ['taken'] }));

    await expect(saved).rejects.toThrow('in data');
    expect(person.name.value).toBe('Ann');
  });
});

describe('rollback of a save that was never sent', () => {
  it('discards nothing', () => {
    const { person } = withPerson({ config: { url: undefined } });
    person.name.next('Bo');

    watch(person.save$({ rollback: 'both' }));

    expect(person.name.value).toBe('Bo');
  });
});

describe('rollback of a save that is being prepared', () => {
  it('discards nothing if requestLull throws', async () => {
    const requestLull = () => raise(new Error('no lull'));
    const { person, server } = withPerson({ config: { requestLull } });
    person.name.next('Bo');

    await expect(person.save({ rollback: 'both' })).rejects.toThrow('no lull');

    expect([person.name.value, server.sent]).toStrictEqual(['Bo', []]);
  });

  it.each<[string, (controller: AbortController) => void]>([
    [
      'discards nothing if a callback throws',
      () => {
        throw new Error('no token');
      },
    ],
    [
      'discards nothing if a callback aborts it',
      (controller) => {
        controller.abort();
      },
    ],
  ])('%s', async (_, callback) => {
    const controller = new AbortController();
    const fetchOptions = () => {
      callback(controller);
      return {};
    };
    const { person, server } = withPerson({ config: { fetchOptions } });
    person.name.next('Bo');

    await expect(person.save({ rollback: 'both', signal: controller.signal })).rejects.toThrow();

    expect([person.name.value, server.sent]).toStrictEqual(['Bo', []]);
  });
});

describe('rollback after a failure of a replaced sync', () => {
  const failure = new DOMException('full', 'QuotaExceededError');

  it.each<[string, Sync]>([
    [
      'throws',
      () => {
        throw failure;
      },
    ],
    ['rejects', () => Promise.reject(failure)],
    ['returns a failing observable', () => throwError(() => failure)],
  ])('discards the edits if it %s', async (_, sync) => {
    const { root, person } = withPerson();
    root.sync = sync;
    person.name.next('Bo');

    await expect(person.save({ rollback: 'error' })).rejects.toBe(failure);

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Ann', false]);
  });

  it('discards edits that an interceptor reports as refused', async () => {
    const refuses: Interceptor = (request, next, { action }) =>
      next(request).pipe(
        map(({ response }) => {
          throw new RequestError('HTTP', action, 'no', { response });
        }),
      );
    const { person, server } = withPerson({ options: { interceptors: [refuses] } });
    person.name.next('Bo');

    const saved = person.save({ rollback: 'error' });
    server.at(0).refuse(409);

    await expect(saved).rejects.toMatchObject({ code: 'HTTP' });
    expect(person.name.value).toBe('Ann');
  });

  it('discards nothing if the default sync it calls cannot make the request', async () => {
    const { root, person, server } = withPerson({ config: { url: undefined } });
    const send = root.sync;
    root.sync = (...request) => Promise.resolve().then(() => send(...request));
    person.name.next('Bo');

    await expect(person.save({ rollback: 'both' })).rejects.toMatchObject({ code: 'NO_URL' });

    expect([person.name.value, server.sent]).toStrictEqual(['Bo', []]);
  });
});

describe('rollback after an answer that is not JSON', () => {
  it('discards nothing, since the server has accepted', async () => {
    const { person, server } = withPerson();
    person.name.next('Eve');
    const done = person.save({ rollback: 'error' });

    server.at(0).respond(new Response('{"id":', { headers: { 'content-type': 'application/json' } }));

    await expect(done).rejects.toMatchObject({ code: 'PARSE' });
    expect(person.name.value).toBe('Eve');
  });
});

describe('the answer to a save of other data', () => {
  it('replaces the value of a field that was not edited since, even if that value was not sent', () => {
    const { person, server } = withPerson();

    watch(person.save$({ attrs: { name: 'Theirs' } }));
    server.at(0).ok({ name: 'Theirs' });

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Theirs', false]);
  });

  it('keeps an edit when other data was sent for its field', () => {
    const { person, server } = withPerson();
    person.name.next('Mine');

    watch(person.save$({ attrs: { name: 'Theirs' } }));
    server.at(0).ok({ name: 'Theirs' });

    expect([person.name.value, person.name.remote$.value]).toStrictEqual(['Mine', 'Theirs']);
  });

  it('keeps a field emptied to undefined that was not sent', () => {
    const { root, person, server } = withPerson();
    const note = root.observable<string | undefined>('old').map('note', person);
    note.next(undefined);

    watch(person.save$({ attrs: { name: 'Bo' } }));
    server.at(0).ok({ name: 'Bo', note: 'theirs' });

    expect([note.value, note.remote$.value]).toStrictEqual([undefined, 'theirs']);
  });
});

describe('a save with a body of its own', () => {
  it.each([
    ['confirms all mapped data', {}, false],
    ['confirms nothing with attrs {}', { attrs: {} }, true],
  ])('%s', (_, options, isDirty) => {
    const { person, server } = withPerson();
    person.name.next('Bo');

    watch(person.save$({ body: 'bytes', ...options }));
    server.at(0).ok();

    expect([server.at(0).request.body, person.isDirty$.value]).toStrictEqual(['bytes', isDirty]);
  });
});

describe('a save of data in which a field has no value', () => {
  it.each([
    ['confirms undefined for a field that shows none', undefined, false],
    ['confirms nothing for a field that shows a value, since JSON omits undefined', 'Bo', true],
  ])('%s', (_, shown, isDirty) => {
    const { person, server } = withPerson();
    person.set({ name: shown }, { keepDirty: true, unset: true });

    watch(person.save$({ attrs: { name: undefined, address: { city: 'Ulm' } } }));
    server.at(0).ok();

    expect(person.name.isDirty$.value).toBe(isDirty);
    expect(person.name.remote$.value).toBe(isDirty ? 'Ann' : undefined);
  });
});

describe('a value written while a save is being made', () => {
  it('counts as sent if it was sent: a sync that waited', () => {
    const { root, person, server } = withPerson();
    const token$ = new Subject<void>();
    root.dataModel.sync = (action, concern, options) =>
      token$.pipe(
        take(1),
        switchMap(() => of(root.sync(action, concern, options) as Observable<unknown>).pipe(mergeAll())),
      );
    person.name.next('a');
    watch(person.save$());
    person.name.next('ab');
    token$.next();
    expect(server.sent[0]?.body).toMatchObject({ name: 'ab' });
    // Undone after it was sent to the server.
    person.name.next('a');
    server.at(0).ok();
    expect([person.name.value, person.name.remote$.value, person.isDirty$.value]).toStrictEqual([
      'a',
      'ab',
      true,
    ]);
  });

  it('counts as sent if it was sent: a sync or an option that writes', () => {
    const bySync = withPerson();
    bySync.person.sync = (action, concern, options) => {
      bySync.person.city.next('Ulm');
      return bySync.root.sync(action, concern, options);
    };
    const byUrl = withPerson({
      config: {
        url: () => {
          byUrl.person.city.next('Ulm');
          return '/person';
        },
      },
    });
    for (const { person, server } of [bySync, byUrl]) {
      watch(person.save$());
      expect(server.sent[0]?.body).toMatchObject({ address: { city: 'Ulm' } });
      server.at(0).ok({ address: { city: 'ULM' } });
      expect([person.city.value, person.isDirty$.value]).toStrictEqual(['ULM', false]);
    }
  });

  it('counts as sent only if the sync passed it on', () => {
    const { root, person, server } = withPerson();
    root.dataModel.sync = (action, concern, options) =>
      root.sync(action, concern, { ...options, attrs: { name: 'Mine' } });
    person.name.next('Mine');
    person.city.next('Ulm');

    watch(person.save$());
    server.at(0).ok();

    expect(person.dirtyMap()).toStrictEqual({ id: false, name: false, 'address.city': true });
  });

  it('is not rolled back if it was not sent', () => {
    const { root, person, server } = withPerson();
    root.dataModel.sync = (action, concern, options) =>
      root.sync(action, concern, { ...options, attrs: { name: 'Mine' } });
    person.name.next('Mine');
    person.city.next('Ulm');

    watch(person.save$({ rollback: 'error' }));
    server.at(0).refuse(500);

    expect([person.name.value, person.city.value]).toStrictEqual(['Ann', 'Ulm']);
  });

  it.each<[how: string, join: (parts: Observable<unknown>[]) => Observable<unknown>]>([
    ['in each request of a sync that sends several', (parts) => concat(...parts)],
    [
      'in each part that a sync sends and answers as one',
      (parts) => forkJoin(parts).pipe(map((answers) => answers.at(-1))),
    ],
  ])('counts as sent %s', (_how, join) => {
    const { root, person, server } = withPerson();
    root.dataModel.sync = (action, concern, options) =>
      join(
        [{ name: 'Mine' }, { address: { city: 'Ulm' } }].map((attrs) =>
          defer(() => root.sync(action, concern, { ...options, attrs }) as Observable<unknown>),
        ),
      );
    person.name.next('Mine');
    person.city.next('Ulm');

    watch(person.save$());
    server.at(0).ok();
    server.at(1).ok();

    expect(person.isDirty$.value).toBe(false);
  });

  it('is replaced by the answer if it was set and sent', () => {
    const { root, person, server } = withPerson();
    person.sync = (action, concern, options) => {
      person.set({ name: 'ann' });
      return root.sync(action, concern, options);
    };

    watch(person.save$());
    server.at(0).ok({ name: 'ANN' });

    expect(person.name.value).toBe('ANN');
  });

  it('is confirmed as the server stored it, even if set since', () => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    watch(person.save$());
    person.set({ name: 'Eve' });

    server.at(0).ok({ name: 'BO' });

    expect([person.name.value, person.name.remote$.value]).toStrictEqual(['Eve', 'BO']);
    person.name.next('Bo');
    expect(person.changes$).toMatchObject({ value: { name: 'Bo' } });
  });

  it('counts as sent as the sync changed it', () => {
    const { root, person, server } = withPerson();
    root.dataModel.sync = (action, concern, options) =>
      root.sync(action, concern, { ...options, attrs: { name: 'trimmed' } });
    person.name.next('trimmed ');
    watch(person.save$());
    server.at(0).ok();
    expect([person.name.remote$.value, person.isDirty$.value]).toStrictEqual(['trimmed', true]);
  });
});

describe('ending a write and the read that it holds', () => {
  const reason = new Error('logged out');

  it.each<[string, (signal: AbortSignal) => PersonSetup & { readonly call?: RequestOptions }]>([
    ['a signal of both calls', (signal) => ({ call: { signal } })],
    ['a signal of the configuration', (signal) => ({ config: { fetchOptions: { signal } } })],
    ['a signal of the root', (signal) => ({ options: { fetchOptions: { signal } } })],
  ])('%s: the read fails and writes nothing', (_, by) => {
    const controller = new AbortController();
    const { call, options, config } = by(controller.signal);
    const { person, server } = withPerson({ options: options ?? {}, config: config ?? {} });
    const [write, read] = [watch(person.save$(call)), watch(person.fetch$(call))];
    server.at(1).ok({ name: 'Eve' });
    const names = valuesOf(person.name);

    controller.abort(reason);

    expect([write.error, read.error, read.responses]).toStrictEqual([reason, reason, []]);
    expect(names).toStrictEqual(['Ann']);
  });

  it('disposal: the read fails, and neither it nor a row is written', () => {
    const { person, server } = withPerson();
    const [write, read] = [watch(person.save$()), watch(person.fetch$())];
    person.follow(of({ name: 'Row' })).subscribe();
    server.at(1).ok({ name: 'Eve' });
    const names = valuesOf(person.name);

    person.dispose();

    expect([write.error, read.error]).toMatchObject([{ code: 'DISPOSED' }, { code: 'DISPOSED' }]);
    expect([read.responses, names]).toStrictEqual([[], ['Ann']]);
  });
});

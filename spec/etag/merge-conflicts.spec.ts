import { defer, from, lastValueFrom, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import type { RequestOptions } from 'rivulet';
import { etags, mergeConflicts } from 'rivulet/etag';
import type { MergeConflictsOptions } from 'rivulet/etag';

import { Person, withPerson } from '../person';
import { valuesOf, watch } from '../watch';

/** A person whose name is edited, and that is being saved. */
function saving(options?: MergeConflictsOptions) {
  const { person, server } = withPerson();
  person.name.next('Mine');
  const conflicts = valuesOf(person.conflicts$);
  const save$ = person.save$({ patch: true }).pipe(mergeConflicts(person, options));
  return { person, server, conflicts, save$, watched: watch(save$) };
}

const theirs = (values: object) => ({ id: 7, name: 'Ann', address: { city: 'Bonn' }, ...values });

describe('a save that is refused for its version', () => {
  it.each([409, 412, 428])('continues by itself if others have changed other fields: %i', (status) => {
    const { person, server, conflicts, watched } = saving();

    server.at(0).refuse(status);
    server.at(1).ok(theirs({ address: { city: 'Ulm' } }));
    server.at(2).ok();

    expect(server.lines).toStrictEqual(['PATCH /person/7', 'GET /person/7', 'PATCH /person/7']);
    expect(server.sent[2]?.body).toStrictEqual({ name: 'Mine' });
    expect(watched.responses.map((response) => response.status)).toStrictEqual([204]);
    expect([person.city.value, person.isDirty$.value, conflicts]).toStrictEqual(['Ulm', false, []]);
  });

  it('is merged with what the server has, not with what the browser has kept', () => {
    const { server } = saving();
    server.at(0).refuse(409);
    expect(server.at(1).request.cache).toBe('no-cache');
  });

  it.each(['save', 'save$'] as const)('continues if save$ is overridden to do so: %s', (method) => {
    class Merging extends Person {
      override save$(options?: RequestOptions): Observable<Response> {
        return super.save$(options).pipe(mergeConflicts(this));
      }
    }
    const { root, server } = withPerson();
    const person = new Merging(root, {}, {});
    person.name.next('Mine');
    const watched = watch(from(person[method]({ patch: true })));

    server.at(0).refuse(412);
    server.at(1).ok(theirs({ address: { city: 'Ulm' } }));
    server.at(2).ok();

    expect(server.lines).toStrictEqual(['PATCH /person/7', 'GET /person/7', 'PATCH /person/7']);
    expect([person.city.value, person.isDirty$.value, watched.error]).toStrictEqual([
      'Ulm',
      false,
      undefined,
    ]);
  });

  it.each([
    ['cancelled if it is sent again', 'Ann', 1],
    ['cancelled if no edit is left', 'Mine', 1],
    ['left to the caller who gets the refusal', 'Eve', 0],
  ])('has its refused answer %s', (_, name, times) => {
    const { server } = saving();
    const cancel = vi.fn();
    server.at(0).respond(new Response(new ReadableStream({ cancel }), { status: 412 }));
    server.at(1).ok(theirs({ name }));

    expect(cancel).toHaveBeenCalledTimes(times);
  });

  it('may be refused by a stand-in whose body cannot be cancelled', () => {
    const { server, watched } = saving();
    server.at(0).respond({ ok: false, status: 412, body: {}, json: () => Promise.resolve({}) } as never);
    server.at(1).ok(theirs({ address: { city: 'Ulm' } }));

    expect([watched.error, server.lines.length]).toStrictEqual([undefined, 3]);
  });

  it('reports a conflict if they have changed an edited field', () => {
    const { person, server, conflicts, watched } = saving();

    server.at(0).refuse(412);
    server.at(1).ok(theirs({ name: 'Theirs' }));

    expect(watched.responses.map((response) => response.status)).toStrictEqual([412]);
    expect(watched.isComplete).toBe(true);
    expect(conflicts).toMatchObject([{ path: 'name', mine: 'Mine', theirs: 'Theirs' }]);
    expect([person.name.value, person.isSaving$.value]).toStrictEqual(['Mine', false]);
  });

  it('continues if the choice is made on notification', () => {
    const { person, server, watched } = saving();
    person.conflicts$.subscribe((conflict) => {
      conflict.keepMine();
    });
    server.at(0).refuse(412);
    server.at(1).ok(theirs({ name: 'Theirs' }));
    expect(server.sent[2]?.body).toStrictEqual({ name: 'Mine' });
    server.at(2).ok();
    expect(watched.responses.map((response) => response.status)).toStrictEqual([204]);
  });

  it.each(['while nobody listened', 'and was told'])(
    'is not sent over a change that came earlier %s, until that is decided',
    (when) => {
      const { person, server } = withPerson();
      person.name.next('Mine');
      if (when === 'and was told') valuesOf(person.conflicts$);
      valuesOf(person.follow(of({ name: 'Theirs' })));
      const save$ = person.save$({ patch: true }).pipe(mergeConflicts(person));
      for (const place of [0, 2]) {
        const { responses } = watch(save$);
        server.at(place).refuse(412);
        server.at(place + 1).ok(theirs({ name: 'Theirs' }));
        expect(responses.map((response) => response.status)).toStrictEqual([412]);
      }

      valuesOf(person.conflicts$)[0]?.keepMine();
      watch(save$);
      server.at(4).refuse(412);
      server.at(5).ok(theirs({ name: 'Theirs' }));

      expect(server.sent[6]?.body).toStrictEqual({ name: 'Mine' });
    },
  );

  it.each([
    ['keepMine', 'Mine', ['PATCH /person/7']],
    ['takeTheirs', 'Theirs', ['PATCH /person/7']],
  ] as const)('continues from the choice: %s', (choice, name, lines) => {
    const { person, server, conflicts, save$ } = saving();
    server.at(0).refuse(412);
    server.at(1).ok(theirs({ name: 'Theirs' }));

    conflicts[0]?.[choice]();
    watch(save$);
    server.at(2).ok();

    expect(server.lines.slice(2)).toStrictEqual(lines);
    expect([person.name.value, person.isDirty$.value]).toStrictEqual([name, false]);
  });

  it.each([true, false])('sends nothing once a choice has given up the last edit (patch: %s)', (patch) => {
    const { person, server } = withPerson();
    person.name.next('Mine');
    person.conflicts$.subscribe((conflict) => {
      conflict.takeTheirs();
    });
    const { responses } = watch(person.save$({ patch }).pipe(mergeConflicts(person)));

    server.at(0).refuse(412);
    server.at(1).ok(theirs({ name: 'Theirs' }));

    expect(server.lines).toStrictEqual([`${patch ? 'PATCH' : 'PUT'} /person/7`, 'GET /person/7']);
    expect(responses.map((response) => response.status)).toStrictEqual([200]);
    expect([person.name.value, person.isDirty$.value, person.error$.value]).toStrictEqual([
      'Theirs',
      false,
      null,
    ]);
  });

  it.each([
    ['a rollback', 'error'],
    ['somebody else', undefined],
  ] as const)('ends with the refusal if %s has discarded the edits', (_, rollback) => {
    const { person, server } = withPerson();
    person.name.next('Mine');
    const { responses } = watch(person.save$({ patch: true, rollback }).pipe(mergeConflicts(person)));

    if (!rollback) person.reset();
    server.at(0).refuse(412);
    server.at(1).ok(theirs({ name: 'Theirs' }));

    expect(server.lines).toStrictEqual(['PATCH /person/7', 'GET /person/7']);
    expect(responses.map((response) => response.status)).toStrictEqual([412]);
    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Theirs', false]);
  });

  it.each<[string, RequestOptions, 'before' | 'after']>([
    ['given data', { attrs: { name: 'Mine' } }, 'before'],
    ['its edits', {}, 'after'],
  ])('ends with the refusal if a rollback has taken %s, whatever else is edited', (_, options, when) => {
    const { person, server } = withPerson();
    const type = () => {
      person.city.next('half typed');
    };
    if (when === 'before') type();
    person.name.next('Mine');
    const save$ = person.save$({ patch: true, rollback: 'both', ...options });
    const { responses } = watch(save$.pipe(mergeConflicts(person)));
    if (when === 'after') type();

    server.at(0).refuse(412);
    server.at(1).ok(theirs({ name: 'Theirs' }));

    expect(server.lines).toStrictEqual(['PATCH /person/7', 'GET /person/7']);
    expect(responses.map(({ status }) => status)).toStrictEqual([412]);
    expect([person.name.value, person.city.value]).toStrictEqual(['Theirs', 'half typed']);
  });

  it('continues if an edit was confirmed by another save in the meantime', () => {
    const { person, server } = withPerson();
    const save = () => watch(person.save$({ patch: true }).pipe(mergeConflicts(person)));
    person.name.next('Mine');
    save();
    person.city.next('Ulm');
    const { responses } = save();

    server.at(0).ok();
    server.at(1).refuse(412);
    server.at(2).ok(theirs({ name: 'Mine' }));
    server.at(3).ok();

    expect(server.sent[3]).toMatchObject({ method: 'PATCH', body: { address: { city: 'Ulm' } } });
    expect(responses.map(({ status }) => status)).toStrictEqual([204]);
  });

  it('continues with the edits that are left if a choice has given up others', () => {
    const { person, server } = withPerson();
    person.name.next('Mine');
    person.city.next('Ulm');
    person.conflicts$.subscribe((conflict) => {
      conflict.takeTheirs();
    });
    watch(person.save$({ patch: true }).pipe(mergeConflicts(person)));

    server.at(0).refuse(412);
    server.at(1).ok(theirs({ name: 'Theirs' }));

    expect(server.sent[2]?.body).toStrictEqual({ address: { city: 'Ulm' } });
  });

  it('knows the version afterwards, so that a rollback does not fail every later save', async () => {
    const { person, server } = withPerson({ options: etags() });
    const save = () => {
      person.name.next('Mine');
      watch(person.save$({ patch: true, rollback: 'error' }).pipe(mergeConflicts(person)));
    };
    save();
    server.at(0).refuse(412);
    server.at(1).respond(Response.json(theirs({}), { headers: { etag: '"2"' } }));
    await vi.waitFor(() => {
      expect(person.isReading$.value).toBe(false);
    });
    save();

    expect(server.at(2).request.headers.get('if-match')).toBe('"2"');
  });

  it.each([
    ['its answer was lost', false],
    ['it is tried again after a failure', true],
  ])('is no conflict with itself if %s, whatever was typed since', (_, isTriedAgain) => {
    const { person, server } = withPerson();
    const conflicts = valuesOf(person.conflicts$);
    const save = () => watch(person.save$({ patch: true }).pipe(mergeConflicts(person)));
    person.name.next('ab');
    save();
    person.name.next('abc');
    if (isTriedAgain) {
      server.at(0).fail(new TypeError('offline'));
      save();
    }
    server.held.at(-1)?.refuse(412);
    server.held.at(-1)?.ok(theirs({ name: 'ab' }));

    expect([conflicts, person.name.value]).toStrictEqual([[], 'abc']);
    expect(server.sent.at(-1)).toMatchObject({ method: 'PATCH', body: { name: 'abc' } });
  });

  it.each([
    ['given', { name: 'Given' }],
    ['confirmed', undefined],
  ])('continues with %s data if nothing was edited', (_, attrs) => {
    const { person, server } = withPerson();
    watch(person.save$({ attrs }).pipe(mergeConflicts(person)));

    server.at(0).refuse(412);
    server.at(1).ok(theirs({}));

    expect(server.lines).toStrictEqual(['PUT /person/7', 'GET /person/7', 'PUT /person/7']);
  });

  it.each<[string, (person: Person) => void]>([
    ['', () => undefined],
    [
      ', nor beside what is typed in the meantime',
      (person) => {
        person.name.next('Anna');
      },
    ],
  ])('sends no given data over what the read has brought%s', (_, meanwhile) => {
    const { person, server } = withPerson();
    const { responses } = watch(
      person.save$({ attrs: { address: { city: 'Given' } } }).pipe(mergeConflicts(person)),
    );

    server.at(0).refuse(412);
    meanwhile(person);
    server.at(1).ok(theirs({ address: { city: 'Theirs' } }));

    expect(server.lines).toStrictEqual(['PUT /person/7', 'GET /person/7']);
    expect(responses.map((response) => response.status)).toStrictEqual([412]);
    expect(person.city.value).toBe('Theirs');
  });

  it.each([
    [undefined, 3],
    [{ count: 1 }, 1],
    [{ count: 0 }, 0],
  ])('with the options %j is sent again %i times at most', (options, times) => {
    const { server, watched } = saving(options);
    for (let place = 0; place < server.held.length; place += 1) {
      const held = server.at(place);
      if (held.request.method === 'GET') held.ok(theirs({}));
      else held.refuse(412);
    }

    expect(server.lines.filter((line) => line.startsWith('PATCH'))).toHaveLength(1 + times);
    expect(watched.responses.map((response) => response.status)).toStrictEqual([412]);
  });

  it('stays refused if the record cannot be read, and fails if the server cannot be reached', () => {
    const [gone, offline] = [saving(), saving()];
    for (const { server } of [gone, offline]) server.at(0).refuse(412);

    gone.server.at(1).refuse(404);
    offline.server.at(1).fail(new TypeError('offline'));

    expect(gone.watched.responses.map((response) => response.status)).toStrictEqual([412]);
    expect(offline.watched.error).toMatchObject({ message: 'offline' });
    expect(offline.person.name.value).toBe('Mine');
  });

  it('continues if the server returns the id as text', () => {
    const { server } = saving();
    server.at(0).refuse(412);

    server.at(1).ok(theirs({ id: '7' }));

    expect(server.lines).toStrictEqual(['PATCH /person/7', 'GET /person/7', 'PATCH /person/7']);
  });

  it('is not sent again if another record is shown since then', () => {
    const { person, server, watched } = saving();
    server.at(0).refuse(412);
    person.set({ id: 8, name: 'Other' });

    server.at(1).ok(theirs({}));

    expect(server.lines).toStrictEqual(['PATCH /person/7', 'GET /person/7']);
    expect(watched.responses.map((response) => response.status)).toStrictEqual([412]);
  });

  it('is in progress until its end, also while it reads', () => {
    const { person, server } = withPerson();
    const [inProgress, isSaving] = [valuesOf(person.requestInProgress$), valuesOf(person.isSaving$)];
    person.name.next('Mine');
    watch(person.save$({ patch: true }).pipe(mergeConflicts(person)));
    server.at(0).refuse(412);
    server.at(1).ok(theirs({}));
    server.at(2).ok();

    expect(inProgress).toStrictEqual([false, true, false]);
    expect(isSaving).toStrictEqual([false, true, false, true, false]);
  });

  it('stops reading once it is unsubscribed', () => {
    const { server, watched } = saving();
    server.at(0).refuse(412);
    watched.subscription.unsubscribe();
    expect(server.at(1).isClosed).toBe(true);
  });
});

describe('a save that is refused', () => {
  it('stays refused if it was to create, since there is no id to read', () => {
    const { person, server } = withPerson({ values: { id: undefined } });
    const watched = watch(person.save$().pipe(mergeConflicts(person)));
    server.at(0).refuse(409);
    expect(watched.responses.map(({ status }) => status)).toStrictEqual([409]);
    expect(server.lines).toStrictEqual(['POST /person']);
  });

  it('stays refused once another record is shown', () => {
    const { person, server, watched } = saving();
    person.set({ id: 8, name: 'Other' });
    person.name.next('Mine, too');
    server.at(0).refuse(412);
    expect(watched.responses.map(({ status }) => status)).toStrictEqual([412]);
    expect(server.lines).toStrictEqual(['PATCH /person/7']);
  });

  it('continues after a create', () => {
    const { person, server } = withPerson({ values: { id: undefined } });
    watch(person.save$());
    watch(person.save$().pipe(mergeConflicts(person)));
    server.at(0).ok({ id: 7 });
    server.at(1).refuse(412);
    expect(server.lines).toStrictEqual(['POST /person', 'PUT /person/7', 'GET /person/7']);
  });
});

describe('a delete that is refused', () => {
  it.each([409, 412, 428])('stays refused, as nobody has looked at what is there by now: %i', (status) => {
    const { person, server } = withPerson();
    person.name.next('Mine');
    const watched = watch(person.destroy$().pipe(mergeConflicts(person)));
    server.at(0).refuse(status);
    expect(server.lines).toStrictEqual(['DELETE /person/7']);
    expect([watched.responses.map((response) => response.status), watched.isComplete]).toStrictEqual([
      [status],
      true,
    ]);
  });

  it('stays refused if it is a promise, too, with which its flag is down already', async () => {
    const { person, server } = withPerson();
    person.name.next('Mine');
    const response = lastValueFrom(defer(() => person.destroy()).pipe(mergeConflicts(person)));
    server.at(0).refuse(412);
    expect([(await response).status, server.lines]).toStrictEqual([412, ['DELETE /person/7']]);
  });
});

describe('a save beside a delete', () => {
  it('continues while the flag of a delete that was refused is still held', () => {
    const { person, server } = withPerson({ config: { requestLull: 1000 } });
    watch(person.destroy$());
    server.at(0).refuse(403);
    person.name.next('Mine');
    watch(person.save$().pipe(mergeConflicts(person)));
    server.at(1).refuse(412);
    expect(server.lines).toStrictEqual(['DELETE /person/7', 'PUT /person/7', 'GET /person/7']);
    person.dispose();
  });

  it('continues while a delete waits behind it', () => {
    const { person, server } = withPerson();
    person.name.next('Mine');
    watch(person.save$().pipe(mergeConflicts(person)));
    watch(person.destroy$());
    server.at(0).refuse(412);
    expect(server.lines).toContain('GET /person/7');
  });
});

describe('any other answer', () => {
  it.each([200, 404, 500])('is passed on: %i', async (status) => {
    const { server, watched } = saving();
    server.at(0).respond(new Response('', { status }));
    await vi.waitFor(() => {
      expect(watched.responses.map((response) => response.status)).toStrictEqual([status]);
    });
    expect(server.lines).toStrictEqual(['PATCH /person/7']);
  });

  it('includes statuses that are not configured', () => {
    const { server, watched } = saving({ statuses: [423] });
    server.at(0).refuse(412);
    expect(watched.responses.map((response) => response.status)).toStrictEqual([412]);
  });
});

import fc from 'fast-check';
import { Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { RequestError } from 'rivulet';

import { Person, withPerson } from '../person';
import type { Held } from '../stub';
import { watch } from '../watch';
import type { Watched } from '../watch';

describe('writes of one record', () => {
  it('start synchronously when none is open', () => {
    const { person, server } = withPerson();

    watch(person.save$());

    expect(server.lines).toStrictEqual(['PUT /person/7']);
  });

  it('run one after the other: two saves of a new record are one POST, then one PUT with the new id', () => {
    const { person, server } = withPerson({ values: { id: undefined } });
    watch(person.save$());
    watch(person.save$());
    const before = server.lines;

    server.at(0).ok({ id: 9 });

    expect([before, server.lines]).toStrictEqual([['POST /person'], ['POST /person', 'PUT /person/9']]);
  });

  it('make a save after a destroy create', () => {
    const { person, server } = withPerson();
    watch(person.destroy$());
    watch(person.save$());

    server.at(0).ok();

    expect(server.lines).toStrictEqual(['DELETE /person/7', 'POST /person']);
  });

  it('make a second destroy fail with NO_ID', () => {
    const { person, server } = withPerson();
    watch(person.destroy$());
    const second = watch(person.destroy$());

    server.at(0).ok();

    expect({ lines: server.lines, error: second.error }).toMatchObject({
      lines: ['DELETE /person/7'],
      error: { code: 'NO_ID' },
    });
  });

  it('refuse a destroy once the record shows another id: BAD_ID, and nothing is sent or shown', () => {
    const { person, server } = withPerson();
    const sync = vi.spyOn(person, 'sync');
    watch(person.save$());
    const destroyed = watch(person.destroy$());
    person.set({ id: 8, name: 'Bob' });

    server.at(0).ok();

    expect(destroyed.error).toMatchObject({ code: 'BAD_ID', action: 'delete' });
    expect(destroyed.error).toHaveProperty(
      'message',
      'delete: the record shows another id now: nothing was sent',
    );
    expect([server.lines, sync.mock.calls.length]).toStrictEqual([['PUT /person/7'], 1]);
    expect([person.id.value, person.error$.value, person.isDeleting$.value]).toStrictEqual([8, null, false]);
  });

  it('send a save for the record that is shown when its turn comes', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    watch(person.save$({ patch: true }));
    person.set({ id: 8, name: 'Bob' });
    person.name.next('Bobby');

    server.at(0).ok();

    expect(server.lines).toStrictEqual(['PUT /person/7', 'PATCH /person/8']);
    expect(server.sent[1]?.body).toStrictEqual({ name: 'Bobby' });
  });

  it('send a destroy once the record shows the id again that it was called for', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    watch(person.destroy$());
    person.id.next(8);
    person.id.next(7);

    server.at(0).ok();

    expect(server.lines).toStrictEqual(['PUT /person/7', 'DELETE /person/7']);
  });

  it.each([
    ['that the server has created', undefined, 9, ['POST /person', 'DELETE /person/9']],
    ['that the server has renamed', 7, 'seven', ['PUT /person/7', 'DELETE /person/seven']],
  ])('send a destroy for the record %s in the meantime', (_name, id, answered, lines) => {
    const { person, server } = withPerson({ values: { id } });
    watch(person.save$());
    watch(person.destroy$());

    server.at(0).ok({ id: answered });

    expect(server.lines).toStrictEqual(lines);
  });

  it('send a destroy for the id that a rollback restores', () => {
    const { person, server } = withPerson();
    person.id.next(8);
    watch(person.save$({ rollback: 'error' }));
    watch(person.destroy$());

    server.at(0).refuse(409);

    expect(server.lines).toStrictEqual(['PUT /person/8', 'DELETE /person/7']);
  });

  it.each<[string, (held: Held) => void]>([
    ['was refused', (held) => held.refuse(500)],
    ['has failed', (held) => held.fail(new Error('network'))],
  ])('start when the previous one %s', (_name, end) => {
    const { person, server } = withPerson();
    watch(person.save$());
    watch(person.destroy$());

    end(server.at(0));

    expect(server.lines).toStrictEqual(['PUT /person/7', 'DELETE /person/7']);
  });

  it('start when the previous one could not be sent', () => {
    const { person, server } = withPerson({ config: { url: { delete: '/person/:id' } } });

    watch(person.save$());
    watch(person.destroy$());

    expect(server.lines).toStrictEqual(['DELETE /person/7']);
  });

  it('start when the previous one is unsubscribed', () => {
    const { person, server } = withPerson();
    const first = watch(person.save$());
    watch(person.save$());

    first.subscription.unsubscribe();

    expect(server.lines).toStrictEqual(['PUT /person/7', 'PUT /person/7']);
  });

  it('evaluate url, options and body when their turn comes', () => {
    const url = vi.fn(() => '/person');
    const fetchOptions = vi.fn(() => ({}));
    const { person, server } = withPerson({ config: { url, fetchOptions } });
    watch(person.save$());
    watch(person.save$());
    const callsBefore = [url.mock.calls.length, fetchOptions.mock.calls.length];

    person.name.next('typed while waiting');
    server.at(0).ok();

    expect({ callsBefore, body: server.sent[1]?.body }).toStrictEqual({
      callsBefore: [1, 1],
      body: { id: 7, name: 'typed while waiting', address: { city: 'Bonn' } },
    });
  });

  it('that are unsubscribed while waiting are dropped unsent, and the next does not overtake', () => {
    const { person, server } = withPerson();
    watch(person.save$());
    const second = watch(person.save$({ method: 'PATCH' }));
    watch(person.destroy$());

    second.subscription.unsubscribe();
    const before = server.lines;
    server.at(0).ok();

    expect([before, server.lines]).toStrictEqual([['PUT /person/7'], ['PUT /person/7', 'DELETE /person/7']]);
  });

  it('that are aborted while waiting reject with the reason, unsent', () => {
    const { person, server } = withPerson();
    const controller = new AbortController();
    const reason = new Error('enough');
    watch(person.save$());
    const second = watch(person.save$({ signal: controller.signal }));

    controller.abort(reason);
    const { error } = second;
    server.at(0).ok();

    expect(error).toBe(reason);
    expect(server.lines).toStrictEqual(['PUT /person/7']);
  });

  it('that wait count as in progress', () => {
    const { person, server } = withPerson();
    watch(person.destroy$());
    watch(person.save$());
    const waiting = [person.isDeleting$.value, person.isSaving$.value, person.requestInProgress$.value];

    server.at(0).ok();
    const running = [person.isDeleting$.value, person.isSaving$.value, person.requestInProgress$.value];
    server.at(1).ok();

    expect([waiting, running, person.requestInProgress$.value]).toStrictEqual([
      [true, true, true],
      [false, true, true],
      false,
    ]);
  });

  it('do not wait for those of another record', () => {
    const { root, person, server } = withPerson();
    const other = new Person(root, {}, { id: 8 });

    watch(person.save$());
    watch(other.save$());

    expect(server.lines).toStrictEqual(['PUT /person/7', 'PUT /person/8']);
  });

  it('do not wait for reads, nor reads for them', () => {
    const { person, server } = withPerson();

    watch(person.fetch$());
    watch(person.save$());
    watch(person.fetch$());

    expect(server.lines).toStrictEqual(['GET /person/7', 'PUT /person/7', 'GET /person/7']);
  });

  it('end with the newest value: the second save sends edits made during the first', () => {
    const { person, server } = withPerson();
    person.name.next('first');
    watch(person.save$());
    person.name.next('second');
    watch(person.save$());

    server.at(0).ok({ name: 'first' });
    server.at(1).ok({ name: 'second' });

    expect({
      bodies: server.sent.map(({ body }) => body),
      name: person.name.value,
      isDirty: person.isDirty$.value,
    }).toMatchObject({
      bodies: [{ name: 'first' }, { name: 'second' }],
      name: 'second',
      isDirty: false,
    });
  });

  it('that wait at disposal of the record reject with DISPOSED, unsent', () => {
    const { person, server } = withPerson();
    const [first, second] = [watch(person.save$()), watch(person.destroy$())];

    person.dispose();

    expect({ errors: [first.error, second.error], lines: server.lines }).toMatchObject({
      errors: [{ code: 'DISPOSED' }, { code: 'DISPOSED' }],
      lines: ['PUT /person/7'],
    });
  });
});

describe('any sequence of writes of one record', () => {
  type Step = 'save' | 'answer' | { readonly leave: number };
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.constant('save' as const),
    fc.constant('answer' as const),
    fc.record({ leave: fc.nat(7) }),
  );

  it('has exactly one write open while any remain, sends in order, and ends', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const { person, server } = withPerson();
        const saves: { readonly saved: Watched; hasLeft: boolean }[] = [];
        const open = () => server.held.filter(({ isClosed }) => !isClosed);
        const waiting = () => saves.filter(({ saved, hasLeft }) => !hasLeft && !saved.isComplete);
        const take = (each: Step) => {
          if (each === 'save') {
            const headers = { 'x-place': String(saves.length) };
            saves.push({ saved: watch(person.save$({ headers })), hasLeft: false });
          } else if (each === 'answer') open()[0]?.ok();
          else {
            const save = waiting()[each.leave];
            save?.saved.subscription.unsubscribe();
            if (save) save.hasLeft = true;
          }
          expect(open().length).toBe(Math.min(waiting().length, 1));
        };

        for (const each of steps) take(each);
        while (open().length) take('answer');

        const places = server.held.map(({ request }) => Number(request.headers.get('x-place')));
        expect(places).toStrictEqual([...new Set(places)].sort((a, b) => a - b));
        expect(saves.every(({ saved, hasLeft }) => hasLeft || saved.isComplete)).toBe(true);
        expect(person.requestInProgress$.value).toBe(false);
      }),
    );
  });
});

describe('thousands of writes of one record', () => {
  it('all run even if each ends synchronously', () => {
    const first = new Subject<unknown>();
    const root = createLib();
    const person = root.dataModel.boot({});
    let sent = 0;
    root.sync = () => (sent++ ? {} : first);
    for (let count = 0; count < 5000; count += 1) watch(person.save$());

    first.complete();

    expect([sent, person.requestInProgress$.value]).toStrictEqual([5000, false]);
  });

  it('do not block later writes when unsubscribed while waiting', () => {
    const first = new Subject<unknown>();
    const root = createLib();
    const person = root.dataModel.boot({});
    let sent = 0;
    root.sync = () => (sent++ ? {} : first);
    watch(person.save$());
    for (let count = 0; count < 5000; count += 1) person.save$().subscribe().unsubscribe();

    first.complete();
    watch(person.save$());

    expect([sent, person.requestInProgress$.value]).toStrictEqual([2, false]);
  });

  it('all fail with DISPOSED when the record is disposed of', () => {
    const root = createLib();
    const person = root.dataModel.boot({});
    root.sync = () => new Subject<unknown>();
    const saves = Array.from({ length: 5000 }, () => watch(person.save$()));

    person.dispose();

    expect(new Set(saves.map(({ error }) => (error as RequestError).code))).toStrictEqual(
      new Set(['DISPOSED']),
    );
    expect(person.requestInProgress$.value).toBe(false);
  });
});

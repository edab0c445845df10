import { describe, expect, it } from 'vitest';

import { DataModel, createLib } from 'rivulet';

import { withPerson } from './person';
import { StubServer } from './stub';
import { valuesOf, watch } from './watch';

describe('a field mapped while a request is pending', () => {
  it.each(['fetch$', 'save$'] as const)('takes the answer to %s, since it was not edited', (method) => {
    const { root, person, server } = withPerson();
    watch(person[method]());
    const job = root.observable('').map('job', person);
    const conflicts = valuesOf(person.conflicts$);

    server.at(0).ok({ id: 7, job: 'clerk' });

    expect([job.value, job.isDirty$.value, conflicts]).toStrictEqual(['clerk', false, []]);
  });

  it.each(['fetch$', 'save$'] as const)('keeps an edit made since over the answer to %s', (method) => {
    const { root, person, server } = withPerson();
    watch(person[method]());
    const job = root.observable('').map('job', person);
    job.next('baker');

    server.at(0).ok({ id: 7, job: 'clerk' });

    expect([job.value, job.remote$.value]).toStrictEqual(['baker', 'clerk']);
  });

  it('takes the answer even if another was mapped there before', () => {
    const { root, person, server } = withPerson();
    watch(person.fetch$());
    const name = root.observable('Anna').map('name', person);

    server.at(0).ok({ name: 'Eve' });

    expect([name.value, name.isDirty$.value]).toStrictEqual(['Eve', false]);
  });

  it('takes the answer to a request of the base constructor, made before it is mapped', () => {
    const server = new StubServer();
    const root = createLib({ transport: server.transport });
    class Base extends DataModel {
      readonly id = root.observable(1).map('id', this);
      constructor() {
        super({ url: '/people' }, root);
        watch(this.fetch$());
      }
    }
    class Noted extends Base {
      readonly note = root.observable('').map('note', this);
    }
    const noted = new Noted();

    server.at(0).ok({ id: 1, note: 'of somebody else' });
    watch(noted.save$({ patch: true }));

    expect(noted.note.value).toBe('of somebody else');
    expect(server.sent[1]?.body).toStrictEqual({});
  });
});

describe('a value that set() writes during a request', () => {
  it('stays, as confirmed, when an older read is answered', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    person.set({ name: 'pushed' });

    server.at(0).ok({ id: 7, name: 'older', address: { city: 'Ulm' } });

    expect([person.name.value, person.isDirty$.value, person.city.value]).toStrictEqual([
      'pushed',
      false,
      'Ulm',
    ]);
  });

  it('is replaced by a read that starts later', () => {
    const { person, server } = withPerson();
    person.set({ name: 'pushed' });
    watch(person.fetch$());

    server.at(0).ok({ id: 7, name: 'newer' });

    expect(person.name.value).toBe('newer');
  });

  it('stays when a patch that did not contain it is answered', () => {
    const { person, server } = withPerson();
    person.name.next('Eve');
    watch(person.save$({ patch: true }));
    person.set({ address: { city: 'Rome' } });

    server.at(0).ok({ id: 7, name: 'Eve', address: { city: 'Bonn' } });

    expect([person.city.value, person.isDirty$.value]).toStrictEqual(['Rome', false]);
  });
});

describe('an edit discarded during a read', () => {
  it.each([
    ['by a rollback', 'refused'],
    ['by reset() of the record', 'reset'],
    ['by reset() of the field', 'field'],
  ] as const)('is replaced by the answer if discarded %s', (_, how) => {
    const { person, server } = withPerson();
    person.name.next('Bo');
    watch(person.save$({ rollback: 'error' }));
    watch(person.fetch$());

    server.at(0).refuse(500);
    if (how !== 'refused') person.name.next('Cy');
    if (how === 'reset') person.reset();
    if (how === 'field') person.name.reset();
    server.at(1).ok({ id: 7, name: 'Eve' });

    expect([person.name.value, person.name.isDirty$.value]).toStrictEqual(['Eve', false]);
  });

  it('is none if reset() has nothing to discard: what was set in the meantime stays', () => {
    const { person, server } = withPerson();
    watch(person.fetch$());
    person.set({ name: 'Bo' });

    person.reset();
    server.at(0).ok({ id: 7, name: 'Eve' });

    expect([person.name.value, person.name.remote$.value]).toStrictEqual(['Bo', 'Bo']);
  });
});

describe('a failure for a previous id', () => {
  it.each(['fetch$', 'save$', 'destroy$'] as const)(
    'of %s is reported to the caller, not in error$',
    (method) => {
      const { person, server } = withPerson();
      const errors = valuesOf(person.error$);
      const failed = watch(person[method]());
      person.id.next(8);
      server.at(0).fail(new Error('offline'));
      const refused = watch(person[method]());
      person.id.next(9);
      server.at(1).refuse(503);

      expect(errors).toStrictEqual([null]);
      expect([failed.error, refused.responses]).toMatchObject([{ message: 'offline' }, [{ status: 503 }]]);
    },
  );

  it('is reported if it is the rollback that restored another id', () => {
    const { person, server } = withPerson();
    person.id.next(8);
    watch(person.save$({ rollback: 'error' }));

    server.at(0).refuse(409);

    expect([person.id.value, person.error$.value]).toMatchObject([7, { code: 'HTTP' }]);
  });
});

describe('a field that a record no longer holds', () => {
  /** A field of two records, one of which was disposed of. */
  const shared = () => {
    const root = createLib();
    const [gone, other] = [root.dataModel.boot({}), root.dataModel.boot({})];
    const name = root.observable('Ann').map('name', other).map('name', gone);
    gone.dispose();
    return { gone, other, name };
  };

  it('is not written by set() of that record', () => {
    const { gone, other, name } = shared();

    gone.set({ name: 'Bo' });

    expect([name.value, other.isDirty$.value]).toStrictEqual(['Ann', false]);
  });

  it('is not written by reset() of that record', () => {
    const { gone, name } = shared();
    name.next('Bo');

    gone.reset();

    expect(name.value).toBe('Bo');
  });

  it('is not written by a late choice in a conflict', () => {
    const { person, server } = withPerson();
    const conflicts = valuesOf(person.conflicts$);
    person.name.next('mine');
    watch(person.fetch$({ keepEdits: true }));
    server.at(0).ok({ id: 7, name: 'theirs' });
    person.unmap('name');
    person.name.next('theirs');

    conflicts[0]?.keepMine();

    expect(person.name.value).toBe('theirs');
  });
});

import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { Conflict } from 'rivulet';

import { Person, withPerson } from './person';
import { valuesOf, watch } from './watch';

/** A person with an edited name that follows rows. */
function following() {
  const rows$ = new Subject<object>();
  const { person, server } = withPerson();
  person.follow(rows$).subscribe();
  person.name.next('Mine');
  return { rows$, person, server };
}

/** Such a person, and the conflicts from then on. */
function edited() {
  const { rows$, person, server } = following();
  const conflicts: Conflict[] = valuesOf(person.conflicts$);
  return { rows$, person, server, conflicts };
}

describe('conflicts$', () => {
  it('has none left of an edit that was saved, though it was typed on meanwhile', () => {
    const { rows$, person, server } = following();
    rows$.next({ name: 'Theirs' });
    watch(person.save$());
    person.name.next('Mine, and more');

    server.at(0).ok();

    expect(valuesOf(person.conflicts$)).toStrictEqual([]);
  });

  it('has none left of an edit that the server has by now', () => {
    const { rows$, person } = following();
    rows$.next({ name: 'Theirs' });

    rows$.next({ name: 'Mine' });

    expect(valuesOf(person.conflicts$)).toStrictEqual([]);
  });

  it('tells of none that whoever was told of the row has put an end to', () => {
    const { rows$, person, conflicts } = edited();
    person.name.remote$.subscribe(() => {
      person.name.reset();
    });
    person.name.next('Mine');

    rows$.next({ name: 'Theirs' });

    expect([conflicts, person.name.value]).toStrictEqual([[], 'Theirs']);
  });

  it('begins with none that whoever was told of the one before has put an end to', () => {
    const { rows$, person } = following();
    person.city.next('My town');
    rows$.next({ name: 'Theirs', address: { city: 'Ulm' } });

    const told: string[] = [];
    person.conflicts$.subscribe((conflict) => {
      told.push(conflict.path);
      person.reset();
      if (told.length > 1) conflict.keepMine();
    });

    expect(told).toStrictEqual(['name']);
    expect(person.city.value).toBe('Ulm');
  });

  it('tells of those, too, that come of what is done about the first', () => {
    const { rows$, person } = following();
    rows$.next({ name: 'Theirs' });

    const told: string[] = [];
    person.conflicts$.subscribe(({ path }) => {
      told.push(path);
      if (told.length > 1) return;
      person.city.next('My town');
      rows$.next({ address: { city: 'Ulm' } });
    });

    expect(told).toStrictEqual(['name', 'address.city']);
  });

  it('does not reach a field that was let go of', () => {
    const { rows$, person, conflicts } = edited();
    rows$.next({ name: 'Theirs' });
    person.unmap('name');

    conflicts[0]?.takeTheirs();
    person.name.reset();

    expect(person.name.value).toBe('Mine');
  });

  it('tells of an edit that a row contradicts, when all is written', () => {
    const { rows$, person, conflicts } = edited();
    const seen: unknown[] = [];
    person.conflicts$.subscribe(() => seen.push(person.city.value));

    rows$.next({ name: 'Theirs', address: { city: 'Ulm' } });

    expect(conflicts).toMatchObject([{ path: 'name', mine: 'Mine', theirs: 'Theirs' }]);
    expect(seen).toStrictEqual(['Ulm']);
  });

  it.each([
    ['the value confirmed before', { name: 'Ann' }],
    ['the very edit', { name: 'Mine' }],
    ['nothing of the field', { address: { city: 'Ulm' } }],
  ])('tells nothing of a row that holds %s', (_, row) => {
    const { rows$, conflicts } = edited();
    rows$.next(row);
    expect(conflicts).toStrictEqual([]);
  });

  it('tells of a read with keepEdits; one without replaces the edit, which is no conflict', () => {
    const { person, server, conflicts } = edited();

    watch(person.fetch$({ keepEdits: true }));
    server.at(0).ok({ name: 'Theirs' });
    watch(person.fetch$());
    server.at(1).ok({ name: 'Newest' });

    expect(conflicts).toMatchObject([{ mine: 'Mine', theirs: 'Theirs' }]);
    expect(person.name.value).toBe('Newest');
  });

  it('tells of an answer to a save that contradicts what was edited meanwhile', () => {
    const { person, server, conflicts } = edited();

    watch(person.save$({ patch: true }));
    person.city.next('Later');
    server.at(0).ok({ name: 'Mine', address: { city: 'Ulm' } });

    expect(conflicts).toMatchObject([{ path: 'address.city', mine: 'Later', theirs: 'Ulm' }]);
  });

  it('tells nothing of what the server made of the value that was sent', () => {
    const { person, server, conflicts } = edited();

    watch(person.save$({ patch: true }));
    person.name.next('Later');
    server.at(0).ok({ name: 'MINE' });

    expect([conflicts, person.name.value, person.name.remote$.value]).toStrictEqual([[], 'Later', 'MINE']);
  });

  it.each([
    ['the edit', 'Mine', () => undefined],
    [
      'what was typed over it',
      'Third',
      ({ person }: ReturnType<typeof edited>) => {
        person.name.next('Third');
      },
    ],
    [
      'the edit, shown again where it was replaced',
      'Mine',
      ({ person }: ReturnType<typeof edited>) => {
        person.reset();
      },
    ],
  ] as const)('keeps %s', (_, name, meanwhile) => {
    const all = edited();
    all.rows$.next({ name: 'Theirs' });
    meanwhile(all);

    all.conflicts[0]?.keepMine();
    watch(all.person.save$({ patch: true }));

    expect(all.server.sent[0]?.body).toStrictEqual({ name });
  });

  it.each(['keepMine', 'takeTheirs'] as const)(
    'leaves another record alone that is shown by then: %s',
    (choice) => {
      const { rows$, person, conflicts } = edited();
      rows$.next({ name: 'Theirs' });
      person.set({ id: 8, name: 'Other' });
      person.name.next('Edit');

      conflicts[0]?.[choice]();

      expect([person.name.value, person.name.remote$.value]).toStrictEqual(['Edit', 'Other']);
    },
  );

  it('gives the edit up for what was confirmed last', () => {
    const { rows$, person, conflicts } = edited();
    rows$.next({ name: 'Theirs' });
    rows$.next({ name: 'Newer' });

    conflicts[0]?.takeTheirs();

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Newer', false]);
    expect(conflicts).toHaveLength(2);
  });

  it('may be decided as it is told', () => {
    const { rows$, person } = edited();
    person.conflicts$.subscribe((conflict) => {
      conflict.takeTheirs();
    });

    rows$.next({ name: 'Theirs' });

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Theirs', false]);
  });

  it('ends with the record', () => {
    const { person } = withPerson();
    const ends: string[] = [];
    person.conflicts$.subscribe({ complete: () => ends.push('complete') });
    person.dispose();
    expect(ends).toStrictEqual(['complete']);
  });
});

describe('a conflict that is open', () => {
  /** A person with an edit that a row has contradicted. */
  function unheard() {
    const { rows$, person, server } = following();
    rows$.next({ name: 'Theirs' });
    return { rows$, person, server };
  }

  it('is told to whoever listens, until it is decided', () => {
    const { person } = unheard();
    const told = valuesOf(person.conflicts$);
    expect(told).toMatchObject([{ path: 'name', mine: 'Mine', theirs: 'Theirs' }]);
    expect(valuesOf(person.conflicts$)).toStrictEqual(
      told.map((each) => expect.objectContaining({ path: each.path }) as unknown),
    );
    told[0]?.keepMine();
    expect(valuesOf(person.conflicts$)).toStrictEqual([]);
  });

  it('is not decided by a choice that was made for an earlier one', () => {
    const { rows$, person } = unheard();
    const told = valuesOf(person.conflicts$);
    rows$.next({ name: 'Newest' });
    told[0]?.keepMine();
    expect(valuesOf(person.conflicts$)).toMatchObject([{ mine: 'Mine', theirs: 'Newest' }]);
  });

  it('is told as it stands by then: what was typed since, and what was confirmed last', () => {
    const { rows$, person } = unheard();
    person.name.next('Mine too');
    rows$.next({ name: 'Newest' });
    expect(valuesOf(person.conflicts$)).toMatchObject([{ mine: 'Mine too', theirs: 'Newest' }]);
  });

  it('can be decided like any other', () => {
    const { person } = unheard();
    person.conflicts$.subscribe((conflict) => {
      conflict.takeTheirs();
    });
    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Theirs', false]);
  });

  it.each<[string, (person: Person, server: ReturnType<typeof unheard>['server']) => void]>([
    [
      'was given up',
      (person) => {
        person.reset();
      },
    ],
    [
      'was saved',
      (person, server) => {
        watch(person.save$());
        server.at(0).ok();
      },
    ],
    [
      'is what the server holds',
      (person) => {
        person.name.next('Theirs');
      },
    ],
    [
      'was counted as confirmed',
      (person) => {
        person.clean();
      },
    ],
  ])('is over where the edit %s, also when there is a new one', (_, end) => {
    const { person, server } = unheard();
    end(person, server);
    person.name.next('Another edit');
    expect(valuesOf(person.conflicts$)).toStrictEqual([]);
  });

  it('is over where another record is shown, or the field is taken out', () => {
    const [shown, unmapped] = [unheard().person, unheard().person];
    shown.id.next(8);
    unmapped.unmap('name');
    expect([valuesOf(shown.conflicts$), valuesOf(unmapped.conflicts$)]).toStrictEqual([[], []]);
  });

  it('may come of a list that the record is in', () => {
    const root = createLib();
    const people = root.collection({
      data: [{ id: 7, name: 'Ann' }],
      model: class extends Person {
        constructor() {
          super(root, {}, {});
        }
      },
    });
    const ann = people.record(7);
    ann.name.next('Mine');
    people.replace([{ id: 7, name: 'Theirs' }]);
    expect(valuesOf(ann.conflicts$)).toMatchObject([{ mine: 'Mine', theirs: 'Theirs' }]);
  });
});

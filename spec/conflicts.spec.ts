import { Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { Conflict, DataModelConfig } from 'rivulet';

import { Person, withPerson } from './person';
import type { Held } from './stub';
import { valuesOf, watch } from './watch';
import type { Watched } from './watch';

/** A person with an edited name that follows rows. */
function following() {
  const rows$ = new Subject<object>();
  const { person, server } = withPerson();
  person.follow(rows$).subscribe();
  person.name.next('Mine');
  return { rows$, person, server };
}

/** Such a person, and the conflicts emitted from then on. */
function edited() {
  const { rows$, person, server } = following();
  const conflicts: Conflict[] = valuesOf(person.conflicts$);
  return { rows$, person, server, conflicts };
}

describe('conflicts$', () => {
  it('holds none for an edit that was saved, even if it was edited further during the save', () => {
    const { rows$, person, server } = following();
    rows$.next({ name: 'Theirs' });
    watch(person.save$());
    person.name.next('Mine, and more');

    server.at(0).ok();

    expect(valuesOf(person.conflicts$)).toStrictEqual([]);
  });

  it('holds none for an edit that the server has since confirmed', () => {
    const { rows$, person } = following();
    rows$.next({ name: 'Theirs' });

    rows$.next({ name: 'Mine' });

    expect(valuesOf(person.conflicts$)).toStrictEqual([]);
  });

  it('does not emit one that a subscriber notified of the row has ended', () => {
    const { rows$, person, conflicts } = edited();
    person.name.remote$.subscribe(() => {
      person.name.reset();
    });
    person.name.next('Mine');

    rows$.next({ name: 'Theirs' });

    expect([conflicts, person.name.value]).toStrictEqual([[], 'Theirs']);
  });

  it('holds none for a newer edit than the one that a subscriber notified of the row has ended', () => {
    const { rows$, person } = following();
    person.name.remote$.subscribe(() => {
      person.name.reset();
    });
    person.name.next('Mine');
    rows$.next({ name: 'Theirs' });

    person.name.next('Mine again');

    expect(valuesOf(person.conflicts$)).toStrictEqual([]);
  });

  it('does not emit one that another subscriber has decided to keep', () => {
    const { rows$, person } = following();
    person.conflicts$.subscribe((conflict) => {
      conflict.keepMine();
    });
    const others = valuesOf(person.conflicts$);

    rows$.next({ name: 'Theirs' });

    expect([others, person.name.value]).toStrictEqual([[], 'Mine']);
  });

  it('does not begin with one that the subscriber ended when notified of another', () => {
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

  it('emits to whoever is notified later only what the server has by then', () => {
    const { rows$, person } = following();
    person.conflicts$.subscribe(({ theirs }) => {
      if (theirs === 'Theirs') rows$.next({ name: 'Newest' });
    });
    const others = valuesOf(person.conflicts$);

    rows$.next({ name: 'Theirs' });

    expect(others).toMatchObject([{ path: 'name', theirs: 'Newest' }]);
  });

  it('begins with the one that is being emitted for whoever subscribes meanwhile', () => {
    const { rows$, person } = following();
    const others: Conflict[][] = [];
    person.conflicts$.subscribe(() => others.push(valuesOf(person.conflicts$)));

    rows$.next({ name: 'Theirs' });

    expect(others).toMatchObject([[{ path: 'name', theirs: 'Theirs' }]]);
  });

  it('also emits those caused by the reaction to the first', () => {
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

  it('does not write to a field that was unmapped', () => {
    const { rows$, person, conflicts } = edited();
    rows$.next({ name: 'Theirs' });
    person.unmap('name');

    conflicts[0]?.takeTheirs();
    person.name.reset();

    expect(person.name.value).toBe('Mine');
  });

  it('emits an edit that a row contradicts, once everything is written', () => {
    const { rows$, person, conflicts } = edited();
    const seen: unknown[] = [];
    person.conflicts$.subscribe(() => seen.push(person.city.value));

    rows$.next({ name: 'Theirs', address: { city: 'Ulm' } });

    expect(conflicts).toMatchObject([{ path: 'name', mine: 'Mine', theirs: 'Theirs' }]);
    expect(seen).toStrictEqual(['Ulm']);
  });

  it.each([
    ['the previously confirmed value', { name: 'Ann' }],
    ['the same value as the edit', { name: 'Mine' }],
    ['no value for the field', { address: { city: 'Ulm' } }],
  ])('emits nothing for a row that holds %s', (_, row) => {
    const { rows$, conflicts } = edited();
    rows$.next(row);
    expect(conflicts).toStrictEqual([]);
  });

  it('emits for a read with keepEdits; one without replaces the edit, which is no conflict', () => {
    const { person, server, conflicts } = edited();

    watch(person.fetch$({ keepEdits: true }));
    server.at(0).ok({ name: 'Theirs' });
    watch(person.fetch$());
    server.at(1).ok({ name: 'Newest' });

    expect(conflicts).toMatchObject([{ mine: 'Mine', theirs: 'Theirs' }]);
    expect(person.name.value).toBe('Newest');
  });

  it('emits for an answer to a save that contradicts an edit made during it', () => {
    const { person, server, conflicts } = edited();

    watch(person.save$({ patch: true }));
    person.city.next('Later');
    server.at(0).ok({ name: 'Mine', address: { city: 'Ulm' } });

    expect(conflicts).toMatchObject([{ path: 'address.city', mine: 'Later', theirs: 'Ulm' }]);
  });

  it('emits nothing for what a save has sent whose answer was lost, until one succeeds', () => {
    const { rows$, person, server, conflicts } = edited();
    watch(person.save$());
    server.at(0).fail(new TypeError('offline'));
    person.name.next('Mine, and more');

    rows$.next({ name: 'Mine' });
    expect(conflicts).toStrictEqual([]);

    watch(person.save$());
    server.at(1).ok();
    person.name.next('Again');
    rows$.next({ name: 'Mine' });
    expect(conflicts).toMatchObject([{ mine: 'Again', theirs: 'Mine' }]);
  });

  it.each<[string, DataModelConfig, (sent: Held, save: Watched) => unknown]>([
    [
      'breaks off',
      {},
      (sent) => {
        sent.respond(
          new Response(
            new ReadableStream({
              start: (body) => {
                body.error(new TypeError('terminated'));
              },
            }),
          ),
        );
      },
    ],
    [
      'is given up while it is read',
      {},
      async (sent, save) => {
        sent.respond(new Response(new ReadableStream()));
        await vi.waitFor(() => {
          expect(sent.isClosed).toBe(true);
        });
        save.subscription.unsubscribe();
      },
    ],
    [
      'cannot be parsed',
      {
        parse: (data, action) => {
          if (action === 'update') throw new Error('cannot be parsed');
          return data;
        },
      },
      (sent) => {
        sent.ok({});
      },
    ],
  ])('emits nothing for what a save has sent whose answer %s', async (_, config, end) => {
    const { person, server } = withPerson({ config });
    person.name.next('Mine');
    const save = watch(person.save$());
    await end(server.at(0), save);
    await vi.waitFor(() => {
      expect(person.isSaving$.value).toBe(false);
    });
    person.name.next('Mine, and more');
    const conflicts = valuesOf(person.conflicts$);

    watch(person.fetch$({ keepEdits: true }));
    server.at(1).ok({ name: 'Mine' });

    expect([conflicts, person.dirtyMap().name]).toStrictEqual([[], true]);
  });

  it('emits nothing in the answer to a save for what one before it has sent, whose answer was lost', () => {
    const { person, server, conflicts } = edited();
    watch(person.save$({ patch: true }));
    server.at(0).fail(new TypeError('offline'));
    person.name.reset();
    person.city.next('Ulm');
    watch(person.save$({ patch: true }));
    person.name.next('Later');

    server.at(1).ok({ name: 'Mine', address: { city: 'Ulm' } });

    expect(conflicts).toStrictEqual([]);
  });

  it('emits a conflict with what a save has sent that was accepted, even if it is left while that is told', () => {
    const { rows$, person, server, conflicts } = edited();
    const save = watch(person.save$());
    const leaving = person.city.subscribe((city) => {
      if (city === 'Ulm') save.subscription.unsubscribe();
    });
    server.at(0).ok({ address: { city: 'Ulm' } });
    leaving.unsubscribe();
    rows$.next({ name: 'Theirs' });
    person.name.next('Again');

    rows$.next({ name: 'Mine' });

    expect(conflicts.at(-1)).toMatchObject({ mine: 'Again', theirs: 'Mine' });
  });

  it('emits a conflict with what was sent for another id', () => {
    const { rows$, person, server, conflicts } = edited();
    watch(person.save$());
    server.at(0).fail(new TypeError('offline'));
    person.set({ id: 8 });
    person.name.next('Another');

    rows$.next({ id: 8, name: 'Mine' });

    expect(conflicts).toMatchObject([{ mine: 'Another', theirs: 'Mine' }]);
  });

  it('knows what the last hundred failed saves have sent, and no more', () => {
    const { rows$, person, server, conflicts } = edited();
    for (let save = 0; save <= 100; save += 1) {
      person.name.next(`version ${String(save)}`);
      watch(person.save$());
      server.at(save).fail(new TypeError('offline'));
    }
    person.name.next('Mine');

    rows$.next({ name: 'version 1' });
    expect(conflicts).toStrictEqual([]);
    rows$.next({ name: 'version 0' });
    expect(conflicts).toMatchObject([{ theirs: 'version 0' }]);
  });

  it('emits nothing for what the server made of the value that was sent', () => {
    const { person, server, conflicts } = edited();

    watch(person.save$({ patch: true }));
    person.name.next('Later');
    server.at(0).ok({ name: 'MINE' });

    expect([conflicts, person.name.value, person.name.remote$.value]).toStrictEqual([[], 'Later', 'MINE']);
  });

  it.each([
    ['the edit', 'Mine', () => undefined],
    [
      'what was typed since',
      'Third',
      ({ person }: ReturnType<typeof edited>) => {
        person.name.next('Third');
      },
    ],
    [
      'the edit, restored after it was discarded',
      'Mine',
      ({ person }: ReturnType<typeof edited>) => {
        person.reset();
      },
    ],
  ] as const)('with keepMine keeps %s', (_, name, meanwhile) => {
    const all = edited();
    all.rows$.next({ name: 'Theirs' });
    meanwhile(all);

    all.conflicts[0]?.keepMine();
    watch(all.person.save$({ patch: true }));

    expect(all.server.sent[0]?.body).toStrictEqual({ name });
  });

  it.each(['keepMine', 'takeTheirs'] as const)(
    'does not change another record shown since then: %s',
    (choice) => {
      const { rows$, person, conflicts } = edited();
      rows$.next({ name: 'Theirs' });
      person.set({ id: 8, name: 'Other' });
      person.name.next('Edit');

      conflicts[0]?.[choice]();

      expect([person.name.value, person.name.remote$.value]).toStrictEqual(['Edit', 'Other']);
    },
  );

  it('with takeTheirs replaces the edit with the value confirmed last', () => {
    const { rows$, person, conflicts } = edited();
    rows$.next({ name: 'Theirs' });
    rows$.next({ name: 'Newer' });

    conflicts[0]?.takeTheirs();

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Newer', false]);
    expect(conflicts).toHaveLength(2);
  });

  it('allows a decision as soon as it emits', () => {
    const { rows$, person } = edited();
    person.conflicts$.subscribe((conflict) => {
      conflict.takeTheirs();
    });

    rows$.next({ name: 'Theirs' });

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Theirs', false]);
  });

  it('completes with the record', () => {
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

  it('is emitted to every new subscriber until it is decided', () => {
    const { person } = unheard();
    const told = valuesOf(person.conflicts$);
    expect(told).toMatchObject([{ path: 'name', mine: 'Mine', theirs: 'Theirs' }]);
    expect(valuesOf(person.conflicts$)).toStrictEqual(
      told.map((each) => expect.objectContaining({ path: each.path }) as unknown),
    );
    told[0]?.keepMine();
    expect(valuesOf(person.conflicts$)).toStrictEqual([]);
  });

  it('is not decided by a choice made for an earlier one', () => {
    const { rows$, person } = unheard();
    const told = valuesOf(person.conflicts$);
    rows$.next({ name: 'Newest' });
    told[0]?.keepMine();
    expect(valuesOf(person.conflicts$)).toMatchObject([{ mine: 'Mine', theirs: 'Newest' }]);
  });

  it('is emitted in its current state: what was typed since, and what was confirmed last', () => {
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
      'is discarded',
      (person) => {
        person.reset();
      },
    ],
    [
      'is saved',
      (person, server) => {
        watch(person.save$());
        server.at(0).ok();
      },
    ],
    [
      'equals what the server confirmed',
      (person) => {
        person.name.next('Theirs');
      },
    ],
    [
      'is marked as confirmed',
      (person) => {
        person.clean();
      },
    ],
  ])('ends when the edit %s, even if there is a new one', (_, end) => {
    const { person, server } = unheard();
    end(person, server);
    person.name.next('Another edit');
    expect(valuesOf(person.conflicts$)).toStrictEqual([]);
  });

  it('ends when another record is shown, or the field is unmapped', () => {
    const [shown, unmapped] = [unheard().person, unheard().person];
    shown.id.next(8);
    unmapped.unmap('name');
    expect([valuesOf(shown.conflicts$), valuesOf(unmapped.conflicts$)]).toStrictEqual([[], []]);
  });

  it('may be caused by a list that contains the record', () => {
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

describe('openConflicts$', () => {
  /** What is open, each time that it is told. */
  const listed = (person: Person) => {
    const told: unknown[] = [];
    person.openConflicts$.subscribe((open) => {
      told.push(open.map(({ path, mine, theirs }) => `${path}: ${String(mine)}, ${String(theirs)}`));
    });
    return told;
  };

  it('emits the list whenever a conflict is added, changes, is decided or ends', () => {
    const { rows$, person } = following();
    person.city.next('Rome');
    const told = listed(person);
    rows$.next({ name: 'Theirs', address: { city: 'Kyiv' } });
    person.name.next('Mine too');
    person.openConflicts$.value[0]?.keepMine();
    person.city.reset();
    expect(told).toStrictEqual([
      [],
      ['name: Mine, Theirs', 'address.city: Rome, Kyiv'],
      ['name: Mine too, Theirs', 'address.city: Rome, Kyiv'],
      ['address.city: Rome, Kyiv'],
      [],
    ]);
  });

  it('emits once for each choice, whether it writes or not', () => {
    const { rows$, person } = following();
    person.city.next('Rome');
    rows$.next({ name: 'Theirs', address: { city: 'Kyiv' } });
    const told = listed(person);
    const [name, city] = person.openConflicts$.value;
    name?.keepMine();
    city?.takeTheirs();
    expect(told).toHaveLength(3);
    expect([person.name.value, person.city.value, person.isDirty$.value]).toStrictEqual([
      'Mine',
      'Kyiv',
      true,
    ]);
  });

  it('holds the conflict that conflicts$ has emitted, the same object while nothing changes', () => {
    const { rows$, person, conflicts } = edited();
    rows$.next({ name: 'Theirs' });
    person.city.next('Rome');
    const [open] = person.openConflicts$.value;
    expect(open).toBe(conflicts[0]);
    expect(person.openConflicts$.value).toBe(person.openConflicts$.value);
  });

  it('is empty once another record is shown, and completes with the record', () => {
    const { rows$, person } = following();
    const told = listed(person);
    let isComplete = false;
    person.openConflicts$.subscribe({ complete: () => (isComplete = true) });
    rows$.next({ name: 'Theirs' });
    person.id.next(8);
    person.dispose();
    expect([told, isComplete]).toStrictEqual([[[], ['name: Mine, Theirs'], []], true]);
  });

  it('has a conflict already for whoever is notified of the write, and then tells of it once', () => {
    const { rows$, person, conflicts } = edited();
    const seen: unknown[] = [];
    person.name.remote$.subscribe(() => {
      seen.push(person.openConflicts$.value.length, valuesOf(person.conflicts$));
    });
    rows$.next({ name: 'Theirs' });
    expect(seen).toMatchObject([0, [{ path: 'name' }], 1, [{ path: 'name' }]]);
    expect(conflicts).toHaveLength(1);
  });

  it('lists an edit that leaves the field without a value', () => {
    const { rows$, person } = following();
    person.name.next(undefined as never);
    rows$.next({ name: 'Theirs' });
    expect(person.openConflicts$.value).toMatchObject([{ mine: undefined, theirs: 'Theirs' }]);
  });
});

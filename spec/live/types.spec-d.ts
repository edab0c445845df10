import type { Observable } from 'rxjs';
import { NEVER, of } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';

import { DataModel, lib } from 'rivulet';
import { followChanges, poll, serverEvents } from 'rivulet/live';
import type { Change, ServerEvent } from 'rivulet/live';
import { PagedCollection } from 'rivulet/paging';

interface Person {
  readonly id: number;
  readonly name: string;
}

const people = lib.collection<Person>({ url: '/people' });

describe('followChanges()', () => {
  it('takes changes of the items of its list, one by one or many', () => {
    const one: Change<Person> = { kind: 'put', item: { id: 1, name: 'Ann' } };
    expectTypeOf(followChanges(people, of(one))).toEqualTypeOf<Observable<readonly Change<Person>[]>>();
    followChanges(people, of([one, one]));
    followChanges(people, of<Change<Person>>({ kind: 'patch', item: { id: 1, name: 'Ann' } }), {
      version: ({ id }) => id,
    });
    followChanges(new PagedCollection<Person>({ next: () => null }), of(one));
    // @ts-expect-error -- the id is needed
    followChanges(people, of({ kind: 'patch', item: { name: 'Ann' } } as const));
    // @ts-expect-error -- the id is needed
    followChanges(people, of({ kind: 'delete', item: {} } as const));
    // Where the id is, the type does not say.
    followChanges(
      lib.collection<{ key: number }>({ url: '/', idAttribute: 'key' }),
      of({ kind: 'delete', item: { key: 1 } }),
    );
    // @ts-expect-error -- a whole item is needed
    followChanges(people, of({ kind: 'put', item: { id: 1 } } as const));
    // @ts-expect-error -- no such change
    followChanges(people, of({ kind: 'update', item: { id: 1, name: 'Ann' } } as const));
    // @ts-expect-error -- no version
    followChanges(people, of(one), { version: () => ({}) });
  });
});

describe('poll()', () => {
  it('takes what can be read', () => {
    expectTypeOf(poll(people, { every: 5 })).toEqualTypeOf<Observable<Response>>();
    poll(new DataModel(), { every: 5, while$: NEVER, options: { keepEdits: false } });
    // @ts-expect-error -- how often?
    poll(people, {});
  });
});

describe('serverEvents()', () => {
  it('emits events whose data is text', () => {
    expectTypeOf(serverEvents('/changes')).toEqualTypeOf<Observable<ServerEvent>>();
  });
});

import type { Observable } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';

import { DataModel, lib } from 'rivulet';
import type { Collection, Lib, StateStream } from 'rivulet';
import { PagedCollection, nextLink } from 'rivulet/paging';
import type { NextPage, Page } from 'rivulet/paging';
import { view } from 'rivulet/views';

interface Person {
  readonly id: number;
  readonly name: string;
}

class PersonRecord extends DataModel {
  readonly id = lib.observable<number>().map('id', this);
  constructor(root: Lib) {
    super({}, root);
  }
}

const people = new PagedCollection<Person>({ url: '/people', next: nextLink });

describe('a paged collection', () => {
  it('is a collection of its items', () => {
    expectTypeOf(people).toExtend<Collection<Person>>();
    expectTypeOf(people.byId(1)).toEqualTypeOf<Person | undefined>();
    expectTypeOf(view(people, { sortBy: 'name' }).value).toEqualTypeOf<readonly Person[]>();
    expectTypeOf(people.more()).toEqualTypeOf<Promise<Response | undefined>>();
    expectTypeOf(people.more$()).toEqualTypeOf<Observable<Response>>();
    expectTypeOf(people.refresh()).toEqualTypeOf<Promise<Response>>();
    expectTypeOf(people.refresh$()).toEqualTypeOf<Observable<Response>>();
    expectTypeOf(people.page$).toEqualTypeOf<StateStream<Page<Person> | undefined>>();
  });

  it('has live records of its model', () => {
    const modelled = new PagedCollection<Person, PersonRecord>({
      url: '/people',
      model: PersonRecord,
      next: () => null,
    });
    expectTypeOf(modelled.record(1)).toEqualTypeOf<PersonRecord>();
  });

  it('knows the items of a page', () => {
    new PagedCollection<Person>({
      next(page) {
        expectTypeOf(page).toEqualTypeOf<Page<Person>>();
        expectTypeOf(page.body).toBeUnknown();
        return page.items.length && { after: page.items.at(-1)?.id };
      },
    });
  });

  it('needs to be told where the next page is', () => {
    // @ts-expect-error -- `next` is missing
    new PagedCollection<Person>({ url: '/people' });
    // @ts-expect-error -- a page number says nothing of the name of its parameter
    new PagedCollection<Person>({ url: '/people', next: ({ index }) => index + 2 });
    // @ts-expect-error -- a promise
    new PagedCollection<Person>({ url: '/people', next: () => Promise.resolve(null) });
    expectTypeOf<NextPage>().not.toBeAny();
  });

  it('cannot have its state written', () => {
    expectTypeOf(people.hasMore$).toEqualTypeOf<StateStream<boolean>>();
    // @ts-expect-error -- read-only
    people.page$ = people.page$;
  });
});

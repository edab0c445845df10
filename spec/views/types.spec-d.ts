import { describe, expectTypeOf, it } from 'vitest';

import { lib } from 'rivulet';
import type { StateStream } from 'rivulet';
import { groups, index, view } from 'rivulet/views';
import type { Group, Index, View } from 'rivulet/views';

interface Person {
  readonly id: number;
  readonly name: string;
  readonly address: { readonly city: string };
}
const people = lib.collection<Person>();

describe('the types of views', () => {
  it('follow the items', () => {
    const list = view(people, { where: { address: { city: 'Rome' } }, sortBy: ['name', 'address.city'] });

    expectTypeOf(list).toEqualTypeOf<View<Person>>();
    expectTypeOf(list.value).toEqualTypeOf<readonly Person[]>();
    expectTypeOf(list.count$).toEqualTypeOf<StateStream<number>>();
    expectTypeOf(view(list, { limit: 1 })).toEqualTypeOf<View<Person>>();
    expectTypeOf(index(people, 'address.city')).toEqualTypeOf<Index<Person>>();
  });

  it('refuse keys and criteria that the items do not have', () => {
    // @ts-expect-error -- no such key
    view(people, { sortBy: 'nmae' });
    // @ts-expect-error -- no such key
    view(people, { sortBy: ['name', 'adress.city'] });
    // @ts-expect-error -- not of that type
    view(people, { where: { name: 1 } });
    // @ts-expect-error -- no such key
    groups(people, 'town');
    // @ts-expect-error -- an index goes by a path
    index(people, (person: Person) => person.name);
  });

  it('let the order compare text, numbers, or whatever has an order', () => {
    view(people, { sortBy: 'name', compare: new Intl.Collator('de').compare });
    view(people, { sortBy: 'id', compare: (a: number, b: number) => b - a });
    view(people, { sortBy: 'id', compare: (a, b) => (a < b ? 1 : -1) });
    // @ts-expect-error -- dates come as their time
    view(people, { sortBy: 'id', compare: (a: Date, b: Date) => Number(a) - Number(b) });
  });

  it('give the keys of groups the type that the function gives', () => {
    const lengths = groups(people, ({ name }) => name.length);

    expectTypeOf(lengths.value).toEqualTypeOf<ReadonlyMap<number, Group<number>>>();
    expectTypeOf(lengths.distinct$.value).toEqualTypeOf<readonly number[]>();
    expectTypeOf(groups(people, 'name').value).toEqualTypeOf<ReadonlyMap<string, Group<string>>>();
    expectTypeOf(view(people, { groupBy: 'name' }).groups$.distinct$.value).toEqualTypeOf<
      readonly string[]
    >();
    expectTypeOf(view(people, { sortBy: 'name' })).not.toHaveProperty('groups$');
    // @ts-expect-error -- no such key
    view(people, { groupBy: 'town' });
  });
});

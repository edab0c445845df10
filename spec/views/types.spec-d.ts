import { describe, expectTypeOf, it } from 'vitest';

import { DataModel, lib } from 'rivulet';
import type { Lib, StateStream } from 'rivulet';
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

  it('follow the items, not the criteria, wherever these come from', () => {
    const criteria = { address: { city: 'Rome' } };
    const isLong = ({ name }: { name: string }) => name.length > 9;

    expectTypeOf(view(people, { where: criteria })).toEqualTypeOf<View<Person>>();
    expectTypeOf(view(people, { where: criteria, sortBy: 'name' })).toEqualTypeOf<View<Person>>();
    expectTypeOf(view(people, { where: isLong, sortBy: 'id' })).toEqualTypeOf<View<Person>>();
    expectTypeOf(view(people, { where: isLong.length ? { id: 1 } : undefined })).toEqualTypeOf<
      View<Person>
    >();
  });

  it('follow the items of a collection with a model, whatever that maps', () => {
    class Small extends DataModel {
      readonly id = lib.observable<number | undefined>(undefined).map('id', this);
      constructor(root: Lib) {
        super({}, root);
      }
    }
    const small = lib.collection<Person, Small>({ model: Small });

    expectTypeOf(index(small, 'name')).toEqualTypeOf<Index<Person>>();
    expectTypeOf(view(small, { sortBy: 'name' })).toEqualTypeOf<View<Person>>();
  });

  it('give the keys of groups the types of all shapes that items may have', () => {
    const either = lib.collection<{ at: { a: number } } | { at: { b: string } }>();

    expectTypeOf(groups(either, 'at.a').value).toEqualTypeOf<
      ReadonlyMap<number | undefined, Group<number | undefined>>
    >();
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

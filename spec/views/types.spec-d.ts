import { describe, expectTypeOf, it } from 'vitest';

import { DataModel, lib } from 'rivulet';
import type { Collection, Lib, StateStream } from 'rivulet';
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
    expectTypeOf(index(people, 'address.city')).toEqualTypeOf<Index<Person, string>>();
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

    expectTypeOf(index(small, 'name')).toEqualTypeOf<Index<Person, string>>();
    expectTypeOf(view(small, { sortBy: 'name' })).toEqualTypeOf<View<Person>>();
  });

  it('include all shapes that items may have in the keys of groups', () => {
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

  it('refuse paths that lead nowhere, and look-ups and sums of another type than the values', () => {
    interface Deep {
      readonly id: number;
      readonly tags: readonly string[];
      readonly born: Date;
      readonly home?: { readonly at: { readonly city: { readonly name: string } } | null };
      readonly extra: unknown;
      readonly parent?: Deep;
    }
    const deep = lib.collection<Deep>();
    view(deep, { sortBy: ['home.at.city', 'home.at.city.name', 'extra.of.any', 'parent.parent.id'] });
    expectTypeOf(groups(deep, 'home.at.city.name').value).toEqualTypeOf<
      ReadonlyMap<string | undefined, Group<string | undefined>>
    >();
    expectTypeOf(groups(deep, 'extra.of').value).toEqualTypeOf<ReadonlyMap<unknown, Group<unknown>>>();
    const free = lib.collection<Record<string, number>>();
    view(free, { sortBy: ['any', 'any.path'] });
    // @ts-expect-error -- a typo in the second step
    view(deep, { sortBy: 'home.att' });
    // @ts-expect-error -- a value without keys
    view(deep, { sortBy: 'id.of' });
    // @ts-expect-error -- the parts of a list are no data
    groups(deep, 'tags.length');
    // @ts-expect-error -- nor those of a date
    groups(deep, 'born.getTime');
    // @ts-expect-error -- ids are numbers
    index(deep, 'id').get('1');
    // @ts-expect-error -- here, too
    index(deep, 'id').range('1');
    // @ts-expect-error -- text has no sum
    groups(deep, 'id', ({ tags }) => tags.join());
    const anyIndex: Index<Deep> = index(deep, 'id');
    expectTypeOf(anyIndex).toEqualTypeOf<Index<Deep>>();
  });

  it('accept any path in items of unknown type, and none through a map or set', () => {
    view(lib.collection({ url: '/items' }), { sortBy: ['name', 'home.city'] });
    const tagged = lib.collection<{ id: number; tags: Set<string> }>();
    // @ts-expect-error -- its size is no data
    groups(tagged, 'tags.size');
  });

  it('accept keys of any member of a union, and of a type parameter', () => {
    const either = lib.collection<{ kind: 'a'; a: string } | { kind: 'b'; b: { at: Date } }>();
    view(either, { sortBy: ['kind', 'a', 'b.at'] });
    const byName = <T extends { name: string }>(items: Collection<T>) => view(items, { sortBy: 'name' });
    expectTypeOf(byName(people)).toEqualTypeOf<View<Person>>();
    // @ts-expect-error -- of neither
    view(either, { sortBy: 'c' });
  });

  it('let the order compare text, and nothing else', () => {
    view(people, { sortBy: 'name', compare: new Intl.Collator('de').compare });
    view(people, { sortBy: 'id', compare: (a, b) => a.localeCompare(b) });
    // @ts-expect-error -- sort by a function instead
    view(people, { sortBy: 'id', compare: (a: number, b: number) => b - a });
  });

  it('give the keys of groups the type that the function returns', () => {
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

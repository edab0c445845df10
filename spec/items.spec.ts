import fc from 'fast-check';
import { of } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection } from 'rivulet';

import { ann, bo, eve, withPeople } from './people';
import type { Item } from './people';
import { valuesOf, watch } from './watch';

describe('identity of items that a fetch brings', () => {
  it('is kept for an item that equals the one with its id', () => {
    const { people, server } = withPeople({ config: { data: [ann, bo] } });
    watch(people.fetch$());

    server.at(0).ok([{ id: 2, name: 'Bo', tags: { x: [1] } }, { ...ann }]);

    expect([people.at(0) === bo, people.at(1) === ann]).toStrictEqual([true, true]);
  });

  it('is new for an item that differs from the one with its id', () => {
    const { people, server } = withPeople({ config: { data: [ann, bo] } });
    watch(people.fetch$());

    server.at(0).ok([
      { ...ann, name: 'Anna' },
      { ...bo, tags: { x: [2] } },
    ]);

    expect(people.value).toStrictEqual([
      { id: 1, name: 'Anna' },
      { id: 2, name: 'Bo', tags: { x: [2] } },
    ]);
  });

  it('uses the id that idAttribute names, at any depth', () => {
    const items = [
      { key: { no: 1 }, name: 'one' },
      { key: { no: 2 }, name: 'two' },
    ] as const;
    const { root, server } = withPeople();
    const things = root.collection<{ key: { no: number }; name: string }>({
      url: '/things',
      idAttribute: 'key.no',
      data: items,
    });
    watch(things.fetch$());

    server.at(0).ok([...items].reverse().map((item) => ({ key: { ...item.key }, name: item.name })));

    expect([things.at(0) === items[1], things.at(1) === items[0]]).toStrictEqual([true, true]);
  });
});

describe('delta$', () => {
  const deltasOf = (write: (people: Collection<Item>) => void, data: readonly Item[] = [ann, bo]) => {
    const { people } = withPeople({ config: { data } });
    const deltas = valuesOf(people.delta$);
    write(people);
    return deltas;
  };

  it('emits nothing on subscription', () => {
    expect(deltasOf(() => undefined)).toStrictEqual([]);
  });

  it.each<[string, (people: Collection<Item>) => void, unknown]>([
    ['a pushed item', (people) => people.push(eve), { added: [eve], changed: [], removed: [] }],
    ['an unshifted item', (people) => people.unshift(eve), { added: [eve], changed: [], removed: [] }],
    ['a removed item', (people) => people.remove(ann), { added: [], changed: [], removed: [ann] }],
    ['all removed items', (people) => people.removeAll(), { added: [], changed: [], removed: [ann, bo] }],
    [
      'an item changed in place',
      (people) => people.splice(0, 1, { ...ann, name: 'Anna' }),
      { added: [], changed: [[ann, { ...ann, name: 'Anna' }]], removed: [] },
    ],
    [
      'an item changed and moved',
      (people) => {
        people.replace([bo, { ...ann, name: 'Anna' }]);
      },
      { added: [], changed: [[ann, { ...ann, name: 'Anna' }]], removed: [] },
    ],
    [
      'all three kinds of change at once',
      (people) => {
        people.replace([eve, { ...bo, name: 'Bob' }]);
      },
      { added: [eve], changed: [[bo, { ...bo, name: 'Bob' }]], removed: [ann] },
    ],
  ])('emits %s', (_name, write, delta) => {
    expect(deltasOf(write)).toStrictEqual([delta]);
  });

  it.each<[string, (people: Collection<Item>) => void]>([
    [
      'a sort',
      (people) => {
        people.sort((a, b) => (b.id ?? 0) - (a.id ?? 0));
      },
    ],
    [
      'a reversal',
      (people) => {
        people.reverse();
      },
    ],
    [
      'equal items',
      (people) => {
        people.replace([{ ...ann }, { ...bo, tags: { x: [1] } }]);
      },
    ],
    [
      'the same items',
      (people) => {
        people.replace(people.value);
      },
    ],
    [
      'a push of no items',
      (people) => {
        people.push();
      },
    ],
  ])('emits nothing for %s', (_name, write) => {
    expect(deltasOf(write)).toStrictEqual([]);
  });

  it('emits what a fetch really changed', () => {
    const { people, server } = withPeople({ config: { data: [ann, bo] } });
    const deltas = valuesOf(people.delta$);
    watch(people.fetch$());

    server.at(0).ok([{ ...bo }, { ...ann, name: 'Anna' }, eve]);

    expect(deltas).toStrictEqual([{ added: [eve], changed: [[ann, { ...ann, name: 'Anna' }]], removed: [] }]);
  });

  it('emits nothing for a fetch that changes nothing', () => {
    const { people, server } = withPeople({ config: { data: [ann, bo] } });
    const deltas = valuesOf(people.delta$);
    watch(people.fetch$());

    server.at(0).ok([{ ...ann }, { ...bo }]);

    expect(deltas).toStrictEqual([]);
  });

  it('emits what a create adds', () => {
    const { people, server } = withPeople({ config: { data: [ann] } });
    const deltas = valuesOf(people.delta$);
    watch(people.create$(bo));

    server.at(0).ok(bo);

    expect(deltas).toStrictEqual([{ added: [bo], changed: [], removed: [] }]);
  });

  it('compares the items themselves if they have no id', () => {
    const letters = createLib().collection(['a', 'b']);
    const deltas = valuesOf(letters.delta$);

    letters.replace(['b', 'c']);

    expect(deltas).toStrictEqual([{ added: ['c'], changed: [], removed: ['a'] }]);
  });

  it('counts items that occur several times', () => {
    const letters = createLib().collection(['a', 'a', 'b']);
    const deltas = valuesOf(letters.delta$);

    letters.replace(['a', 'b', 'b']);

    expect(deltas).toStrictEqual([{ added: ['b'], changed: [], removed: ['a'] }]);
  });

  it('emits to each subscriber', () => {
    const { people } = withPeople();
    const [one, two] = [valuesOf(people.delta$), valuesOf(people.delta$)];

    people.push(ann);

    expect([one, two]).toStrictEqual([
      [{ added: [ann], changed: [], removed: [] }],
      [{ added: [ann], changed: [], removed: [] }],
    ]);
  });
});

describe('any two lists of items', () => {
  interface Plain {
    readonly id: number;
    readonly value: boolean;
  }
  const plain: fc.Arbitrary<Plain> = fc.record(
    { id: fc.integer({ min: 0, max: 5 }), value: fc.boolean() },
    { noNullPrototype: true },
  );
  const lists = fc.uniqueArray(plain, { selector: ({ id }) => id });

  it('differ by what delta$ emits: nothing more, nothing less', () => {
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const items = createLib().collection<Plain>(before);
        const [{ added, changed, removed } = { added: [], changed: [], removed: [] }] = watched(
          items.delta$,
          () => {
            items.replace(after);
          },
        );

        const kept = before.filter((item) => !removed.includes(item));
        const now = kept.map((item) => changed.find(([old]) => old === item)?.[1] ?? item);
        expect(sorted([...now, ...added])).toStrictEqual(sorted(after));
        expect(changed.every(([old, item]) => old.id === item.id && old.value !== item.value)).toBe(true);
        const ids = new Set(before.map(({ id }) => id));
        expect(added.filter(({ id }) => ids.has(id))).toStrictEqual([]);
      }),
    );
  });

  it('become what the server answered to a fetch, reusing the objects of equal items', () => {
    fc.assert(
      fc.property(lists, lists, (before, after) => {
        const root = createLib();
        root.sync = () => structuredClone(after);
        const items = root.collection<Plain>({ data: before });

        items.fetch$().subscribe();

        expect(items.value).toStrictEqual(after);
        for (const item of items.value) {
          const old = before.find(({ id }) => id === item.id);
          expect(item === old).toBe(item.value === old?.value);
        }
      }),
    );
  });

  function watched<T>(source: Observable<T>, write: () => void): T[] {
    const values = valuesOf(source);
    write();
    return values;
  }

  function sorted(items: readonly Plain[]): Plain[] {
    return [...items].sort((a, b) => a.id - b.id);
  }
});

describe('a create', () => {
  it.each<[string, readonly unknown[], unknown]>([
    ['text that is already present', ['milk'], 'milk'],
    ['an item with the same id 0 as another', [{ id: 0, name: 'one' }], { id: 0, name: 'two' }],
  ])('of %s keeps the others', (_name, before, item) => {
    const root = createLib({
      transport: (request) => of({ request, response: new Response(null), body: undefined }),
    });
    const items = root.collection({ url: '/items', data: before });

    watch(items.create$(item));

    expect(items.value).toStrictEqual([...before, item]);
  });
});

describe('several items with one id', () => {
  const twins = [
    { id: 1, name: 'a' },
    { id: 1, name: 'b' },
  ];

  it('are removed in their order', () => {
    const items = createLib().collection(twins);
    const deltas = valuesOf(items.delta$);

    items.removeAll();

    expect(deltas).toStrictEqual([{ added: [], changed: [], removed: twins }]);
  });

  it('are found by their id as the first of them', () => {
    expect(createLib().collection(twins).byId(1)).toBe(twins[0]);
  });

  it('are paired in their order', () => {
    const items = createLib().collection(twins);
    const deltas = valuesOf(items.delta$);

    items.replace([
      { id: 1, name: 'a' },
      { id: 1, name: 'c' },
    ]);

    expect(deltas).toStrictEqual([
      {
        added: [],
        changed: [
          [
            { id: 1, name: 'b' },
            { id: 1, name: 'c' },
          ],
        ],
        removed: [],
      },
    ]);
  });
});

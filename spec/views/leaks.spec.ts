import { merge } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection } from 'rivulet';
import { groups, index, view } from 'rivulet/views';

import { observed } from '../soak/left';
import { survivors } from '../survivors';

type Items = Collection<{ id: number }>;

const dataOf = () => Array.from({ length: 100 }, (_, id) => ({ id }));

/** Uses of a collection; each returns what must be garbage collected. */
const lives: Readonly<Record<string, (items: Items) => object>> = {
  'views that were read': (items) => {
    const list = view(items, { sortBy: 'id', limit: 5 });
    expect(list.value).toHaveLength(5);
    return list;
  },
  'views that were subscribed and unsubscribed': (items) => {
    const list = view(items, { sortBy: 'id', limit: 5 });
    merge(list, list.count$, list.delta$).subscribe().unsubscribe();
    return list;
  },
  'views of views': (items) => {
    const list = view(view(items), { limit: 5 });
    list.subscribe().unsubscribe();
    return list;
  },
  'views that were disposed of': (items) => {
    const list = view(items);
    list.subscribe();
    list.dispose();
    return list;
  },
  groups: (items) => {
    const byId = groups(items, 'id');
    byId.distinct$.subscribe().unsubscribe();
    return byId;
  },
};

describe('of a collection that lives on', () => {
  it.each(Object.entries(lives))('%s are collected', async (_name, live) => {
    const items = createLib().collection(dataOf());
    const make = () => new WeakRef(live(items));

    const dropped = Array.from({ length: 50 }, make);
    items.push({ id: 1000 });

    expect(await survivors(dropped)).toBe(0);
    expect(observed([items, items._deltas])).toBe(0);
  });
});

describe('a view that is kept', () => {
  it('holds no items once its last subscriber is gone', async () => {
    const items = createLib().collection<{ id: number }>();
    items.replace(dataOf());
    const list = view(items, { sortBy: 'id' });
    list.subscribe().unsubscribe();

    const removed = () => items.removeAll().map((item) => new WeakRef(item));
    const gone = removed();
    items.push({ id: 1 });

    expect(await survivors(gone)).toBe(0);
    expect(list.value).toStrictEqual([{ id: 1 }]);
  });
});

describe('an index that is kept', () => {
  it('holds no items once it is disposed of', async () => {
    const items = createLib().collection<{ id: number }>();
    items.replace(dataOf());
    const byId = index(items, 'id');
    const sought = () => dataOf().map(({ id }) => byId.get(id).length);
    expect(sought()).toHaveLength(100);
    byId.dispose();

    const removed = () => items.removeAll().map((item) => new WeakRef(item));
    const gone = removed();
    items.push({ id: 1 });

    expect(await survivors(gone)).toBe(0);
    expect(byId.get(1)).toStrictEqual([{ id: 1 }]);
  });
});

describe('items without an id', () => {
  it('are collected once removed, even while a view is watched', async () => {
    const items = createLib().collection<object>();
    view(items, { limit: 1 }).subscribe();
    groups(items, (item) => item).subscribe();
    const make = () => {
      const item = { name: 'passing' };
      items.push(item);
      items.removeAll();
      return new WeakRef<object>(item);
    };

    const passed = Array.from({ length: 50 }, make);
    // What the last write changed is kept until the next one.
    items.push({}, {});
    items.shift();

    expect(await survivors(passed)).toBe(0);
  });
});

describe('collections that are dropped', () => {
  const watched: Readonly<Record<string, (items: Items) => void>> = {
    'while views of them are watched': (items) => {
      view(items, { sortBy: 'id' }).subscribe();
      view(view(items), { limit: 5 }).count$.subscribe();
      groups(items, 'id').subscribe();
    },
    'with an index': (items) => {
      index(items, 'id');
      items.where({ id: 7 });
    },
  };

  it.each(Object.entries(watched))('are collected, %s', async (_name, live) => {
    const make = () => {
      const items = createLib().collection(dataOf());
      live(items);
      return new WeakRef(items);
    };

    expect(await survivors(Array.from({ length: 50 }, make))).toBe(0);
  });
});

import { BehaviorSubject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import { Collection, createLib } from 'rivulet';
import type { Lib, Parse } from 'rivulet';

import { raise } from './hostile';
import { ann, bo, eve, withPeople } from './people';
import type { Item } from './people';
import type { Held } from './stub';
import { valuesOf, watch } from './watch';
import type { Watched } from './watch';

describe('a collection', () => {
  it('is a BehaviorSubject of its items', () => {
    const letters = createLib().collection(['a']);

    expect([letters instanceof BehaviorSubject, letters instanceof Collection]).toStrictEqual([true, true]);
    expect(valuesOf(letters)).toStrictEqual([['a']]);
  });

  it('is empty without items', () => {
    expect(createLib().collection().value).toStrictEqual([]);
  });

  it('is iterable', () => {
    expect([...createLib().collection(['a', 'b'])]).toStrictEqual(['a', 'b']);
  });

  it('is written as its items by JSON.stringify', () => {
    expect(JSON.stringify(createLib().collection([{ id: 1 }]))).toBe('[{"id":1}]');
  });

  it.each<[string, (root: Lib, items: string[]) => Collection<string>]>([
    ['the array it is made of', (root, items) => root.collection(items)],
    ['its data', (root, items) => root.collection({ data: items })],
    ['the array it is replaced by', (root, items) => replaced(root.collection<string>(), items)],
    ['the array passed to next', (root, items) => nexted(root.collection<string>(), items)],
  ])('copies %s', (_name, make) => {
    const items = ['a'];
    const letters = make(createLib(), items);

    items.push('of the caller');
    letters.push('b');

    expect({ letters: letters.value, items }).toStrictEqual({
      letters: ['a', 'b'],
      items: ['a', 'of the caller'],
    });
  });

  it('takes a frozen array', () => {
    const letters = createLib().collection(Object.freeze(['b', 'a']));

    letters.sort();

    expect(letters.value).toStrictEqual(['a', 'b']);
  });

  it.each([[{}], ['text'], [5]])('throws for the data %o, which is no array', (data) => {
    expect(() => createLib().collection({ data: data as never })).toThrow(
      new TypeError('collection: the items must be an array'),
    );
  });

  it('takes the default for an option that is undefined', () => {
    const { people, server } = withPeople({
      config: { data: undefined, parse: undefined, idAttribute: undefined },
    });
    watch(people.fetch$());

    server.at(0).ok([ann]);

    expect([people.value, people.byId(1)]).toStrictEqual([[ann], ann]);
  });

  it('tells every subscriber of re-entrant writes in order', () => {
    const letters = createLib().collection(['a']);
    letters.subscribe((all) => {
      if (all.length === 2) letters.push('c');
    });
    const late = valuesOf(letters);

    letters.push('b');

    expect(late).toStrictEqual([['a'], ['a', 'b'], ['a', 'b', 'c']]);
  });
});

describe('a collection of something else', () => {
  it.each([['/api/people'], [5], [null]])('is refused with what to give instead: %o', (source) => {
    expect(() => createLib().collection(source as never)).toThrow('collection: needs an array or { url, … }');
  });
});

describe('array methods', () => {
  type List = readonly number[];

  interface Arrays {
    push(...items: number[]): number;
    pop(): number | undefined;
    shift(): number | undefined;
    unshift(...items: number[]): number;
    splice(start: number, deleteCount?: number, ...items: number[]): number[];
    sort(compare?: (a: number, b: number) => number): List;
    reverse(): List;
  }

  const writes: [string, (list: Arrays) => unknown][] = [
    ['push(4)', (list) => list.push(4)],
    ['push(4, 5)', (list) => list.push(4, 5)],
    ['pop()', (list) => list.pop()],
    ['shift()', (list) => list.shift()],
    ['unshift(4)', (list) => list.unshift(4)],
    ['unshift(4, 5)', (list) => list.unshift(4, 5)],
    ['splice(1)', (list) => list.splice(1)],
    ['splice(0)', (list) => list.splice(0)],
    ['splice(-1)', (list) => list.splice(-1)],
    ['splice(1, 1)', (list) => list.splice(1, 1)],
    ['splice(1, 0, 4, 5)', (list) => list.splice(1, 0, 4, 5)],
    ['splice(1, 9, 4)', (list) => list.splice(1, 9, 4)],
    ['splice(1, undefined, 4)', (list) => list.splice(1, undefined, 4)],
    ['sort()', (list) => list.sort()],
    ['sort(descending)', (list) => list.sort((a, b) => b - a)],
    ['reverse()', (list) => list.reverse()],
  ];

  const items = [3, 1, 2];

  it.each(writes)('%s has the result and the effect it has on an array', (_name, write) => {
    const array = [...items];
    const numbers = createLib().collection(items);

    const result = write(numbers);

    expect({ result, value: numbers.value }).toStrictEqual({ result: write(array as Arrays), value: array });
  });

  it.each(writes)('%s emits once, a fresh array', (_name, write) => {
    const numbers = createLib().collection(items);
    const before = numbers.value;
    const seen = valuesOf(numbers);

    write(numbers);

    expect([seen.length, numbers.value === before]).toStrictEqual([2, false]);
    expect(seen[1]).toBe(numbers.value);
  });

  it.each(writes)("%s leaves the caller's array and what was emitted before as they were", (_name, write) => {
    const given = [...items];
    const numbers = createLib().collection(given);
    const [emitted] = valuesOf(numbers);

    write(numbers);

    expect([given, emitted]).toStrictEqual([items, items]);
  });

  it.each<['sort' | 'reverse']>([['sort'], ['reverse']])('%s returns the new array', (method) => {
    const numbers = createLib().collection(items);

    expect(numbers[method]()).toBe(numbers.value);
  });

  it.each<['pop' | 'shift']>([['pop'], ['shift']])('%s of an empty collection gives undefined', (method) => {
    const empty = createLib().collection<number>();

    expect([empty[method](), empty.value]).toStrictEqual([undefined, []]);
  });

  it.each<
    [string, (list: Pick<Collection<number>, 'indexOf' | 'at' | 'slice' | 'length'>) => unknown, unknown]
  >([
    ['indexOf(1)', (list) => list.indexOf(1), 1],
    ['indexOf(9)', (list) => list.indexOf(9), -1],
    ['indexOf(3, 1)', (list) => list.indexOf(3, 1), -1],
    ['at(0)', (list) => list.at(0), 3],
    ['at(-1)', (list) => list.at(-1), 2],
    ['at(9)', (list) => list.at(9), undefined],
    ['slice()', (list) => list.slice(), [3, 1, 2]],
    ['slice(1)', (list) => list.slice(1), [1, 2]],
    ['slice(-2, -1)', (list) => list.slice(-2, -1), [1]],
    ['length', (list) => list.length, 3],
  ])('%s reads without emitting', (_name, read, expected) => {
    const numbers = createLib().collection(items);
    const seen = valuesOf(numbers);

    expect([read(numbers), seen.length]).toStrictEqual([expected, 1]);
  });

  it.each<['slice' | 'toJSON']>([['slice'], ['toJSON']])('%s gives an array of the caller', (method) => {
    const numbers = createLib().collection(items);

    numbers[method]().push(9);

    expect(numbers.value).toStrictEqual(items);
  });

  it('remove of a value gives what it removed and emits once', () => {
    const numbers = createLib().collection([1, 2, 1]);
    const seen = valuesOf(numbers);

    expect(numbers.remove(1)).toStrictEqual([1, 1]);
    expect(seen).toStrictEqual([[1, 2, 1], [2]]);
  });

  it('remove of a predicate gives what it removed and emits once', () => {
    const numbers = createLib().collection([1, 2, 3]);
    const seen = valuesOf(numbers);

    expect(numbers.remove((number) => number > 1)).toStrictEqual([2, 3]);
    expect(seen).toStrictEqual([[1, 2, 3], [1]]);
  });

  it('remove goes by identity, not by content', () => {
    const people = createLib().collection([ann]);

    expect([people.remove({ ...ann }), people.value]).toStrictEqual([[], [ann]]);
  });

  it('remove of what is not there emits nothing', () => {
    const numbers = createLib().collection([1]);
    const seen = valuesOf(numbers);

    expect([numbers.remove(9), numbers.remove(() => false), seen.length]).toStrictEqual([[], [], 1]);
  });

  it('removeAll gives all items and emits once', () => {
    const numbers = createLib().collection([1, 2]);
    const seen = valuesOf(numbers);

    expect(numbers.removeAll()).toStrictEqual([1, 2]);
    expect(seen).toStrictEqual([[1, 2], []]);
  });

  it('removeAll of a list gives those of it that were there and emits once', () => {
    const numbers = createLib().collection([1, 2, 3]);
    const seen = valuesOf(numbers);

    expect(numbers.removeAll([1, 3, 9])).toStrictEqual([1, 3]);
    expect(seen).toStrictEqual([[1, 2, 3], [2]]);
  });

  it('replace puts other items in place of all and emits once', () => {
    const numbers = createLib().collection([1, 2]);
    const seen = valuesOf(numbers);

    numbers.replace([3]);

    expect(seen).toStrictEqual([[1, 2], [3]]);
  });
});

describe('fetch', () => {
  it("gives exactly the server's items in the server's order, with one emission", () => {
    const { people, server } = withPeople({ config: { data: [ann, bo] } });
    const seen = valuesOf(people);
    watch(people.fetch$());

    server.at(0).ok([eve, ann]);

    expect(seen).toStrictEqual([
      [ann, bo],
      [eve, ann],
    ]);
  });

  it('replaces what was pushed meanwhile', () => {
    const { people, server } = withPeople();
    watch(people.fetch$());

    people.push(bo);
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([ann]);
  });

  it.each<[what: string, settle: (people: Collection<Item>) => void, expected: readonly Item[]]>([
    ['is not in the answer is kept, behind it', () => undefined, [ann, bo]],
    ['was removed since is not brought back', (people) => people.remove(bo), [ann]],
    ['was changed since is gone', (people) => people.splice(0, 1, { ...bo, name: 'Bob' }), [ann]],
  ])('what create has added meanwhile and %s', (_what, settle, expected) => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    watch(people.create$(bo));
    server.at(1).ok();

    settle(people);
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual(expected);
  });

  it('has what create has added meanwhile once, as answered, if the answer has it already', () => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    watch(people.create$(bo));
    server.at(1).ok();

    server.at(0).ok([{ ...bo, name: 'Bob' }, ann]);

    expect(people.value).toStrictEqual([{ ...bo, name: 'Bob' }, ann]);
  });

  it('resolves with the response, whose body the caller can read', async () => {
    const { people, server } = withPeople();

    const done = people.fetch();
    server.at(0).respond(Response.json([ann]));

    expect([await (await done).json(), people.value]).toStrictEqual([[ann], [ann]]);
  });

  it('emits the response once, after the items, then completes; then the flag has fallen', () => {
    const { people, server } = withPeople();
    const log: string[] = [];
    people.isReading$.subscribe((is) => log.push(`isReading ${String(is)}`));
    people.fetch$().subscribe({
      next: ({ status }) => log.push(`${String(status)} with ${String(people.length)} item`),
      complete: () => log.push('completion'),
    });

    server.at(0).ok([ann]);

    expect(log).toStrictEqual([
      'isReading false',
      'isReading true',
      '200 with 1 item',
      'isReading false',
      'completion',
    ]);
  });

  it.each<[string, (held: Held) => void]>([
    ['refused', (held) => held.refuse(500)],
    ['failed', (held) => held.fail(new TypeError('network'))],
    ['without data', (held) => held.ok()],
    ['of a wrong shape', (held) => held.ok({ items: [bo] })],
  ])('that is %s leaves the items alone and emits nothing', (_name, end) => {
    const { people, server } = withPeople({ config: { data: [ann] } });
    const before = people.value;
    const seen = valuesOf(people);
    watch(people.fetch$());

    end(server.at(0));

    expect(seen).toHaveLength(1);
    expect(people.value).toBe(before);
  });

  it.each([[{}], [{ length: 1 }], ['text'], [5], [true], [null]])(
    'answered with %o rejects with SHAPE and mentions parse',
    async (data) => {
      const { people, server } = withPeople();

      const done = people.fetch();
      server.at(0).respond(Response.json(data));

      await expect(done).rejects.toMatchObject({
        name: 'RequestError',
        code: 'SHAPE',
        action: 'read',
        message: expect.stringContaining('parse') as string,
      });
      expect(people.error$.value).toMatchObject({ code: 'SHAPE' });
    },
  );

  it.each([[undefined], [{ items: [] }]])('whose parse gives %o rejects with SHAPE', (data) => {
    const { people, server } = withPeople({ config: { parse: () => data } });
    const { subscription, ...fetched } = watch(people.fetch$());
    const errors = valuesOf(people.error$);

    server.at(0).ok([ann]);

    expect(subscription.closed).toBe(true);
    expect(fetched.responses).toStrictEqual([]);
    expect(errors.at(-1)).toMatchObject({ code: 'SHAPE' });
  });

  it.each([['text/html'], ['application/json']])(
    'answered with %s that is not JSON rejects with PARSE',
    async (type) => {
      const { people, server } = withPeople();

      const done = people.fetch();
      server.at(0).respond(new Response('<html>', { headers: { 'content-type': type } }));

      await expect(done).rejects.toMatchObject({ code: 'PARSE', action: 'read' });
    },
  );

  it('passes the data through parse, with the action and the collection as this', () => {
    const parse = vi.fn<Parse>((response) => (response as { items: unknown }).items);
    const { people, server } = withPeople({ config: { parse } });
    watch(people.fetch$());

    server.at(0).ok({ items: [ann] });

    expect([parse.mock.calls, people.value]).toStrictEqual([[[{ items: [ann] }, 'read']], [ann]]);
    expect(parse.mock.contexts[0]).toBe(people);
  });

  it('waits for a promise that parse returns', async () => {
    const { people, server } = withPeople({ config: { parse: () => Promise.resolve([ann]) } });

    const done = people.fetch();
    server.at(0).ok({});
    await done;

    expect(people.value).toStrictEqual([ann]);
  });

  it('rejects with what parse throws', () => {
    const failure = new Error('parse');
    const { people, server } = withPeople({ config: { parse: () => raise(failure) } });
    const fetched = watch(people.fetch$());

    server.at(0).ok([ann]);

    expect(fetched.error).toBe(failure);
    expect([people.value, people.isReading$.value]).toStrictEqual([[], false]);
  });

  it('does not parse a refused or empty answer', () => {
    const parse = vi.fn<Parse>((response) => response);
    const { people, server } = withPeople({ config: { parse } });
    watch(people.fetch$());
    watch(people.fetch$());

    server.at(0).refuse(500, { items: [] });
    server.at(1).ok();

    expect(parse).not.toHaveBeenCalled();
  });
});

describe('overlapping reads', () => {
  it('end on the newest issued, also if it is answered first', () => {
    const { people, server } = withPeople();
    const older = watch(people.fetch$());
    watch(people.fetch$());

    server.at(1).ok([bo]);
    server.at(0).ok([ann]);

    expect([people.value, older.responses.length]).toStrictEqual([[bo], 1]);
  });

  it('show an older answer that comes while the newer is open', () => {
    const { people, server } = withPeople();
    const seen = valuesOf(people);
    watch(people.fetch$());
    watch(people.fetch$());

    server.at(0).ok([ann]);
    server.at(1).ok([bo]);

    expect(seen).toStrictEqual([[], [ann], [bo]]);
  });

  it.each<[string, (held: Held, newer: Watched) => void]>([
    ['fails', (held) => held.fail(new Error('network'))],
    ['is refused', (held) => held.refuse(500)],
    ['has a wrong shape', (held) => held.ok({})],
    [
      'is unsubscribed',
      (_held, newer) => {
        newer.subscription.unsubscribe();
      },
    ],
  ])('write the older if the newer %s', (_name, end) => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    const newer = watch(people.fetch$());

    end(server.at(1), newer);
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([ann]);
  });

  it('drop the older after a newer without data', () => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    watch(people.fetch$());

    server.at(1).ok();
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([]);
  });

  it('keep isReading$ up until the last has ended', () => {
    const { people, server } = withPeople();
    const flips = valuesOf(people.isReading$);
    watch(people.fetch$());
    watch(people.fetch$());

    server.at(1).ok([]);
    const between = people.isReading$.value;
    server.at(0).ok([]);

    expect({ between, flips }).toStrictEqual({ between: true, flips: [false, true, false] });
  });
});

describe('create', () => {
  it('sends POST <url> with the item as JSON', () => {
    const { people, server } = withPeople();

    watch(people.create$(ann));

    expect([server.sent, server.at(0).request.headers.get('content-type')]).toStrictEqual([
      [{ method: 'POST', url: '/people', body: ann }],
      'application/json',
    ]);
  });

  it('adds what the server answered, with one emission', () => {
    const { people, server } = withPeople({ config: { data: [ann] } });
    const seen = valuesOf(people);
    watch(people.create$({ name: 'Eve' }));

    server.at(0).ok(eve);

    expect(seen).toStrictEqual([[ann], [ann, eve]]);
  });

  it('adds the item itself if parse gives nothing for it', () => {
    const { people, server } = withPeople({
      config: { parse: (answer) => (answer as { items?: never }).items },
    });
    watch(people.create$(ann));

    server.at(0).ok({ id: 1 });

    expect(people.value).toStrictEqual([ann]);
  });

  it('adds the item itself if the server answered nothing', () => {
    const { people, server } = withPeople();
    watch(people.create$(ann));

    server.at(0).ok();

    expect(people.at(0)).toBe(ann);
  });

  it('takes the place of the one with its id that a read has brought meanwhile', () => {
    const { people, server } = withPeople();
    watch(people.create$({ name: 'Bo' }));
    watch(people.fetch$());
    server.at(1).ok([bo, ann]);

    server.at(0).ok({ ...bo, name: 'Bob' });

    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
  });

  it('passes the answer through parse with the action create', () => {
    const parse = vi.fn<Parse>((response) => (response as { item: unknown }).item);
    const { people, server } = withPeople({ config: { parse } });
    watch(people.create$(ann));

    server.at(0).ok({ item: eve });

    expect([parse.mock.calls, people.value]).toStrictEqual([[[{ item: eve }, 'create']], [eve]]);
  });

  it.each<[string, (held: Held) => void]>([
    ['is refused', (held) => held.refuse(422, eve)],
    ['fails', (held) => held.fail(new TypeError('network'))],
  ])('adds nothing if it %s', (_name, end) => {
    const { people, server } = withPeople({ config: { data: [ann] } });
    const seen = valuesOf(people);
    watch(people.create$(bo));

    end(server.at(0));

    expect(seen).toStrictEqual([[ann]]);
  });

  it('resolves with the response after the item was added', async () => {
    const { people, server } = withPeople();

    const done = people.create(ann);
    server.at(0).respond(Response.json(eve, { status: 201 }));

    expect([(await done).status, people.value]).toStrictEqual([201, [eve]]);
  });

  it('sends nothing before its stream is subscribed, and anew for each subscription', () => {
    const { people, server } = withPeople();
    const create$ = people.create$(ann);
    const before = server.lines;

    watch(create$);
    watch(create$);

    expect([before, server.lines]).toStrictEqual([[], ['POST /people', 'POST /people']]);
  });

  it('takes options', () => {
    const { people, server } = withPeople();

    watch(people.create$(ann, { method: 'put', headers: { 'x-a': '1' } }));

    expect([server.lines, server.at(0).request.headers.get('x-a')]).toStrictEqual([['PUT /people'], '1']);
  });

  it('unsubscribed aborts the request and adds nothing', () => {
    const { people, server } = withPeople();

    watch(people.create$(ann)).subscription.unsubscribe();
    server.at(0).ok(ann);

    expect([server.at(0).request.signal.aborted, people.value, people.isCreating$.value]).toStrictEqual([
      true,
      [],
      false,
    ]);
  });

  it('rejects an item that JSON cannot carry with SERIALIZE, and sends nothing', () => {
    const { root, server } = withPeople();
    const numbers = root.collection<bigint>({ url: '/numbers' });

    const { error } = watch(numbers.create$(1n));

    expect({ error, sent: server.sent }).toMatchObject({
      error: { code: 'SERIALIZE', action: 'create' },
      sent: [],
    });
  });
});

describe('byId', () => {
  it('gives the item with the id', () => {
    expect(createLib().collection<Item>([ann, bo]).byId(2)).toBe(bo);
  });

  it.each([[9], ['2'], [undefined], [null]])('gives undefined for %o', (id) => {
    expect(createLib().collection<Item>([ann, bo]).byId(id)).toBeUndefined();
  });

  it('goes with every write', () => {
    const people = createLib().collection<Item>([ann]);
    const before = people.byId(2);
    people.push(bo);
    const between = people.byId(2);

    people.splice(1, 1, { ...bo, name: 'Bob' });

    expect([before, between, people.byId(2)]).toStrictEqual([undefined, bo, { ...bo, name: 'Bob' }]);
  });

  it('looks at the items once after each write, however often it is asked', () => {
    let looks = 0;
    const item = {
      get id(): number {
        return (looks += 1) && 5;
      },
    };
    const things = createLib().collection([item]);
    things.byId(5);
    const first = looks;

    things.byId(5);
    things.byId(6);

    expect([first, looks]).toStrictEqual([1, 1]);
  });

  it('goes by the path that idAttribute names', () => {
    const things = createLib().collection<{ key: { no: number } }>({
      idAttribute: 'key.no',
      data: [{ key: { no: 5 } }],
    });

    expect(things.byId(5)).toStrictEqual({ key: { no: 5 } });
  });

  it('finds an item whose id is 0', () => {
    expect(
      createLib()
        .collection<Item>([{ id: 0, name: 'zero' }])
        .byId(0),
    ).toStrictEqual({ id: 0, name: 'zero' });
  });

  it.each([[null], [undefined], [5], ['text']])('passes over the item %o', (item) => {
    expect(createLib().collection<unknown>([item, ann]).byId(1)).toBe(ann);
  });
});

function replaced(letters: Collection<string>, items: readonly string[]): Collection<string> {
  letters.replace(items);
  return letters;
}

function nexted(letters: Collection<string>, items: readonly string[]): Collection<string> {
  letters.next(items);
  return letters;
}

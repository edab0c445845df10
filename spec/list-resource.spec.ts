import { skip, take, tap } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';

import type { Around, Collection, Parse, RequestError } from 'rivulet';

import type { ListResource } from '../lib/list-resource';
import { resourceOf } from '../lib/resource';

import { raise } from './hostile';
import { ann, bo, eve, withPeople } from './people';
import type { Item } from './people';
import type { Held, StubServer } from './stub';
import { valuesOf, watch } from './watch';
import type { Watched } from './watch';

describe('fetch', () => {
  it("stores exactly the server's items in the server's order, with one emission", () => {
    const { people, server } = withPeople({ config: { data: [ann, bo] } });
    const seen = valuesOf(people);
    watch(people.fetch$());

    server.at(0).ok([eve, ann]);

    expect(seen).toStrictEqual([
      [ann, bo],
      [eve, ann],
    ]);
  });

  it('is not written if parse passes on the very items of the list', () => {
    const written: boolean[] = [];
    const around: Around = (request$, context) => request$.pipe(tap(() => written.push(context.isWritten)));
    const { people, server } = withPeople({
      options: { around },
      config: { data: [ann], parse: () => people.value },
    });
    const seen = valuesOf(people);
    watch(people.fetch$());
    server.at(0).ok([bo]);

    expect([seen, written]).toStrictEqual([[[ann]], [false]]);
  });

  it('leaves the array returned by parse unchanged', () => {
    const given = [ann];
    const { people, server } = withPeople({ config: { parse: () => given } });
    watch(people.fetch$());
    server.at(0).ok([]);

    people.push(bo);

    expect([people.length, given]).toStrictEqual([2, [ann]]);
  });

  it('replaces items pushed in the meantime', () => {
    const { people, server } = withPeople();
    watch(people.fetch$());

    people.push(bo);
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([ann]);
  });

  it.each<[what: string, settle: (people: Collection<Item>) => void, expected: readonly Item[]]>([
    ['kept at the end if the answer lacks it', () => undefined, [ann, bo]],
    ['not brought back if it was removed since', (people) => people.remove(bo), [ann]],
    [
      'kept as it is if it was changed since',
      (people) => people.splice(0, 1, { ...bo, name: 'Bob' }),
      [ann, { ...bo, name: 'Bob' }],
    ],
  ])('an item created in the meantime is %s', (_what, settle, expected) => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    watch(people.create$(bo));
    server.at(1).ok();

    settle(people);
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual(expected);
  });

  it('contains an item created in the meantime once, as answered, if the answer has it', () => {
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

  it('emits the response once, after the items, then lowers the flag and completes', () => {
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
    ['of the wrong shape', (held) => held.ok({ items: [bo] })],
  ])('that is %s leaves the items unchanged and emits nothing', (_name, end) => {
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
      const response = Response.json(data);
      server.at(0).respond(response);

      await expect(done).rejects.toMatchObject({
        name: 'RequestError',
        code: 'SHAPE',
        action: 'read',
        message: expect.stringContaining('parse') as string,
      });
      expect(people.error$.value).toMatchObject({ code: 'SHAPE' });
      expect((people.error$.value as RequestError).response).toBe(response);
    },
  );

  it.each([[undefined], [{ items: [] }]])('whose parse returns %o rejects with SHAPE', (data) => {
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

describe('around a read', () => {
  /** A list, and whether each answer was reported as written. */
  const withTold = () => {
    const told: boolean[] = [];
    const around: Around = (request$, context) =>
      request$.pipe(tap(() => context.action === 'read' && told.push(context.isWritten)));
    return { told, ...withPeople({ options: { around }, config: { data: [ann] } }) };
  };

  it.each<[string, (people: Collection<Item>, server: StubServer) => void]>([
    [
      'an item was created since',
      (people, server) => {
        watch(people.create$(bo));
        server.at(1).ok();
      },
    ],
    [
      'an item was saved since',
      (people, server) => {
        watch(people.record(1).save$());
        server.at(1).ok();
      },
    ],
    [
      'a subscriber reads anew, and is answered first',
      (people, server) => {
        people.pipe(skip(1), take(1)).subscribe(() => {
          watch(people.fetch$());
          server.at(1).ok([eve]);
        });
      },
    ],
  ])('isWritten is false for the answer if %s', (_, meddle) => {
    const { told, people, server } = withTold();
    watch(people.fetch$());
    meddle(people, server);

    server.at(0).ok([bo]);

    expect(told.at(-1)).toBe(false);
  });
});

describe('around a create', () => {
  it.each([
    [true, 201],
    [false, 422],
  ])('isWritten is %s for an answer with status %i', (isWritten, status) => {
    const told: boolean[] = [];
    const around: Around = (request$, context) => request$.pipe(tap(() => told.push(context.isWritten)));
    const { people, server } = withPeople({ options: { around } });
    watch(people.create$(ann));

    server.at(0).respond(Response.json(ann, { status }));

    return expect.poll(() => told).toStrictEqual([isWritten]);
  });
});

describe('overlapping reads', () => {
  it('end with the newest issued, even if it is answered first', () => {
    const { people, server } = withPeople();
    const older = watch(people.fetch$());
    watch(people.fetch$());

    server.at(1).ok([bo]);
    server.at(0).ok([ann]);

    expect([people.value, older.responses.length]).toStrictEqual([[bo], 1]);
  });

  it('show an older answer that arrives while the newer is pending', () => {
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
    ['has the wrong shape', (held) => held.ok({})],
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

  it('keep isReading$ true until the last has ended', () => {
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
  it('adds to a list that holds undefined', () => {
    const { people, server } = withPeople({ config: { data: [undefined as never, ann] } });
    watch(people.create$({ name: 'Bo' }));

    server.at(0).ok(bo);

    expect(people.value).toStrictEqual([undefined, ann, bo]);
  });

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

  it('adds the item itself if parse returns nothing', () => {
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

  it.each([true, 1, 'OK', [], [eve]])('adds the item if the answer is no object: %j', (answer) => {
    const { people, server } = withPeople();
    watch(people.create$(ann));

    server.at(0).ok(answer);

    expect(people.value).toStrictEqual([ann]);
  });

  it('adds whatever is answered to a list of something else than objects', () => {
    const { root, server } = withPeople();
    const tags = root.collection<string>({ url: '/tags' });
    watch(tags.create$('Milk'));

    server.at(0).ok('milk');

    expect(tags.value).toStrictEqual(['milk']);
  });

  it('keeps the item with its id that a read has brought in the meantime, which is no older', () => {
    const { people, server } = withPeople();
    watch(people.create$({ name: 'Bo' }));
    watch(people.fetch$());
    server.at(1).ok([{ ...bo, name: 'Bob' }, ann]);

    server.at(0).ok(bo);

    expect(people.value).toStrictEqual([{ ...bo, name: 'Bob' }, ann]);
  });

  it.each<[string, (people: Collection<Item>, server: StubServer) => void]>([
    [
      'was destroyed',
      (people, server) => {
        watch(people.record(2).destroy$());
        server.at(2).ok();
      },
    ],
    ['was removed', (people) => people.remove(({ id }) => id === 2)],
    [
      'was left out by another',
      (people, server) => {
        watch(people.fetch$());
        server.at(2).ok([ann]);
      },
    ],
  ])('does not bring back an item that a read has brought in the meantime, and that %s', (_, remove) => {
    const { people, server } = withPeople();
    watch(people.create$({ name: 'Bo' }));
    watch(people.fetch$());
    server.at(1).ok([ann, bo]);
    remove(people, server);

    server.at(0).ok(bo);

    expect(people.value).toStrictEqual([ann]);
  });

  it('adds an item that a read has brought, if one sent before that answer lacks it: it may have been made before', () => {
    const { people, server } = withPeople();
    watch(people.create$({ name: 'Bo' }));
    watch(people.fetch$());
    watch(people.fetch$());
    server.at(1).ok([ann, bo]);
    server.at(2).ok([ann]);

    server.at(0).ok(bo);

    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('adds such an item as it was saved in between, which shows that it is there', () => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    watch(people.create$({ name: 'Bo' }));
    watch(people.fetch$());
    server.at(0).ok([bo]);
    watch(people.record(2).save$());
    server.at(3).ok({ ...bo, name: 'Bob' });
    server.at(2).ok([]);

    server.at(1).ok(bo);

    expect(people.value).toStrictEqual([{ ...bo, name: 'Bob' }]);
  });

  it('is added with the id of an item that was destroyed before, and that only an older read lists', () => {
    const { people, server } = withPeople({ config: { data: [ann, bo] } });
    watch(people.fetch$());
    watch(people.record(2).destroy$());
    server.at(1).ok();
    watch(people.create$({ name: 'Bob' }));
    server.at(0).ok([ann, bo]);

    server.at(2).ok({ id: 2, name: 'Bob' });

    expect(people.value).toStrictEqual([ann, { id: 2, name: 'Bob' }]);
  });

  it('with an id of its own is newer than a destroy that was sent before it', () => {
    const { people, server } = withPeople({ config: { data: [ann] } });
    watch(people.record(1).destroy$());
    watch(people.create$(ann));
    watch(people.fetch$());
    server.at(0).ok();
    server.at(1).ok(ann);
    expect(people.value).toStrictEqual([ann]);
    server.at(2).ok([ann]);
    expect(people.value).toStrictEqual([ann]);
  });

  it('with an id of its own is newer than a save that was sent before it', () => {
    const { people, server } = withPeople({ config: { data: [bo] } });
    watch(people.record(2).save$());
    watch(people.create$({ ...bo, name: 'Bob' }));
    server.at(0).ok({ ...bo, name: 'saved' });
    server.at(1).ok({ ...bo, name: 'Bob' });
    expect(people.value).toStrictEqual([{ ...bo, name: 'Bob' }]);
  });

  it('is no newer than a save of the item with its id that was answered meanwhile, though sent before it', () => {
    const { people, server } = withPeople({ config: { data: [bo] } });
    const record = people.record(2);
    record.name.next('Bob');
    watch(record.save$());
    watch(people.create$({ name: 'Bo' }));
    server.at(0).ok({ ...bo, name: 'Bob' });
    server.at(1).ok(bo);
    expect(people.value).toStrictEqual([{ ...bo, name: 'Bob' }]);
  });

  it('with an id of its own is newer than a read of that record that was sent before it', () => {
    const { people, server } = withPeople();
    watch(people.record(2).fetch$());
    watch(people.create$({ ...bo, name: 'Bob' }));
    server.at(0).ok({ ...bo, name: 'read' });
    server.at(1).ok({ ...bo, name: 'Bob' });
    expect(people.value).toStrictEqual([{ ...bo, name: 'Bob' }]);
  });

  it('with an id of its own takes back no save that was sent after it', () => {
    const { people, server } = withPeople({ config: { data: [bo] } });
    watch(people.create$(bo));
    watch(people.record(2).save$());
    server.at(1).ok({ ...bo, name: 'Bob' });
    server.at(0).ok(bo);
    expect(people.value).toStrictEqual([{ ...bo, name: 'Bob' }]);
  });

  it('takes back no save that was accepted since, whatever lists lack it', () => {
    const { people, server } = withPeople();
    watch(people.create$({ name: 'Bo' }));
    const record = people.record(2);
    watch(record.save$());
    server.at(1).ok({ ...bo, name: 'Bob' });
    watch(people.fetch$());
    server.at(2).ok([]);

    server.at(0).ok(bo);

    expect([people.value, record.get()]).toStrictEqual([[{ ...bo, name: 'Bob' }], { ...bo, name: 'Bob' }]);
  });

  it.each([
    ['that is being destroyed when a read lacks it', [2, 3]],
    ['destroyed before such an answer', [3, 2]],
  ])('does not bring back an item %s', (_, order) => {
    const { people, server } = withPeople();
    watch(people.create$({ name: 'Bo' }));
    watch(people.fetch$());
    watch(people.fetch$());
    server.at(1).ok([ann, bo]);
    watch(people.record(2).destroy$());
    for (const place of order) server.at(place).ok(place === 2 ? [ann] : undefined);

    server.at(0).ok(bo);

    expect(people.value).toStrictEqual([ann]);
  });

  it('replaces the item with its id that was present before, or that no read has brought', () => {
    const { people, server } = withPeople({ config: { data: [bo] } });
    watch(people.create$({ name: 'Bob' }));
    watch(people.create$({ name: 'Eve' }));
    people.push(eve);

    server.at(0).ok({ ...bo, name: 'Bob' });
    server.at(1).ok({ ...eve, name: 'Eva' });

    expect(people.value).toStrictEqual([
      { ...bo, name: 'Bob' },
      { ...eve, name: 'Eva' },
    ]);
  });

  it.each([
    ['that was present before', bo],
    ['that no read has brought', eve],
  ])('replaces the item with its id %s, also if a record has been told of that', (_, item) => {
    const { people, server } = withPeople({ config: { data: [bo] } });
    const record = people.record(item);
    watch(people.create$({ name: 'new' }));
    people.replace([{ ...item, tags: { x: [2] } }]);

    server.at(0).ok({ id: item.id, name: 'new' });

    const created = { id: item.id, name: 'new' };
    expect([people.value, record.name.value]).toStrictEqual([[created], 'new']);
  });

  it('with an id of its own replaces the item that a read has brought in the meantime', () => {
    const { people, server } = withPeople();
    watch(people.create$(bo));
    watch(people.fetch$());
    server.at(1).ok([{ ...bo, name: 'older' }]);

    server.at(0).ok();

    expect(people.value).toStrictEqual([bo]);
  });

  it.each([
    ['answered with the id as text', { ...bo, id: '2' }],
    ['answered', bo],
  ])('is in the list once if it was created in the meantime, and %s', (_, listed) => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    watch(people.create$({ name: 'Bo' }));
    server.at(1).ok(bo);

    server.at(0).ok([ann, listed]);

    expect(people.value).toStrictEqual([ann, listed]);
  });

  it.each([
    ['with an answer', { ...bo, name: 'Bob' }, 1],
    ['with an equal one', { name: 'Bo' }, 0],
    ['without', undefined, 0],
  ])('takes the place of the very item if that is in the list, %s', (_, answer, emissions) => {
    const draft = { name: 'Bo' };
    const { people, server } = withPeople({ config: { data: [draft, ann] } });
    const seen = valuesOf(people.pipe(skip(1)));
    watch(people.create$(draft));

    server.at(0).ok(answer);

    expect(people.value).toStrictEqual([answer ?? draft, ann]);
    expect(seen).toHaveLength(emissions);
  });

  it.each<[string, (people: Collection<Item>, item: Item) => unknown]>([
    ['before it', (people) => people.unshift({ id: 2, name: 'pushed' })],
    ['after it', (people) => people.push({ id: 2, name: 'pushed' })],
    ['as text', (people) => people.unshift({ id: '2' as never, name: 'pushed' })],
    ['as the same object', (people, item) => people.push(item)],
  ])('with an id takes the place of the very item and of any with that id, %s', (_, push) => {
    const item = { id: 2, name: 'Bo' };
    const { people, server } = withPeople({ config: { data: [ann, item, eve] } });
    watch(people.create$(item));
    push(people, item);
    const seen = valuesOf(people.pipe(skip(1)));

    server.at(0).ok({ id: 2, name: 'Bob' });

    expect(people.value).toStrictEqual([ann, { id: 2, name: 'Bob' }, eve]);
    expect(seen).toHaveLength(1);
  });

  it('is added beside an equal text', () => {
    const { server, root } = withPeople();
    const tags = root.collection<string>({ url: '/tags', data: ['milk'] });
    watch(tags.create$('milk'));

    server.at(0).ok();

    expect(tags.value).toStrictEqual(['milk', 'milk']);
  });

  it('is kept by a pending read when another item is saved', () => {
    const { people, server } = withPeople({ config: { data: [ann] } });
    watch(people.fetch$());
    watch(people.create$(bo));
    server.at(1).ok();
    watch(people.record(1).save$());
    server.at(2).ok();

    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('is added to items without an id that a read has brought in the meantime', () => {
    const { people, server } = withPeople();
    watch(people.create$({ name: 'Bo' }));
    watch(people.fetch$());
    server.at(1).ok([{ name: 'Ann' }]);

    server.at(0).ok({ name: 'Bo' });

    expect(people.value).toStrictEqual([{ name: 'Ann' }, { name: 'Bo' }]);
  });

  it('is kept by a pending read that lacks it, even if another has brought it before', () => {
    const { people, server } = withPeople();
    watch(people.create$({ name: 'Bo' }));
    watch(people.fetch$());
    server.at(1).ok([bo, ann]);
    watch(people.fetch$());

    server.at(0).ok(bo);
    server.at(2).ok([ann]);

    expect(people.value).toStrictEqual([ann, bo]);
  });

  it('is kept by a pending read that lacks it, even if another has brought it changed', () => {
    const { people, server } = withPeople();
    watch(people.fetch$());
    watch(people.fetch$());
    watch(people.create$({ name: 'Bo' }));
    server.at(2).ok(bo);
    server.at(0).ok([ann, { ...bo, name: 'Bob' }]);

    server.at(1).ok([ann]);

    expect(people.value).toStrictEqual([ann, { ...bo, name: 'Bob' }]);
  });

  it('without an id is kept by a pending read, beside others without one that it brings, and without those it lacks', () => {
    const { people, server } = withPeople({ config: { data: [{ name: 'Eve' }] } });
    watch(people.fetch$());
    watch(people.create$({ name: 'Bo' }));
    server.at(1).ok();

    server.at(0).ok([{ name: 'Ann' }]);

    expect(people.value).toStrictEqual([{ name: 'Ann' }, { name: 'Bo' }]);
  });

  /** A list whose reads append what they bring. */
  const withAppended = (data: Item[]) => {
    const appended = withPeople({
      config: {
        data,
        parse: (answer, action) =>
          action === 'read' ? [...appended.people.value, ...(answer as Item[])] : answer,
      },
    });
    return appended;
  };

  it('replaces the item with its id that was present before, also if a read has passed that on', () => {
    const { people, server } = withAppended([ann]);
    watch(people.create$({ name: 'Anna' }));
    watch(people.fetch$());
    server.at(1).ok([bo]);

    server.at(0).ok({ id: 1, name: 'Anna' });

    expect(people.value).toStrictEqual([bo, { id: 1, name: 'Anna' }]);
  });

  it('replaces such an item even if a read has brought that during a creation that has ended', () => {
    const { people, server } = withAppended([]);
    watch(people.create$({ name: 'Ann' }));
    watch(people.fetch$());
    server.at(1).ok([ann]);
    server.at(0).ok(ann);
    watch(people.create$({ name: 'Anna' }));
    watch(people.fetch$());
    server.at(3).ok([bo]);

    server.at(2).ok({ id: 1, name: 'Anna' });

    expect(people.value).toStrictEqual([bo, { id: 1, name: 'Anna' }]);
  });

  it('keeps the item with its id that a read has brought in the meantime, also if a later one has passed that on', () => {
    const { people, server } = withAppended([]);
    watch(people.create$({ name: 'Bo' }));
    watch(people.fetch$());
    watch(people.fetch$());
    server.at(1).ok([{ ...bo, name: 'Bob' }]);
    server.at(2).ok([ann]);

    server.at(0).ok(bo);

    expect(people.value).toStrictEqual([{ ...bo, name: 'Bob' }, ann]);
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

  it('sends nothing before its stream is subscribed, then once per subscription', () => {
    const { people, server } = withPeople();
    const create$ = people.create$(ann);
    const before = server.lines;

    watch(create$);
    watch(create$);

    expect([before, server.lines]).toStrictEqual([[], ['POST /people', 'POST /people']]);
  });

  it('accepts options', () => {
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

  it('rejects an item that JSON cannot hold with SERIALIZE, and sends nothing', () => {
    const { root, server } = withPeople();
    const numbers = root.collection<bigint>({ url: '/numbers' });

    const { error } = watch(numbers.create$(1n));

    expect({ error, sent: server.sent }).toMatchObject({
      error: { code: 'SERIALIZE', action: 'create' },
      sent: [],
    });
  });
});

describe('an item that is created while the list is read, and saved again', () => {
  it('is kept as saved', () => {
    const { people, server } = withPeople({ config: { url: '/people', data: [ann] } });
    watch(people.fetch$());
    const draft = people.record({ name: 'new' });
    watch(draft.save$());
    server.at(1).ok({ id: 9, name: 'new' });
    draft.name.next('newer');
    watch(draft.save$());
    server.at(2).ok();
    server.at(0).ok([ann]);
    expect(people.value).toStrictEqual([ann, { id: 9, name: 'newer' }]);
  });

  it('is kept under the id that the save has changed', () => {
    const { people, server } = withPeople({ config: { url: '/people', data: [ann] } });
    watch(people.fetch$());
    watch(people.create$({ name: 'Bo' }));
    server.at(1).ok(bo);
    watch(people.record(2).save$());
    server.at(2).ok({ ...bo, id: 9 });

    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([ann, { ...bo, id: 9 }]);
  });

  it.each(['create$', 'record'] as const)('is kept by %s if it was then read, and had not changed', (how) => {
    const { people, server } = withPeople({ config: { url: '/people', data: [ann] } });
    const item = { id: 9, name: 'new' };
    watch(people.fetch$());
    watch(how === 'create$' ? people.create$({ name: 'new' }) : people.record({ name: 'new' }).save$());
    server.at(1).ok(item);
    watch(people.record(9).fetch$());
    server.at(2).ok({ ...item });
    server.at(0).ok([ann]);
    expect(people.value).toStrictEqual([ann, item]);
  });

  it('is kept if it was in the list before, and the answer was equal to it', () => {
    const draft = { name: 'new' };
    const { people, server } = withPeople({ config: { url: '/people', data: [ann, draft] } });
    watch(people.fetch$());
    watch(people.record(draft).save$());
    server.at(1).ok(draft);
    server.at(0).ok([ann]);
    expect(people.value).toStrictEqual([ann, draft]);
  });
});

describe('a long list', () => {
  const long = (length: number) => {
    const cost = { reads: 0 };
    const items = Array.from({ length }, (_, place) => ({
      get id() {
        cost.reads += 1;
        return place + 1;
      },
      name: 'x',
    }));
    return { cost, items };
  };

  it('is not examined for each item that is created', () => {
    const { cost, items } = long(200);
    const { people, server } = withPeople({ config: { url: '/people', data: items } });
    for (let id = 201; id <= 700; id += 1) {
      watch(people.create$({ name: 'new' }));
      server.held.at(-1)?.ok({ id, name: 'new' });
    }

    expect(people.length).toBe(700);
    // Examining all each time would read 100,000 ids.
    expect(cost.reads).toBeLessThan(20_000);
  });

  it('may be announced while it is created row by row, however long', () => {
    const { people } = withPeople();
    const resource = resourceOf(people) as ListResource<Item>;
    const rows = Array.from({ length: 8000 }, (_, place) => ({ id: place + 1, name: 'announced' }));
    const creations = rows.map(() => resource.beginCreation());
    // A note of each row for each creation that waits would be 64 million.
    people._amendReads(rows.map((item) => ({ id: item.id, update: () => item, part: item })));
    people.push(...rows);
    for (const [place, { add, end }] of creations.entries()) {
      add({ id: place + 1, name: 'as it was created' });
      end();
    }

    expect(people.value).toStrictEqual(rows);
  });

  it('may come from a feed while it is read, however long', () => {
    const { people, server } = withPeople();
    const read = watch(people.fetch$());
    const ids = Array.from({ length: 150_000 }, (_, place) => place + 1);
    people.replace(ids.map((id) => ({ id, name: 'x' })));
    people._amendReads(ids.map((id) => ({ id, update: (item) => item ?? people.byId(id), part: {} })));
    server.at(0).ok([]);

    expect([read.error, people.length]).toStrictEqual([undefined, 150_000]);
  });

  it('is not examined for each record that is asked for by an id as text', () => {
    const { cost, items } = long(1000);
    const { people } = withPeople({ config: { url: '/people', data: items } });

    const records = items.map((_, place) => people.record(String(place + 1)));

    expect(records.at(-1)?.id?.value).toBe(1000);
    expect(cost.reads).toBeLessThan(200_000);
  });

  it('is examined once by a read, however many creates are under way', () => {
    const { cost, items } = long(200);
    const { people, server } = withPeople();
    for (let count = 0; count < 100; count += 1) watch(people.create$({ name: 'new' }));
    watch(people.fetch$());

    server.at(100).ok(items);

    expect(people.length).toBe(200);
    expect(cost.reads).toBeLessThan(2000);
  });

  it.each<[string, (people: Collection<Item>, held: () => Held | undefined) => void]>([
    [
      'an item',
      (people, held) => {
        watch(people.create$({ name: 'new' }));
        held()?.refuse(409);
      },
    ],
    [
      'a new record',
      (people, held) => {
        watch(people.record({ name: 'new' }).save$()).subscription.unsubscribe();
        held();
      },
    ],
    [
      'a new record that was disposed of',
      (people, held) => {
        const record = people.record({ name: 'new' });
        watch(record.save$());
        record.dispose();
        held();
      },
    ],
  ])('is not remembered from reads once the creation of %s has ended', (_, createAndEnd) => {
    const { cost, items } = long(200);
    const { people, server } = withPeople();
    const readsOfOne = () => {
      cost.reads = 0;
      watch(people.fetch$());
      server.held.pop()?.ok(items);
      return cost.reads;
    };
    readsOfOne();
    const usual = readsOfOne();
    const { subscription } = watch(people.create$({ name: 'new' }));
    expect(readsOfOne()).toBeGreaterThan(usual);
    subscription.unsubscribe();

    createAndEnd(people, () => server.held.pop());

    expect(readsOfOne()).toBe(usual);
  });

  it('holds what a read listed since a create began in its newer state, and no longer', () => {
    const { people, server } = withPeople();
    const create = () => watch(people.create$({ name: 'old' }));
    const read = (...answer: Item[]) => {
      watch(people.fetch$());
      server.held.at(-1)?.ok(answer);
    };
    create();
    read({ id: 1, name: 'new' });
    create();
    server.at(2).ok({ id: 1, name: 'old' });
    expect(people.value).toStrictEqual([{ id: 1, name: 'old' }]);

    read({ id: 1, name: 'new' });
    server.at(0).ok({ id: 1, name: 'old' });
    expect(people.value).toStrictEqual([{ id: 1, name: 'new' }]);
  });
});

describe('a read that hangs', () => {
  it('brings what all saves of an item have confirmed since, with the values of the last', () => {
    const { people, server } = withPeople({ config: { data: [ann] } });
    watch(people.fetch$());
    const record = people.record(1);
    for (const count of [1, 2, 3]) {
      record.name.next(`name ${count}`);
      watch(record.save$());
      server.at(count).ok(count === 2 ? { id: 1, more: true } : undefined);
    }
    server.at(0).ok([ann]);

    expect(people.value).toStrictEqual([{ ...ann, name: 'name 3', more: true }]);
  });
});

describe('ids', () => {
  it('are in a list once, even if the answer for one record brings the id of another', () => {
    const { people, server } = withPeople({ config: { data: [ann, bo, eve] } });
    watch(people.record(1).fetch$());
    server.at(0).ok({ ...bo, name: 'merged' });

    expect(people.value).toStrictEqual([{ ...bo, name: 'merged' }, eve]);
  });

  it('may be objects, as far as no record is needed: what is created removes no other', () => {
    const items = ['a', 'b'].map(($oid) => ({ id: { $oid } }));
    const { people, server } = withPeople({ config: { data: items as unknown as Item[] } });
    watch(people.create$(ann));
    server.at(0).ok({ id: { $oid: 'c' } });

    expect(people.value).toStrictEqual([...items, { id: { $oid: 'c' } }]);
  });
});

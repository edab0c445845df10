import fc from 'fast-check';

import { paths } from './client';
import type { Asking, Client, Known } from './client';
import type { Setup, Step, World } from './world';

type Steps = fc.Arbitrary<Step>;

const who = fc.nat(2);
const which = fc.nat(5);
const asking: fc.Arbitrary<Asking> = fc.record({
  isPromise: fc.boolean(),
  hasSignal: fc.boolean(),
  merges: fc.boolean(),
});

const text = (value: unknown): string => JSON.stringify(value);

/** A step of a client. */
const toClient = <A extends unknown[]>(
  name: string,
  more: { [K in keyof A]: fc.Arbitrary<A[K]> },
  run: (client: Client, world: World, ...more: A) => void,
): Steps =>
  fc.tuple(who, fc.tuple<A>(...more)).map(([place, given]) => ({
    run: (world) => {
      const client = world.client(place);
      run(client, world, ...given);
    },
    toString: () => `${'xyz'[place] ?? ''}: ${name} ${given.map(text).join(' ')}`,
  }));

/** A step of one of its records. */
const toRecord = <A extends unknown[]>(
  name: string,
  more: { [K in keyof A]: fc.Arbitrary<A[K]> },
  run: (client: Client, known: Known, world: World, ...more: A) => void,
): Steps =>
  toClient<[number, ...A]>(name, [which, ...more] as never, (client, world, place, ...given) => {
    const known = client.at(place);
    if (known) run(client, known, world, ...given);
  });

const passing: Steps = fc.constantFrom(5, 10, 20, 50, 200, 600, 2500).map((ms) => ({
  run: (world) => {
    world.pass(ms);
  },
  toString: () => `${String(ms)} ms`,
}));

const typing = toRecord(
  'type',
  [fc.constantFrom(...paths), fc.nat(9)],
  (client, known, world, path, luck) => {
    const isBad = luck === 0 && client.kind.schema !== 'none' && client.known.indexOf(known) < 2;
    client.type(known, path, world.fresh(isBad ? 'bad' : client.name));
  },
);

const elsewhere: Steps = fc.tuple(fc.nat(3), fc.constantFrom('a', 'b', 'gone')).map(([place, what]) => ({
  run: (world: World) => {
    const { server } = world;
    const row = server.list[place];
    if (!row) return;
    if (what === 'gone') server.remove(row.id);
    else server.put({ ...row, [what]: world.fresh('s') }, row.id);
  },
  toString: () => `elsewhere: ${what} of row ${String(place)}`,
}));

const weighed = (weight: number, arbitrary: Steps) => ({ weight, arbitrary });

export const step: Steps = fc.oneof(
  weighed(14, passing),
  weighed(10, typing),
  weighed(
    8,
    toRecord(
      'save',
      [
        fc.record({
          patch: fc.boolean(),
          rollback: fc.constantFrom(
            undefined,
            undefined,
            undefined,
            'error' as const,
            'abort' as const,
            'both' as const,
          ),
          writeResponse: fc.constantFrom(true, true, true, true, false),
        }),
        asking,
      ],
      (client, known, _, given, how) => {
        // A time limit or an abort also rolls back while a schema is still checking.
        const options = client.kind.schema === 'later' ? { ...given, rollback: undefined } : given;
        client.save(known, options, options.rollback ? { ...how, merges: false } : how);
      },
    ),
  ),
  weighed(
    1,
    toRecord('save other data in', [fc.constantFrom(...paths), asking], (client, known, world, path, how) => {
      // If the answer is empty, the field goes on showing its old value, as an edit.
      if (!world.server.isTalkative) return;
      const value = world.fresh(client.name);
      known.witnesses[path].meant(value);
      client.save(known, { patch: true, attrs: { [path]: value } }, how);
    }),
  ),
  weighed(
    5,
    toRecord(
      'read',
      [fc.record({ keepEdits: fc.constantFrom(true, undefined, false) }), asking],
      (client, known, _, options, how) => {
        client.read(known, options, how);
      },
    ),
  ),
  weighed(
    1,
    toRecord('destroy', [asking], (client, known, _, how) => {
      client.destroy(known, how);
    }),
  ),
  weighed(
    4,
    toClient('refetch', [asking], (client, _, how) => {
      client.refetch(how);
    }),
  ),
  weighed(
    2,
    toClient('create', [asking], (client, world, how) => {
      client.create({ a: world.fresh(client.name), b: world.fresh(client.name) }, how);
    }),
  ),
  weighed(
    3,
    toClient('hold the live record of item', [fc.nat(3)], (client, _, place) => {
      client.holdLive(place);
    }),
  ),
  weighed(
    1,
    toClient('hold a draft', [], (client, world) => {
      client.holdDraft(world.fresh(client.name), world.fresh(client.name));
    }),
  ),
  weighed(
    1,
    toClient('hold a new one', [], (client) => {
      client.hold(undefined);
    }),
  ),
  weighed(
    1,
    toClient('hold unread row', [fc.nat(3)], (client, { server }, place) => {
      const row = server.list[place];
      if (row) client.hold(row.id);
    }),
  ),
  weighed(
    1,
    toClient('pop or reverse the list', [fc.boolean()], ({ list }, _, isPop) => {
      if (isPop) list.pop();
      else list.reverse();
    }),
  ),
  weighed(
    2,
    toRecord('toggle autosave', [], (client, known) => {
      client.autosave(known);
    }),
  ),
  weighed(
    2,
    toRecord(
      'choose',
      [fc.constantFrom('keepMine' as const, 'takeTheirs' as const)],
      (client, known, _, choice) => {
        client.choose(known, choice);
      },
    ),
  ),
  weighed(
    1,
    toRecord('reset', [], (client, known) => {
      client.reset(known);
    }),
  ),
  weighed(
    2,
    toRecord('row', [fc.boolean()], (client, known, { server }, isPart) => {
      const row = server.rows.get(known.record.id.value ?? 0);
      if (!row) return;
      known.rows$.next(isPart ? { a: row.a } : { ...row });
      // During a write the row waits for the end of that write.
      const isTaken = paths.every((path) => known.record[path].remote$.value === row[path]);
      if (isTaken && !isPart) client.raise(known);
    }),
  ),
  weighed(2, elsewhere),
  weighed(
    2,
    toClient('offline', [], (client) => {
      client.setOnline(false);
    }),
  ),
  weighed(
    2,
    toClient('online', [], (client) => {
      client.setOnline(true);
    }),
  ),
  weighed(
    2,
    toClient('the token expires', [fc.boolean()], (client, _, isGood) => {
      client.isRefreshGood = isGood;
      client.expire();
    }),
  ),
  weighed(
    2,
    toClient('unsubscribe', [which], (client, _, place) => {
      client.leave(place);
    }),
  ),
  weighed(
    1,
    toClient('abort', [], (client) => {
      client.abort();
    }),
  ),
  weighed(
    1,
    toRecord('dispose', [], (client, known) => {
      client.drop(known);
    }),
  ),
);

const ms = fc.constantFrom(1, 5, 10, 10, 30, 100);
const fate = fc.record({
  there: ms,
  back: ms,
  how: fc.constantFrom(
    ...([
      'arrives',
      'arrives',
      'arrives',
      'arrives',
      'busy',
      'too many',
      'request lost',
      'answer lost',
      'hangs',
    ] as const),
  ),
  persists: fc.boolean(),
});

export const setup: fc.Arbitrary<Setup> = fc.record({
  server: fc.record({
    writes: fc.constantFrom('whole' as const, 'part' as const, 'empty' as const),
    hasWriteTags: fc.constantFrom(true, true, false),
  }),
  clients: fc.array(
    fc.record({
      schema: fc.constantFrom('none' as const, 'none' as const, 'at once' as const, 'later' as const),
      refresh: fc.constantFrom('stream' as const, 'promise' as const),
      limit: fc.integer({ min: 1, max: 3 }),
      timeout: fc.constantFrom(undefined, 300, 10_000),
      requestLull: fc.constantFrom(0, 300),
      hasModel: fc.boolean(),
      keepEdits: fc.boolean(),
      decides: fc.constantFrom(
        'later' as const,
        'later' as const,
        'keepMine' as const,
        'takeTheirs' as const,
      ),
    }),
    { minLength: 2, maxLength: 3 },
  ),
  fates: fc.array(fate, { maxLength: 30, size: 'max' }),
});

export const course: fc.Arbitrary<readonly Step[]> = fc.array(step, { maxLength: 60, size: 'max' });

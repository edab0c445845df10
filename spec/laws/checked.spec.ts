import { setImmediate } from 'node:timers/promises';

import fc from 'fast-check';
import { of } from 'rxjs';
import { describe } from 'vitest';
import { z } from 'zod';

import { createLib } from 'rivulet';
import { defineRecord } from 'rivulet/schema';

import { StubServer } from '../stub';
import { watch } from '../watch';

import { law } from './law';
import { same } from './same';

const shape = { id: z.number(), a: z.string(), b: z.string() };
/** Both accept everything: one at once, the other later. */
const schemas = [
  z.object(shape),
  z.object(shape).refine(async () => {
    await setImmediate();
    return true;
  }),
];

const data = fc.record(
  { a: fc.constantFrom('x', 'y', 'z'), b: fc.constantFrom('x', 'y') },
  { requiredKeys: [] },
);

/** Something done to the record. */
interface Step {
  readonly by: string;
  readonly data: { readonly a?: string; readonly b?: string };
}

const step: fc.Arbitrary<Step> = fc.record({
  by: fc.constantFrom('edit', 'set', 'set as an edit', 'reset', 'clean', 'a row'),
  data,
});

/** Applies all steps to a record with this schema, and returns the resulting state. */
async function play(
  schema: (typeof schemas)[number],
  before: readonly Step[],
  patch: boolean,
  during: readonly Step[],
  answer: object | undefined | null,
): Promise<object> {
  const server = new StubServer();
  const Thing = defineRecord({ url: '/things', schema, initial: { id: 7, a: 'x', b: 'x' } });
  const thing = new Thing(createLib({ transport: server.transport }));
  const take = ({ by, data: values }: Step) => {
    if (by === 'edit') for (const [key, value] of Object.entries(values)) thing[key as 'a'].next(value);
    else if (by === 'set') thing.set(values);
    else if (by === 'set as an edit') thing.set(values, { keepDirty: true });
    else if (by === 'reset') thing.reset();
    else if (by === 'clean') thing.clean();
    else thing.follow(of(values)).subscribe();
  };
  let conflicts = 0;
  thing.conflicts$.subscribe(() => (conflicts += 1));
  before.forEach(take);

  watch(thing.save$({ patch }));
  during.forEach(take);
  while (!server.sent.length) await setImmediate();
  const [{ body } = {}] = server.sent;
  if (answer === null) server.at(0).refuse(500);
  else server.at(0).ok(answer);
  while (thing.requestInProgress$.value) await setImmediate();

  const remote = [thing.a.remote$.value, thing.b.remote$.value];
  return { body, shown: thing.get(), edited: thing.dirtyMap(), remote, conflicts };
}

describe('a save that waits for its schema', () => {
  law(
    'sends, confirms and keeps the same as one that need not wait',
    [
      fc.array(step, { maxLength: 2 }),
      fc.boolean(),
      fc.array(step, { maxLength: 3 }),
      fc.oneof(fc.constant(undefined), fc.constant(null), data),
    ],
    async (before, patch, during, answer) => {
      const [atOnce, later] = await Promise.all(
        schemas.map((schema) => play(schema, before, patch, during, answer)),
      );
      same(later, atOnce);
    },
  );
});

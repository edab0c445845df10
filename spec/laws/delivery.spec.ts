import fc from 'fast-check';
import type { Observable } from 'rxjs';
import { describe } from 'vitest';

import { createLib } from 'rivulet';

import { valuesOf } from '../watch';

import { law } from './law';
import { same } from './same';

/** Two fields of a record, the streams derived from them, and a collection. */
function make() {
  const root = createLib();
  const record = root.dataModel.boot({});
  const a = root.observable(0).map('a', record);
  const b = root.observable(0).map('b', record);
  const list = root.collection<number>();
  const { data$, isDirty$ } = record;
  const writes = {
    a: (value: number) => {
      a.next(value);
    },
    list: (value: number) => list.push(value),
    both: (value: number) => record.set({ a: value, b: value }),
  };
  return { written: { a, b, list }, derived: { data$, isDirty$ }, writes };
}

type World = ReturnType<typeof make>;

/** A value, and where to write it. */
type Write = readonly [to: keyof World['writes'], value: number];

/** Writes something when a stream emits its nth value. */
interface Reaction {
  readonly stream: keyof World['written'] | keyof World['derived'];
  readonly count: number;
  readonly write: Write;
}

const writing = (...targets: Write[0][]): fc.Arbitrary<Write> =>
  fc.tuple(fc.constantFrom(...targets), fc.nat(3));

const reacting = (write: fc.Arbitrary<Write>): fc.Arbitrary<Reaction[]> =>
  fc.array(
    fc.record({
      stream: fc.constantFrom('a', 'b', 'list', 'data$', 'isDirty$'),
      count: fc.integer({ min: 2, max: 5 }),
      write,
    }),
  );

function react({ written, derived, writes }: World, { stream, count, write: [to, value] }: Reaction): void {
  let told = 0;
  const source: Observable<unknown> = { ...written, ...derived }[stream];
  source.subscribe(() => {
    told += 1;
    if (told === count) writes[to](value);
  });
}

describe('values', () => {
  const any = writing('a', 'list', 'both');
  const both = writing('both');

  law(
    'reach all subscribers in the same order, the current one last',
    [fc.array(any), reacting(any)],
    (script, reactions) => {
      const world = make();
      const { a, b, list } = world.written;
      const { data$, isDirty$ } = world.derived;
      const listen = () => ({ a: valuesOf(a), b: valuesOf(b), list: valuesOf(list.asObservable()) });
      const listenDerived = () => [valuesOf(data$), valuesOf(isDirty$)];
      const early = { ...listen(), derived: listenDerived() };
      for (const reaction of reactions) react(world, reaction);
      const late = { ...listen(), derived: listenDerived() };

      for (const [to, value] of script) world.writes[to](value);

      const present = [a.value, b.value, list.value, data$.value, isDirty$.value];
      for (const seen of [early, late]) {
        same(
          [seen.a, seen.b, seen.list, ...seen.derived].map((values) => values.at(-1)),
          present,
        );
      }
      same([early.a, early.b, early.list], [late.a, late.b, late.list]);
    },
  );

  law(
    'that are written together are never seen apart',
    [fc.array(both), reacting(both)],
    (script, reactions) => {
      const world = make();
      const { a, b } = world.written;
      const { data$ } = world.derived;
      const apart: unknown[] = [];
      for (const reaction of reactions) react(world, reaction);
      for (const stream of [a, b, data$]) {
        stream.subscribe(() => {
          const data = JSON.stringify({ a: b.value, b: a.value });
          if (JSON.stringify(data$.value) !== data) apart.push([a.value, b.value, data$.value]);
        });
      }

      for (const [to, value] of script) world.writes[to](value);

      same(apart, []);
    },
  );
});

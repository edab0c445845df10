import fc from 'fast-check';
import type { Subscription } from 'rxjs';
import { describe } from 'vitest';

import { withPerson } from '../person';
import type { Person } from '../person';
import { watch } from '../watch';

import { law } from './law';
import { same } from './same';
import { Wire } from './wire';

const names = ['name', 'city'] as const;
const text = fc.constantFrom('Ann', 'Bonn', 'Bo', 'Rome');

/** Some fields and the values written to them. */
const edit = fc.array(fc.tuple(fc.constantFrom(...names), text), { maxLength: 3 });

/** A save under way. */
interface Started {
  readonly wire: Wire;
  readonly abort: AbortController;
  readonly subscription: Subscription;
}

/** The ways a save can fail, keyed by the value of `rollback` that covers them. */
const ends = {
  error: [
    ({ wire }: Started) => wire.sent[0]?.respond('refused', {}),
    ({ wire }: Started) => wire.sent[0]?.respond('offline', {}),
  ],
  abort: [
    ({ subscription }: Started) => {
      subscription.unsubscribe();
    },
    ({ abort }: Started) => {
      abort.abort();
    },
  ],
};

const write = (person: Person, values: readonly (readonly [(typeof names)[number], string])[]) => {
  for (const [name, value] of values) person[name].next(value);
};

const look = ({ name, city }: Person) => ({
  shown: [name.value, city.value],
  confirmed: [name.remote$.value, city.remote$.value],
});

describe('rollback', () => {
  const rollback = fc.constantFrom('error' as const, 'abort' as const, 'both' as const, undefined);
  const failure = fc.tuple(fc.constantFrom('error' as const, 'abort' as const), fc.constantFrom(0, 1));

  law(
    'restores what a failed save carried and was not edited since',
    [edit, edit, rollback, failure],
    (before, meanwhile, wanted, [why, which]) => {
      const wire = new Wire();
      const { person } = withPerson({ options: { transport: wire.transport } });
      const abort = new AbortController();
      write(person, before);
      const sent = look(person);
      const { subscription } = watch(person.save$({ rollback: wanted, signal: abort.signal }));
      write(person, meanwhile);
      const { shown } = look(person);

      ends[why][which]?.({ wire, abort, subscription });

      const isGivenBack = wanted === why || wanted === 'both';
      const isEdited = (place: number) =>
        meanwhile.some(([name, value]) => name === names[place] && value !== sent.shown[place]);
      const expected = shown.map((value, place) =>
        isGivenBack && !isEdited(place) ? sent.confirmed[place] : value,
      );
      same(look(person), { shown: expected, confirmed: sent.confirmed });
    },
  );
});

import fc from 'fast-check';
import { map, merge, skip } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import type { Field, Lib } from 'rivulet';

import { batch } from '../lib/batch';

import { raise } from './hostile';
import { valuesOf } from './watch';

const names = ['a', 'b', 'c'] as const;
type Name = (typeof names)[number];

/** Values for some fields: one is written to the field itself, several to the record as one. */
type Write = readonly (readonly [name: Name, value: number])[];

/** Writes something, once, when a field emits a value. */
interface Reaction {
  readonly to: Name;
  readonly at: number;
  readonly write: Write;
}

/** A record of three fields that are 0. */
function fieldsOf(root: Lib) {
  const record = root.dataModel.boot({});
  const fields = {
    a: root.observable(0).map('a', record),
    b: root.observable(0).map('b', record),
    c: root.observable(0).map('c', record),
  };
  return { record, fields };
}

/** The values that each field emits from now on. */
function listen(fields: Record<Name, Field<number>>): Record<Name, number[]> {
  return { a: valuesOf(fields.a), b: valuesOf(fields.b), c: valuesOf(fields.c) };
}

describe('values written by a subscriber during an emission', () => {
  const name = fc.constantFrom(...names);
  const value = fc.integer({ min: 0, max: 3 });
  const write: fc.Arbitrary<Write> = fc.uniqueArray(fc.tuple(name, value), {
    selector: ([field]) => field,
    minLength: 1,
  });
  const scripts = fc.array(write, { minLength: 1, maxLength: 6 });
  const reactions: fc.Arbitrary<Reaction[]> = fc.array(fc.record({ to: name, at: value, write }), {
    maxLength: 6,
  });

  /** Writes a script, to which subscribers react; returns what was written and what each subscriber received. */
  const play = (script: readonly Write[], reacting: readonly Reaction[]) => {
    const { record, fields } = fieldsOf(createLib());
    const now = () => ({ a: fields.a.value, b: fields.b.value, c: fields.c.value });
    const written: Record<Name, number[]> = { a: [0], b: [0], c: [0] };
    const states = [JSON.stringify(now())];
    const put = (values: Write) => {
      const [[first, single] = raise(new Error('nothing to write'))] = values;
      const isSingle = values.length === 1;
      for (const [field, next] of values) {
        // A record does not write a value that it already has; a field does.
        if (isSingle || fields[field].value !== next) written[field].push(next);
      }
      states.push(JSON.stringify({ ...now(), ...Object.fromEntries(values) }));
      if (isSingle) fields[first].next(single);
      else record.set(Object.fromEntries(values));
    };

    const early = listen(fields);
    const late: [Name, number[]][] = [];
    for (const { to, at, write: answer } of reacting) {
      let isOver = false;
      fields[to].pipe(skip(1)).subscribe((told) => {
        if (isOver || told !== at) return;
        isOver = true;
        late.push([to, valuesOf(fields[to])]);
        put(answer);
      });
    }
    const after = listen(fields);
    const seen = valuesOf(merge(...Object.values(fields)).pipe(map(() => JSON.stringify(now()))));
    const data = valuesOf(record.data$);
    for (const values of script) put(values);
    return { record, now, written, states, early, late, after, seen, data };
  };

  it('reach every subscriber in the order in which they were written', () => {
    fc.assert(
      fc.property(scripts, reactions, (script, reacting) => {
        const { written, early, after } = play(script, reacting);

        expect(early).toStrictEqual(written);
        expect(after).toStrictEqual(written);
      }),
    );
  });

  it('reach late subscribers in that order too, from some value on', () => {
    fc.assert(
      fc.property(scripts, reactions, (script, reacting) => {
        const { written, late } = play(script, reacting);

        for (const [field, told] of late) expect(told).toStrictEqual(written[field].slice(-told.length));
      }),
    );
  });

  it('are never seen half-written: all are set before the first subscriber is notified', () => {
    fc.assert(
      fc.property(scripts, reactions, (script, reacting) => {
        const { seen, states } = play(script, reacting);

        expect(seen.filter((state) => !states.includes(state))).toStrictEqual([]);
      }),
    );
  });

  it('leave the data of the record equal to the fields', () => {
    fc.assert(
      fc.property(scripts, reactions, (script, reacting) => {
        const { record, now, data } = play(script, reacting);

        expect([data.at(-1), record.data$.value]).toStrictEqual([now(), now()]);
      }),
    );
  });

  it('may be many: each is emitted without growing the stack', () => {
    const field = createLib().observable(0);
    field.subscribe((value) => {
      if (value < 100_000) field.next(value + 1);
    });
    const values = valuesOf(field);

    field.next(1);

    expect([values.length, values.at(-1)]).toStrictEqual([100_001, 100_000]);
  });
});

describe('an ordered value', () => {
  it('has its new value before it emits', () => {
    const field = createLib().observable('a');
    const seen: string[] = [];
    field.subscribe((told) => {
      if (told === 'b') field.next('c');
      seen.push(`${told} of ${field.value}`);
    });

    field.next('b');

    expect(seen).toStrictEqual(['a of a', 'b of c', 'c of c']);
  });

  it('emits again even if it is the same, as a BehaviorSubject does', () => {
    const field = createLib().observable('a');
    const values = valuesOf(field);

    field.next('a');

    expect(values).toStrictEqual(['a', 'a']);
  });

  it.each(['complete', 'error', 'unsubscribe'] as const)('is not ended by its %s', (method) => {
    const field = createLib().observable('a');
    const values = valuesOf(field);

    field[method]();
    field.next('b');

    expect([field.value, values]).toStrictEqual(['b', ['a', 'b']]);
  });

  it('completes with its owner and accepts no more values', () => {
    const { record, fields } = fieldsOf(createLib());
    let isComplete = false;
    fields.a.subscribe({ complete: () => (isComplete = true) });

    record.dispose();
    fields.a.next(1);

    expect([isComplete, fields.a.value]).toStrictEqual([true, 0]);
  });
});

describe('a write that fails midway', () => {
  it('emits what it set before', () => {
    const field = createLib().observable('before');
    const values = valuesOf(field);

    const write = () => {
      batch(() => {
        field.next('set');
        raise(new Error('in the midst'));
      });
    };

    expect(write).toThrow('in the midst');
    expect(values).toStrictEqual(['before', 'set']);
    field.next('after');
    expect(values).toStrictEqual(['before', 'set', 'after']);
  });
});

describe('a derived value', () => {
  it('of a record emits once, after all of its fields', () => {
    const { record, fields } = fieldsOf(createLib());
    const log: string[] = [];
    record.data$.subscribe(() => log.push('data'));
    for (const name of names) fields[name].subscribe(() => log.push(name));
    log.length = 0;

    record.set({ a: 1, b: 2, c: 3 });

    expect(log).toStrictEqual(['a', 'b', 'c', 'data']);
  });
});

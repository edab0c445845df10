import { isDeepStrictEqual } from 'node:util';

import fc from 'fast-check';
import { describe } from 'vitest';

import { createLib } from 'rivulet';

import { valuesOf } from '../watch';

import { json } from './json';
import { law } from './law';
import { same } from './same';

const names = ['a', 'n.b', 'n.c'] as const;
type Name = (typeof names)[number];

/** What was confirmed and what is shown, by path. */
type Values = Record<Name, unknown>;

/** A few values, some of them alike. */
const value = fc.oneof(fc.constantFrom<unknown[]>(0, { x: [1] }, { x: [2] }, [], null), json());

/** Ways to change some of the values, in the record and in the two lists of expected values. */
const edits: Record<string, (world: ReturnType<typeof make>, name: Name, value: unknown) => void> = {
  write({ fields, shown }, name, value) {
    fields[name].next(value);
    shown[name] = value;
  },
  edit({ record, shown }, name, value) {
    record.set(partOf(name, value), { keepDirty: true });
    shown[name] = value;
  },
  set({ record, shown, confirmed }, name, value) {
    record.set(partOf(name, value));
    shown[name] = confirmed[name] = value;
  },
  clean({ record, shown, confirmed }, name) {
    record.clean(name as never);
    confirmed[name] = shown[name];
  },
  cleanAll({ record, shown, confirmed }) {
    record.clean();
    Object.assign(confirmed, shown);
  },
  reset({ fields, shown, confirmed }, name) {
    fields[name].reset();
    shown[name] = confirmed[name];
  },
  resetAll({ record, shown, confirmed }) {
    record.reset();
    Object.assign(shown, confirmed);
  },
};

function make() {
  const root = createLib();
  const record = root.dataModel.boot({});
  const fields = {
    a: root.observable<unknown>(0).map('a', record),
    'n.b': root.observable<unknown>(0).map('n.b', record),
    'n.c': root.observable<unknown>(0).map('n.c', record),
  };
  const confirmed: Values = { a: 0, 'n.b': 0, 'n.c': 0 };
  return { record, fields, confirmed, shown: { ...confirmed } };
}

/** Data with some of the values in it. */
function dataOf(values: Partial<Values>): object {
  const inner = (['b', 'c'] as const).filter((key) => `n.${key}` in values);
  return {
    ...('a' in values ? { a: values.a } : {}),
    ...(inner.length ? { n: Object.fromEntries(inner.map((key) => [key, values[`n.${key}`]])) } : {}),
  };
}

const partOf = (name: Name, value: unknown) => dataOf({ [name]: value });

describe('dirty', () => {
  const edit = fc.tuple(fc.constantFrom(...Object.keys(edits)), fc.constantFrom(...names), value);

  law('means differing from the confirmed value, after any edits', [fc.array(edit)], (script) => {
    const world = make();
    const { record, fields, shown, confirmed } = world;
    const changes = valuesOf(record.changes$);
    for (const [what, name, given] of script) {
      edits[what]?.(world, name, given);

      const dirty = names.filter((each) => !isDeepStrictEqual(shown[each], confirmed[each]));
      same(
        names.filter((each) => fields[each].isDirty$.value),
        dirty,
      );
      same(
        Object.entries(record.dirtyMap()),
        names.map((each) => [each, dirty.includes(each)]),
      );
      same(record.isDirty$.value, dirty.length > 0);
      same(changes.at(-1), dataOf(Object.fromEntries(dirty.map((each) => [each, shown[each]]))));
    }
    for (const each of names) fields[each].next(structuredClone(confirmed[each]));

    same([record.isDirty$.value, changes.at(-1)], [false, {}]);
  });
});

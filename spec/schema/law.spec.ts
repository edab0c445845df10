import fc from 'fast-check';
import { describe, expect } from 'vitest';

import { DataModel, createLib } from 'rivulet';
import type { Lib, RequestOptions } from 'rivulet';
import { defineRecord, whole } from 'rivulet/schema';

import { isPlain, overlay, partLike } from '../../lib/schema/data';
import { json } from '../laws/json';
import { law } from '../laws/law';
import { StubServer } from '../stub';
import { watch } from '../watch';

import { schemaOf } from './schemas';

interface Data {
  id: unknown;
  a: unknown;
  b: { a: unknown; b: unknown };
}

const initial = { id: whole(7), a: null, b: { a: null, b: undefined } };

const WithSchema = defineRecord<ReturnType<typeof schemaOf<Data>>>({
  url: '/x',
  schema: schemaOf<Data>((value) => ({ value: value as Data })),
  initial,
});

class ByHand extends DataModel {
  constructor(root: Lib) {
    super({ url: '/x' }, root);
    for (const [path, value] of [
      ['id', 7],
      ['a', null],
      ['b.a', null],
      ['b.b', undefined],
    ] as const) {
      Object.assign(this, { [path]: root.observable<unknown>(value).map(path, this) });
    }
  }
}

/** A record and its server, driven by steps. */
function play(make: new (root: Lib) => DataModel) {
  const server = new StubServer();
  const record = new make(createLib({ transport: server.transport }));
  let answered = 0;
  return {
    edit: (data: object) => record.set(data, { keepDirty: true }),
    request: (kind: 'save$' | 'fetch$', options: RequestOptions) => {
      watch(record[kind](options));
    },
    answer: (data: unknown) => server.held[answered++]?.ok(data),
    seen: () => ({
      sent: server.sent,
      data: record.get(),
      dirty: record.dirtyMap(),
      isSaving: record.isSaving$.value,
      error: record.error$.value?.message,
    }),
  };
}

type Step = (played: ReturnType<typeof play>) => unknown;

const data = fc.record(
  { a: json(), b: fc.record({ a: json(), b: json() }, { requiredKeys: [] }) },
  { requiredKeys: [] },
);
const options = fc.record(
  { patch: fc.boolean(), attrs: data, writeResponse: fc.boolean() },
  { requiredKeys: [] },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  data.map(
    (edit): Step =>
      (played) =>
        played.edit(edit),
  ),
  options.map((given): Step => (played) => {
    played.request('save$', given);
  }),
  fc.constant<Step>((played) => {
    played.request('fetch$', {});
  }),
  fc.oneof(data, json()).map(
    (answer): Step =>
      (played) =>
        played.answer(answer),
  ),
);

describe('a schema that accepts everything as it is', () => {
  law(
    'changes nothing in the behavior of a record',
    [fc.array(step, { maxLength: 6 })],
    (steps) => {
      const [withSchema, byHand] = [play(WithSchema), play(ByHand)];
      for (const take of steps) {
        take(withSchema);
        take(byHand);
        expect(withSchema.seen()).toStrictEqual(byHand.seen());
      }
    },
    500,
  );
});

describe('overlaid data', () => {
  const paths = fc.array(fc.constantFrom<string[]>('a', 'b', 'a.a', 'a.b', 'b.a'));
  const any = json(fc.constantFrom('a', 'b'));

  law('can be picked out again', [any, any, paths], (below, above, fields) => {
    const isField = (path: string) => fields.includes(path);
    expect(partLike(overlay(below, above, isField), above, isField)).toStrictEqual(above);
  });

  law('change nothing when laid over again, or when empty', [any, any, paths], (below, above, fields) => {
    const isField = (path: string) => fields.includes(path);
    const whole = overlay(below, above, isField);
    expect([overlay(whole, above, isField), overlay(below, {}, isField)]).toStrictEqual([
      whole,
      isPlain(below) ? below : {},
    ]);
  });
});

import fc from 'fast-check';
import { describe } from 'vitest';

import { createLib } from 'rivulet';

import { valuesOf, watch } from '../watch';

import { isReadWell, json } from './json';
import { law } from './law';
import { same } from './same';
import { Wire } from './wire';

const segment = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'length', 'toString', 'hasOwnProperty', 'then', '0'),
  fc.string({ minLength: 1, maxLength: 3 }).filter((name) => !name.includes('.') && isReadWell(name)),
);
const path = fc.array(segment, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('.'));

/** Values by path, where no path lies within another. */
const mapping = fc
  .array(fc.tuple(path, json()), { maxLength: 4 })
  .map((pairs) => pairs.reduce(withPair, new Map<string, unknown>([['id', 1]])));

function withPair(values: Map<string, unknown>, [name, value]: [string, unknown]): Map<string, unknown> {
  const isApart = [...values.keys()].every(
    (other) => !`${name}.`.startsWith(`${other}.`) && !`${other}.`.startsWith(`${name}.`),
  );
  return isApart ? values.set(name, value) : values;
}

/** The data that holds those values, as JSON text: each use parses a copy of its own. */
function nested(values: ReadonlyMap<string, unknown>): string {
  const inner = new Map<string, Map<string, unknown>>();
  const parts: string[] = [];
  for (const [name, value] of values) {
    const [first = '', ...rest] = name.split('.');
    if (!rest.length) parts.push(`${JSON.stringify(first)}:${JSON.stringify(value)}`);
    else inner.set(first, (inner.get(first) ?? new Map<string, unknown>()).set(rest.join('.'), value));
  }
  for (const [first, below] of inner) parts.push(`${JSON.stringify(first)}:${nested(below)}`);
  return `{${parts.join()}}`;
}

function withRecord(values: ReadonlyMap<string, unknown>) {
  const wire = new Wire();
  const root = createLib({ transport: wire.transport });
  const record = root.dataModel.boot({}, { url: '/records' });
  const fields = new Map(
    [...values].map(([name, value]) => [name, root.observable(value).map(name, record)]),
  );
  return { wire, record, fields };
}

describe('mapped fields', () => {
  law('stay unchanged when set to their own values', [mapping], (values) => {
    const { record, fields } = withRecord(values);
    const told = valuesOf(record.data$);

    record.set(record.get());

    same(new Map([...fields].map(([name, { value }]) => [name, value])), values);
    same(told.length, 1);
  });

  law('are read as data nested by their paths', [mapping], (values) => {
    const { record } = withRecord(values);

    same(JSON.parse(JSON.stringify(record.get())), JSON.parse(nested(values)));
    for (const [name, value] of values) same(record.get(name as never), value);
  });

  law(
    'take the values that an answer holds, and send them on unchanged',
    [mapping, fc.nat(31)],
    (values, mask) => {
      const before = new Map([...values.keys()].map((name): [string, unknown] => [name, 1]));
      const answered = new Map([...values].filter((_, place) => mask & (1 << place)));
      const expected = new Map([...before, ...answered]);
      const { wire, record, fields } = withRecord(before);

      watch(record.fetch$());
      wire.sent[0]?.respond('new', JSON.parse(nested(answered)));
      watch(record.save$());

      same(new Map([...fields].map(([name, { value }]) => [name, value])), expected);
      same([wire.sent[1]?.body, record.isDirty$.value], [JSON.parse(nested(expected)), false]);
    },
    1000,
  );
});

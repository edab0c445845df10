import { setImmediate } from 'node:timers/promises';

import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { errorsOf } from 'rivulet/schema';
import type { StandardSchema } from 'rivulet/schema';

import { raise } from '../hostile';
import { valuesOf } from '../watch';

import { born, schemaOf, withPerson } from './schemas';
import type { Data } from './schemas';

/** Refuses empty names; counts how often it was called. */
function counting(): { schema: StandardSchema<Data>; asked: () => number } {
  let count = 0;
  const schema = schemaOf((value) => {
    count += 1;
    const data = value as Data;
    return data.name ? { value: data } : { issues: [{ message: 'is empty', path: ['name'] }] };
  });
  return { schema, asked: () => count };
}

/** Refuses each name, with itself as the message, when the spec says so. */
function held(): { schema: StandardSchema<Data>; answers: Map<string, () => Promise<void>> } {
  const answers = new Map<string, () => Promise<void>>();
  const schema = schemaOf(
    (value) =>
      new Promise((resolve) => {
        const { name } = value as Data;
        answers.set(name, async () => {
          resolve({ issues: [{ message: name, path: ['name'] }] });
          await setImmediate();
        });
      }),
  );
  return { schema, answers };
}

describe('errors$', () => {
  it('holds the messages by path, in the order of the schema', () => {
    const issues = [
      { message: 'a', path: ['name'] },
      { message: 'b', path: ['address', { key: 'city' }] },
      { message: 'c', path: ['name'] },
      { message: 'd', path: ['tags', 0] },
      { message: 'e' },
      { message: 'f', path: [] },
    ];
    const { person } = withPerson({ schema: schemaOf(() => ({ issues })) });
    expect(person.errors$.value).toEqual({
      name: ['a', 'c'],
      'address.city': ['b'],
      'tags.0': ['d'],
      '': ['e', 'f'],
    });
  });

  it('holds any path', () => {
    const issues = [
      { message: 'a', path: ['__proto__'] },
      { message: 'b', path: [{ key: '__proto__' }, Symbol('s')] },
    ];
    const { person } = withPerson({ schema: schemaOf(() => ({ issues })) });
    const { value } = person.errors$;
    expect(Object.entries(value)).toStrictEqual([
      ['__proto__', ['a']],
      ['__proto__.Symbol(s)', ['b']],
    ]);
    expect({}).not.toHaveProperty('0');
  });

  it('checks fields without a value as absent, nested ones too', () => {
    const seen: unknown[] = [];
    const schema = schemaOf((value) => {
      seen.push(value);
      return { issues: [{ message: 'no' }] };
    });
    const { person } = withPerson({ schema });
    person.id.next(undefined);
    person.address.city.next(undefined as never);
    expect(person.errors$.value).toEqual({ '': ['no'] });
    expect(seen).toStrictEqual([{ name: 'Ada', born, address: {} }]);
  });

  it('follows the fields, and emits only changes', () => {
    const { schema } = counting();
    const { person } = withPerson({ schema });
    const errors = valuesOf(person.errors$);
    person.address.city.next('Bath');
    person.name.next('');
    person.address.city.next('London');
    person.name.next('Eve');
    expect(errors).toEqual([{}, { name: ['is empty'] }, {}]);
    expect(person.errors$.value).toBe(errors[2]);
  });

  it('calls the schema once for all subscribers', () => {
    const { schema, asked } = counting();
    const { person } = withPerson({ schema });
    const subscription = person.errors$.subscribe();
    const names = valuesOf(errorsOf(person, person.name));
    person.name.next('');
    expect([asked(), person.errors$.value, names]).toEqual([2, { name: ['is empty'] }, [[], ['is empty']]]);
    person.name.next('Eve');
    expect(asked()).toBe(3);
    subscription.unsubscribe();
  });

  it('is up to date when read without subscribers', () => {
    const { schema, asked } = counting();
    const { person } = withPerson({ schema });
    person.name.next('Eve');
    person.name.next('');
    expect([asked(), person.errors$.value]).toEqual([0, { name: ['is empty'] }]);
    expect([asked(), person.errors$.value]).toEqual([1, { name: ['is empty'] }]);
    expect(asked()).toBe(1);
  });

  it('is never older, when read, than the data a subscriber receives', () => {
    const { schema } = counting();
    const { person } = withPerson({ schema });
    const seen: unknown[] = [];
    person.data$.subscribe(({ name }) => seen.push(name, person.errors$.value));
    person.name.next('');
    expect(seen).toEqual(['Ada', {}, '', { name: ['is empty'] }]);
  });

  it.each<[string, unknown, string]>([
    ['throws', new Error('broken'), 'the schema failed: broken'],
    ['throws undefined', undefined, 'the schema failed: undefined'],
  ])('has an error of the whole if the schema %s', async (_, failure, message) => {
    const thrown = withPerson({ schema: schemaOf(() => raise(failure)) }).person;
    expect(thrown.errors$.value).toEqual({ '': [message] });
    const rejected = withPerson({
      schema: schemaOf(async () => {
        await Promise.resolve();
        raise(failure);
      }),
    }).person;
    const errors = valuesOf(rejected.errors$);
    await setImmediate();
    expect(errors).toEqual([{}, { '': [message] }]);
  });

  it('ends with the record', () => {
    const { person } = withPerson();
    let ends = 0;
    person.errors$.subscribe({ complete: () => (ends += 1) });
    person.dispose();
    expect(ends).toBe(1);
  });
});

describe('errors$ of an asynchronous schema', () => {
  it('begins empty, and emits what was found', async () => {
    const { schema, answers } = held();
    const { person } = withPerson({ schema });
    const errors = valuesOf(person.errors$);
    await answers.get('Ada')?.();
    expect(errors).toEqual([{}, { name: ['Ada'] }]);
  });

  it('reports the latest data only, whatever comes first', async () => {
    const { schema, answers } = held();
    const { person } = withPerson({ schema });
    const errors = valuesOf(person.errors$);
    person.name.next('Eve');
    await answers.get('Eve')?.();
    await answers.get('Ada')?.();
    expect(errors).toEqual([{}, { name: ['Eve'] }]);
    expect(person.errors$.value).toBe(errors[1]);
  });

  it('keeps its errors until others are found', async () => {
    const { schema, answers } = held();
    const { person } = withPerson({ schema });
    const errors = valuesOf(person.errors$);
    await answers.get('Ada')?.();
    person.name.next('Eve');
    expect(person.errors$.value).toEqual({ name: ['Ada'] });
    await answers.get('Eve')?.();
    expect(errors).toEqual([{}, { name: ['Ada'] }, { name: ['Eve'] }]);
  });

  it('begins with known errors for a new subscriber', async () => {
    const { schema, answers } = held();
    const { person } = withPerson({ schema });
    person.errors$.subscribe();
    await answers.get('Ada')?.();
    expect(valuesOf(person.errors$)).toEqual([{ name: ['Ada'] }]);
  });

  it('returns, when read again, what the first read requested', async () => {
    const { schema, answers } = held();
    const { person } = withPerson({ schema });
    expect(person.errors$.value).toEqual({});
    await answers.get('Ada')?.();
    expect(person.errors$.value).toEqual({ name: ['Ada'] });
  });

  it('ends with the record, even during a check', async () => {
    const { schema, answers } = held();
    const { person } = withPerson({ schema });
    const seen: unknown[] = [];
    person.errors$.subscribe({ next: (errors) => seen.push(errors), complete: () => seen.push('end') });
    person.dispose();
    await answers.get('Ada')?.();
    expect(seen).toEqual([{}, 'end']);
  });
});

describe('errorsOf', () => {
  it('holds the messages of a field and of paths below it', () => {
    const issues = [
      { message: 'a', path: ['name', 0] },
      { message: 'b', path: ['names'] },
      { message: 'c', path: ['name'] },
      { message: 'd' },
      { message: 'e', path: ['address'] },
    ];
    const { person } = withPerson({ schema: schemaOf(() => ({ issues })) });
    expect(errorsOf(person, person.name).value).toStrictEqual(['a', 'c']);
    expect(errorsOf(person, person.address.city).value).toStrictEqual([]);
    expect(errorsOf(person, { path: 'address' }).value).toStrictEqual(['e']);
  });

  it('treats undefined as no messages', () => {
    const errors$ = Object.assign(of({}), { value: { name: undefined, 'name.first': ['a'] } });
    expect(errorsOf({ errors$ }, { path: 'name' }).value).toStrictEqual(['a']);
  });

  it('emits only when the messages of the field change', () => {
    const { person } = withPerson();
    const messages = valuesOf(errorsOf(person, person.name));
    person.address.city.next('');
    person.name.next('');
    person.address.city.next('Bath');
    person.name.next('Eve');
    expect(messages).toStrictEqual([[], [expect.any(String)], []]);
  });
});

import { form, submit, validateStandardSchema } from '@angular/forms/signals';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { formModel, injectRecord, saveForm, toSignals } from 'rivulet/angular';
import { defineRecord } from 'rivulet/schema';

import { inApp, withStub } from './test-bed';

const schema = z.object({ id: z.number(), name: z.string().min(1), address: z.object({ city: z.string() }) });
const Person = defineRecord({
  url: '/people',
  schema,
  initial: { id: 7, name: 'Ada', address: { city: 'London' } },
});

describe('a record of a schema in Angular', () => {
  it('is made in the root of the injector, and has its fields and errors as signals', async () => {
    const server = withStub();
    const person = inApp(() => injectRecord(Person));
    const state = inApp(() => toSignals(person));
    const fetched = person.fetch();
    server.at(0).ok({ id: 7, name: 'Eve', address: { city: 'Bath' } });
    await fetched;
    expect([state.name(), state['address.city']()]).toStrictEqual(['Eve', 'Bath']);
    state.name.set('');
    expect(Object.keys(state.errors())).toStrictEqual(['name']);
  });

  it('is the model of a signal form that has the same schema', async () => {
    const server = withStub();
    const person = inApp(() => injectRecord(Person));
    const personForm = inApp(() =>
      form(formModel(person), (path) => {
        validateStandardSchema(path, schema);
      }),
    );
    personForm.name().value.set('');
    expect([personForm.name().valid(), person.name.value]).toStrictEqual([false, '']);
    personForm.address.city().value.set('Bath');
    personForm.name().value.set('Eve');
    const isSubmitted = submit(personForm, saveForm(person));
    expect(server.sent).toMatchObject([{ method: 'PUT', body: { name: 'Eve', address: { city: 'Bath' } } }]);
    server.at(0).ok();
    expect(await isSubmitted).toBe(true);
  });
});

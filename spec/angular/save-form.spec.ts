import { setImmediate } from 'node:timers/promises';

import { signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { form, submit } from '@angular/forms/signals';
import type { FieldTree } from '@angular/forms/signals';
import { from, map, mergeMap } from 'rxjs';
import type { Observable } from 'rxjs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';

import { createLib, lib } from 'rivulet';
import type { DataOf, RequestError } from 'rivulet';
import { formModel, injectRivulet, linkId, saveForm } from 'rivulet/angular';

import { ProblemError } from '../../examples/server/problem';
import { validate } from '../../examples/server/validate';
import { Person } from '../person';
import type { StubServer } from '../stub';

import { inApp, withStub } from './test-bed';

interface Submitted {
  readonly person: Person;
  readonly personForm: FieldTree<DataOf<Person>>;
  readonly server: StubServer;
  /** Whether the form was submitted: the first request is under way. */
  readonly isSubmitted: Promise<boolean>;
}

/** A form that is being submitted, its name changed to Bob. */
function submitting(): Submitted {
  const server = withStub();
  const person = new Person(inApp(injectRivulet), {}, {});
  const personForm = inApp(() => form(formModel(person)));
  personForm.name().value.set('Bob');
  return { person, personForm, server, isSubmitted: submit(personForm, saveForm(person)) };
}

/** The errors of a field, as text. */
const messagesOf = (field: () => { errors(): readonly { kind: string; message?: string }[] }): string[] =>
  field()
    .errors()
    .map(({ kind, message }) => `${kind}: ${String(message)}`);

describe('saveForm', () => {
  it('saves the record', async () => {
    const { person, personForm, server, isSubmitted } = submitting();
    expect(personForm().submitting()).toBe(true);
    expect(server.sent).toMatchObject([{ method: 'PUT', url: '/person/7', body: { name: 'Bob' } }]);
    server.at(0).ok({ name: 'Bobby' });
    expect(await isSubmitted).toBe(true);
    expect(personForm().value().name).toBe('Bobby');
    expect(person.isDirty$.value).toBe(false);
  });

  it('finds no errors in an ok answer, even if its data has some', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    const errors = saveForm(person)(inApp(() => form(formModel(person))));
    server.at(0).ok({ name: 'Bob', errors: { name: 'is short' } });
    expect(await errors).toBeUndefined();
  });

  it("saves other fields after a refusal only if the server's errors are ignored", async () => {
    const { person, personForm, server, isSubmitted } = submitting();
    server.at(0).refuse(422, { errors: { name: ['is taken'] } });
    await isSubmitted;
    personForm.address.city().value.set('Ulm');
    const action = saveForm(person, { patch: true });

    expect(await submit(personForm, action)).toBe(false);
    expect(server.sent).toHaveLength(1);

    void submit(personForm, { action, ignoreValidators: 'all' });
    expect(server.sent[1]).toMatchObject({
      method: 'PATCH',
      body: { name: 'Bob', address: { city: 'Ulm' } },
    });
  });

  it('accepts the options of the save', async () => {
    const { person, personForm, server, isSubmitted } = submitting();
    server.at(0).refuse(500);
    await expect(isSubmitted).rejects.toThrow('500');
    void submit(personForm, saveForm(person, { patch: true }));
    expect(server.sent[1]).toStrictEqual({ method: 'PATCH', url: '/person/7', body: { name: 'Bob' } });
  });

  it('puts errors of a field on that field, and the rest on the form', async () => {
    const { person, personForm, server, isSubmitted } = submitting();
    const errors = { name: ['is short'], 'address.city': ['is unknown', 'is far'], age: ['is missing'] };

    server.at(0).refuse(422, { errors });

    expect(await isSubmitted).toBe(false);
    expect(messagesOf(personForm.name)).toStrictEqual(['server: is short']);
    expect(messagesOf(personForm.address.city)).toStrictEqual(['server: is unknown', 'server: is far']);
    expect(messagesOf(personForm)).toStrictEqual(['server: is missing']);
    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Bob', true]);
  });

  it('puts on the form an error whose path leads to data, but no field', async () => {
    class Tagged extends Person {
      readonly tags = lib.observable<readonly string[]>(['a']).map('tags', this);
    }
    const server = withStub();
    const tagged = new Tagged(inApp(injectRivulet), {}, {});
    const taggedForm = inApp(() => form(formModel(tagged)));
    const isSubmitted = submit(taggedForm, saveForm(tagged));

    server.at(0).refuse(422, { errors: { 'tags.length': ['too few'] } });

    expect(await isSubmitted).toBe(false);
    expect(messagesOf(taggedForm)).toStrictEqual(['server: too few']);
  });

  it('removes the error of a field once that is edited', async () => {
    const { personForm, server, isSubmitted } = submitting();
    server.at(0).refuse(422, { errors: { name: ['is short'] } });
    await isSubmitted;
    personForm.name().value.set('Bobby');
    TestBed.tick();
    expect(messagesOf(personForm.name)).toStrictEqual([]);
    expect(personForm().valid()).toBe(true);
  });

  it('understands the answers of the example server', async () => {
    const { personForm, server, isSubmitted } = submitting();
    const schema = z.object({ name: z.string().min(5), address: z.object({ city: z.literal('Ulm') }) });
    try {
      validate(schema, personForm().value() as never);
    } catch (error) {
      server.at(0).respond((error as ProblemError).toResponse());
    }
    expect(await isSubmitted).toBe(false);
    expect(messagesOf(personForm.name)).toStrictEqual([expect.stringContaining('>=5 characters')]);
    expect(messagesOf(personForm.address.city)).toStrictEqual([expect.stringContaining('"Ulm"')]);
  });

  it('reports no error of a value that was changed since it was sent', async () => {
    const { personForm, server, isSubmitted } = submitting();
    personForm.name().value.set('Robert');

    server.at(0).refuse(422, { errors: { name: 'is short', 'address.city': 'is unknown' } });

    expect(await isSubmitted).toBe(false);
    expect(messagesOf(personForm.name)).toStrictEqual([]);
    expect(messagesOf(personForm.address.city)).toStrictEqual(['server: is unknown']);
  });

  it('reports no error of an object, or of the whole, once a value inside was changed', async () => {
    const { personForm, server, isSubmitted } = submitting();
    personForm.address.city().value.set('Ulm');

    server.at(0).refuse(422, { errors: { address: 'is far', '': 'is wrong', name: 'is short' } });

    expect(await isSubmitted).toBe(false);
    expect(messagesOf(personForm.address)).toStrictEqual([]);
    expect(messagesOf(personForm)).toStrictEqual([]);
    expect(messagesOf(personForm.name)).toStrictEqual(['server: is short']);
  });

  it('sends the values at the end of the previous save, and reports their errors', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    const personForm = inApp(() => form(formModel(person)));
    const autosave = person.save();
    const isSubmitted = submit(personForm, saveForm(person));
    personForm.name().value.set('B');
    server.at(0).ok();
    await autosave;
    await setImmediate();

    expect(server.sent[1]).toMatchObject({ body: { name: 'B' } });
    server.at(1).refuse(422, { errors: { name: 'is short' } });

    expect(await isSubmitted).toBe(false);
    expect(messagesOf(personForm.name)).toStrictEqual(['server: is short']);
  });

  it('reports the errors of a record whose save$ passes on options of its own', async () => {
    class Patched extends Person {
      override save$(): Observable<Response> {
        return super.save$({ patch: true });
      }
    }
    const server = withStub();
    const person = new Patched(inApp(injectRivulet), {}, {});
    const personForm = inApp(() => form(formModel(person)));
    personForm.name().value.set('Bob');
    const isSubmitted = submit(personForm, saveForm(person));
    server.at(0).refuse(422, { errors: { name: 'is short' } });

    expect(await isSubmitted).toBe(false);
    expect(messagesOf(personForm.name)).toStrictEqual(['server: is short']);
  });

  it('takes its turn among the writes: what is deleted after it is not created again', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    const personForm = inApp(() => form(formModel(person)));
    const writes = [person.save(), submit(personForm, saveForm(person)), person.destroy()];
    for (const place of [0, 1, 2]) {
      server.at(place).ok();
      await setImmediate();
    }
    await Promise.all(writes);

    expect(server.lines).toStrictEqual(['PUT /person/7', 'PUT /person/7', 'DELETE /person/7']);
  });

  it('saves what was shown, although linkId is about to show another', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    const id = signal(7);
    inApp(() => linkId(person, id));
    const personForm = inApp(() => form(formModel(person)));
    TestBed.tick();
    server.at(0).ok({ id: 7, name: 'Ann' });
    const autosave = person.save();
    personForm.name().value.set('Bob');
    id.set(8);
    TestBed.tick();
    const isSubmitted = submit(personForm, saveForm(person));
    server.at(1).ok();
    await autosave;
    server.at(2).ok();

    expect(await isSubmitted).toBe(true);
    await setImmediate();
    expect(server.lines.slice(1)).toStrictEqual(['PUT /person/7', 'PUT /person/7', 'GET /person/8']);
    expect(server.sent[2]).toMatchObject({ body: { name: 'Bob' } });
  });

  it('reports no errors on another record that is shown since then', async () => {
    const { person, personForm, server, isSubmitted } = submitting();
    server.at(0).refuse(422, { errors: { name: 'is taken' } });
    person.set({ id: 8 });

    await expect(isSubmitted).rejects.toThrow('422');
    expect(messagesOf(personForm.name)).toStrictEqual([]);
  });

  it('reports no errors on another record, either, if the id is inside an object', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), { idAttribute: 'address.city' }, {});
    const personForm = inApp(() => form(formModel(person)));
    const isSubmitted = submit(personForm, saveForm(person));
    server.at(0).refuse(422, { errors: { name: 'is taken' } });
    person.set({ address: { city: 'Ulm' } });

    await expect(isSubmitted).rejects.toThrow('422');
  });

  it('fails as the save does once the record is disposed of', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    const personForm = inApp(() => form(formModel(person)));
    person.dispose();

    await expect(submit(personForm, saveForm(person))).rejects.toMatchObject({ code: 'DISPOSED' });
    expect(server.sent).toStrictEqual([]);
  });

  it('rejects, and can be submitted again, if all refused values were changed since', async () => {
    const { person, personForm, server, isSubmitted } = submitting();
    personForm.name().value.set('Robert');
    server.at(0).refuse(422, { errors: { name: 'is short' } });
    await expect(isSubmitted).rejects.toThrow('422');

    void submit(personForm, saveForm(person));

    expect(server.sent[1]).toMatchObject({ body: { name: 'Robert' } });
  });

  it('has an error of the form for a 422 without details', async () => {
    const { personForm, server, isSubmitted } = submitting();
    server.at(0).respond(new Response('<html>', { status: 422 }));
    expect(await isSubmitted).toBe(false);
    expect(messagesOf(personForm)).toStrictEqual(['server: the server answered 422']);
  });

  it('fails with any other refusal as in error$, and its answer can be read', async () => {
    const { person, isSubmitted, server } = submitting();
    server.at(0).respond(new ProblemError(503, 'Try later.').toResponse());
    const error = await isSubmitted.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'HTTP', action: 'update', response: { status: 503 } });
    expect(error).toBe(person.error$.value);
    await expect((error as RequestError).response?.json()).resolves.toMatchObject({ detail: 'Try later.' });
  });

  it.each<[string, (server: StubServer) => unknown, object]>([
    ['the network', (server) => server.at(0).fail(new TypeError('Failed to fetch')), { name: 'TypeError' }],
    [
      'an ok answer that cannot be read',
      (server) =>
        server.at(0).respond(new Response('{', { headers: { 'content-type': 'application/json' } })),
      { code: 'PARSE' },
    ],
  ])('fails with the failure of %s, and can be submitted again unchanged', async (_, end, failure) => {
    const { person, personForm, isSubmitted, server } = submitting();
    end(server);
    await expect(isSubmitted).rejects.toMatchObject(failure);
    expect([personForm().submitting(), messagesOf(personForm)]).toStrictEqual([false, []]);

    const again = submit(personForm, saveForm(person));
    server.at(1).ok();
    expect(await again).toBe(true);
  });

  it('rejects with the refusal if an interceptor has read the answer', async () => {
    const server = withStub({
      interceptors: [
        (request, next) =>
          next(request).pipe(
            mergeMap((exchange) => from(exchange.response.text()).pipe(map(() => exchange))),
          ),
      ],
    });
    const person = new Person(inApp(injectRivulet), {}, {});
    const isSubmitted = submit(
      inApp(() => form(formModel(person))),
      saveForm(person),
    );

    server.at(0).refuse(503, { detail: 'Try later.' });

    await expect(isSubmitted).rejects.toMatchObject({ code: 'HTTP' });
  });

  it('rejects with the refusal if a sync has answered with a stand-in for a response', async () => {
    const root = createLib();
    root.sync = () => ({ ok: false, status: 503, json: () => Promise.resolve({}) });

    await expect(saveForm(new Person(root, {}, {}))(() => 1)).rejects.toMatchObject({ code: 'HTTP' });
  });

  it('has an error of the form for a 422 whose body has not ended after five seconds', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    const ended = vi.fn();
    const field = () => 1;
    const errors = saveForm(person)(field).finally(ended);
    server.at(0).respond(new Response(new ReadableStream(), { status: 422 }));
    await setImmediate();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    const message = 'the server answered 422';
    expect(await errors).toStrictEqual([{ kind: 'server', message, fieldTree: field }]);
  });

  it('reports no error of a file that was replaced since it was sent', async () => {
    class Paper extends Person {
      readonly file = lib.observable(new File(['a'], 'a.txt')).map('file', this);
    }
    const server = withStub();
    const paper = new Paper(inApp(injectRivulet), {}, {});
    const errors = saveForm(paper, { body: new FormData() })(() => 1);
    paper.file.next(new File(['b'], 'a.txt'));

    server.at(0).refuse(422, { errors: { file: 'is too large' } });

    await expect(errors).rejects.toMatchObject({ code: 'HTTP' });
  });

  it('reports an error of the whole even if the record holds what JSON cannot', async () => {
    class Account extends Person {
      readonly balance = lib.observable(1n).map('balance', this);
    }
    const server = withStub();
    const account = new Account(inApp(injectRivulet), {}, {});
    const errors = saveForm(account, { body: 'balance=1' })(() => 1);

    server.at(0).refuse(422);

    expect(await errors).toMatchObject([{ kind: 'server', message: 'the server answered 422' }]);
  });

  it('finds the fields of the whole form when a part of it is submitted', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    const personForm = inApp(() => form(formModel(person), { submission: { action: saveForm(person) } }));
    const isSubmitted = submit(personForm.address, saveForm(person));
    server.at(0).refuse(422, { errors: { name: ['is short'], 'address.city': ['is unknown'] } });
    expect(await isSubmitted).toBe(false);
    expect(messagesOf(personForm.name)).toStrictEqual(['server: is short']);
    expect(messagesOf(personForm.address.city)).toStrictEqual(['server: is unknown']);
  });

  it('needs only the form, which is all that Angular 21 passes', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    const personForm = inApp(() => form(formModel(person)));
    const errors = saveForm(person)(personForm);
    server.at(0).refuse(422, { errors: { name: 'is short', age: 'is missing' } });
    expect(await errors).toStrictEqual([
      { kind: 'server', message: 'is short', fieldTree: personForm.name },
      { kind: 'server', message: 'is missing', fieldTree: personForm },
    ]);
  });

  it('may be the submission of the form itself', async () => {
    const server = withStub();
    const person = new Person(inApp(injectRivulet), {}, {});
    const personForm = inApp(() => form(formModel(person), { submission: { action: saveForm(person) } }));
    const isSubmitted = submit(personForm);
    server.at(0).ok();
    expect(await isSubmitted).toBe(true);
  });
});

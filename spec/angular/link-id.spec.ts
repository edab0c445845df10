import { setImmediate } from 'node:timers/promises';

import { Component, signal } from '@angular/core';
import type { Signal, WritableSignal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { skip } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { DataModel, lib, saveLatest } from 'rivulet';
import type { DataModelConfig, Lib } from 'rivulet';
import { injectRecord, linkId } from 'rivulet/angular';

import { Person } from '../person';
import type { Values } from '../person';
import type { StubServer } from '../stub';
import { valuesOf, watch } from '../watch';

import { inApp, openContext, withStub } from './test-bed';

interface Linked {
  readonly id: WritableSignal<unknown>;
  readonly person: Person;
  readonly server: StubServer;
  /** What `linkId` returned. */
  readonly isShown: Signal<boolean>;
  /** Chooses another id, and lets Angular run its effects. */
  readonly choose: (id: unknown) => void;
}

/** A person without an id, called Nobody, that is linked to an id: 7 at first. */
function withLinked(first: unknown = 7, config: DataModelConfig = {}, values: Values = {}): Linked {
  const server = withStub();
  const id = signal(first);
  const blank = { id: undefined, name: 'Nobody', city: '', ...values };
  const person = inApp(() => injectRecord((root) => new Person(root, config, blank)));
  const isShown = inApp(() => linkId(person, id));
  const choose = (next: unknown): void => {
    id.set(next);
    TestBed.tick();
  };
  TestBed.tick();
  return { id, person, server, isShown, choose };
}

describe('linkId', () => {
  it('shows nothing of an id that could not be read, whatever the previous id receives', () => {
    const { person, server, isShown, choose } = withLinked();
    server.at(0).ok({ id: 7, name: 'Ann' });
    watch(person.fetch$());
    choose(8);
    server.at(2).refuse(503);

    server.at(1).ok({ id: 7, name: 'Ann' });

    expect([person.name.value, isShown(), person.error$.value]).toMatchObject([
      'Nobody',
      false,
      { code: 'HTTP' },
    ]);
  });

  it('reads the record of the id, and again whenever the id changes', () => {
    const { person, server, choose } = withLinked();
    server.at(0).ok({ name: 'Ann' });
    expect(person.name.value).toBe('Ann');
    choose(8);
    server.at(1).ok({ name: 'Bob' });
    expect(person.get()).toStrictEqual({ id: 8, name: 'Bob', address: { city: '' } });
    choose(8);
    expect(server.lines).toStrictEqual(['GET /person/7', 'GET /person/8']);
  });

  it('follows a function that reads signals, and only its result', () => {
    const server = withStub();
    const page = signal(7);
    const person = inApp(() => injectRecord((root) => new Person(root, {}, { id: undefined })));
    inApp(() => linkId(person, () => Math.floor(page() / 10)));
    TestBed.tick();
    for (const next of [12, 13, 21]) {
      page.set(next);
      TestBed.tick();
    }
    expect(server.lines).toStrictEqual(['GET /person/1', 'GET /person/2']);
  });

  it('aborts the read of the previous id, so that the latest wins', () => {
    const { person, server, choose } = withLinked();
    choose(8);
    choose(9);
    expect(server.held.map(({ isClosed }) => isClosed)).toStrictEqual([true, true, false]);
    server.at(2).ok({ name: 'Cid' });
    expect(person.get()).toStrictEqual({ id: 9, name: 'Cid', address: { city: '' } });
  });

  it('blanks all fields as one, and leaves the record clean', () => {
    const { person, server, choose } = withLinked();
    server.at(0).ok({ name: 'Ann', address: { city: 'Bonn' } });
    person.name.next('Anna');
    const shown = valuesOf(person.data$);
    const dirty = valuesOf(person.isDirty$);
    const names = valuesOf(person.name);
    const confirmed = valuesOf(person.name.remote$);

    choose(8);

    expect(shown).toStrictEqual([
      { id: 7, name: 'Anna', address: { city: 'Bonn' } },
      { id: 8, name: 'Nobody', address: { city: '' } },
    ]);
    expect(dirty).toStrictEqual([true, false]);
    expect(names).toStrictEqual(['Anna', 'Nobody']);
    expect(confirmed).toStrictEqual(['Ann', 'Nobody']);
    expect(person.name.remote$.value).toBe('Nobody');
  });

  it('waits until writes under way or waiting are over, so that none is sent for another id', async () => {
    const { person, server, choose } = withLinked();
    server.at(0).ok({ name: 'Ann' });
    person.name.next('Anna');
    watch(person.save$());
    watch(person.save$());
    watch(person.destroy$());

    choose(8);
    server.at(1).ok();
    server.at(2).ok();
    expect(person.name.value).toBe('Anna');
    server.at(3).ok();
    await setImmediate();
    server.at(4).ok({ name: 'Bob' });

    expect(server.lines).toStrictEqual([
      'GET /person/7',
      'PUT /person/7',
      'PUT /person/7',
      'DELETE /person/7',
      'GET /person/8',
    ]);
    expect(person.get()).toStrictEqual({ id: 8, name: 'Bob', address: { city: '' } });
  });

  it('waits until a delete alone is over', async () => {
    const { person, server, choose } = withLinked();
    server.at(0).ok({ name: 'Ann' });
    watch(person.destroy$());

    choose(8);
    await setImmediate();
    expect([person.name.value, server.held.length]).toStrictEqual(['Ann', 2]);
    server.at(1).ok();
    await setImmediate();

    expect(server.lines.slice(1)).toStrictEqual(['DELETE /person/7', 'GET /person/8']);
    expect(person.id.value).toBe(8);
  });

  it('waits for the save that saveLatest holds back until another ends', async () => {
    const { person, server, choose } = withLinked();
    server.at(0).ok({ id: 7, name: 'Ann' });
    person.changes$
      .pipe(
        skip(1),
        saveLatest(() => person.save$({ patch: true })),
      )
      .subscribe();
    person.name.next('Anna');
    person.name.next('Annabel');
    choose(8);

    server.at(1).ok();
    await setImmediate();
    server.at(2).ok();
    await setImmediate();

    expect(server.sent.slice(1).map(({ method, url, body }) => [method, url, body])).toStrictEqual([
      ['PATCH', '/person/7', { name: 'Anna' }],
      ['PATCH', '/person/7', { name: 'Annabel' }],
      ['GET', '/person/8', undefined],
    ]);
  });

  it('keeps edits of a new record, whichever falsy id is chosen', () => {
    const { person, choose } = withLinked(null);
    person.name.next('Typed');

    for (const id of [undefined, '', 0, null]) choose(id);

    expect(person.name.value).toBe('Typed');
  });

  it('skips an id that was chosen and left while it waited', async () => {
    const { person, server, choose } = withLinked();
    server.at(0).ok();
    watch(person.save$());
    choose(8);
    choose(9);
    server.at(1).ok();
    await setImmediate();
    expect(server.lines).toStrictEqual(['GET /person/7', 'PUT /person/7', 'GET /person/9']);
  });

  it('keeps what it shows, edits too, if its id is chosen again before it was left', () => {
    const { person, server, isShown, choose } = withLinked();
    server.at(0).ok();
    watch(person.save$());
    person.name.next('Anna');
    choose(8);
    choose(7);
    expect(isShown()).toBe(true);
    server.at(1).ok();
    expect(server.lines).toStrictEqual(['GET /person/7', 'PUT /person/7']);
    expect(person.name.value).toBe('Anna');
  });

  it('keeps a new record, edits too, if another id was chosen and left while it was created', () => {
    const { person, server, isShown, choose } = withLinked(null);
    watch(person.save$());
    person.name.next('Ann');
    choose(8);
    choose(null);
    expect([person.name.value, isShown()]).toStrictEqual(['Ann', true]);
    server.at(0).ok();
    expect(server.lines).toStrictEqual(['POST /person']);
    expect(person.name.value).toBe('Ann');
  });

  it.each([[undefined], [null], [''], [0], [NaN]])(
    'makes the record new for the id %o, and reads nothing',
    (none) => {
      const { person, server, isShown, choose } = withLinked();
      server.at(0).ok({ name: 'Ann' });
      choose(none);
      expect(person.get()).toStrictEqual({ id: undefined, name: 'Nobody', address: { city: '' } });
      expect([person.isNew$.value, person.isDirty$.value, isShown()]).toStrictEqual([true, false, true]);
      expect(server.held).toHaveLength(1);
    },
  );

  it.each([
    [7, undefined],
    [null, null],
    ['', ''],
    [NaN, NaN],
  ])('gives a new record no id if it had %o at the call, and reads nothing', (id, none) => {
    const { person, server, isShown, choose } = withLinked(8, {}, { id });
    server.at(0).ok();
    choose(undefined);
    expect([person.id.value, isShown()]).toStrictEqual([none, true]);
    expect(server.held).toHaveLength(1);
  });

  it('blanks a destroyed record when no id is chosen', () => {
    const { person, server, choose } = withLinked();
    server.at(0).ok({ id: 7, name: 'Ann' });
    watch(person.destroy$());
    server.at(1).ok();
    choose(undefined);
    expect(person.get()).toStrictEqual({ id: undefined, name: 'Nobody', address: { city: '' } });
  });

  it('keeps a record whose create returned the id, and edits in the meantime', () => {
    const { person, server, isShown, choose } = withLinked(null);
    person.name.next('Ann');
    watch(person.save$());
    person.city.next('Bonn');
    server.at(0).ok({ id: 7, name: 'Ann', address: { city: '' } });
    choose('7');
    expect([person.city.value, isShown()]).toStrictEqual(['Bonn', true]);
    choose('8');
    expect(server.lines).toStrictEqual(['POST /person', 'GET /person/8']);
  });

  it.each(['07', '7.0', ' 7'])('reads %o in place of the 7 it shows: a url tells them apart', (id) => {
    const { server, isShown, choose } = withLinked();
    server.at(0).ok({ id: 7, name: 'Ann' });
    choose(id);
    expect([server.lines.at(-1), isShown()]).toStrictEqual([`GET /person/${encodeURIComponent(id)}`, false]);
  });

  it('reads a record that has the id already but was not read', () => {
    const { server } = withLinked(7, {}, { id: 7 });
    expect(server.lines).toStrictEqual(['GET /person/7']);
  });

  it.each<[string, (linked: Linked) => void]>([
    [
      'a new record',
      ({ choose }) => {
        choose(undefined);
      },
    ],
    ['one that was read', () => undefined],
  ])('reads an id that was only set in %s', (_, prepare) => {
    const linked = withLinked();
    const { person, server, isShown, choose } = linked;
    server.at(0).ok({ id: 7, name: 'Ann' });
    prepare(linked);
    person.id.next(5);

    choose(5);
    expect([server.lines.at(-1), isShown(), person.isDirty$.value]).toStrictEqual([
      'GET /person/5',
      false,
      false,
    ]);
    server.at(1).ok({ name: 'Eve' });

    expect([person.name.value, isShown()]).toStrictEqual(['Eve', true]);
  });

  it('uses the idAttribute of a record', () => {
    const server = withStub();
    const person = inApp(() =>
      injectRecord((root) => new Person(root, { idAttribute: 'address.city' }, { city: '' })),
    );
    inApp(() => linkId(person, () => 'bonn'));
    TestBed.tick();
    expect(server.lines).toStrictEqual(['GET /person/bonn']);
  });

  it('aborts the read when the injection context is destroyed, and stops following', () => {
    const server = withStub();
    const id = signal(7);
    const { run, destroy } = openContext();
    const person = inApp(() => injectRecord((root) => new Person(root, {}, {})));
    run(() => linkId(person, id));
    TestBed.tick();
    destroy();
    id.set(8);
    TestBed.tick();
    expect(server.held.map(({ isClosed }) => isClosed)).toStrictEqual([true]);
  });
});

describe('the signal that linkId returns', () => {
  it('is true while the record shows what was read for the current id', () => {
    const { id, server, isShown, choose } = withLinked();
    expect(isShown()).toBe(false);
    server.at(0).ok({ name: 'Ann' });
    expect(isShown()).toBe(true);
    // At once, before any effect has run.
    id.set(8);
    expect(isShown()).toBe(false);
    choose(8);
    expect(isShown()).toBe(false);
    server.at(1).ok({ name: 'Bob' });
    expect(isShown()).toBe(true);
  });

  it.each<[string, (server: StubServer) => void]>([
    ['refused', (server) => server.at(0).refuse(404)],
    ['failed', (server) => server.at(0).fail(new Error('offline'))],
  ])('is false after a %s read, until one succeeds', (_, end) => {
    const { person, server, isShown } = withLinked();
    end(server);
    expect(isShown()).toBe(false);
    watch(person.fetch$());
    server.at(1).refuse(500);
    expect(isShown()).toBe(false);
    watch(person.fetch$());
    expect(isShown()).toBe(false);
    server.at(2).ok({ name: 'Ann' });
    expect(isShown()).toBe(true);
  });

  it('is false again for an id that was left for another, even if that failed', () => {
    const { id, server, isShown, choose } = withLinked();
    server.at(0).ok();
    choose(8);
    server.at(1).refuse(404);
    id.set(7);
    expect(isShown()).toBe(false);
    choose(7);
    server.at(2).ok();
    expect(isShown()).toBe(true);
  });

  it('is true for an id that the server answers with another, like "me", even after a failed read', () => {
    const { person, server, isShown, choose } = withLinked('me');
    server.at(0).ok({ id: 7, name: 'Ann' });
    expect([isShown(), person.id.value]).toStrictEqual([true, 7]);

    choose('you');
    server.at(1).refuse(503);
    expect(isShown()).toBe(false);
    watch(person.fetch$());
    server.at(2).ok({ id: 8, name: 'Bo' });

    expect([isShown(), person.id.value]).toStrictEqual([true, 8]);
  });

  it('comes without a failure of the previous record in error$', () => {
    const { person, server, choose } = withLinked();
    server.at(0).refuse(503);

    choose(undefined);

    expect(person.error$.value).toBe(null);
  });

  it('stays false after a failed read, even when the record is given another id', () => {
    const { person, server, isShown } = withLinked();
    server.at(0).refuse(404);

    person.id.next(undefined);

    expect(isShown()).toBe(false);
  });

  it('stays false after a failed read when an older read of its id is answered: that is too old to be shown', () => {
    const { person, server, isShown, choose } = withLinked();
    watch(person.fetch$());
    choose(8);
    choose(7);
    const [, byHand, , own] = server.held;
    own?.refuse(503);

    byHand?.ok({ id: 7, name: 'Ann' });

    expect([isShown(), person.name.value]).toStrictEqual([false, 'Nobody']);
    expect(person.error$.value).toMatchObject({ code: 'HTTP' });
  });

  it('stays true when a later request fails', () => {
    const { person, server, isShown } = withLinked();
    server.at(0).ok({ name: 'Ann' });
    watch(person.save$());
    server.at(1).refuse(422);
    watch(person.fetch$());
    server.at(2).fail(new Error('offline'));
    expect([isShown(), person.error$.value?.message]).toStrictEqual([true, 'offline']);
  });

  it('stays true when the record is destroyed, until the id changes', () => {
    const { person, server, isShown, choose } = withLinked();
    server.at(0).ok({ name: 'Ann' });
    watch(person.destroy$());
    server.at(1).ok();
    TestBed.tick();
    expect([person.isNew$.value, isShown()]).toStrictEqual([true, true]);
    choose(8);
    expect(isShown()).toBe(false);
  });

  it('is true at once for the id that a create returned, even during the next save', () => {
    const { person, server, isShown, choose } = withLinked(null);
    watch(person.save$());
    server.at(0).ok({ id: 7, name: 'Ann' });
    watch(person.save$());
    choose('7');
    expect([isShown(), server.lines]).toStrictEqual([true, ['POST /person', 'PUT /person/7']]);
  });

  it('keeps a template from showing the data of another id', async () => {
    const server = withStub();
    const id = signal(7);
    const Host = Component({ template: '{{ isShown() ? name() : "…" }}' })(
      class {
        readonly person = injectRecord((root) => new Person(root, {}, { id: undefined, name: 'Nobody' }));
        readonly isShown = linkId(this.person, id);
        readonly name = (): string => this.person.name.value;
      },
    );
    const fixture = TestBed.createComponent(Host);
    const text = async (): Promise<string | null> => {
      await fixture.whenStable();
      return (fixture.nativeElement as HTMLElement).textContent;
    };
    fixture.detectChanges();
    server.at(0).ok({ name: 'Ann' });
    expect(await text()).toBe('Ann');
    id.set(8);
    fixture.detectChanges();
    expect((fixture.nativeElement as HTMLElement).textContent).toBe('…');
    server.at(1).ok({ name: 'Bob' });
    expect(await text()).toBe('Bob');
  });
});

describe('a field without a first value', () => {
  it('mapped later keeps its value for the next record, but not as an edit', () => {
    const { person, server, choose } = withLinked();
    const job = lib.observable('').map('job', person);
    const zip = lib.observable('').map('address.zip', person);
    server.at(0).ok({ name: 'Ann', job: 'clerk' });
    job.next('baker');
    zip.next('53111');

    choose(8);

    expect([person.isDirty$.value, job.value, zip.value]).toStrictEqual([false, 'baker', '53111']);
  });

  it('mapped later is not dirty when an autosave is notified of the next record', () => {
    const { person, server, choose } = withLinked();
    const job = lib.observable('').map('job', person);
    server.at(0).ok({ name: 'Ann', job: 'clerk' });
    job.next('baker');
    const dirty: boolean[] = [];
    person.data$.pipe(skip(1)).subscribe(() => {
      dirty.push(person.isDirty$.value);
    });

    choose(8);

    expect(dirty).toStrictEqual([false]);
  });

  it('leaves nothing of the previous record, wherever it is declared', () => {
    class Nested extends DataModel {
      readonly id = lib.observable<number | undefined>().map('id', this);
      readonly address = { city: lib.observable<string | undefined>().map('address.city', this) };
      readonly #note = lib.observable<string | undefined>().map('note', this);

      constructor(root: Lib) {
        super({ url: '/nested' }, root);
      }

      get note(): string | undefined {
        return this.#note.value;
      }
    }
    const server = withStub();
    const id = signal<unknown>(7);
    const record = inApp(() => injectRecord(Nested));
    inApp(() => linkId(record, id));
    TestBed.tick();
    server.at(0).ok({ id: 7, address: { city: 'Rome' }, note: 'Old' });

    id.set(undefined);
    TestBed.tick();

    expect([record.address.city.value, record.note]).toStrictEqual([undefined, undefined]);
    watch(record.save$());
    expect(server.sent[1]?.body).toStrictEqual({ address: {} });
  });
});

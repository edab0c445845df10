import { setImmediate } from 'node:timers/promises';

import { signal } from '@angular/core';
import type { Signal, WritableSignal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import fc from 'fast-check';
import { EMPTY, catchError } from 'rxjs';
import type { Subscription } from 'rxjs';
import { describe, expect } from 'vitest';

import { injectRecord, linkId } from 'rivulet/angular';

import { law } from '../laws/law';
import { Person } from '../person';
import type { Held, StubServer } from '../stub';

import { inApp, withStub } from './test-bed';

/** The name shown before a person has been read. */
const blank = 'Nobody';

/** How the server answers. */
type Answer = 'ok' | 'empty' | 'refused' | 'broken';

/** A page that shows one person after another, as driven by a user and a server. */
class Page {
  readonly #server: StubServer = withStub();
  readonly #id: WritableSignal<unknown> = signal(undefined);
  readonly #person: Person = inApp(() =>
    injectRecord((root) => new Person(root, {}, { id: undefined, name: blank })),
  );
  readonly #isShown: Signal<boolean> = inApp(() => linkId(this.#person, this.#id));
  readonly #asked: Subscription[] = [];
  /** The ids created here: what was typed for a new person is theirs. */
  readonly #created = new Set<string>();
  #count = 0;

  /** The id that the address means to the server: `me` is 42, and a new person has the id that it was created with. */
  get #wanted(): string {
    const id = [this.#id(), this.#person.id.value, 'new'].find((each) => each);
    return id === 'me' ? '42' : String(id);
  }

  get #open(): Held[] {
    return this.#server.held.filter(({ isClosed }) => !isClosed);
  }

  choose(id: unknown): void {
    this.#id.set(id === 'created' ? [...this.#created].at(-1) : id);
    TestBed.tick();
  }

  /** The form exists only while a person is shown. */
  type(): void {
    if (this.#isShown()) this.#person.name.next(`typed ${this.#wanted} ${this.#next()}`);
  }

  ask(what: 'save$' | 'fetch$'): void {
    if (!this.#isShown() && what === 'save$') return;
    if (!this.#person.id.value && what === 'fetch$') return;
    this.#asked.push(
      this.#person
        [what]()
        .pipe(catchError(() => EMPTY))
        .subscribe(),
    );
  }

  leave(place: number): void {
    this.#asked.splice(place % (this.#asked.length || 1), 1)[0]?.unsubscribe();
  }

  answer(place: number, how: Answer): void {
    const held = this.#open[place % (this.#open.length || 1)];
    if (!held) return;
    const { method, url, body } = held.request;
    if (how === 'broken') held.fail(new Error(`${method} ${url}: the network`));
    else if (how === 'refused') held.refuse(503);
    else if (method === 'GET')
      held.ok({ id: this.#idIn(url), name: `read ${this.#idIn(url)} ${this.#next()}` });
    else if (method === 'PUT' && how === 'empty') held.ok();
    else held.ok({ id: this.#idIn(url), name: (JSON.parse(body as string) as { name: string }).name });
  }

  /** The id that a url is for; for a create, the new id. */
  #idIn(url: string): string {
    const id = url.split('/')[2];
    if (id) return id === 'me' ? '42' : id;
    const created = String(100 + this.#next());
    this.#created.add(created);
    return created;
  }

  #next(): number {
    return (this.#count += 1);
  }

  /** Whether a name was read of, or typed for, a person. */
  #isOf(name: string, id: string): boolean {
    const owner = name === blank ? 'new' : String(name.split(' ')[1]);
    return owner === id || (owner === 'new' && this.#created.has(id));
  }

  look(): void {
    const { name, isSaving$, error$ } = this.#person;
    if (this.#isShown()) expect(name.value).toSatisfy((value: string) => this.#isOf(value, this.#wanted));
    else if (!isSaving$.value) {
      // A read by hand may be answered before that of `linkId`.
      expect(name.value).toSatisfy((value: string) => value === blank || this.#isOf(value, this.#wanted));
      expect(this.#person.isDirty$.value).toBe(false);
    }
    const failed = error$.value?.message.match(/\/person\/(\w+)/)?.[1];
    if (failed && !isSaving$.value) expect(failed === 'me' ? '42' : failed).toBe(this.#wanted);
    for (const { method, url, body } of this.#server.sent) {
      if (method === 'GET') continue;
      const id = url.split('/')[2] ?? 'new';
      expect((body as { name: string }).name).toSatisfy((value: string) => this.#isOf(value, id));
    }
  }

  /** Answers all, then chooses an id, which has to be shown in the end. */
  async end(): Promise<void> {
    for (let round = 0; round < 2; round += 1) {
      while (this.#open.length) {
        this.answer(0, 'ok');
        await setImmediate();
        this.look();
      }
      if (!round) this.choose(7);
    }
    expect([this.#isShown(), this.#person.id.value, this.#person.error$.value]).toEqual([true, '7', null]);
  }
}

const step = fc.oneof(
  fc.record({ choose: fc.constantFrom(undefined, null, 0, '', 1, '1', 2, 'me', 42, 'created') }),
  fc.constant({ type: true as const }),
  fc.record({ ask: fc.constantFrom('save$' as const, 'save$' as const, 'fetch$' as const) }),
  fc.record({ leave: fc.nat(3) }),
  fc.record({
    answer: fc.nat(3),
    how: fc.constantFrom<Answer>('ok', 'ok', 'ok', 'empty', 'refused', 'broken'),
  }),
);

describe('linkId', () => {
  law(
    'shows and saves for each id only its own data, and in the end the one last chosen',
    [fc.array(fc.record({ step, isQuick: fc.boolean() }), { maxLength: 30 })],
    async (steps) => {
      TestBed.resetTestingModule();
      const page = new Page();
      TestBed.tick();
      for (const { step: each, isQuick } of steps) {
        if ('choose' in each) page.choose(each.choose);
        else if ('type' in each) page.type();
        else if ('ask' in each) page.ask(each.ask);
        else if ('leave' in each) page.leave(each.leave);
        else page.answer(each.answer, each.how);
        // Some things happen before promises settle.
        if (isQuick) continue;
        await setImmediate();
        page.look();
      }
      await page.end();
    },
    300,
  );
});

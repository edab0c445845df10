import { setImmediate as turn } from 'node:timers/promises';

import { HttpTestingController } from '@angular/common/http/testing';
import { Component, signal } from '@angular/core';
import type { EnvironmentProviders } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { describe, expect, it, vi } from 'vitest';

import type { Collection } from 'rivulet';
import { injectRivulet } from 'rivulet/angular';
import { mergeConflicts } from 'rivulet/etag';

import { Person } from '../person';
import { watch } from '../watch';

import { componentOf, runBlock } from './guide';
import { inApp, withHttp, withStub } from './test-bed';

interface Card {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

/** The cards of the guide, once they are read. */
function withCards() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  const server = withStub();
  const fixture = TestBed.createComponent(componentOf('errorSummary()', 'Cards'));
  const host = fixture.nativeElement as HTMLElement;
  const { cards } = fixture.componentInstance as { readonly cards: Collection<Card> };
  fixture.detectChanges();
  server.at(0).ok([{ id: 7, title: 'Call Bo', text: '' }]);
  fixture.detectChanges();
  /** Types, and pauses. */
  const type = async (label: string, value: string) => {
    const input = host.querySelector<HTMLInputElement>(`[aria-label=${label}]`) ?? new HTMLInputElement();
    input.value = value;
    input.dispatchEvent(new Event('input'));
    fixture.detectChanges();
    vi.advanceTimersByTime(500);
    await turn();
    fixture.detectChanges();
  };
  const end = async () => {
    await turn();
    fixture.detectChanges();
  };
  const writes = () => server.sent.slice(1).map(({ body }) => body);
  return { server, fixture, host, cards, type, end, writes };
}

describe('the form of a live record, with autosave', () => {
  it('submits what was typed, after a pause', async () => {
    const { server, host, cards, type, end, writes } = withCards();
    await type('Title', 'Call Bob');
    expect([writes(), host.textContent.trim()]).toStrictEqual([[{ title: 'Call Bob' }], 'saving']);
    server.at(1).ok({ id: 7, title: 'Call Bob', text: '' });
    await end();

    expect([cards.value[0]?.title, host.textContent.trim()]).toStrictEqual(['Call Bob', 'clean']);
  });

  it('sends nothing while a validator objects, and all once it does not any more', async () => {
    const { host, type, writes } = withCards();
    await type('Title', '');
    await type('Text', 'tomorrow');
    expect([writes(), host.textContent.trim()]).toStrictEqual([[], 'failed']);
    await type('Title', 'Call Bob');

    expect(writes()).toStrictEqual([{ title: 'Call Bob', text: 'tomorrow' }]);
  });

  it('goes on when only the server has objected', async () => {
    const { server, type, end, writes } = withCards();
    await type('Title', 'x');
    server.at(1).refuse(422, { errors: { title: ['is short'] } });
    await end();
    await type('Text', 'tomorrow');

    expect(writes()).toStrictEqual([{ title: 'x' }, { title: 'x', text: 'tomorrow' }]);
  });

  it('ends with its component, while the record goes on with what is unsaved', async () => {
    const { server, cards, type, end } = withCards();
    await type('Title', 'Call Bob');
    const card = cards.record(7);
    cards.replace([]);
    await end();
    server.at(1).ok();
    card.text.next('tomorrow');
    await end();
    vi.advanceTimersByTime(500);

    expect(server.lines).toStrictEqual(['GET /api/cards', 'PATCH /api/cards/7']);
    expect(card.dirtyMap()).toMatchObject({ title: false, text: true });
  });
});

describe('a list that is polled in the browser', () => {
  it('is read at once, as on a server, then from the first rendering until its component ends', () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
    const server = withStub();
    const fixture = TestBed.createComponent(componentOf('afterNextRender(', 'Jobs'));
    const count = () => server.lines.length;
    const counts = [count()];
    fixture.detectChanges();
    counts.push(count());
    server.at(1).ok([{ id: 1, state: 'done' }]);
    fixture.detectChanges();
    const { textContent } = fixture.nativeElement as HTMLElement;
    vi.advanceTimersByTime(5_000);
    counts.push(count());
    fixture.destroy();
    vi.advanceTimersByTime(5_000);
    counts.push(count());

    expect(counts).toStrictEqual([1, 2, 3, 3]);
    expect(textContent.trim()).toBe('done');
  });
});

describe('reads that are answered from the page until anything was written', () => {
  it('are sent from then on, that of a conflict, too', () => {
    withHttp(runBlock('freshAfterWrites(): ', 'rivulet') as EnvironmentProviders);
    const http = TestBed.inject(HttpTestingController);
    const person = new Person(inApp(injectRivulet), {}, {});
    /** Answers a request; whether Angular may have answered it from the page. */
    const answer = (data: object, status = 200) => {
      const sent = http.expectOne(() => true);
      sent.flush(data, { status, statusText: '', headers: { etag: `"${status}"` } });
      return [sent.request.method, sent.request.transferCache !== false];
    };
    const sent = [];
    watch(person.fetch$());
    sent.push(answer({ id: 7, name: 'Ann' }));
    person.name.next('mine');
    watch(person.save$({ patch: true }).pipe(mergeConflicts(person)));
    sent.push(answer({}, 412), answer({ id: 7, name: 'theirs' }));

    expect(sent).toStrictEqual([
      ['GET', true],
      ['PATCH', false],
      ['GET', false],
    ]);
    expect(person.openConflicts$.value).toHaveLength(1);
  });
});

describe('a component that is recreated for each record', () => {
  it.each([
    ['@for (key of [{ record: record() }]; track key.record) { <b>{{ key.record.id }}</b> }', 0],
    ['@for (key of [{ id: record().id }]; track key.id) { <b>{{ key.id }}</b> }', 0],
    ['@for (item of [record()]; track item) { <b>{{ item.id }}</b> }', 1],
  ])('is new, and Angular warns only of the last: %s', (template, warnings) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const record = signal({ id: 1 });
    const fixture = TestBed.createComponent(
      Component({ template })(
        class {
          readonly record = record;
        },
      ),
    );
    const shown = () => (fixture.nativeElement as HTMLElement).querySelector('b');
    fixture.detectChanges();
    const first = shown();
    fixture.detectChanges();
    expect(shown()).toBe(first);
    record.set({ id: 2 });
    fixture.detectChanges();

    expect([shown()?.textContent, shown() === first]).toStrictEqual(['2', false]);
    expect(warn.mock.calls.filter(([text]) => String(text).startsWith('NG0956'))).toHaveLength(warnings);
  });
});

import { describe, expect, it, vi } from 'vitest';

import { createLib } from 'rivulet';
import type { DataModel, Field, RequestOptions } from 'rivulet';
import { autosave } from 'rivulet/autosave';
import type { Autosave } from 'rivulet/autosave';
import { TestClock, TestServer } from 'rivulet/testing';

import { run } from '../markdown';

/** The note of the guide, in a page that is made of what the guide uses of one; saves are answered by the spec. */
async function open() {
  const answers: ((ok: boolean) => void)[] = [];
  vi.useFakeTimers();
  vi.stubGlobal('document', {});
  const page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((answer) => {
        answers.push((ok) => {
          answer(new Response(null, { status: ok ? 204 : 503 }));
        });
      }),
  );
  const { note, saving } = (await run('document.title = {', ['note', 'saving'])) as {
    readonly note: DataModel & { readonly text: Field<string> };
    readonly saving: Autosave;
  };
  const isAsked = () => !page.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  return { note, saving, answers, isAsked, title: () => document.title };
}

describe('docs/AUTOSAVE.md', () => {
  it('shows how the note stands, and keeps the page from being closed until it is saved', async () => {
    const { note, saving, answers, isAsked, title } = await open();
    expect([title(), isAsked()]).toStrictEqual(['Saved', false]);
    note.text.next('milk');
    expect([title(), isAsked()]).toStrictEqual(['…', true]);
    await vi.advanceTimersByTimeAsync(500);
    expect(title()).toBe('Saving…');
    answers[0]?.(false);
    await vi.advanceTimersByTimeAsync(0);
    expect([title(), isAsked()]).toStrictEqual(['Not saved', true]);
    const isSaved = saving.flush();
    answers[1]?.(true);
    await vi.advanceTimersByTimeAsync(0);
    expect([await isSaved, title(), isAsked()]).toStrictEqual([true, 'Saved', false]);
  });

  it('lets a page be left once all is saved, or if the user gives up the rest', async () => {
    const { mayLeave } = (await run('async (saving: Autosave)', [])) as {
      readonly mayLeave: (saving: Pick<Autosave, 'flush'>) => Promise<boolean>;
    };
    const flushed = (isSaved: boolean) => ({ flush: () => Promise.resolve(isSaved) });
    vi.stubGlobal('confirm', () => false);
    expect([await mayLeave(flushed(true)), await mayLeave(flushed(false))]).toStrictEqual([true, false]);
    vi.stubGlobal('confirm', () => true);
    expect(await mayLeave(flushed(false))).toBe(true);
  });
});

describe('a switch that is saved at once', () => {
  const withSwitch = async () => {
    const { toggling } = (await run('toggling', [])) as {
      readonly toggling: (task: DataModel, field: Field<boolean>) => { readonly toggle: () => void };
    };
    vi.useFakeTimers();
    const server = new TestServer();
    const tasks = createLib({ transport: server.transport }).collection({
      url: '/tasks',
      data: [{ id: 7, isDone: false }],
    });
    const task = tasks.record(7);
    const { toggle } = toggling(task, task.isDone);
    const click = () => {
      toggle();
      vi.advanceTimersByTime(0);
    };
    return { task, server, click };
  };

  it('sends one more save for clicks during a save, or none if they cancel each other out', async () => {
    const { task, server, click } = await withSwitch();
    click();
    click();
    server.expectOne('PATCH /tasks/7').answer({ id: 7, isDone: true });
    vi.advanceTimersByTime(0);
    server.expectOne('PATCH /tasks/7').answer({ id: 7, isDone: false });
    click();
    click();
    click();
    server.expectOne('PATCH /tasks/7').answer({ id: 7, isDone: true });
    vi.advanceTimersByTime(0);
    expect([server.open, task.isDone.value]).toStrictEqual([[], true]);
  });

  it('goes back when a save is refused, and may be clicked again', async () => {
    const { task, server, click } = await withSwitch();
    for (const status of [503, 422]) {
      click();
      expect(task.isDone.value).toBe(true);
      server.expectOne('PATCH /tasks/7').answer(undefined, { status });
      vi.advanceTimersByTime(0);
      expect([server.open, task.isDone.value, task.isDirty$.value]).toStrictEqual([[], false, false]);
    }
  });
});

describe('a server that trims what it is sent', () => {
  /** A note whose text was saved in a pause, after a space; then it is typed on. */
  const typing = (options: RequestOptions) => {
    const server = new TestServer();
    const clock = new TestClock();
    const notes = createLib({ transport: server.transport }).collection({
      url: '/notes',
      data: [{ id: 7, text: '' }],
    });
    const note = notes.record(7);
    autosave(note, { save: () => note.save$({ patch: true, ...options }), scheduler: clock });
    note.text.next('hello ');
    clock.advance(500);
    server.expectOne('PATCH /notes/7').answer({ id: 7, text: 'hello' });
    return { notes, note };
  };

  it('eats what is typed, unless the answer is not written', () => {
    expect(typing({}).note.text.value).toBe('hello');
    const { note } = typing({ writeResponse: false });
    expect([note.text.value, note.isDirty$.value]).toStrictEqual(['hello ', false]);
  });

  it('is known by the id that its answer to a create has', () => {
    const server = new TestServer();
    const clock = new TestClock();
    const note = createLib({ transport: server.transport })
      .collection<{ id?: number; text: string }>({ url: '/notes' })
      .record({ text: '' });
    const save = () => note.save$({ patch: true, writeResponse: note.isNew$.value });
    autosave(note, { save, scheduler: clock });
    for (const [text, line] of [
      ['hello ', 'POST /notes'],
      ['hello world ', 'PATCH /notes/7'],
    ] as const) {
      note.text.next(text);
      clock.advance(500);
      server.expectOne(line).answer({ id: 7, text: text.trim() });
    }

    expect(note.text.value).toBe('hello world ');
  });

  it('eats it even then when a feed or a read brings the row', () => {
    const { notes, note } = typing({ writeResponse: false });
    notes.replace([{ id: 7, text: 'hello' }]);
    expect(note.text.value).toBe('hello');
  });
});

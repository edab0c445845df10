import { describe, expect, it, vi } from 'vitest';

import type { DataModel, Field } from 'rivulet';
import type { Autosave } from 'rivulet/autosave';

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

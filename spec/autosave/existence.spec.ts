import { describe, expect, it } from 'vitest';

import { DataModel, createLib } from 'rivulet';
import type { Lib } from 'rivulet';
import { autosave } from 'rivulet/autosave';
import { TestClock, TestServer } from 'rivulet/testing';

class Note extends DataModel {
  readonly id;
  readonly text;

  constructor(root: Lib, id?: number) {
    super({ url: '/notes' }, root);
    this.id = root.observable(id).map('id', this);
    this.text = root.observable('').map('text', this);
  }
}

/** A note, which `shown` saves as long as a page shows it. */
function noted(id?: number) {
  const clock = new TestClock();
  const server = new TestServer();
  const note = new Note(createLib({ transport: server.transport, scheduler: clock }), id);
  const shown = () => autosave(note, { scheduler: clock });
  return { clock, server, note, shown };
}

const settled = () => new Promise((done) => setImmediate(done));

describe('what an autosave knows of a record from those before it', () => {
  it('is that a create was given up: only a flush creates again', async () => {
    const { clock, server, note, shown } = noted();
    const first = shown();
    note.text.next('A');
    clock.advance(500);
    first.unsubscribe();
    expect(server.requests.map((each) => each.state)).toStrictEqual(['aborted']);
    const second = shown();
    note.text.next('B');
    clock.advance(5000);
    expect([server.open.length, second.state$.value]).toStrictEqual([0, 'failed']);
    const isSaved = second.flush();
    server.expectOne('POST /notes').answer({ id: 9 });
    expect(await isSaved).toBe(true);
  });

  it('is that a create was accepted without an id', async () => {
    const { clock, server, note, shown } = noted();
    const first = shown();
    note.text.next('A');
    clock.advance(500);
    server.expectOne('POST /notes').answer(undefined, { status: 201 });
    await settled();
    first.unsubscribe();
    const second = shown();
    note.text.next('B');
    clock.advance(5000);
    expect([server.open.length, second.state$.value]).toStrictEqual([0, 'failed']);
  });

  it.each([
    ['under way, and refused after that', false],
    ['refused while none was there', true],
  ])('is that a create was %s: the next edit is saved', (_, isRefusedBefore) => {
    const { clock, server, note, shown } = noted();
    const first = shown();
    note.text.next('A');
    void note.save();
    first.unsubscribe();
    const refuse = () => {
      server.expectOne('POST /notes').answer({}, { status: 422 });
    };
    if (isRefusedBefore) refuse();
    shown();
    if (!isRefusedBefore) refuse();
    note.text.next('B');
    clock.advance(500);
    server.expectOne('POST /notes');
  });

  it('is that it was destroyed, even while none was there', () => {
    const { clock, server, note, shown } = noted(7);
    shown().unsubscribe();
    void note.destroy();
    server.expectOne('DELETE /notes/7').answer();
    const second = shown();
    note.text.next('B');
    clock.advance(5000);
    expect([server.open.length, second.state$.value]).toStrictEqual([0, 'failed']);
  });

  it('does not hold up another new record that is shown since', () => {
    const { clock, server, note, shown } = noted(7);
    shown().unsubscribe();
    void note.destroy();
    server.expectOne('DELETE /notes/7').answer();
    note.set({ text: 'blank' });
    note.text.next('B');
    shown();
    clock.advance(500);
    server.expectOne('POST /notes');
  });
});

describe('the first autosave of a record', () => {
  it.each<[string, (server: TestServer) => void]>([
    [
      'got no answer',
      (server) => {
        server.expectOne('POST /notes').fail();
      },
    ],
    [
      'was answered by a gateway that got none',
      (server) => {
        server.expectOne('POST /notes').answer({}, { status: 504 });
      },
    ],
  ])('knows of a create before it, of which the error tells that it %s', (_, end) => {
    const { clock, server, note, shown } = noted();
    note.save$().subscribe({ error: () => undefined });
    end(server);
    const saving = shown();
    note.text.next('A');
    clock.advance(5000);
    expect([server.open.length, saving.state$.value]).toStrictEqual([0, 'failed']);
  });
});

describe('two autosaves of one record', () => {
  it('take the refusal of a create for what it is', () => {
    const { clock, server, note, shown } = noted();
    shown();
    shown();
    note.text.next('A');
    clock.advance(500);
    // Each of the two sends it once.
    while (server.open.length) server.expectOne('POST /notes').answer({}, { status: 422 });
    note.text.next('B');
    clock.advance(500);
    expect(server.expectOne('POST /notes').body).toStrictEqual({ text: 'B' });
  });
});

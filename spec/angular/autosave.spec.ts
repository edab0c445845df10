import { form, submit } from '@angular/forms/signals';
import { FormControl } from '@angular/forms';
import { describe, expect, it } from 'vitest';

import { DataModel } from 'rivulet';
import type { Lib, MappedField } from 'rivulet';
import { bindControl, formModel, injectRecord, saveForm, toSignals } from 'rivulet/angular';
import { autosave } from 'rivulet/autosave';
import { TestClock } from 'rivulet/testing';

import { openContext, withStub } from './test-bed';

class Note extends DataModel {
  readonly id: MappedField<number, 'id'>;
  readonly text: MappedField<string, 'text'>;

  constructor(root: Lib) {
    super({ url: '/notes' }, root);
    this.id = root.observable(7).map('id', this);
    this.text = root.observable('A').map('text', this);
  }
}

describe('autosave in a component', () => {
  it('saves what is typed into a reactive form, and shows its state as a signal', () => {
    const server = withStub();
    const clock = new TestClock();
    const { run } = openContext();
    const { control, saving } = run(() => {
      const note = injectRecord(Note);
      const control = new FormControl('', { nonNullable: true });
      bindControl(control, note.text);
      return { control, saving: toSignals(autosave(note, { scheduler: clock })) };
    });
    control.setValue('B');
    expect(saving.state()).toBe('dirty');
    clock.advance(500);
    expect([server.sent, saving.state()]).toStrictEqual([
      [{ method: 'PATCH', url: '/notes/7', body: { text: 'B' } }],
      'saving',
    ]);
    server.at(0).ok();
    expect(saving.state()).toBe('clean');
  });

  it('lets a guard wait until all is saved; what is not saved when the component is destroyed is not', async () => {
    const server = withStub();
    const { run, destroy } = openContext();
    const { note, saving } = run(() => {
      const note = injectRecord(Note);
      return { note, saving: autosave(note) };
    });
    note.text.next('B');
    const mayLeave = saving.flush();
    server.at(0).ok();
    expect(await mayLeave).toBe(true);
    note.text.next('C');
    const tooLate = saving.flush();
    destroy();
    expect([await tooLate, server.at(1).isClosed]).toStrictEqual([false, true]);
  });

  it('submits a signal form: what the server objects to is shown at its field, and counts as failed', async () => {
    const server = withStub();
    const { run } = openContext();
    const { note, tree, saving } = run(() => {
      const note = injectRecord(Note);
      const tree = form(formModel(note));
      const action = saveForm(note, { patch: true });
      return {
        note,
        tree,
        saving: autosave(note, { save: () => submit(tree, { action, ignoreValidators: 'all' }) }),
      };
    });
    note.text.next('');
    const isSaved = saving.flush();
    server.at(0).refuse(422, { errors: { text: ['is missing'] } });
    expect([await isSaved, saving.state$.value]).toStrictEqual([false, 'failed']);
    expect(tree.text().errors()).toMatchObject([{ kind: 'server', message: 'is missing' }]);
  });
});

import { of } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';

import { DataModel, lib } from 'rivulet';
import type { StateStream } from 'rivulet';
import { toSignals } from 'rivulet/angular';
import { autosave } from 'rivulet/autosave';
import type { AutosaveState } from 'rivulet/autosave';

class Note extends DataModel {
  readonly text = lib.observable('').map('text', this);
}
const note = new Note();

describe('autosave()', () => {
  it('takes a record', () => {
    expectTypeOf(autosave(note).state$).toEqualTypeOf<StateStream<AutosaveState>>();
  });

  it('takes a save that returns what RxJS can wait for', () => {
    autosave(note, { save: () => note.save(), while$: of(true) });
    autosave(note, { save: () => Promise.resolve() });
    // @ts-expect-error -- nothing that could be waited for
    autosave(note, { save: () => note.save$().subscribe() });
  });

  it('has its state as a signal', () => {
    expectTypeOf(toSignals(autosave(note)).state()).toEqualTypeOf<AutosaveState>();
  });
});

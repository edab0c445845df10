import { Component, computed, inject } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { toSignals } from 'rivulet/angular';
import { map } from 'rxjs';

import { Person } from './person';
import { PersonEditor } from './person-editor';

interface Standing {
  readonly words: string;
  readonly kind: 'busy' | 'unsaved' | 'saved' | 'bad' | 'new';
}

/** Shows the state of the person: saved, unsaved, busy or failed. */
@Component({
  selector: 'app-person-status',
  template: `<p class="status" role="status" [attr.data-kind]="standing().kind">{{ standing().words }}</p>`,
})
export class PersonStatus {
  readonly #person = inject(Person);
  readonly #editor = inject(PersonEditor);
  readonly #savedName = toSignals(this.#person.name).remote;
  readonly #edits = toSignal(
    this.#person.changes$.pipe(map(() => Object.values(this.#person.dirtyMap()).filter(Boolean).length)),
    { requireSync: true },
  );

  protected readonly standing = computed((): Standing => {
    const { states, trouble, isKept } = this.#editor;
    // Everybody on the server has a name.
    const isKnown = this.#savedName() !== '';
    if (states.isDeleting()) return { kind: 'busy', words: 'Deleting…' };
    if (states.isSaving()) return { kind: 'busy', words: 'Saving…' };
    if (states.isReading()) return { kind: 'busy', words: 'Loading…' };
    if (states.error() && !states.isNew() && !isKnown) return { kind: 'bad', words: 'Not loaded' };
    if (trouble()) return { kind: 'bad', words: isKept() ? 'Not deleted' : 'Not saved' };
    if (states.openConflicts().length > 0) return { kind: 'unsaved', words: 'Waiting for your choice' };
    if (this.#edits() > 0) return { kind: 'unsaved', words: `${this.#edits().toString()} unsaved` };
    // A new person with a saved name was there before.
    if (states.isNew()) return { kind: 'new', words: isKnown ? 'Deleted' : 'Nothing saved yet' };
    return { kind: 'saved', words: 'All saved' };
  });
}

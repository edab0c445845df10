import { Service, computed, inject, signal } from '@angular/core';
import { toObservable } from '@angular/core/rxjs-interop';
import { form, submit } from '@angular/forms/signals';
import type { FieldTree } from '@angular/forms/signals';
import { Router } from '@angular/router';
import { RequestError } from 'rivulet';
import type { DataOf } from 'rivulet';
import { formModel, saveForm, toSignals } from 'rivulet/angular';
import { autosave } from 'rivulet/autosave';
import { combineLatest, map } from 'rxjs';

import { People } from './people';
import { Person } from './person';

/** The form of the person being edited, and how it is saved: with the button, or while typing. */
@Service({ autoProvided: false })
export class PersonEditor {
  readonly #person = inject(Person);
  readonly #people = inject(People);
  readonly #router = inject(Router);

  readonly states = toSignals(this.#person);
  /** Whether to save while typing. */
  readonly isAutomatic = signal(true);
  /** Whether there is anything to save. */
  readonly isSavable = computed(() => this.states.isNew() || this.states.isDirty());
  /** Whether the person was to be deleted, and is still there. */
  readonly isKept = signal(false);
  /** The failure to show. Why something was not saved is of no interest once it has been taken back. */
  readonly trouble = computed(() => (this.isSavable() || this.isKept() ? this.states.error() : null));
  /** Whether the server no longer has the person. */
  readonly isGone = computed(() => {
    const error = this.states.error();
    return error instanceof RequestError && error.response?.status === 404;
  });

  /** The form that was opened last. */
  #form?: FieldTree<DataOf<Person>>;
  /** Ends with the person. A new one is first saved with the button: an incomplete one would only be refused. */
  readonly #saving = autosave(this.#person, {
    after: 600,
    save: () => this.#submit(),
    while$: combineLatest([toObservable(this.isAutomatic), this.#person.isNew$]).pipe(
      map(([isAutomatic, isNew]) => isAutomatic && !isNew),
    ),
  });

  /**
   * Makes the form of the person shown. It ends with the component that calls this, because the server's errors concern one
   * person. The record is the model: it has what is typed at once, and the form shows what the server answers.
   */
  open(): FieldTree<DataOf<Person>> {
    return (this.#form = form(formModel(this.#person)));
  }

  /** Saves all edits. Resolves to whether all of them are saved. */
  save(): Promise<boolean> {
    const { isDirty$, isNew$ } = this.#person;
    // A form that is still empty is sent, too: the server says what is missing.
    return isNew$.value && !isDirty$.value ? this.#submit() : this.#saving.flush();
  }

  async #submit(): Promise<boolean> {
    if (!this.#form) return false;
    const isNew = this.#person.isNew$.value;
    this.isKept.set(false);
    const isAccepted = await submit(this.#form, {
      // Only unsaved fields are sent, so that nobody else's changes to the other fields are undone.
      action: saveForm(this.#person, { patch: true }),
      // The server's objections to the last attempt must not block the next.
      ignoreValidators: 'all',
      // Failures are shown from the record's `error$`.
    }).catch(() => false);
    if (isAccepted) this.#people.put(this.#person.summary, isNew);
    if (isAccepted && isNew) await this.show();
    return isAccepted;
  }

  /** Creates again a person whom the server no longer has, edits included, under a new number. */
  async addAgain(): Promise<void> {
    this.#people.remove(this.#person.id.value);
    this.#person.id.next(undefined);
    await this.save();
  }

  /** Navigates to the address that belongs to the person's id. */
  async show(): Promise<void> {
    const commands = ['/people', this.#person.id.value];
    await this.#router.navigate(commands, { queryParamsHandling: 'preserve', replaceUrl: true });
  }
}

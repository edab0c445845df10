import { Service, inject, signal } from '@angular/core';
import { takeUntilDestroyed, toObservable } from '@angular/core/rxjs-interop';
import { form, submit } from '@angular/forms/signals';
import { Router } from '@angular/router';
import { saveLatest } from 'rivulet';
import { formModel, saveForm, toSignals } from 'rivulet/angular';
import { Subject, combineLatest, debounceTime, filter, firstValueFrom, merge, tap } from 'rxjs';

import { People } from './people';
import { Person } from './person';

/** The form of the person who is edited, and how it is saved: by the button, or while typing. */
@Service({ autoProvided: false })
export class PersonEditor {
  readonly #person = inject(Person);
  readonly #people = inject(People);
  readonly #router = inject(Router);

  readonly states = toSignals(this.#person);
  /** The record is the model: what is typed is in it at once, and what the server answers is in the form. */
  readonly form = form(formModel(this.#person));
  /** Whether to save while typing. */
  readonly isAutomatic = signal(true);

  readonly #asked$ = new Subject<void>();
  /** Whether a save was accepted, at the end of each. */
  readonly #ended$ = new Subject<boolean>();

  constructor() {
    const typed$ = combineLatest([this.#person.changes$, toObservable(this.isAutomatic)]).pipe(
      debounceTime(600),
      // A new person is saved by the button first: half of one would only be refused.
      filter(([, isAutomatic]) => isAutomatic && !this.#person.isNew$.value && this.#person.isDirty$.value),
    );
    // One save at a time, and another after it if something was typed meanwhile.
    merge(this.#asked$, typed$)
      .pipe(
        saveLatest(() => this.#submit()),
        tap(this.#ended$),
        takeUntilDestroyed(),
      )
      .subscribe();
  }

  /** Saves what is unsaved. Resolves with whether all of it is saved. */
  async save(): Promise<boolean> {
    const { isDirty$ } = this.#person;
    const ended$ = this.#ended$.pipe(filter((isAccepted) => !isAccepted || !isDirty$.value));
    // Whoever leaves the page ends it.
    const isSaved = firstValueFrom(ended$, { defaultValue: false });
    this.#asked$.next();
    return isSaved;
  }

  async #submit(): Promise<boolean> {
    const isNew = this.#person.isNew$.value;
    const isAccepted = await submit(this.form, {
      // Only what is unsaved is sent, so that nobody else's changes to the other fields are undone.
      action: saveForm(this.#person, { patch: true }),
      // What the server had against the last attempt must not keep from the next.
      ignoreValidators: 'all',
      // Failures are shown from the record's `error$`.
    }).catch(() => false);
    if (isAccepted) this.#people.put(this.#person.summary);
    if (isAccepted && isNew) await this.show();
    return isAccepted;
  }

  /** Shows the person under the address that belongs to the id. */
  async show(): Promise<void> {
    const commands = ['/people', this.#person.id.value];
    await this.#router.navigate(commands, { queryParamsHandling: 'preserve', replaceUrl: true });
  }
}

import { Service, computed, inject, signal } from '@angular/core';
import { takeUntilDestroyed, toObservable } from '@angular/core/rxjs-interop';
import { form, submit } from '@angular/forms/signals';
import type { FieldTree } from '@angular/forms/signals';
import { Router } from '@angular/router';
import { RequestError, saveLatest } from 'rivulet';
import type { DataOf } from 'rivulet';
import { formModel, saveForm, toSignals } from 'rivulet/angular';
import { Subject, combineLatest, debounceTime, filter, firstValueFrom, merge, tap } from 'rxjs';

import { Conflicts } from './conflicts';
import { People } from './people';
import { Person } from './person';

/** The form of the person who is edited, and how it is saved: by the button, or while typing. */
@Service({ autoProvided: false })
export class PersonEditor {
  readonly #person = inject(Person);
  readonly #people = inject(People);
  readonly #conflicts = inject(Conflicts);
  readonly #router = inject(Router);

  readonly states = toSignals(this.#person);
  /** Whether to save while typing. */
  readonly isAutomatic = signal(true);
  /** Whether the server does not have the person any more. */
  readonly isGone = computed(() => {
    const error = this.states.error();
    return error instanceof RequestError && error.response?.status === 404;
  });

  /** The form that was opened last. */
  #form?: FieldTree<DataOf<Person>>;
  readonly #asked$ = new Subject<void>();
  /** Whether a save was accepted, at the end of each. */
  readonly #ended$ = new Subject<boolean>();

  constructor() {
    const { changes$, isDeleting$, isDirty$, isNew$ } = this.#person;
    // An edit waits for a delete that is under way, and is saved if the person is still there.
    const typed$ = combineLatest([changes$, toObservable(this.isAutomatic), isDeleting$]).pipe(
      debounceTime(600),
      // A new person is saved by the button first: half of one would only be refused.
      filter(([, isAutomatic]) => isAutomatic && !isNew$.value && isDirty$.value),
    );
    // The save that had to wait for the choice goes on, if anything is left of it.
    const settled$ = this.#conflicts.settled$.pipe(filter(() => this.#person.isDirty$.value));
    // One save at a time, and another after it if something was typed meanwhile.
    merge(this.#asked$, typed$, settled$)
      .pipe(
        saveLatest(() => this.#submit()),
        tap(this.#ended$),
        takeUntilDestroyed(),
      )
      .subscribe();
  }

  /**
   * Makes the form of the person who is shown, for the component that shows it, with which it ends: the server's errors are
   * those of one person. The record is the model: what is typed is in it at once, and what the server answers is in the form.
   */
  open(): FieldTree<DataOf<Person>> {
    return (this.#form = form(formModel(this.#person)));
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
    if (!this.#form) return false;
    // Sent now, it would overwrite what somebody else has saved, before anybody has chosen to.
    if (this.#conflicts.open().length > 0) return false;
    // Behind a delete it would create anew whom somebody has just deleted.
    if (this.#person.isDeleting$.value) return false;
    const isNew = this.#person.isNew$.value;
    // What was typed may have been saved by the one before.
    if (!isNew && !this.#person.isDirty$.value) return true;
    const isAccepted = await submit(this.#form, {
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

  /** Creates a person anew that the server does not have any more, with what was edited, under a new number. */
  async addAgain(): Promise<void> {
    this.#people.remove(this.#person.id.value);
    this.#person.id.next(undefined);
    await this.save();
  }

  /** Shows the person under the address that belongs to the id. */
  async show(): Promise<void> {
    const commands = ['/people', this.#person.id.value];
    await this.#router.navigate(commands, { queryParamsHandling: 'preserve', replaceUrl: true });
  }
}

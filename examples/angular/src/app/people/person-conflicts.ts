import { formatDate } from '@angular/common';
import {
  Component,
  DOCUMENT,
  ElementRef,
  Injector,
  LOCALE_ID,
  afterNextRender,
  computed,
  inject,
} from '@angular/core';
import type { Conflict, PathOf } from 'rivulet';

import { nameOf } from '../../../../shared/explain';

import { Conflicts } from './conflicts';
import { Person } from './person';
import { PersonEditor } from './person-editor';

/** Shows both values of each field that somebody else has changed too, and has one of them chosen. */
@Component({
  selector: 'app-person-conflicts',
  templateUrl: './person-conflicts.component.html',
  styleUrl: './person-conflicts.css',
})
export class PersonConflicts {
  readonly #person = inject(Person);
  readonly #states = inject(PersonEditor).states;
  readonly #locale = inject(LOCALE_ID);
  readonly #document = inject(DOCUMENT);
  readonly #injector = inject(Injector);
  readonly #element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;

  protected readonly conflicts = inject(Conflicts);
  protected readonly rows = computed(() => {
    // Mine is what is shown now: whoever types on has more than the conflict came up with.
    this.#states.data();
    return this.conflicts.open().map((conflict) => ({
      conflict,
      name: nameOf(conflict.path),
      mine: this.#inWords(conflict.path, this.#person.get(conflict.path as PathOf<Person>)),
      theirs: this.#inWords(conflict.path, conflict.theirs),
    }));
  });

  /** Gives the focus to the first of the fields; false if there is none. */
  focus(): boolean {
    const first = this.#element.querySelector<HTMLElement>('[role=group]');
    first?.focus();
    return first !== null;
  }

  /** Finds a place for the focus when a choice has taken away the button that had it. */
  protected goOn({ path }: Conflict): void {
    afterNextRender(
      () => {
        if (!this.focus()) this.#document.getElementById(path)?.focus();
      },
      { injector: this.#injector },
    );
  }

  /** A value as one would say it; `''` for none. A box has two values only, so what is contested is text or a date. */
  #inWords(path: string, value: unknown): string {
    const text = (value ?? '') as string;
    return text && path === this.#person.born.path ? formatDate(text, 'longDate', this.#locale) : text;
  }
}

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
import type { Conflict } from 'rivulet';

import { nameOf } from '../../../../shared/explain';

import { Person } from './person';
import { PersonEditor } from './person-editor';

/** Shows both values of each field that somebody else has changed too, and lets the user choose one. */
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

  protected readonly rows = computed(() =>
    this.#states.openConflicts().map((conflict) => ({
      conflict,
      name: nameOf(conflict.path),
      mine: this.#inWords(conflict.path, conflict.mine),
      theirs: this.#inWords(conflict.path, conflict.theirs),
    })),
  );

  /** Focuses the first of the fields; false if there is none. */
  focus(): boolean {
    const first = this.#element.querySelector<HTMLElement>('[role=group]');
    first?.focus();
    return first !== null;
  }

  /** Moves the focus on when a choice has removed the button that had it. */
  protected goOn({ path }: Conflict): void {
    afterNextRender(
      () => {
        if (!this.focus()) this.#document.getElementById(path)?.focus();
      },
      { injector: this.#injector },
    );
  }

  /** A value in words; `''` for none. Only text and dates can conflict: two changes of a checkbox always agree. */
  #inWords(path: string, value: unknown): string {
    const text = (value ?? '') as string;
    return text && path === this.#person.born.path ? formatDate(text, 'longDate', this.#locale) : text;
  }
}

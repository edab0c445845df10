import { Component, afterNextRender, inject, input, output, viewChild } from '@angular/core';
import type { ElementRef } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { Subject, exhaustMap, tap } from 'rxjs';

import { accepted } from '../../../../shared/accepted';
import { Trouble } from '../ui/trouble';

import { People } from './people';
import { Person } from './person';
import { PersonEditor } from './person-editor';

/**
 * Says that a person is gone, and can bring them back.
 *
 * The server has really deleted them, and nothing here claims otherwise: undoing creates them again, from what the record
 * still holds, so they come back under a new number.
 */
@Component({
  selector: 'app-deleted-person',
  imports: [Trouble],
  template: `
    <p role="status">
      <b>{{ name() }}</b> has been deleted.
    </p>
    <p class="hint">Undo adds the same person again, under a new number.</p>
    <app-trouble [error]="states.error()" />
    <button type="button" class="primary" (click)="asked$.next()" #undo>Undo</button>
  `,
  host: { class: 'nothing' },
})
export class DeletedPerson {
  readonly name = input.required<string>();

  /** Emits when they have been brought back. */
  readonly undone = output();

  protected readonly asked$ = new Subject<void>();
  protected readonly states = inject(PersonEditor).states;

  private readonly undo = viewChild.required<ElementRef<HTMLElement>>('undo');

  constructor() {
    // The button that was pressed is gone, and the focus with it.
    afterNextRender(() => {
      this.undo().nativeElement.focus();
    });
    const person = inject(Person);
    const people = inject(People);
    this.asked$
      .pipe(
        exhaustMap(() => person.save$().pipe(accepted())),
        tap(() => {
          people.put(person.summary, true);
          this.undone.emit();
        }),
        takeUntilDestroyed(),
      )
      .subscribe();
  }
}

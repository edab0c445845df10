import { Component, inject, output, signal } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { Subject, concatMap, defer, exhaustMap, ignoreElements, of, tap } from 'rxjs';

import { accepted } from '../../../../shared/accepted';

import { People } from './people';
import { Person } from './person';
import { PersonEditor } from './person-editor';

/** Deletes the person without asking, since it can be undone. A version not seen here is shown, not deleted. */
@Component({
  selector: 'app-delete-person',
  template: `
    <p role="alert">
      @if (wasChanged()) {
        Not deleted: somebody else has just changed this person.
      }
    </p>
    <button type="button" class="danger" (click)="asked$.next()">Delete</button>
  `,
  styleUrl: './delete-person.css',
})
export class DeletePerson {
  /** Emits the name of the deleted person. */
  readonly deleted = output<string>();

  protected readonly asked$ = new Subject<void>();
  /** Whether somebody else had changed the person when a delete was last tried. */
  protected readonly wasChanged = signal(false);

  constructor() {
    const person = inject(Person);
    const people = inject(People);
    const { isKept } = inject(PersonEditor);
    const read$ = person.fetch$({ keepEdits: true }).pipe(ignoreElements());
    const delete$ = defer(() => {
      const { id, name } = person.summary;
      return person.destroy$().pipe(
        tap({
          next: ({ ok, status }) => {
            this.wasChanged.set(status === 412);
            isKept.set(!ok);
          },
          error: () => {
            this.wasChanged.set(false);
            isKept.set(true);
          },
        }),
        concatMap((response) => (this.wasChanged() ? read$ : of(response))),
        accepted(),
        tap(() => {
          people.remove(id);
          this.deleted.emit(name);
        }),
      );
    });
    this.asked$
      .pipe(
        exhaustMap(() => delete$),
        takeUntilDestroyed(),
      )
      .subscribe();
  }
}

import { Component, inject, output } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { Subject, defer, exhaustMap, tap } from 'rxjs';

import { accepted } from '../../../../shared/accepted';

import { People } from './people';
import { Person } from './person';

/** Deletes the person, without a question: it can be undone. */
@Component({
  selector: 'app-delete-person',
  template: `<button type="button" class="danger" (click)="asked$.next()">Delete</button>`,
})
export class DeletePerson {
  /** The person has been deleted; their name. */
  readonly deleted = output<string>();

  protected readonly asked$ = new Subject<void>();

  constructor() {
    const person = inject(Person);
    const people = inject(People);
    const delete$ = defer(() => {
      const { id, name } = person.summary;
      return person.destroy$().pipe(
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

import { DecimalPipe } from '@angular/common';
import { Component, Injector, computed, inject, input } from '@angular/core';
import { takeUntilDestroyed, toObservable } from '@angular/core/rxjs-interop';
import { saveLatest } from 'rivulet';
import { toSignals } from 'rivulet/angular';
import { Subject, combineLatest, exhaustMap, filter, map, switchMap } from 'rxjs';
import type { Observable } from 'rxjs';

import { accepted } from '../../../../shared/accepted';
import { Trouble } from '../ui/trouble';

import type { Grocery } from './grocery';

/** One grocery: to tick, which saves at once, and to remove. */
@Component({
  selector: 'app-grocery-row',
  imports: [DecimalPipe, Trouble],
  template: `
    <label>
      <input type="checkbox" [checked]="states().done()" (change)="states().done.set(box.checked)" #box />
      <span class="name">{{ states().name() }}</span>
    </label>
    <span class="amount">{{ states().quantity() | number }} {{ states().unit() }}</span>
    <button
      type="button"
      class="quiet"
      [attr.aria-label]="'Remove ' + states().name()"
      (click)="remove$.next()"
    >
      <span aria-hidden="true">✕</span>
    </button>
    <app-trouble [error]="states().error()" />
  `,
  styleUrl: './grocery-row.css',
  host: { '[attr.aria-busy]': 'states().requestInProgress()', '[class.leaving]': 'states().isDeleting()' },
})
export class GroceryRow {
  /** What the server confirms for it is the item of the list from then on, and a delete takes that out. */
  readonly grocery = input.required<Grocery>();

  readonly #injector = inject(Injector);
  protected readonly states = computed(() => toSignals(this.grocery(), { injector: this.#injector }));
  protected readonly remove$ = new Subject<void>();

  constructor() {
    toObservable(this.grocery).pipe(switchMap(saving), takeUntilDestroyed()).subscribe();
    this.remove$
      .pipe(
        exhaustMap(() => this.grocery().destroy$().pipe(accepted())),
        takeUntilDestroyed(),
      )
      .subscribe();
  }
}

/**
 * Saves each change at once. The box shows what is ticked, and the row that it is not saved yet; `rollback` takes it back if
 * the server refuses. One save at a time: what is ticked meanwhile is sent after it. Behind a delete it would create the
 * row anew, so what is ticked then waits, and is saved if the row is still there.
 */
const saving = (grocery: Grocery): Observable<Response> =>
  combineLatest([grocery.changes$, grocery.isDeleting$]).pipe(
    filter(([, isDeleting]) => !isDeleting),
    map(([changes]) => changes),
    saveLatest(() => grocery.save$({ patch: true, rollback: 'error' }).pipe(accepted())),
  );

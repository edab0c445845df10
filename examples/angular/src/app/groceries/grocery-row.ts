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

/** One grocery, to tick (which saves at once) or to remove. */
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
  /** A live record: what the server confirms updates the item of the list, and a delete removes it. */
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
 * Saves each change at once. The box shows the tick, and the row is busy until it is saved; `rollback` undoes the tick if
 * that fails. One save runs at a time: what is ticked in the meantime is sent next. A save that waited for a delete would
 * create the row again, so a tick during a delete is saved only if the row is still there afterwards.
 */
const saving = (grocery: Grocery): Observable<Response> =>
  combineLatest([grocery.changes$, grocery.isDeleting$]).pipe(
    filter(([, isDeleting]) => !isDeleting),
    map(([changes]) => changes),
    saveLatest(() => grocery.save$({ patch: true, rollback: 'error' }).pipe(accepted())),
  );

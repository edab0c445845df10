import { DecimalPipe } from '@angular/common';
import { Component, effect, input, output } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { saveLatest } from 'rivulet';
import { injectRecord, toSignals } from 'rivulet/angular';
import { Subject, combineLatest, exhaustMap, filter, map } from 'rxjs';

import { accepted } from '../../../../shared/accepted';
import { Trouble } from '../ui/trouble';

import { Grocery } from './grocery';
import type { GroceryItem } from './grocery';

/** One grocery: to tick, which saves at once, and to remove. */
@Component({
  selector: 'app-grocery-row',
  imports: [DecimalPipe, Trouble],
  template: `
    <label>
      <input type="checkbox" [checked]="states.done()" (change)="states.done.set(box.checked)" #box />
      <span class="name">{{ states.name() }}</span>
    </label>
    <span class="amount">{{ states.quantity() | number }} {{ states.unit() }}</span>
    <button
      type="button"
      class="quiet"
      [attr.aria-label]="'Remove ' + states.name()"
      (click)="remove$.next()"
    >
      <span aria-hidden="true">✕</span>
    </button>
    <app-trouble [error]="states.error()" />
  `,
  styleUrl: './grocery-row.css',
  host: { '[attr.aria-busy]': 'states.requestInProgress()', '[class.leaving]': 'states.isDeleting()' },
})
export class GroceryRow {
  /** As the list has it. */
  readonly item = input.required<GroceryItem>();

  /** The server has taken a change. */
  readonly saved = output<GroceryItem>();
  /** The server has deleted it. */
  readonly removed = output();

  readonly #grocery = injectRecord(Grocery);
  protected readonly states = toSignals(this.#grocery);
  protected readonly remove$ = new Subject<void>();

  constructor() {
    const grocery = this.#grocery;
    effect(() => {
      const item = this.item();
      // While a change of this row is under way, its answer is newer than any list.
      if (!this.states.requestInProgress()) grocery.set(item);
    });
    // The box shows at once what is ticked, and the row that it is not saved yet; `rollback` takes it back if the server
    // refuses. One save at a time: what is ticked meanwhile is sent after it. Behind a delete it would create the row anew,
    // so what is ticked then waits, and is saved if the row is still there.
    combineLatest([grocery.changes$, grocery.isDeleting$])
      .pipe(
        filter(([, isDeleting]) => !isDeleting),
        map(([changes]) => changes),
        saveLatest(() => grocery.save$({ patch: true, rollback: 'error' }).pipe(accepted())),
        takeUntilDestroyed(),
      )
      .subscribe(() => {
        this.saved.emit({ ...this.item(), done: grocery.done.remote$.value });
      });
    this.remove$
      .pipe(
        exhaustMap(() => grocery.destroy$().pipe(accepted())),
        takeUntilDestroyed(),
      )
      .subscribe(() => {
        this.removed.emit();
      });
  }
}

import { Component, DOCUMENT, Injector, computed, inject, input } from '@angular/core';
import type { ValidationError } from '@angular/forms/signals';
import type { StateStream } from 'rivulet';
import { toSignals } from 'rivulet/angular';

/** The part of a record's field that is needed to show whether it is saved. */
export interface Source {
  readonly path: string;
  readonly isDirty$: StateStream<boolean>;
  readonly remote$: StateStream<unknown>;
  reset(): void;
}

/** What surrounds the box of a field: its label, whether it is saved, and what the server objects to. */
@Component({
  selector: 'app-field-frame',
  template: `
    <label [for]="source().path">{{ label() }}</label>
    @if (states().isDirty()) {
      <span class="mark" [id]="source().path + '-mark'">unsaved</span>
      <button type="button" class="reset" [attr.title]="before()" (click)="reset()">
        Reset <span class="visually-hidden">{{ label() }}</span>
      </button>
    }
    <ng-content />
    @for (error of errors(); track error) {
      <p class="field-error" [id]="source().path + '-error'">{{ error.message }}</p>
    }
  `,
  styleUrl: './field-frame.css',
  host: { '[class.dirty]': 'states().isDirty()', '[class.wrong]': 'errors().length > 0' },
})
export class FieldFrame {
  readonly label = input.required<string>();
  readonly source = input.required<Source>();
  readonly errors = input.required<readonly ValidationError[]>();

  readonly #injector = inject(Injector);
  readonly #document = inject(DOCUMENT);
  protected readonly states = computed(() => toSignals(this.source(), { injector: this.#injector }));

  /** What Reset brings back; null if there are no words for it. */
  protected readonly before = computed(() => {
    const saved = this.states().remote();
    return typeof saved === 'string' && saved ? `Back to “${saved}”` : null;
  });

  /** Discards the edit. The button disappears, so the box gets the focus. */
  protected reset(): void {
    this.source().reset();
    this.#document.getElementById(this.source().path)?.focus();
  }
}

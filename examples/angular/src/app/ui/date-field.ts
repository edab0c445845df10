import { Component, input, model } from '@angular/core';
import type { FormValueControl, ValidationError } from '@angular/forms/signals';

import { FieldFrame } from './field-frame';
import type { Source } from './field-frame';

/** A date box of a signal form; an empty one is null. */
@Component({
  selector: 'app-date-field',
  imports: [FieldFrame],
  template: `
    <app-field-frame [label]="label()" [source]="source()" [errors]="errors()">
      <input
        type="date"
        [id]="source().path"
        [value]="value() ?? ''"
        [attr.aria-invalid]="errors().length > 0"
        [attr.aria-describedby]="source().path + '-mark ' + source().path + '-error'"
        (change)="choose($event)"
      />
    </app-field-frame>
  `,
})
export class DateField implements FormValueControl<string | null> {
  readonly label = input.required<string>();
  readonly source = input.required<Source>();
  /** Bound by the form. */
  readonly value = model<string | null>(null);
  readonly errors = input<readonly ValidationError[]>([]);

  protected choose({ target }: Event): void {
    this.value.set((target as HTMLInputElement).value || null);
  }
}

import { Component, input, model } from '@angular/core';
import type { FormCheckboxControl, ValidationError } from '@angular/forms/signals';

import { FieldFrame } from './field-frame';
import type { Source } from './field-frame';

/** A checkbox of a signal form. */
@Component({
  selector: 'app-check-field',
  imports: [FieldFrame],
  template: `
    <app-field-frame [label]="label()" [source]="source()" [errors]="errors()">
      <input
        type="checkbox"
        [id]="source().path"
        [checked]="checked()"
        [attr.aria-describedby]="source().path + '-mark ' + source().path + '-error'"
        (change)="tick($event)"
      />
    </app-field-frame>
  `,
})
export class CheckField implements FormCheckboxControl {
  readonly label = input.required<string>();
  readonly source = input.required<Source>();
  /** Bound by the form. */
  readonly checked = model(false);
  readonly errors = input<readonly ValidationError[]>([]);

  protected tick({ target }: Event): void {
    this.checked.set((target as HTMLInputElement).checked);
  }
}

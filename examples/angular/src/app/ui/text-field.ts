import { Component, input, linkedSignal, model, numberAttribute, signal } from '@angular/core';
import type { FormValueControl, ValidationError } from '@angular/forms/signals';

import { FieldFrame } from './field-frame';
import type { Source } from './field-frame';

/** A text box of a signal form. */
@Component({
  selector: 'app-text-field',
  imports: [FieldFrame],
  template: `
    <app-field-frame [label]="label()" [source]="source()" [errors]="errors()">
      @if (lines() > 1) {
        <textarea
          [id]="source().path"
          [rows]="lines()"
          [value]="text()"
          [attr.aria-invalid]="errors().length > 0"
          [attr.aria-describedby]="source().path + '-mark ' + source().path + '-error'"
          (input)="type($event)"
          (focus)="hasFocus.set(true)"
          (blur)="hasFocus.set(false)"
        ></textarea>
      } @else {
        <input
          [id]="source().path"
          [attr.inputmode]="inputmode()"
          [value]="text()"
          [attr.aria-invalid]="errors().length > 0"
          [attr.aria-describedby]="source().path + '-mark ' + source().path + '-error'"
          (input)="type($event)"
          (focus)="hasFocus.set(true)"
          (blur)="hasFocus.set(false)"
        />
      }
    </app-field-frame>
  `,
})
export class TextField implements FormValueControl<string> {
  readonly label = input.required<string>();
  readonly source = input.required<Source>();
  readonly lines = input(1, { transform: numberAttribute });
  readonly inputmode = input<string>();
  /** Bound by the form. */
  readonly value = model('');
  readonly errors = input<readonly ValidationError[]>([]);

  protected readonly hasFocus = signal(false);
  /**
   * The text in the box: the value, plus surrounding blanks while the box has the focus. Otherwise the answer of a server
   * that trims would remove the blank between two words before the second is typed.
   */
  protected readonly text = linkedSignal<readonly [string, boolean], string>({
    source: () => [this.value(), this.hasFocus()],
    computation: ([value, hasFocus], typed) =>
      hasFocus && typed?.value.trim() === value ? typed.value : value,
  });

  protected type({ target }: Event): void {
    const { value } = target as HTMLInputElement;
    this.text.set(value);
    this.value.set(value);
  }
}

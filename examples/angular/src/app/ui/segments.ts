import { Component, input, model } from '@angular/core';

/** A choice of one from a few options. */
@Component({
  selector: 'app-segments',
  template: `
    <fieldset>
      <legend class="visually-hidden">{{ legend() }}</legend>
      @for (option of options(); track option) {
        <label>
          <input
            type="radio"
            [name]="legend()"
            [checked]="option === chosen()"
            (change)="chosen.set(option)"
          />
          <span>{{ option }}</span>
        </label>
      }
    </fieldset>
  `,
  styleUrl: './segments.css',
})
export class Segments<T extends string> {
  readonly legend = input.required<string>();
  readonly options = input.required<readonly T[]>();
  readonly chosen = model.required<T>();
}

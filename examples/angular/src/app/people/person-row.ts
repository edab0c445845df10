import { Component, computed, input } from '@angular/core';
import { RouterLink, RouterLinkActive } from '@angular/router';

import type { PersonSummary } from './person';

/** One of the people to choose from. */
@Component({
  selector: 'app-person-row',
  imports: [RouterLink, RouterLinkActive],
  template: `
    <a
      [routerLink]="['/people', person().id]"
      queryParamsHandling="preserve"
      routerLinkActive="chosen"
      [ariaCurrentWhenActive]="true"
    >
      <span class="initials" aria-hidden="true" [style.--hue]="person().id * 47">{{ initials() }}</span>
      <span class="name">{{ person().name }}</span>
      <span class="more">
        {{ person().address.city }}
        @if (!person().active) {
          <span class="former">former</span>
        }
      </span>
    </a>
  `,
  styleUrl: './person-row.css',
})
export class PersonRow {
  readonly person = input.required<PersonSummary>();

  protected readonly initials = computed(() =>
    this.person()
      .name.split(/\s+/)
      .map(([first = '']) => first)
      .slice(0, 2)
      .join(''),
  );
}

import { Component, RESPONSE_INIT, inject } from '@angular/core';
import { RouterLink } from '@angular/router';

/** For addresses without a page. */
@Component({
  selector: 'app-not-found',
  imports: [RouterLink],
  template: `
    <section class="card nothing">
      <h1>Page not found</h1>
      <p>It may have moved, or the address may be mistyped.</p>
      <a class="button primary" routerLink="/people">Show the people</a>
    </section>
  `,
})
export class NotFound {
  constructor() {
    const answer = inject(RESPONSE_INIT, { optional: true });
    if (answer) answer.status = 404;
  }
}

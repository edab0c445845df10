import { Component, DOCUMENT, ElementRef, effect, inject, input } from '@angular/core';
import { toObservable, toSignal } from '@angular/core/rxjs-interop';
import { map, switchMap } from 'rxjs';

import { explain } from '../../../../shared/explain';

/** Says what went wrong, while there is an error, followed by its own content, such as a button to try again. */
@Component({
  selector: 'app-trouble',
  template: `
    <div role="alert">
      @if (words()) {
        <div class="trouble">
          <p>{{ words() }}</p>
          <ng-content />
        </div>
      }
    </div>
  `,
})
export class Trouble {
  /** The value of `error$` of a record or collection. */
  readonly error = input.required<Error | null>();

  protected readonly words = toSignal(
    toObservable(this.error).pipe(
      switchMap(explain),
      map(({ summary }) => summary),
    ),
    { initialValue: '' },
  );

  constructor() {
    const host = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
    const document = inject(DOCUMENT);
    // The pressed button disappears with the words: then the element around it gets the focus, not the page.
    effect(() => {
      if (!this.words() && document.activeElement && host.contains(document.activeElement))
        host.closest<HTMLElement>('[tabindex]')?.focus();
    });
  }
}

import { Component, DOCUMENT, ElementRef, effect, inject, input } from '@angular/core';
import { toObservable, toSignal } from '@angular/core/rxjs-interop';
import { map, switchMap } from 'rxjs';

import { explain } from '../../../../shared/explain';

/** Says what went wrong, in words, as long as it does; whatever is inside, a button to try again for example, follows. */
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
  /** What `error$` of a record or collection shows. */
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
    // The button that was pressed goes with the words: then what is around has the focus, not the page.
    effect(() => {
      if (!this.words() && document.activeElement && host.contains(document.activeElement))
        host.closest<HTMLElement>('[tabindex]')?.focus();
    });
  }
}

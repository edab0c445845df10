import { defer, finalize, fromEvent, map, take } from 'rxjs';
import type { Observable } from 'rxjs';

import { find } from './dom.ts';

/** Asks before something that cannot be undone; emits the answer once. Unsubscribing closes the dialog. */
export function ask(question: string, yes: string): Observable<boolean> {
  return defer(() => {
    const dialog = find(document, '#question', HTMLDialogElement);
    find(dialog, 'p', HTMLElement).textContent = question;
    find(dialog, 'button[value=yes]', HTMLElement).textContent = yes;
    // The Escape key closes it without a value, and must not repeat the last answer.
    dialog.returnValue = '';
    dialog.showModal();
    return fromEvent(dialog, 'close').pipe(
      map(() => dialog.returnValue === 'yes'),
      take(1),
      finalize(() => {
        dialog.close();
      }),
    );
  });
}

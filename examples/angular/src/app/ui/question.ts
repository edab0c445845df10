import { Component, signal, viewChild } from '@angular/core';
import type { ElementRef } from '@angular/core';
import { firstValueFrom, fromEvent } from 'rxjs';

/** Asks before something that cannot be undone. */
@Component({
  selector: 'app-question',
  template: `
    <dialog #dialog aria-labelledby="question">
      <form method="dialog">
        <p id="question">{{ question() }}</p>
        <footer>
          <button value="no">Go back</button>
          <button class="danger" value="yes">{{ yes() }}</button>
        </footer>
      </form>
    </dialog>
  `,
})
export class Question {
  protected readonly question = signal('');
  protected readonly yes = signal('');
  private readonly dialog = viewChild.required<ElementRef<HTMLDialogElement>>('dialog');

  /** Resolves to whether the button labeled `yes` was pressed; the Escape key means no. */
  async ask(question: string, yes: string): Promise<boolean> {
    const dialog = this.dialog().nativeElement;
    this.question.set(question);
    this.yes.set(yes);
    dialog.returnValue = '';
    if (!dialog.open) dialog.showModal();
    await firstValueFrom(fromEvent(dialog, 'close'));
    return dialog.returnValue === 'yes';
  }
}

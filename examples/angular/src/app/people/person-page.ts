import {
  Component,
  DOCUMENT,
  Injector,
  afterNextRender,
  computed,
  inject,
  input,
  linkedSignal,
  viewChild,
} from '@angular/core';
import type { ElementRef } from '@angular/core';
import { takeUntilDestroyed } from '@angular/core/rxjs-interop';
import { RouterLink } from '@angular/router';
import { injectRecord, linkId, toSignals } from 'rivulet/angular';
import { Subject, switchMap } from 'rxjs';

import { accepted } from '../../../../shared/accepted';
import { answerWith } from '../ui/answer-with';
import { PageTitle } from '../ui/page-title';
import { Question } from '../ui/question';
import { Trouble } from '../ui/trouble';

import { DeletedPerson } from './deleted-person';
import { People } from './people';
import { Person } from './person';
import { PersonEditor } from './person-editor';
import { PersonForm } from './person-form';
import { PersonStatus } from './person-status';

/** One person, by the id in the address; "new" is one whom the server does not have yet. */
@Component({
  selector: 'app-person-page',
  imports: [DeletedPerson, PersonForm, PersonStatus, Question, RouterLink, Trouble],
  // One record for as long as the page is open, whoever is shown; the parts of the page inject it.
  providers: [{ provide: Person, useFactory: () => injectRecord(Person) }, PersonEditor],
  templateUrl: './person-page.component.html',
  styleUrl: './person-page.css',
  host: { '(window:beforeunload)': 'warn($event)' },
})
export class PersonPage {
  /** The id in the address, or "new". */
  readonly id = input.required<string>();

  protected readonly person = inject(Person);
  readonly #editor = inject(PersonEditor);
  readonly #people = inject(People);
  readonly #document = inject(DOCUMENT);
  readonly #injector = inject(Injector);

  /**
   * Whether the record shows the person in the address. Each new id aborts the previous read and empties the record at
   * once, so nothing of one person is shown for another.
   */
  protected readonly isShown = linkId(this.person, () => (this.id() === 'new' ? undefined : this.id()));
  protected readonly states = this.#editor.states;
  readonly #savedName = toSignals(this.person.name).remote;

  protected readonly title = computed(() => {
    if (this.id() === 'new') return 'New person';
    // Until the person is read, the list may know the name.
    return this.isShown() ? this.#savedName() : (this.#people.named(this.id()) ?? `Person ${this.id()}`);
  });
  protected readonly previous = computed(() => this.#people.beside(Number(this.id()), -1));
  protected readonly next = computed(() => this.#people.beside(Number(this.id()), 1));

  /** The name of the person deleted here, until another is shown. */
  protected readonly deleted = linkedSignal({ source: this.id, computation: () => '' });
  private readonly question = viewChild.required(Question);
  private readonly article = viewChild.required<ElementRef<HTMLElement>>('article');
  protected readonly again$ = new Subject<void>();

  constructor() {
    answerWith(this.states.error);
    inject(PageTitle).show(this.title);
    // On a narrow screen, the list and the link that was followed make room for the person.
    afterNextRender(() => {
      if (this.#document.activeElement?.checkVisibility() === false) this.article().nativeElement.focus();
    });
    this.again$
      .pipe(
        switchMap(() => this.person.fetch$().pipe(accepted())),
        takeUntilDestroyed(),
      )
      .subscribe(() => {
        this.#focusFirst();
      });
  }

  /** Shows the person who has been brought back. */
  protected async goOn(): Promise<void> {
    await this.#editor.show();
    this.#focusFirst();
  }

  /** Focuses the first box, because the button that was pressed is gone. */
  #focusFirst(): void {
    afterNextRender(() => this.#document.getElementById(this.person.name.path)?.focus(), {
      injector: this.#injector,
    });
  }

  /** Whether to go on to another page or person: nothing typed is lost without asking. */
  async mayLeave(url: string): Promise<boolean> {
    if (!this.states.isDirty()) return true;
    // The address of a person just created is not another person's, and the save that navigates there waits for this.
    if (url.split('?')[0] === `/people/${String(this.person.id.value)}`) return true;
    if (this.#editor.isAutomatic() && !this.states.isNew() && (await this.#editor.save())) return true;
    return this.question().ask('Unsaved changes will be lost.', 'Discard changes');
  }

  /** Makes the browser ask before it closes the page with unsaved edits. */
  protected warn(event: Event): void {
    if (this.states.isDirty()) event.preventDefault();
  }
}

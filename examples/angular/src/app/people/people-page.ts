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
import { takeUntilDestroyed, toObservable } from '@angular/core/rxjs-interop';
import { Router, RouterLink, RouterOutlet } from '@angular/router';
import { Subject, combineLatest, debounceTime, skip, startWith, switchMap } from 'rxjs';

import { ArrowKeys } from '../ui/arrow-keys';
import { Segments } from '../ui/segments';
import { Trouble } from '../ui/trouble';

import { People } from './people';
import { PersonRow } from './person-row';

/** How many people are loaded at once. */
const pageSize = 50;

/** The people to choose from, found by the server, with the chosen one beside them. */
@Component({
  selector: 'app-people-page',
  imports: [ArrowKeys, PersonRow, RouterLink, RouterOutlet, Segments, Trouble],
  providers: [People],
  templateUrl: './people-page.component.html',
  styleUrl: './people-page.css',
})
export class PeoplePage {
  /** The search, kept in the address so that it can be bookmarked, shared and returned to. */
  readonly search = input('', { transform: (text: string | undefined) => text ?? '' });

  protected readonly pageSize = pageSize;
  protected readonly people = inject(People);
  /** How many are shown; nothing if that is not known. */
  protected readonly status = computed(() => {
    const { states, shown, found, total } = this.people;
    if (states.isReading()) return 'Loading…';
    return states.error() && found().length === 0 ? '' : `${shown().length} of ${total()}`;
  });
  /** The text in the box: the search, plus surrounding blanks, since more may be typed after them. */
  protected readonly text = linkedSignal<string, string>({
    source: this.search,
    computation: (search, typed) => (typed?.value.trim() === search ? typed.value : search),
  });
  /** How many to load: one page, then one more each time; another search starts over. */
  protected readonly limit = linkedSignal({ source: this.search, computation: () => pageSize });
  protected readonly again$ = new Subject<void>();
  private readonly list = viewChild.required<ElementRef<HTMLElement>>('list');
  readonly #document = inject(DOCUMENT);
  readonly #injector = inject(Injector);

  constructor() {
    const router = inject(Router);
    toObservable(this.text)
      .pipe(skip(1), debounceTime(250), takeUntilDestroyed())
      .subscribe((text) => {
        const search = text.trim() || null;
        void router.navigate([], { queryParams: { search }, queryParamsHandling: 'merge', replaceUrl: true });
      });

    combineLatest([
      toObservable(this.search),
      toObservable(this.limit),
      this.again$.pipe(startWith(undefined)),
    ])
      .pipe(
        // The latest search wins: `switchMap` unsubscribes from the previous one, which aborts its request.
        switchMap(([search, limit]) => this.people.fetch$(search, limit)),
        takeUntilDestroyed(),
      )
      .subscribe();
  }

  /** Gives the list the focus that was in the person, who is gone. */
  protected back(): void {
    afterNextRender(
      () => {
        if (this.#document.activeElement === this.#document.body) this.list().nativeElement.focus();
      },
      { injector: this.#injector },
    );
  }

  /** Moves the focus past the list. Followed as a link, "#person" would lead to the root: it is relative to `<base>`. */
  protected skip(event: Event): void {
    event.preventDefault();
    this.#document.getElementById('person')?.focus();
  }
}

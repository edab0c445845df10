import { DestroyRef, Service, effect, inject, signal } from '@angular/core';
import type { Signal } from '@angular/core';
import { Title } from '@angular/platform-browser';
import { TitleStrategy } from '@angular/router';
import type { RouterStateSnapshot } from '@angular/router';

/** The title of the page, in tabs, history and bookmarks: who or what is shown, then the title of the route. */
@Service()
export class PageTitle extends TitleStrategy {
  readonly #route = signal<string | undefined>(undefined);
  readonly #subject = signal<Signal<string> | undefined>(undefined);

  constructor() {
    super();
    const title = inject(Title);
    effect(() => {
      title.setTitle([this.#subject()?.(), this.#route()].filter((part) => part).join(' · '));
    });
  }

  override updateTitle(snapshot: RouterStateSnapshot): void {
    this.#route.set(this.buildTitle(snapshot));
  }

  /** Sets what the page shows, for the life of the component whose constructor calls it. */
  show(subject: Signal<string>): void {
    this.#subject.set(subject);
    inject(DestroyRef).onDestroy(() => {
      this.#subject.set(undefined);
    });
  }
}

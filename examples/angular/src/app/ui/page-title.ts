import { DestroyRef, Service, effect, inject, signal } from '@angular/core';
import type { Signal } from '@angular/core';
import { Title } from '@angular/platform-browser';
import { TitleStrategy } from '@angular/router';
import type { RouterStateSnapshot } from '@angular/router';

/** The title of the page, in tabs, history and bookmarks: that of the route, and before it who or what is shown. */
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

  /** Says what the page shows, for as long as the component lives in whose constructor it is called. */
  show(subject: Signal<string>): void {
    this.#subject.set(subject);
    inject(DestroyRef).onDestroy(() => {
      this.#subject.set(undefined);
    });
  }
}

import { DOCUMENT, Directive, ElementRef, afterEveryRender, inject } from '@angular/core';

/**
 * Lets the arrow keys, Home and End move through the items of a list, in addition to the Tab key. When the focused item is
 * removed, the one in its place gets the focus: otherwise keyboard users would start at the top of the page again.
 */
@Directive({
  selector: '[appArrowKeys]',
  host: { '(keydown)': 'move($event)', '(focusin)': 'remember($event)' },
})
export class ArrowKeys {
  readonly #list = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  readonly #document = inject(DOCUMENT);
  /** Where the focus was last. */
  #last: { readonly item: Element | null; readonly place: number } = { item: null, place: 0 };

  constructor() {
    afterEveryRender(() => {
      const { item, place } = this.#last;
      if (!item) return;
      // It may have moved since then, as the list changed around it.
      this.#last = item.isConnected ? this.#at(item) : { item: null, place };
      if (item.isConnected) return;
      if (this.#document.activeElement === this.#document.body) this.#go(place);
    });
  }

  protected remember({ target }: Event): void {
    this.#last = this.#at((target as Element).closest('li'));
  }

  protected move(event: KeyboardEvent): void {
    const place = this.#stops().indexOf(event.target as HTMLElement);
    const wanted = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: Infinity }[event.key];
    if (place < 0 || wanted === undefined) return;
    event.preventDefault();
    this.#go(wanted);
  }

  #at(item: Element | null): { readonly item: Element | null; readonly place: number } {
    return { item, place: [...this.#list.children].findIndex((each) => each === item) };
  }

  /** Focuses the item at a place, or the nearest one. */
  #go(place: number): void {
    const stops = this.#stops();
    stops[Math.max(0, Math.min(place, stops.length - 1))]?.focus();
  }

  /** The link or box of each item. */
  #stops(): HTMLElement[] {
    return [...this.#list.querySelectorAll<HTMLElement>('a, input')];
  }
}

import { Directive } from '@angular/core';

/** Lets the arrow keys, Home and End go through the links and boxes of a list, beside the Tab key. */
@Directive({
  selector: '[appArrowKeys]',
  host: { '(keydown)': 'move($event)' },
})
export class ArrowKeys {
  protected move(event: KeyboardEvent): void {
    const list = event.currentTarget as HTMLElement;
    const stops = [...list.querySelectorAll<HTMLElement>('a, input')];
    const place = stops.indexOf(event.target as HTMLElement);
    const wanted = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: stops.length - 1 }[event.key];
    if (place < 0 || wanted === undefined) return;
    event.preventDefault();
    stops[wanted]?.focus();
  }
}

import { debounceTime, distinctUntilChanged, filter, fromEvent, map, startWith, tap } from 'rxjs';
import type { Observable } from 'rxjs';

// What the page needs from the DOM. A binding that shows something is a stream, too: it works while subscribed, so a
// part of the page is the merge of its bindings, and unsubscribing releases them all.

/** The first match of a selector. Throws unless it has the right type: then the page and its script disagree. */
export function find<E extends Element>(root: ParentNode, selector: string, type: new () => E): E {
  const element = root.querySelector(selector);
  if (element instanceof type) return element;
  throw new Error(`The page has no ${type.name} at "${selector}".`);
}

/** The element inside another that has this `data-part`. */
export function part<E extends Element = HTMLElement>(
  root: ParentNode,
  name: string,
  type: new () => E = HTMLElement as unknown as new () => E,
): E {
  return find(root, `[data-part="${name}"]`, type);
}

/** A new copy of the content of a `<template>`. */
export function stamp(template: string): Node {
  return find(document, `template#${template}`, HTMLTemplateElement).content.cloneNode(true);
}

/** The clicks on a button while it is available. */
export function clicks(button: HTMLElement): Observable<Event> {
  return fromEvent(button, 'click').pipe(filter(() => button.ariaDisabled !== 'true'));
}

/** Submissions of a form, which do not leave the page. */
export function submits(form: HTMLFormElement): Observable<Event> {
  return fromEvent(form, 'submit').pipe(
    tap((event) => {
      event.preventDefault();
    }),
  );
}

/** The text to search for, each time it has changed and the typing has paused. */
export function searches(input: HTMLInputElement): Observable<string> {
  return fromEvent(input, 'input').pipe(
    debounceTime(250),
    map(() => input.value.trim()),
    distinctUntilChanged(),
  );
}

/** Whether a checkbox is checked: at once, then on each change. */
export function checked$(box: HTMLInputElement): Observable<boolean> {
  return fromEvent(box, 'change').pipe(
    startWith(undefined),
    map(() => box.checked),
  );
}

/** Emits when the page is left for good: in the back/forward cache it stays subscribed, to come back as it was. */
export const left$ = fromEvent<PageTransitionEvent>(window, 'pagehide').pipe(
  filter(({ persisted }) => !persisted),
);

/** Shows text, as text: nothing that a user or a server wrote becomes markup. Hides the element if it is empty. */
export function show(element: HTMLElement, words$: Observable<string>): Observable<unknown> {
  return words$.pipe(
    distinctUntilChanged(),
    tap((words) => {
      element.textContent = words;
      element.hidden = words === '';
    }),
  );
}

/** Sets whether an element is busy, for assistive technology and for the style sheet. */
export function busy(element: HTMLElement, isBusy$: Observable<boolean>): Observable<unknown> {
  return isBusy$.pipe(
    tap((isBusy) => {
      element.ariaBusy = String(isBusy);
    }),
  );
}

/**
 * Sets whether a button can be used.
 *
 * Uses `aria-disabled`, because a button that becomes `disabled` loses the focus: each save would send keyboard users
 * back to the start of the page.
 */
export function available(button: HTMLElement, isAvailable$: Observable<boolean>): Observable<unknown> {
  return isAvailable$.pipe(
    tap((isAvailable) => {
      button.ariaDisabled = String(!isAvailable);
    }),
  );
}

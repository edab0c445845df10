import { debounceTime, distinctUntilChanged, filter, fromEvent, map, startWith, tap } from 'rxjs';
import type { Observable } from 'rxjs';

// What the page needs of the DOM. Whatever shows something is a stream too: it works while it is subscribed to, so a
// part of the page is the merge of its bindings, and leaving it releases them all.

/** The element of that type that a selector finds. Throws where there is none: the page and its script disagree. */
export function find<E extends Element>(root: ParentNode, selector: string, type: new () => E): E {
  const element = root.querySelector(selector);
  if (element instanceof type) return element;
  throw new Error(`The page has no ${type.name} at "${selector}".`);
}

/** The element inside a part of the page that is marked with `data-part`. */
export function part<E extends Element = HTMLElement>(
  root: ParentNode,
  name: string,
  type: new () => E = HTMLElement as unknown as new () => E,
): E {
  return find(root, `[data-part="${name}"]`, type);
}

/** What a `<template>` of the page holds, anew at each call. */
export function stamp(template: string): Node {
  return find(document, `template#${template}`, HTMLTemplateElement).content.cloneNode(true);
}

/** The clicks on a button, while it is available. */
export function clicks(button: HTMLElement): Observable<Event> {
  return fromEvent(button, 'click').pipe(filter(() => button.ariaDisabled !== 'true'));
}

/** Sent forms, without leaving the page. */
export function submits(form: HTMLFormElement): Observable<Event> {
  return fromEvent(form, 'submit').pipe(
    tap((event) => {
      event.preventDefault();
    }),
  );
}

/** The text that is searched for, whenever it has become another and the typing has paused. */
export function searches(input: HTMLInputElement): Observable<string> {
  return fromEvent(input, 'input').pipe(
    debounceTime(250),
    map(() => input.value.trim()),
    distinctUntilChanged(),
  );
}

/** Whether a box is ticked: now, then at each change. */
export function checked$(box: HTMLInputElement): Observable<boolean> {
  return fromEvent(box, 'change').pipe(
    startWith(undefined),
    map(() => box.checked),
  );
}

/** Shows text, as text: nothing that a person or a server wrote becomes markup. Without text the element is hidden. */
export function show(element: HTMLElement, words$: Observable<string>): Observable<unknown> {
  return words$.pipe(
    distinctUntilChanged(),
    tap((words) => {
      element.textContent = words;
      element.hidden = words === '';
    }),
  );
}

/** Sets whether a part of the page is being changed, for assistive technology and for the style sheet. */
export function busy(element: HTMLElement, isBusy$: Observable<boolean>): Observable<unknown> {
  return isBusy$.pipe(
    tap((isBusy) => {
      element.ariaBusy = String(isBusy);
    }),
  );
}

/**
 * Sets whether a button can be used now.
 *
 * By `aria-disabled`, because a button that becomes `disabled` loses the focus, and whoever works by keyboard is
 * thrown back to the start of the page by saving.
 */
export function available(button: HTMLElement, isAvailable$: Observable<boolean>): Observable<unknown> {
  return isAvailable$.pipe(
    tap((isAvailable) => {
      button.ariaDisabled = String(!isAvailable);
    }),
  );
}

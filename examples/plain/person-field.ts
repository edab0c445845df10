import type { MappedField, StateStream } from 'rivulet';
import { combineLatest, filter, fromEvent, map, merge, skip, startWith, switchMap, take, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import { find, show } from './dom.ts';
import type { Trouble } from '../shared/explain.ts';

type Input = HTMLInputElement | HTMLTextAreaElement;

/** A field of any kind, to look at but not to write. */
interface Confirmable extends Observable<unknown> {
  readonly path: string;
  readonly isDirty$: StateStream<boolean>;
  readonly remote$: StateStream<unknown>;
}

/** Ties a text box and a field together, both ways. */
export function text(form: HTMLFormElement, field: MappedField<string, string>): Observable<unknown> {
  const input = inputOf(form, field.path);
  return merge(
    fromEvent(input, 'input').pipe(
      map(() => input.value),
      tap((value) => {
        field.next(value);
      }),
    ),
    merge(field, fromEvent(input, 'blur').pipe(map(() => field.value))).pipe(
      filter((value) => value !== input.value && !isTyping(input, value)),
      tap((value) => {
        input.value = value;
      }),
    ),
  );
}

/**
 * Whether a text box holds the value already, but for the blanks around it. A server that cuts them would otherwise, in
 * the answer to a save, take away the blank between two words while the second is being typed.
 */
function isTyping(input: Input, value: string): boolean {
  return input === document.activeElement && input.value.trim() === value;
}

/** Ties a date box and a field together, both ways; an empty box is null. */
export function date(form: HTMLFormElement, field: MappedField<string | null, string>): Observable<unknown> {
  const input = inputOf(form, field.path);
  return merge(
    fromEvent(input, 'change').pipe(
      map(() => input.value || null),
      tap((value) => {
        field.next(value);
      }),
    ),
    field.pipe(
      tap((value) => {
        input.value = value ?? '';
      }),
    ),
  );
}

/** Ties a tick box and a field together, both ways. */
export function tick(form: HTMLFormElement, field: MappedField<boolean, string>): Observable<unknown> {
  const input = inputOf(form, field.path) as HTMLInputElement;
  return merge(
    fromEvent(input, 'change').pipe(
      map(() => input.checked),
      tap((value) => {
        field.next(value);
      }),
    ),
    field.pipe(
      tap((value) => {
        input.checked = value;
      }),
    ),
  );
}

/** Shows next to a box whether its value is saved, what the saved one is, and what the server has against it. */
export function notes(
  form: HTMLFormElement,
  field: Confirmable,
  trouble$: Observable<Trouble>,
): Observable<unknown> {
  const input = inputOf(form, field.path);
  const mark$ = combineLatest([field.isDirty$, field.remote$]).pipe(
    map(([isDirty, saved]) => (isDirty ? mark(saved) : '')),
  );
  const error$ = trouble$.pipe(
    map(({ fields }) => fields[field.path]?.join(', ') ?? ''),
    // What is said of a value does not hold for the next.
    switchMap((words) =>
      field.pipe(
        skip(1),
        take(1),
        map(() => ''),
        startWith(words),
      ),
    ),
    tap((words) => {
      input.ariaInvalid = String(words !== '');
    }),
  );
  return merge(
    show(find(form, `#${input.id}-mark`, HTMLElement), mark$),
    show(find(form, `#${input.id}-error`, HTMLElement), error$),
  );
}

function mark(saved: unknown): string {
  return typeof saved === 'string' && saved !== '' ? `unsaved, was “${saved}”` : 'unsaved';
}

function inputOf(form: HTMLFormElement, path: string): Input {
  const input = form.elements.namedItem(path);
  if (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) return input;
  throw new Error(`The form has no input for "${path}".`);
}

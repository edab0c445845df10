import type { MappedField, StateStream } from 'rivulet';
import { combineLatest, filter, fromEvent, map, merge, skip, startWith, switchMap, take, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import { find, show } from './dom.ts';
import type { Trouble } from '../shared/explain.ts';

type Input = HTMLInputElement | HTMLTextAreaElement;

/** A field of any type, to read but not to write. */
interface Confirmable extends Observable<unknown> {
  readonly path: string;
  readonly isDirty$: StateStream<boolean>;
  readonly remote$: StateStream<unknown>;
}

/** Binds a text box and a field to each other. */
export function text(form: HTMLFormElement, field: MappedField<string>): Observable<unknown> {
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
 * Whether a text box with the focus already holds the value, apart from surrounding blanks. Otherwise the answer of a
 * server that trims would remove the blank between two words while the second is being typed.
 */
function isTyping(input: Input, value: string): boolean {
  return input === document.activeElement && input.value.trim() === value;
}

/** Binds a date box and a field to each other; an empty box is null. */
export function date(form: HTMLFormElement, field: MappedField<string | null>): Observable<unknown> {
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

/** Binds a checkbox and a field to each other. */
export function tick(form: HTMLFormElement, field: MappedField<boolean>): Observable<unknown> {
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

/** Shows next to a box whether its value is saved, what the saved value is, and what the server objects to. */
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
    // An error about one value does not apply to the next.
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

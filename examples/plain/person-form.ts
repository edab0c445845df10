import { saveLatest } from 'rivulet';
import {
  EMPTY,
  combineLatest,
  debounceTime,
  defer,
  exhaustMap,
  filter,
  finalize,
  fromEvent,
  ignoreElements,
  map,
  merge,
  shareReplay,
  skip,
  startWith,
  switchMap,
  tap,
} from 'rxjs';
import type { Observable } from 'rxjs';

import { accepted } from '../shared/accepted.ts';
import { ask } from './ask.ts';
import { available, busy, checked$, clicks, part, show, submits } from './dom.ts';
import { explain } from '../shared/explain.ts';
import { date, notes, text, tick } from './person-field.ts';
import { standing$, title$ } from './person-status.ts';
import type { Person, PersonSummary } from './person.ts';

/** What the server has confirmed: a person as now stored, or the id of a deleted one. */
export type PersonChange = { readonly saved: PersonSummary } | { readonly deleted: number };

/** Edits one person, and emits what the server confirms. Unsubscribing aborts requests and disposes of the record. */
export function personForm(form: HTMLFormElement, person: Person): Observable<PersonChange> {
  return defer(() =>
    merge(requests$(form, person), edits$(form, person), state$(form, person)).pipe(
      finalize(() => {
        person.dispose();
      }),
    ),
  );
}

/** All requests of the form. Failures are in `person.error$`. */
function requests$(form: HTMLFormElement, person: Person): Observable<PersonChange> {
  const asked$ = merge(saves$(form, person), reloads$(form, person), deletes$(form, person));
  // Cancel only has to unsubscribe: the request under way is aborted, a waiting one is not sent, and what was typed
  // stays. Then this subscribes to the buttons again.
  return clicks(part(form, 'cancel')).pipe(
    map(() => EMPTY),
    startWith(person.isNew$.value ? EMPTY : read$(person)),
    switchMap((first$) => merge(first$, asked$)),
  );
}

/**
 * The button and the autosave share one `saveLatest`: one save at a time, then another if something was typed in the
 * meantime. Only unsaved fields are sent, so that nobody else's changes to the other fields are undone. Without Cancel,
 * `autosave` from `rivulet/autosave` would do all this; it would save again what Cancel has kept.
 */
function saves$(form: HTMLFormElement, person: Person): Observable<PersonChange> {
  const isOn$ = checked$(part(form, 'autosave', HTMLInputElement));
  const typed$ = combineLatest([person.changes$, isOn$, person.isDeleting$]).pipe(
    // The first value is the state so far; only what is typed or switched on from now on is saved automatically.
    skip(1),
    debounceTime(500),
    // A new person is first saved with the button: an incomplete one would only be refused.
    filter(([, isOn]) => isOn && !person.isNew$.value),
  );
  return merge(submits(form), typed$).pipe(
    saveLatest(() =>
      defer(() => (isSavable(person) ? person.save$({ patch: true }).pipe(accepted()) : EMPTY)),
    ),
    map(() => ({ saved: person.summary })),
  );
}

function reloads$(form: HTMLFormElement, person: Person): Observable<never> {
  return clicks(part(form, 'reload')).pipe(switchMap(() => read$(person)));
}

/** Reads the person from the server. Unsaved text stays, and stays marked; Revert discards it. */
function read$(person: Person): Observable<never> {
  return person.fetch$({ keepEdits: true }).pipe(accepted(), ignoreElements());
}

function deletes$(form: HTMLFormElement, person: Person): Observable<PersonChange> {
  const delete$ = defer(() => {
    const deleted = person.id.value ?? 0;
    return person.destroy$().pipe(
      accepted(),
      map(() => ({ deleted })),
    );
  });
  return clicks(part(form, 'delete')).pipe(
    exhaustMap(() =>
      ask(`Delete ${person.name.remote$.value || 'this person'} from the server?`, 'Delete').pipe(
        filter((yes) => yes),
        switchMap(() => delete$),
      ),
    ),
  );
}

/** Binds the inputs of the form to the fields of the person. */
function edits$(form: HTMLFormElement, person: Person): Observable<never> {
  const { name, email, phone, born, role, company, street, city, country, active, notes: remarks } = person;
  const texts = [name, email, phone, role, company, street, city, country, remarks];
  const trouble$ = person.error$.pipe(switchMap(explain), shareReplay({ bufferSize: 1, refCount: true }));
  return merge(
    ...texts.map((field) => text(form, field)),
    date(form, born),
    tick(form, active),
    ...[...texts, born, active].map((field) => notes(form, field, trouble$)),
    show(part(form, 'error'), trouble$.pipe(map(({ summary }) => summary))),
    clicks(part(form, 'revert')).pipe(tap(() => person.reset())),
  ).pipe(ignoreElements());
}

/** Shows the state of the person, and which buttons can be used. */
function state$(form: HTMLFormElement, person: Person): Observable<never> {
  const isOld$ = person.isNew$.pipe(map((isNew) => !isNew));
  const isSavable$ = combineLatest([person.isNew$, person.isDirty$, person.isDeleting$]).pipe(
    map(() => isSavable(person)),
  );
  const status = part(form, 'status');
  return merge(
    standing$(person).pipe(
      tap(({ words, kind }) => {
        status.textContent = words;
        status.dataset.kind = kind;
      }),
    ),
    show(part(form, 'title'), title$(person)),
    busy(form, person.requestInProgress$),
    available(part(form, 'save'), isSavable$),
    available(part(form, 'cancel'), person.requestInProgress$),
    available(part(form, 'revert'), person.isDirty$),
    available(part(form, 'reload'), isOld$),
    available(part(form, 'delete'), isOld$),
    // Makes the browser ask before it leaves the page with unsaved text.
    fromEvent(window, 'beforeunload').pipe(
      filter(() => person.isDirty$.value),
      tap((event) => {
        event.preventDefault();
      }),
    ),
  ).pipe(ignoreElements());
}

/** Not during a delete: the save would wait for it, and create the deleted person again. */
function isSavable({ isNew$, isDirty$, isDeleting$ }: Person): boolean {
  return !isDeleting$.value && (isNew$.value || isDirty$.value);
}

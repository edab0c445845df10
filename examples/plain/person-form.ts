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

/** What the server has confirmed: a person as it is now, or an id that is gone. */
export type PersonChange = { readonly saved: PersonSummary } | { readonly deleted: number };

/** Edits one person. Emits what comes of it; leaving aborts what is under way, and ends the record. */
export function personForm(form: HTMLFormElement, person: Person): Observable<PersonChange> {
  return defer(() =>
    merge(requests$(form, person), edits$(form, person), state$(form, person)).pipe(
      finalize(() => {
        person.dispose();
      }),
    ),
  );
}

/** All that the form asks of the server. Failures are in `person.error$`. */
function requests$(form: HTMLFormElement, person: Person): Observable<PersonChange> {
  const asked$ = merge(saves$(form, person), reloads$(form, person), deletes$(form, person));
  // Cancel unsubscribes, and that is all it takes: the request under way is aborted, one that waits is not sent, and
  // what was typed stays. Then the buttons are listened to again.
  return clicks(part(form, 'cancel')).pipe(
    map(() => EMPTY),
    startWith(person.isNew$.value ? EMPTY : read$(person)),
    switchMap((first$) => merge(first$, asked$)),
  );
}

/**
 * The button and the autosave share one `saveLatest`: one save at a time, and after it another if something was typed
 * meanwhile. Only what is unsaved is sent, so that nobody else's changes to the other fields are undone.
 */
function saves$(form: HTMLFormElement, person: Person): Observable<PersonChange> {
  const isOn$ = checked$(part(form, 'autosave', HTMLInputElement));
  const typed$ = combineLatest([person.changes$, isOn$, person.isDeleting$]).pipe(
    // The first is what was there before; only what is typed, or switched on, from now on is saved unasked.
    skip(1),
    debounceTime(500),
    // A new person is saved by the button first: half of one would only be refused.
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

/** Reads what the server has. Unsaved text stays, and stays marked: to throw it away there is Revert. */
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

/** Ties the boxes of the form to the fields of the person. */
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

/** Shows how the person stands with the server, and which buttons are of use. */
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
    // A browser asks before it leaves the page with text that is not saved.
    fromEvent(window, 'beforeunload').pipe(
      filter(() => person.isDirty$.value),
      tap((event) => {
        event.preventDefault();
      }),
    ),
  ).pipe(ignoreElements());
}

/** Not behind a delete: that would create anew whom somebody has just deleted. */
function isSavable({ isNew$, isDirty$, isDeleting$ }: Person): boolean {
  return !isDeleting$.value && (isNew$.value || isDirty$.value);
}

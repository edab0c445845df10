import { lib } from 'rivulet';
import type { Collection } from 'rivulet';
import { BehaviorSubject, defer, exhaustMap, filter, finalize, map, merge, of, switchMap, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import { ask } from './ask.ts';
import { find } from './dom.ts';
import { peopleList } from './people-list.ts';
import { personForm } from './person-form.ts';
import type { PersonChange } from './person-form.ts';
import { Person, peopleUrl } from './person.ts';
import type { PersonSummary } from './person.ts';

type People = Collection<PersonSummary>;

/** A list to choose a person from, and the form that edits the one chosen. */
export function people(section: HTMLElement, form: HTMLFormElement): Observable<unknown> {
  return defer(() => {
    const search = find(section, 'input[type=search]', HTMLInputElement);
    const list: People = lib.collection<PersonSummary>({
      url: () => `${peopleUrl}?${String(query(search.value.trim()))}`,
      requestLull: 400,
    });
    // Each choice makes a new record, so nothing of one person can end up in another.
    const person$ = new BehaviorSubject(new Person());

    const chosen$ = peopleList(section, list, person$.pipe(switchMap(({ id }) => id))).pipe(
      exhaustMap((id) => leave$(person$.value).pipe(map(() => new Person(id)))),
      tap((person) => {
        person$.next(person);
      }),
      filter(({ isNew$ }) => isNew$.value),
      tap(() => {
        find(form, '[name=name]', HTMLElement).focus();
      }),
    );
    const edited$ = person$.pipe(
      switchMap((person) => personForm(form, person)),
      tap((change) => {
        apply(list, change);
      }),
    );
    return merge(edited$, chosen$).pipe(
      finalize(() => {
        list.dispose();
      }),
    );
  });
}

function query(search: string): URLSearchParams {
  return new URLSearchParams({ search, _sort: 'name', _per_page: '6' });
}

/** Emits if the user may leave the person: at once, or after confirming if something is unsaved. */
function leave$(person: Person): Observable<unknown> {
  if (!person.isDirty$.value) return of(true);
  return ask('Unsaved changes in the form will be lost.', 'Discard changes').pipe(filter((yes) => yes));
}

/** Keeps the list up to date with the form, without asking the server again. */
function apply(list: People, change: PersonChange): void {
  if ('deleted' in change) {
    list.remove(({ id }) => id === change.deleted);
    return;
  }
  const { saved } = change;
  const before = list.find(({ id }) => id === saved.id);
  // A new person goes to the top, to be seen.
  if (before) list.splice(list.indexOf(before), 1, saved);
  else list.unshift(saved);
}

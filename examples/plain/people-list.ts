import type { Collection } from 'rivulet';
import {
  combineLatest,
  defer,
  ignoreElements,
  map,
  merge,
  startWith,
  switchMap,
  tap,
  withLatestFrom,
} from 'rxjs';
import type { Observable } from 'rxjs';

import { accepted } from '../shared/accepted.ts';
import { busy, clicks, find, part, searches, show, stamp, submits } from './dom.ts';
import { explain } from '../shared/explain.ts';
import type { PersonSummary } from './person.ts';
import { rows } from './rows.ts';

type Id = number | undefined;

/**
 * Shows a short list of people to choose from.
 *
 * @param edited$ The id of the person being edited.
 * @returns The id of each person chosen, from the list or by number; undefined for a new one.
 */
export function peopleList(
  section: HTMLElement,
  people: Collection<PersonSummary>,
  edited$: Observable<Id>,
): Observable<Id> {
  return merge(
    rows(part(section, 'list'), people, (element, person$) => personRow(element, person$, edited$)),
    clicks(part(section, 'new')).pipe(map(() => undefined)),
    numbers(part(section, 'open', HTMLFormElement)),
    merge(load$(section, people), state$(section, people)).pipe(ignoreElements()),
  );
}

function personRow(
  element: HTMLElement,
  person$: Observable<PersonSummary>,
  edited$: Observable<Id>,
): Observable<Id> {
  return defer(() => {
    element.append(stamp('person-row'));
    const button = find(element, 'button', HTMLElement);
    const shown$ = merge(
      show(part(element, 'name'), person$.pipe(map(({ name }) => name))),
      show(part(element, 'city'), person$.pipe(map(({ address }) => address.city))),
      combineLatest([person$, edited$]).pipe(
        tap(([{ id }, edited]) => {
          button.ariaCurrent = String(id === edited);
        }),
      ),
    );
    const chosen$ = clicks(button).pipe(withLatestFrom(person$, (_click, { id }) => id));
    return merge(chosen$, shown$.pipe(ignoreElements()));
  });
}

function numbers(form: HTMLFormElement): Observable<number> {
  const input = find(form, 'input', HTMLInputElement);
  return submits(form).pipe(map(() => Number(input.value)));
}

function load$(section: HTMLElement, people: Collection<PersonSummary>): Observable<unknown> {
  return searches(find(section, 'input[type=search]', HTMLInputElement)).pipe(
    startWith(undefined),
    switchMap(() => people.fetch$().pipe(accepted())),
  );
}

function state$(section: HTMLElement, people: Collection<PersonSummary>): Observable<unknown> {
  const { isReading$, error$ } = people;
  const empty$ = combineLatest([isReading$, error$, people.where$({})]).pipe(
    map(([isReading, error, { length }]) => (isReading || error || length > 0 ? '' : 'Nobody here.')),
  );
  return merge(
    busy(section, isReading$),
    show(part(section, 'status'), isReading$.pipe(map((isReading) => (isReading ? 'Loading…' : '')))),
    show(part(section, 'empty'), empty$),
    show(
      part(section, 'error'),
      error$.pipe(
        switchMap(explain),
        map(({ summary }) => summary),
      ),
    ),
  );
}

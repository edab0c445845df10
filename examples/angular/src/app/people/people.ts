import { Service, inject, signal } from '@angular/core';
import { toSignal } from '@angular/core/rxjs-interop';
import { lib } from 'rivulet';
import { injectCollection, toSignals, toWritableSignal } from 'rivulet/angular';
import { defer, switchMap, tap } from 'rxjs';
import type { Observable } from 'rxjs';

import { accepted } from '../../../../shared/accepted';
import { LULL } from '../ui/lull';

import type { PersonSummary } from './person';

const criteria = { all: {}, active: { active: true }, former: { active: false } };

/** Which of the people to show. */
export type Choice = keyof typeof criteria;

/** The people that the server has found, and which of them are shown. */
@Service({ autoProvided: false })
export class People {
  readonly #list = injectCollection<PersonSummary>({
    // A function is called for each request, so the query is always the current one.
    url: () => `/api/people?${new URLSearchParams({ ...this.#wanted, _sort: 'name' }).toString()}`,
    requestLull: inject(LULL),
  });
  readonly #choice = lib.observable<Choice>('all');
  readonly #total = signal(0);
  #wanted = {};

  readonly choices = Object.keys(criteria) as readonly Choice[];
  readonly choice = toWritableSignal(this.#choice);
  readonly found = toWritableSignal(this.#list).asReadonly();
  /** Filtered here, again after each change of the list, without asking the server. */
  readonly shown = toSignal(this.#choice.pipe(switchMap((choice) => this.#list.where$(criteria[choice]))), {
    requireSync: true,
  });
  readonly states = toSignals(this.#list);

  /** How many people on the server match the search, loaded or not. */
  readonly total = this.#total.asReadonly();

  /** Searches for people on the server, and loads the first `limit` of them. */
  fetch$(search: string, limit: number): Observable<Response> {
    return defer(() => {
      this.#wanted = { ...(search && { search }), _per_page: limit };
      return this.#list.fetch$();
    }).pipe(
      accepted(),
      tap(({ headers }) => {
        this.#total.set(Number(headers.get('X-Total-Count')));
      }),
    );
  }

  /**
   * Adds or updates one person as the server has confirmed them, without requesting the list again. One who is not loaded, and
   * not new, has a place further down.
   */
  put(person: PersonSummary, isNew: boolean): void {
    const before = this.#list.byId(person.id);
    if (before) this.#list.splice(this.#list.indexOf(before), 1, person);
    else if (isNew) {
      // At the top, to be seen.
      this.#list.unshift(person);
      this.#total.update((total) => total + 1);
    }
  }

  /** Removes the person with that id from the list. */
  remove(id: number | undefined): void {
    const { length } = this.#list.remove((person) => person.id === id);
    this.#total.update((total) => total - length);
  }

  /** The name of the person with that id; undefined if not in the list. */
  named(id: string): string | undefined {
    return this.found().find((person) => person.id === Number(id))?.name;
  }

  /** The person before (-1) or after (1) another in the list shown; undefined if there is none. */
  beside(id: number | undefined, step: 1 | -1): PersonSummary | undefined {
    const place = this.shown().findIndex((person) => person.id === id);
    return place < 0 ? undefined : this.shown()[place + step];
  }
}

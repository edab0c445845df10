import { Component, inject, signal } from '@angular/core';
import { takeUntilDestroyed, toSignal } from '@angular/core/rxjs-interop';
import { lib } from 'rivulet';
import { injectCollection, toSignals, toWritableSignal } from 'rivulet/angular';
import { Subject, concatMap, defaultIfEmpty, map, startWith, switchMap } from 'rxjs';

import { accepted } from '../../../../shared/accepted';
import { ArrowKeys } from '../ui/arrow-keys';
import { LULL } from '../ui/lull';
import { Segments } from '../ui/segments';
import { Trouble } from '../ui/trouble';

import { groceriesUrl } from './grocery';
import type { GroceryItem } from './grocery';
import { GroceryRow } from './grocery-row';

const criteria = { all: {}, 'to buy': { done: false }, done: { done: true } };

type Choice = keyof typeof criteria;

/** A shopping list: added to, ticked off and removed from. */
@Component({
  selector: 'app-groceries-page',
  imports: [ArrowKeys, GroceryRow, Segments, Trouble],
  templateUrl: './groceries-page.component.html',
  styleUrl: './groceries-page.css',
})
export class GroceriesPage {
  readonly #groceries = injectCollection<GroceryItem>({ url: groceriesUrl, requestLull: inject(LULL) });
  readonly #choice = lib.observable<Choice>('all');

  protected readonly states = toSignals(this.#groceries);
  protected readonly choices = Object.keys(criteria) as readonly Choice[];
  protected readonly choice = toWritableSignal(this.#choice);
  /** Chosen here, anew after each change of the list, without asking the server. */
  protected readonly shown = toSignal(
    this.#choice.pipe(switchMap((choice) => this.#groceries.where$(criteria[choice]))),
    { requireSync: true },
  );
  protected readonly left = toSignal(
    this.#groceries.where$({ done: false }).pipe(map(({ length }) => length)),
    { requireSync: true },
  );

  /** What is typed into the box for a new one. */
  protected readonly text = signal('');
  /** Names that are on their way to the server: shown as such, not yet as groceries. */
  protected readonly coming = signal<readonly string[]>([]);

  protected readonly reload$ = new Subject<void>();
  readonly #added$ = new Subject<string>();

  constructor() {
    this.reload$
      .pipe(
        startWith(undefined),
        switchMap(() => this.#groceries.fetch$().pipe(accepted())),
        takeUntilDestroyed(),
      )
      .subscribe();
    this.#added$
      .pipe(
        concatMap((name) => this.#create$(name)),
        takeUntilDestroyed(),
      )
      .subscribe();
  }

  protected add(): void {
    const name = this.text();
    this.text.set('');
    this.coming.update((names) => [...names, name]);
    this.#added$.next(name);
  }

  /** Sends a new one. If it is refused, its name goes back to where it was typed. */
  #create$(name: string) {
    const item = { name, quantity: 1, unit: 'pcs', category: 'Other', done: false };
    return this.#groceries.create$(item).pipe(
      accepted(),
      defaultIfEmpty(undefined),
      map((answer) => {
        this.coming.update(([, ...others]) => others);
        if (!answer) this.text.update((text) => text || name);
      }),
    );
  }

  protected put(before: GroceryItem, after: GroceryItem): void {
    this.#groceries.splice(this.#groceries.indexOf(before), 1, after);
  }

  protected drop(item: GroceryItem): void {
    this.#groceries.remove(({ id }) => id === item.id);
  }
}

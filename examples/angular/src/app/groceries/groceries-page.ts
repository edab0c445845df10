import { Component, computed, inject, signal } from '@angular/core';
import { takeUntilDestroyed, toSignal } from '@angular/core/rxjs-interop';
import { lib } from 'rivulet';
import { injectCollection, toSignals, toWritableSignal } from 'rivulet/angular';
import { Subject, concatMap, defaultIfEmpty, map, startWith, switchMap } from 'rxjs';

import { accepted } from '../../../../shared/accepted';
import { ArrowKeys } from '../ui/arrow-keys';
import { LULL } from '../ui/lull';
import { Segments } from '../ui/segments';
import { Trouble } from '../ui/trouble';

import { Grocery } from './grocery';
import type { GroceryItem } from './grocery';
import { GroceryRow } from './grocery-row';

const criteria = { all: {}, 'to buy': { done: false }, done: { done: true } };

type Choice = keyof typeof criteria;

/** A grocery to be added. */
interface Coming {
  readonly name: string;
  /** Whether adding it has failed. */
  readonly isRefused: boolean;
}

/** A shopping list: items are added, ticked off and removed. */
@Component({
  selector: 'app-groceries-page',
  imports: [ArrowKeys, GroceryRow, Segments, Trouble],
  templateUrl: './groceries-page.component.html',
  styleUrl: './groceries-page.css',
})
export class GroceriesPage {
  readonly #groceries = injectCollection<GroceryItem, Grocery>({
    url: '/api/groceries',
    requestLull: inject(LULL),
    model: Grocery,
  });
  readonly #choice = lib.observable<Choice>('all');

  protected readonly states = toSignals(this.#groceries);
  protected readonly choices = Object.keys(criteria) as readonly Choice[];
  protected readonly choice = toWritableSignal(this.#choice);
  /** Filtered here, again after each change of the list, without asking the server. */
  protected readonly shown = toSignal(
    this.#choice.pipe(switchMap((choice) => this.#groceries.where$(criteria[choice]))),
    { requireSync: true },
  );
  protected readonly left = toSignal(
    this.#groceries.where$({ done: false }).pipe(map(({ length }) => length)),
    { requireSync: true },
  );

  /** Whether the list is what the server has; an empty one may be due to a failure. */
  protected readonly isKnown = computed(() => this.left() + this.shown().length > 0 || !this.states.error());
  protected readonly status = computed(() => {
    if (this.states.isReading()) return 'Loading…';
    return this.isKnown() ? `${this.left()} to buy` : '';
  });

  /** The text in the box for a new item. */
  protected readonly text = signal('');
  /** Items that are being added or were refused: shown as such, not yet as groceries. */
  protected readonly coming = signal<readonly Coming[]>([]);

  protected readonly reload$ = new Subject<void>();
  readonly #added$ = new Subject<Coming>();

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
        concatMap((one) => this.#create$(one)),
        takeUntilDestroyed(),
      )
      .subscribe();
  }

  protected add(): void {
    const name = this.text();
    this.text.set('');
    this.#send(name);
  }

  /** Sends a refused item again. */
  protected addAgain(refused: Coming): void {
    this.#replace(refused);
    this.#send(refused.name);
  }

  #send(name: string): void {
    const one: Coming = { name, isRefused: false };
    this.coming.update((others) => [...others, one]);
    this.#added$.next(one);
  }

  /** Sends an item. If that fails, its name goes back into the box if that is empty; if not, it can be sent again. */
  #create$(one: Coming) {
    const { name } = one;
    const item = { name, quantity: 1, unit: 'pcs', category: 'Other', done: false };
    return this.#groceries.create$(item).pipe(
      accepted(),
      defaultIfEmpty(undefined),
      map((answer) => {
        if (answer) this.#replace(one);
        else if (this.text()) this.#replace(one, { name, isRefused: true });
        else {
          this.#replace(one);
          this.text.set(name);
        }
      }),
    );
  }

  #replace(one: Coming, ...by: readonly Coming[]): void {
    this.coming.update((all) => all.flatMap((each) => (each === one ? by : [each])));
  }

  /** The record of an item: the same one as long as its row is there. */
  protected recordOf(item: GroceryItem): Grocery {
    return this.#groceries.record(item);
  }
}

import fc from 'fast-check';
import type { Subscription } from 'rxjs';
import { describe } from 'vitest';

import { createLib } from 'rivulet';
import type { Collection, Delta } from 'rivulet';
import { view } from 'rivulet/views';
import type { ListSource, PageOptions, View, ViewOptions } from 'rivulet/views';

import { law } from './law';
import { same } from './same';
import { Oracle, shown } from './views/oracle';
import type { Item } from './views/oracle';
import { item, options, pages, writes } from './views/steps';
import type { Write } from './views/steps';

/** A view under test, and its expected items. */
class Subject {
  readonly view: View<Item>;
  readonly #source: ListSource<Item>;
  /** The view it is a view of, if any: subscribed while this one is. */
  readonly #parent: Subject | undefined;
  #options: ViewOptions<Item>;
  #holders = 0;
  #oracle: Oracle | undefined;
  #subscription: Subscription | undefined;
  /** The items shown at first, changed by the deltas, in any order. */
  #summed: Item[] = [];
  #told: readonly Item[] = [];

  constructor(source: ListSource<Item>, options: ViewOptions<Item>, parent?: Subject) {
    this.view = view(source, options);
    this.#source = source;
    this.#options = options;
    this.#parent = parent;
  }

  page(page: PageOptions): void {
    this.#options = { ...this.#options, ...page };
    this.view.page(page);
  }

  /** Records the order in which items arrive from now on. */
  hold(): void {
    this.#parent?.hold();
    this.#holders += 1;
    this.#oracle ??= new Oracle(this.#source);
  }

  release(): void {
    this.#holders -= 1;
    if (!this.#holders) {
      this.#oracle?.subscription.unsubscribe();
      this.#oracle = undefined;
    }
    this.#parent?.release();
  }

  /** Subscribes, or unsubscribes. */
  toggle(onTold?: () => void): void {
    if (this.#subscription) {
      this.#subscription.unsubscribe();
      this.#subscription = undefined;
      this.release();
      return;
    }
    this.hold();
    let isFirst = true;
    this.#subscription = this.view.delta$.subscribe((delta) => {
      this.#sum(delta);
    });
    this.#summed = [...this.view.value];
    this.#subscription.add(
      this.view.subscribe((items) => {
        // Writes by a subscriber may cancel each other out before the next notification.
        if (!isFirst && !onTold) same(sameItems(items, this.#told), false, 'told without a change');
        same(items === this.view.value, true, 'told what is not its value');
        this.#told = items;
        if (!isFirst) onTold?.();
        isFirst = false;
      }),
    );
  }

  check(): void {
    const { list, count } = shown(this.#oracle?.items ?? this.#source.value, this.#options);
    same(this.view.value, list);
    same(this.view.count$.value, count);
    if (!this.#subscription) return;
    same(this.#told === this.view.value, true, 'was not told of its value');
    same(sortedText(this.#summed), sortedText(this.view.value), 'deltas');
  }

  #sum({ added, changed, removed }: Delta<Item>): void {
    same(added.length + changed.length + removed.length > 0, true, 'a delta of nothing');
    for (const gone of [...removed, ...changed.map(([before]) => before)]) {
      const place = this.#summed.indexOf(gone);
      same(place >= 0, true, 'a delta takes away what was not there');
      this.#summed.splice(place, 1);
    }
    this.#summed.push(...added, ...changed.map(([, after]) => after));
  }
}

const sameItems = (a: readonly Item[], b: readonly Item[]) =>
  a.length === b.length && a.every((each, place) => each === b[place]);
const sortedText = (items: readonly Item[]) => items.map((each) => JSON.stringify(each)).sort();

/** A step for a collection, or for a view of it. */
interface Step {
  run(items: Collection<Item>, subjects: readonly Subject[], onTold?: () => void): void;
  toString(): string;
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: writes.map((each: Write): Step => each) },
  fc.tuple(fc.nat(1), pages).map(([which, page]): Step => ({
    run: (_, subjects) => subjects[which]?.page(page),
    toString: () => `page of view ${which} ${JSON.stringify(page)}`,
  })),
  fc.nat(1).map((which): Step => ({
    run: (_, subjects, onTold) => subjects[which]?.toggle(onTold),
    toString: () => `subscribe to view ${which}, or unsubscribe`,
  })),
);

describe('a view, and a view of it,', () => {
  law(
    'show the same as if computed from scratch, whatever happens',
    [fc.array(item, { maxLength: 7 }), options, options, fc.array(steps, { maxLength: 10 })],
    (data, first, second, happening) => {
      const items = createLib().collection(data);
      const outer = new Subject(items, first);
      const subjects = [outer, new Subject(outer.view, second, outer)];
      for (const step of happening) {
        step.run(items, subjects);
        for (const subject of subjects) subject.check();
      }
    },
    3000,
  );

  law(
    'do so when subscribers write, page and unsubscribe on notification',
    [fc.array(item, { maxLength: 7 }), options, options, fc.array(steps, { maxLength: 12 })],
    (data, first, second, happening) => {
      const items = createLib().collection(data);
      const outer = new Subject(items, first);
      const subjects = [outer, new Subject(outer.view, second, outer)];
      const left = [...happening];
      const next = () => left.shift()?.run(items, subjects, next);
      // Also acts on writes that views ignore, and between those that they report.
      items.subscribe(() => {
        if (left.length % 2) next();
      });
      while (left.length) {
        next();
        for (const subject of subjects) subject.check();
      }
    },
    3000,
  );
});

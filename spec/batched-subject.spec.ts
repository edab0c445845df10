import { finalize, map, skip, switchMap } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { raise } from './hostile';
import { withPerson } from './person';
import { unhandledOf } from './unhandled';
import { valuesOf } from './watch';

describe('a subscription made during a write', () => {
  it('begins with the value written, and receives it once', () => {
    const { person } = withPerson();
    const pairs: unknown[] = [];
    person.name.pipe(switchMap((name) => person.city.pipe(map((city) => [name, city])))).subscribe((pair) => {
      pairs.push(pair);
    });

    person.set({ name: 'Eve', address: { city: 'Rome' } });

    expect(pairs).toStrictEqual([
      ['Ann', 'Bonn'],
      ['Eve', 'Rome'],
    ]);
  });

  it.each(['alone', 'beside others'])('completes like all others: %s', (company) => {
    const { person } = withPerson();
    if (company !== 'alone') valuesOf(person.city);
    const log: string[] = [];
    const cities$ = person.name.pipe(
      skip(1),
      switchMap(() => person.city),
    );
    cities$.subscribe({ next: (city) => log.push(city), complete: () => log.push('completion') });
    person.set({ name: 'Eve', address: { city: 'Rome' } });

    person.dispose();

    expect(log).toStrictEqual(['Rome', 'completion']);
  });
});

describe('a value that is written again before it is emitted', () => {
  it('is emitted once to a new subscriber', () => {
    const { person } = withPerson();
    const cities: string[][] = [];
    const left = person.city.subscribe();
    person.name.pipe(skip(1)).subscribe(() => {
      // No subscriber is left to receive either value.
      left.unsubscribe();
      person.city.next('Oslo');
      cities.push(valuesOf(person.city));
    });

    person.set({ name: 'Eve', address: { city: 'Rome' } });

    expect(cities).toStrictEqual([['Oslo']]);
  });
});

describe('a subscriber whose teardown throws', () => {
  const failure = new Error('teardown');

  it('does not keep others from completing, and is reported as an unhandled error', () => {
    const { person } = withPerson();
    const heard: string[] = [];
    const hearing = (name: string) => ({ complete: () => heard.push(name) });
    person.name.pipe(finalize(() => raise(failure))).subscribe(hearing('name'));
    person.city.subscribe(hearing('city'));
    person.data$.subscribe(hearing('data'));

    const unhandled = unhandledOf(() => {
      person.dispose();
    });

    expect(heard.sort()).toStrictEqual(['city', 'data', 'name']);
    expect(unhandled).toMatchObject([{ errors: [failure] }]);
  });
});

import { BehaviorSubject, EMPTY, Subject, observable, throwError } from 'rxjs';
import type { InteropObservable, Observable, Observer } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { resourceOf } from '../lib/resource';

import { withPerson } from './person';
import { valuesOf, watch } from './watch';

interface Row {
  readonly id?: unknown;
  readonly name?: string;
  readonly address?: { readonly city?: string };
}

/** A person that follows rows. */
function following() {
  const rows$ = new Subject<Row>();
  const { person, server } = withPerson();
  const data: unknown[] = [];
  const ends: unknown[] = [];
  const subscription = person.follow(rows$).subscribe({
    next: (value) => data.push(value),
    error: (error: unknown) => ends.push(error),
    complete: () => ends.push('complete'),
  });
  return { rows$, person, server, data, ends, subscription };
}

describe('a record that follows rows', () => {
  it('accepts rows from an interop observable, such as a query of IndexedDB', () => {
    const { person } = withPerson();
    const rows = {
      subscribe: (observer: Observer<Row>) => {
        observer.next({ name: 'Anna' });
      },
    };
    const query = { ...rows, [observable]: () => rows } as unknown as InteropObservable<Row>;

    person.follow(query).subscribe();

    expect(person.name.value).toBe('Anna');
  });

  it.each([undefined, 7, {}])('fails, rather than throws, for %j, which emits no rows', (none) => {
    const { person } = withPerson();

    const { error } = watch(person.follow(none as never) as Observable<never>);

    expect(error).toBeInstanceOf(TypeError);
  });

  it('shows each as confirmed, and emits the data after it', () => {
    const { rows$, person, data } = following();

    rows$.next({ id: 7, name: 'Anna', address: { city: 'Ulm' } });
    rows$.next({ name: 'Anne' });

    expect([person.name.value, person.city.value, person.isDirty$.value]).toStrictEqual([
      'Anne',
      'Ulm',
      false,
    ]);
    expect(data).toStrictEqual([
      { id: 7, name: 'Anna', address: { city: 'Ulm' } },
      { id: 7, name: 'Anne', address: { city: 'Ulm' } },
    ]);
  });

  it('needs no mapped id for that', () => {
    const { rows$, person } = following();
    person.unmap('id');

    rows$.next({ id: 8, name: 'Anna' });

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Anna', false]);
  });

  it('keeps edits, which are then dirty against the row', () => {
    const { rows$, person } = following();
    person.name.next('Mine');

    rows$.next({ name: 'Theirs' });

    expect([person.name.value, person.name.remote$.value]).toStrictEqual(['Mine', 'Theirs']);
  });

  it('emits once for a row', () => {
    const { rows$, person } = following();
    const told = valuesOf(person.data$);

    rows$.next({ name: 'Anna', address: { city: 'Ulm' } });

    expect(told).toHaveLength(2);
  });

  it('follows nothing before it is subscribed or after it is unsubscribed', () => {
    const rows$ = new BehaviorSubject<object>({ name: 'Anna' });
    const { person } = withPerson();
    const row$ = person.follow(rows$);
    expect([person.name.value, rows$.observed]).toStrictEqual(['Ann', false]);

    row$.subscribe().unsubscribe();
    rows$.next({ name: 'Late' });

    expect([person.name.value, rows$.observed]).toStrictEqual(['Anna', false]);
  });

  it('follows until it is disposed of', () => {
    const { rows$, person, ends } = following();
    person.dispose();
    expect([ends, rows$.observed]).toStrictEqual([['complete'], false]);
  });

  it('completes and fails as the rows do', () => {
    const { person } = withPerson();
    const failure = new Error('socket');
    const ends: unknown[] = [];
    const observer = { error: (error: unknown) => ends.push(error), complete: () => ends.push('complete') };

    person.follow(EMPTY).subscribe(observer);
    person.follow(throwError(() => failure)).subscribe(observer);

    expect(ends).toStrictEqual(['complete', failure]);
    expect(person.error$.value).toBeNull();
  });

  it('drops a row that arrives during a save that succeeds', () => {
    const { rows$, person, server } = following();
    watch(person.save$());
    rows$.next({ name: 'Older' });
    expect(person.name.value).toBe('Ann');

    server.at(0).ok();

    expect(person.get()).toStrictEqual({ id: 7, name: 'Ann', address: { city: 'Bonn' } });
  });

  it('merges a row that arrives during a save that fails, once it has failed', () => {
    const { rows$, person, server } = following();
    watch(person.save$());
    rows$.next({ name: 'Anna' });

    server.at(0).refuse(500);

    expect([person.name.value, person.isDirty$.value]).toStrictEqual(['Anna', false]);
  });

  it('drops a waiting row once it is unsubscribed', () => {
    const { rows$, person, server, subscription } = following();
    watch(person.save$());
    rows$.next({ name: 'Anna' });
    subscription.unsubscribe();

    server.at(0).refuse(500);

    expect(person.name.value).toBe('Ann');
  });

  it('tracks a row only while it waits for a save', () => {
    const { rows$, person, server } = following();
    const tracked = () => resourceOf(person)?.reads.length;
    watch(person.save$());
    rows$.next({ name: 'Anna' });
    const during = tracked();

    server.at(0).refuse(500);

    expect([during, tracked()]).toStrictEqual([1, 0]);
  });

  it('treats a row as newer than pending reads, for the fields that it contains', () => {
    const { rows$, person, server } = following();
    watch(person.fetch$());
    rows$.next({ name: 'Newer' });

    server.at(0).ok({ name: 'Older', address: { city: 'Ulm' } });

    expect([person.name.value, person.city.value, person.isDirty$.value]).toStrictEqual([
      'Newer',
      'Ulm',
      false,
    ]);
  });

  it('treats each row that waits for a save as newer than those before it', () => {
    const { rows$, person, server } = following();
    watch(person.save$());
    rows$.next({ name: 'One' });
    rows$.next({ name: 'Two' });

    server.at(0).refuse(500);

    expect(person.name.value).toBe('Two');
  });

  it('keeps what was set after a row that waited for a save', () => {
    const { rows$, person, server } = following();
    watch(person.save$());
    rows$.next({ name: 'One' });
    rows$.next({ name: 'Two' });
    person.set({ name: 'Set' });

    server.at(0).refuse(500);

    expect([person.name.value, person.name.remote$.value]).toStrictEqual(['Set', 'Set']);
  });

  it('is no longer new after a row that has an id', () => {
    const { person } = withPerson({ values: { id: undefined } });
    const rows$ = new Subject<object>();
    person.follow(rows$).subscribe();

    rows$.next({ id: 5, name: 'Anna' });

    expect([person.isNew$.value, person.isDirty$.value]).toStrictEqual([false, false]);
  });

  it.each([null, 'text', 7, [], { __proto__: { name: 'Bad' } }])('ignores the row %j', (row) => {
    const { rows$, person, ends } = following();
    rows$.next(row as Row);
    expect([person.name.value, ends]).toStrictEqual(['Ann', []]);
  });
});

import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { derived } from '../lib/derived';

import { withPerson } from './person';
import { valuesOf } from './watch';

describe('a value derived from others', () => {
  it('also emits a change between writes', () => {
    const tick$ = new Subject<void>();
    let value = 1;
    const told = valuesOf(derived(tick$, () => value));
    tick$.next();
    value = 2;
    tick$.next();
    expect(told).toStrictEqual([1, 2]);
  });

  it('emits every write to every subscriber in order, even those made in response', () => {
    const { person } = withPerson();
    person.data$.subscribe(({ name }) => {
      if (name === 'x') person.name.next('Ann');
    });
    const [all, dirty] = [valuesOf(person.data$), valuesOf(person.isDirty$)];
    person.name.next('x');
    expect([all.map(({ name }) => name), dirty]).toStrictEqual([
      ['Ann', 'x', 'Ann'],
      [false, true, false],
    ]);
  });

  it('is emitted again if it had changed by the time it was announced: whoever read it then would not learn of it', () => {
    const { person } = withPerson();
    let step = 0;
    person.data$.subscribe(({ name }) => {
      if (name === 'Bo' && step++ === 0) person.reset();
    });
    person.name.subscribe((name) => {
      if (name === 'Ann' && step++ === 1) person.name.next('Bo');
    });
    step = 0;
    const read: boolean[] = [];
    person.isDirty$.subscribe(() => read.push(person.isDirty$.value));
    person.name.next('Bo');
    expect([person.name.value, person.isDirty$.value, read.at(-1)]).toStrictEqual(['Bo', true, true]);
  });

  it('emits nothing if it is what it was, even if it was read while it differed', () => {
    const tick$ = new Subject<void>();
    let name = 'Ann';
    const value$ = derived(tick$, () => ({ name }));
    const told = valuesOf(value$);
    tick$.next();
    name = 'Bo';
    expect(value$.value).toStrictEqual({ name: 'Bo' });
    name = 'Ann';
    tick$.next();

    expect(told).toStrictEqual([{ name: 'Ann' }]);
  });

  it('is computed whenever it is read, and emitted at a tick', () => {
    let value = 1;
    const tick$ = new Subject<void>();
    const derived$ = derived(tick$, () => value);
    const values = valuesOf(derived$);

    value = 2;
    const between = derived$.value;
    tick$.next();

    expect([between, values]).toStrictEqual([2, [2]]);
  });

  it('stays the same object while it is equal, and does not emit', () => {
    let value = { a: [1] };
    const tick$ = new Subject<void>();
    const derived$ = derived(tick$, () => value);
    const values = valuesOf(derived$);
    tick$.next();
    const before = derived$.value;

    value = { a: [1] };
    tick$.next();

    expect([derived$.value === before, values.length]).toStrictEqual([true, 1]);
  });
});

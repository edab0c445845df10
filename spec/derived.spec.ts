import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';

import { derived } from '../lib/derived';

import { withPerson } from './person';
import { valuesOf } from './watch';

describe('what is derived from values', () => {
  it('is told of a change between writes, too', () => {
    const tick$ = new Subject<void>();
    let value = 1;
    const told = valuesOf(derived(tick$, () => value));
    tick$.next();
    value = 2;
    tick$.next();
    expect(told).toStrictEqual([1, 2]);
  });

  it('tells every subscriber of every write in order, whoever writes in answer', () => {
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

  it('is found among the items that were told', () => {
    const list = createLib().collection<number>([1]);
    list.subscribe((items) => {
      if (items.length === 2) list.push(3);
    });
    const [found, last] = [
      valuesOf(list.where$((item) => item > 1)),
      valuesOf(list.find$((item) => item > 2)),
    ];
    list.push(2);
    expect([found, last]).toStrictEqual([
      [[], [2], [2, 3]],
      [undefined, 3],
    ]);
  });
});

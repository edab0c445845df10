import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';

import { Field } from 'rivulet';
import { TestClock } from 'rivulet/testing';

import { Edits } from '../../lib/autosave/edits';
import { withPerson } from '../person';
import { valuesOf } from '../watch';

/** The edits of a person, who is due once nothing was edited for 500 ms. */
function watched() {
  const { person } = withPerson();
  const clock = new TestClock();
  const edits = new Edits(person, 500, clock);
  const due = valuesOf(edits.watching$);
  return { person, clock, edits, due };
}

describe('what is unsaved of a record', () => {
  it('is due once nothing was edited for some time, and tells so', () => {
    const { person, clock, edits, due } = watched();
    person.name.next('Bea');
    clock.advance(499);
    person.city.next('Ulm');
    clock.advance(499);
    expect([edits.isDue, due.length]).toStrictEqual([false, 0]);
    clock.advance(1);
    expect([edits.isDue, due.length]).toStrictEqual([true, 1]);
  });

  it('stays due when an answer confirms a part of it, which is no edit', () => {
    const { person, clock, edits } = watched();
    person.name.next('Bea');
    person.city.next('Ulm');
    clock.advance(500);
    person.clean('name');
    expect(edits.isDue).toBe(true);
  });

  it('is neither due nor untried once a save of it was tried, until it is edited', () => {
    const { person, clock, edits } = watched();
    person.name.next('Bea');
    clock.advance(500);
    edits.markTried();
    expect([edits.isDue, edits.isTried]).toStrictEqual([false, true]);
    person.name.next('Eve');
    expect([edits.isDue, edits.isTried]).toStrictEqual([false, false]);
    clock.advance(500);
    expect(edits.isDue).toBe(true);
  });

  it('stays tried when the server confirms a part of it, whatever it tells of other fields', () => {
    const { person, clock, edits } = watched();
    new Field(1).map('version', person);
    person.name.next('Bea');
    person.city.next('Ulm');
    edits.markTried();
    const row = { version: 2, address: { city: 'Ulm' } };
    person.follow(of(row)).subscribe();
    clock.advance(500);
    expect(person.dirtyMap()).toMatchObject({ name: true, 'address.city': false });
    expect([edits.isDue, edits.isTried]).toStrictEqual([false, true]);
  });

  it.each([
    ['an object', { a: 1, b: 2 }, { a: 1 }],
    ['an object, all its keys', { a: 1 }, {}],
    ['an item of a list', [{ a: 1, b: 2 }], [{ a: 1 }]],
  ])('is due when a key is taken out of %s, after another edit was tried', (_, before, after) => {
    const { person, clock, edits } = watched();
    const tags = new Field<unknown>(before);
    tags.map('tags', person);
    person.name.next('Bea');
    edits.markTried();
    person.clean();
    tags.next(after);
    expect(edits.isTried).toBe(false);
    clock.advance(500);
    expect(edits.isDue).toBe(true);
  });

  it('is due again when a part of it is taken back', () => {
    const { person, clock, edits } = watched();
    person.name.next('Bea');
    person.city.next('Ulm');
    edits.markTried();
    person.city.reset();
    expect([edits.isDue, edits.isTried]).toStrictEqual([false, false]);
    clock.advance(500);
    expect(edits.isDue).toBe(true);
  });

  it('counts as edited when it has changed, and changed back', () => {
    const { person, clock, edits } = watched();
    person.name.next('Bea');
    clock.advance(500);
    edits.markTried();
    person.city.next('Ulm');
    person.city.reset();
    clock.advance(500);
    expect([edits.isDue, edits.isTried]).toStrictEqual([true, false]);
  });
});

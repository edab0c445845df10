import { FormControl } from '@angular/forms';
import { describe, expect, it } from 'vitest';

import { createLib } from 'rivulet';
import { bindControl } from 'rivulet/angular';

import { Person } from '../person';
import { valuesOf } from '../watch';

import { inApp, openContext } from './test-bed';

/** A control that is bound to the name of a person. */
function withControl(): { person: Person; control: FormControl<string> } {
  const person = new Person(createLib(), {}, {});
  const control = new FormControl('', { nonNullable: true });
  inApp(() => {
    bindControl(control, person.name);
  });
  return { person, control };
}

describe('bindControl', () => {
  it('begins with the value of the field', () => {
    const { person, control } = withControl();
    expect([person.name.value, control.value]).toStrictEqual(['Ann', 'Ann']);
    expect(person.isDirty$.value).toBe(false);
  });

  it('writes either when the other is written, once', () => {
    const { person, control } = withControl();
    const [names, values] = [valuesOf(person.name), valuesOf(control.valueChanges)];
    control.setValue('Bob');
    person.name.next('Cid');
    expect(names).toStrictEqual(['Ann', 'Bob', 'Cid']);
    expect(values).toStrictEqual(['Bob', 'Cid']);
  });

  it('makes the field dirty on an edit, and shows the reset value in the control', () => {
    const { person, control } = withControl();
    control.setValue('Bob');
    expect(person.name.isDirty$.value).toBe(true);
    person.reset();
    expect(control.value).toBe('Ann');
  });

  it('writes no value that has not changed, not even NaN', () => {
    const root = createLib();
    const field = root.observable(NaN);
    const control = new FormControl(NaN, { nonNullable: true });
    inApp(() => {
      bindControl(control, field);
    });
    const [numbers, values] = [valuesOf(field), valuesOf(control.valueChanges)];
    field.next(NaN);
    control.updateValueAndValidity();
    expect([numbers, values]).toStrictEqual([[NaN, NaN], [NaN]]);
  });

  it('writes an object in place of another that looks the same, such as a second file', () => {
    const fileOf = (text: string) => new File([text], 'a.txt');
    const field = createLib().observable(fileOf('a'));
    const control = new FormControl(field.value, { nonNullable: true });
    inApp(() => {
      bindControl(control, field);
    });
    const [second, third] = [fileOf('b'), fileOf('c')];
    control.setValue(second);
    expect(field.value).toBe(second);
    field.next(third);
    expect(control.value).toBe(third);
  });

  it('writes the current value when an earlier one is emitted later, whichever emits', () => {
    const { name } = new Person(createLib(), {}, {});
    const control = new FormControl('', { nonNullable: true });
    // Subscribed first, so that the binding is told of the values in the wrong order.
    name.subscribe((value) => {
      if (value === 'Bob') name.next('Cid');
    });
    control.valueChanges.subscribe((value) => {
      if (value === 'Dan') control.setValue('Eve');
    });
    inApp(() => {
      bindControl(control, name);
    });
    const [names, values] = [valuesOf(name), valuesOf(control.valueChanges)];
    name.next('Bob');
    control.setValue('Dan');
    expect(names).toStrictEqual(['Ann', 'Bob', 'Cid', 'Eve']);
    expect(values).toStrictEqual(['Cid', 'Eve', 'Dan']);
  });

  it('settles on one value when the control replaces a value', () => {
    const { person, control } = withControl();
    control.valueChanges.subscribe((value) => {
      if (value !== value.trim()) control.setValue(value.trim());
    });
    person.name.next(' Bob ');
    expect([person.name.value, control.value]).toStrictEqual(['Bob', 'Bob']);
    control.setValue(' Cid ');
    expect([person.name.value, control.value]).toStrictEqual(['Cid', 'Cid']);
  });

  it('ends with the injection context, and with the record', () => {
    const person = new Person(createLib(), {}, {});
    const control = new FormControl('', { nonNullable: true });
    const { run, destroy } = openContext();
    run(() => {
      bindControl(control, person.name);
    });
    destroy();
    control.setValue('Bob');
    expect(person.name.value).toBe('Ann');
    person.name.next('Cid');
    expect(control.value).toBe('Bob');

    const other = withControl();
    other.person.dispose();
    other.control.setValue('Bob');
    expect([other.person.name.value, other.control.value]).toStrictEqual(['Ann', 'Bob']);
  });
});

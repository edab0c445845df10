import { DataModel, createLib } from '../../../dist/index.js';
import type { Racer } from '../race.ts';

const root = createLib();

/** As in the README. */
class Person extends DataModel {
  readonly id = root.observable<number | undefined>(undefined).map('id', this);
  readonly name = root.observable('').map('name', this);

  constructor(url: string) {
    super({ url }, root);
  }
}

const rivulet: Racer = {
  name: 'rivulet',
  open: (url, data) => {
    const person = new Person(url).set(data);
    return {
      edit: (name) => person.name.next(name),
      save: () => person.save().catch(() => undefined),
      name: () => person.name.value,
      isDirty: () => person.isDirty$.value,
    };
  },
};

export default rivulet;

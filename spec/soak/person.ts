import { DataModel } from 'rivulet';
import type { Field, Lib } from 'rivulet';

/** The record that is requested repeatedly. */
export class Person extends DataModel {
  readonly id: Field<number>;
  readonly name: Field<string>;

  constructor(root: Lib, url: string | (() => string)) {
    super({ url, requestLull: 1 }, root);
    this.id = root.observable(7).map('id', this);
    this.name = root.observable('Ann').map('name', this);
  }
}

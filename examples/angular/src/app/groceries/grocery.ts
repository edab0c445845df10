import { DataModel, lib } from 'rivulet';
import type { Lib } from 'rivulet';

/** A grocery as the server stores it. */
export interface GroceryItem {
  readonly id: number;
  readonly name: string;
  readonly quantity: number;
  readonly unit: string;
  readonly category: string;
  readonly done: boolean;
}

/** One grocery of the list as a live record, which its row saves and deletes. Its url is that of the list. */
export class Grocery extends DataModel {
  readonly id = lib.observable<number>().map('id', this);
  readonly name = lib.observable('').map('name', this);
  readonly quantity = lib.observable(1).map('quantity', this);
  readonly unit = lib.observable('').map('unit', this);
  readonly category = lib.observable('').map('category', this);
  readonly done = lib.observable(false).map('done', this);

  constructor(root: Lib) {
    // A tick counts whatever else has changed, so it is meant for any version.
    super({ fetchOptions: { headers: { 'if-match': '*' } } }, root);
  }
}

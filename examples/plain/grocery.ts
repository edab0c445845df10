import { DataModel, lib } from 'rivulet';
import type { Lib } from 'rivulet';

/** A grocery as the server has it; a new one has no id yet. */
export interface GroceryItem {
  readonly id?: number | undefined;
  readonly name: string;
  readonly quantity: number;
  readonly unit: string;
  readonly category: string;
  readonly done: boolean;
}

/** Where the groceries are. */
export const groceriesUrl = '/api/groceries';

/** One grocery of the list as a live record: what a row saves and deletes. */
export class Grocery extends DataModel {
  readonly id = lib.observable<number>().map('id', this);
  readonly name = lib.observable('').map('name', this);
  readonly quantity = lib.observable(1).map('quantity', this);
  readonly unit = lib.observable('pcs').map('unit', this);
  readonly category = lib.observable('Other').map('category', this);
  readonly done = lib.observable(false).map('done', this);

  constructor(root: Lib) {
    // Of its own: the list is read by a search.
    super({ url: groceriesUrl }, root);
  }
}

import { DataModel, lib } from 'rivulet';
import type { Lib } from 'rivulet';

/** A grocery as the server stores it; a new one has no id yet. */
export interface GroceryItem {
  readonly id?: number | undefined;
  readonly name: string;
  readonly quantity: number;
  readonly unit: string;
  readonly category: string;
  readonly done: boolean;
}

/** The endpoint of the groceries. */
export const groceriesUrl = '/api/groceries';

/** One grocery of the list as a live record, which its row saves and deletes. */
export class Grocery extends DataModel {
  readonly id = lib.observable<number>().map('id', this);
  readonly name = lib.observable('').map('name', this);
  readonly quantity = lib.observable(1).map('quantity', this);
  readonly unit = lib.observable('pcs').map('unit', this);
  readonly category = lib.observable('Other').map('category', this);
  readonly done = lib.observable(false).map('done', this);

  constructor(root: Lib) {
    // It needs its own url, because that of the list contains the search.
    super({ url: groceriesUrl }, root);
  }
}

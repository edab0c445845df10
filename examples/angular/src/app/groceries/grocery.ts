import { inject } from '@angular/core';
import { DataModel, lib } from 'rivulet';
import type { Lib } from 'rivulet';

import { LULL } from '../ui/lull';

/** A grocery as the server has it. */
export interface GroceryItem {
  readonly id: number;
  readonly name: string;
  readonly quantity: number;
  readonly unit: string;
  readonly category: string;
  readonly done: boolean;
}

/** Where the groceries are. */
export const groceriesUrl = '/api/groceries';

/** One grocery as a record: what a row of the list saves and deletes. */
export class Grocery extends DataModel {
  readonly id = lib.observable<number>().map('id', this);
  readonly name = lib.observable('').map('name', this);
  readonly quantity = lib.observable(1).map('quantity', this);
  readonly unit = lib.observable('').map('unit', this);
  readonly category = lib.observable('').map('category', this);
  readonly done = lib.observable(false).map('done', this);

  constructor(root: Lib) {
    // A tick counts whatever else was changed, so it is meant for any version.
    const fetchOptions = { headers: { 'if-match': '*' } };
    super({ url: groceriesUrl, fetchOptions, requestLull: inject(LULL) }, root);
  }
}
